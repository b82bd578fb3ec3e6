//! Sampling a finite distribution in constant time by the alias method (Walker 1977, Vose 1991).
//!
//! Each value has a cell of equal width. It keeps a part of its cell; the rest belongs to one other
//! value, its alias. One draw of 64 random bits selects the cell and the part.

use ludion_core::random::Rng;

/// Alias table of one finite distribution, one cell for each value.
pub(super) struct AliasTable(Vec<AliasCell>);

/// Cell of one value in an alias table: the part that the value keeps, and the owner of the rest.
#[derive(Clone, Copy)]
struct AliasCell {
    /// Fraction of the cell that the value itself keeps, in units of 2⁻³².
    kept: u32,
    /// The alias, the value that owns the rest of the cell; the value itself if it keeps all.
    other: u16,
}

const TWO_POW_32: f64 = (1_u64 << 32) as f64;

impl AliasTable {
    /// Builds the table of a distribution from the probabilities of its values, at least one; they
    /// are scaled to the sum 1.
    pub(super) fn new(probabilities: &[f64]) -> Self {
        let (count, total) = (probabilities.len(), probabilities.iter().sum::<f64>());
        let mut mass: Vec<f64> = probabilities.iter().map(|p| p / total * count as f64).collect();
        let mut cells: Vec<AliasCell> =
            (0..count).map(|i| AliasCell { kept: u32::MAX, other: i as u16 }).collect();
        let (mut poor, mut rich): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&i| mass[i] < 1.0);
        while let (Some(&donor), Some(receiver)) = (rich.last(), poor.pop()) {
            cells[receiver] =
                AliasCell { kept: (mass[receiver] * TWO_POW_32) as u32, other: donor as u16 };
            mass[donor] -= 1.0 - mass[receiver];
            if mass[donor] < 1.0 {
                rich.pop();
                poor.push(donor);
            }
        }
        AliasTable(cells)
    }

    /// Draws a value, which is an index into the probabilities that the table was built from.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u16 {
        let bits = rng.bits();
        let value = (((bits >> 32) * self.0.len() as u64) >> 32) as usize;
        let AliasCell { kept, other } = self.0[value];
        // The comparison is unpredictable, so a conditional move is faster than a branch.
        std::hint::select_unpredictable((bits as u32) < kept, value as u16, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_probabilities_and_never_give_an_impossible_value() {
        let probabilities = [0.5, 0.0, 0.125, 0.3, 0.075];
        let (alias, mut rng, mut counts) =
            (AliasTable::new(&probabilities), Rng::new(3), [0_u32; 5]);
        for _ in 0..100_000 {
            counts[usize::from(alias.draw(&mut rng))] += 1;
        }
        assert_eq!(counts[1], 0);
        let chi2: f64 = (0..5)
            .filter(|&i| probabilities[i] > 0.0)
            .map(|i| {
                (f64::from(counts[i]) - 1e5 * probabilities[i]).powi(2) / (1e5 * probabilities[i])
            })
            .sum();
        // Three degrees of freedom: 16.3 is exceeded once in a thousand seeds.
        assert!(chi2 < 16.3, "{counts:?}");
    }

    #[test]
    fn a_certain_value_is_always_drawn() {
        let (alias, mut rng) = (AliasTable::new(&[0.0, 0.0, 1.0]), Rng::new(1));
        assert!((0..1_000).all(|_| alias.draw(&mut rng) == 2));
    }
}
