//! The generator of the sequence of units: the linear congruential generator s' = 1103515245·s +
//! 12345 modulo 2³², whose output is bits 16 to 30 of the state; the first output comes from the
//! seed itself.

/// The contest's random number generator, which chooses the units of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnitSource(u32);

impl UnitSource {
    /// Creates the generator with this seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        UnitSource(seed)
    }

    /// Returns the next random number, from 0 to 32767.
    #[inline]
    pub fn draw(&mut self) -> u32 {
        let number = self.0 >> 16 & 0x7fff;
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        number
    }

    /// Returns the state of the generator; a new generator with this seed continues the sequence.
    #[must_use]
    pub fn seed(self) -> u32 {
        self.0
    }

    /// Draws the next unit of a game: a random index below `units`, the number of different units.
    #[inline]
    pub fn unit(&mut self, units: usize) -> usize {
        self.draw() as usize % units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_17_gives_the_numbers_of_the_contest() {
        let mut source = UnitSource::new(17);
        let first: Vec<u32> = (0..10).map(|_| source.draw()).collect();
        assert_eq!(first, [0, 24107, 16552, 12125, 9427, 13152, 21440, 3383, 6873, 16117]);
    }
}
