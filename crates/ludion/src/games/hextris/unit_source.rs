//! The order of the units: the linear congruential generator s' = 1103515245·s + 12345 modulo
//! 2³², of which bits 16 to 30 are given out, the seed itself giving the first number.

/// The numbers that a seed gives, without end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnitSource(u32);

impl UnitSource {
    /// The numbers of `seed`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        UnitSource(seed)
    }

    /// The next number, from 0 to 32767.
    #[inline]
    pub fn draw(&mut self) -> u32 {
        let number = self.0 >> 16 & 0x7fff;
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        number
    }

    /// The seed that gives the numbers that are still to come.
    #[must_use]
    pub fn seed(self) -> u32 {
        self.0
    }

    /// The next unit of `units`: the next number modulo how many there are.
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
