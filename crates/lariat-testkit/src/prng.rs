//! A small seeded random number generator whose values never change: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
//! The program number of a reported difference must always name the same program.

/// The generator.
#[derive(Clone, Debug)]
pub struct Prng(u64);

impl Prng {
    /// A generator for the `number`th program of a seed.
    pub fn new(seed: u64, number: u64) -> Prng {
        let mut prng = Prng(seed);
        prng.0 = prng.next() ^ number.wrapping_mul(0xd1342543de82ef95);
        prng.next();
        prng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. (The bias is negligible for such small bounds.)
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of the cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An item of a list with weights, of which one at least must not be 0.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total: usize = items.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for (weight, item) in items {
            if left < *weight {
                return *item;
            }
            left -= weight;
        }
        unreachable!("the number drawn is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stable() {
        let mut prng = Prng::new(1, 0);
        let values: Vec<_> = (0..6).map(|_| prng.below(1000)).collect();
        assert_eq!(values, STABLE);
    }

    const STABLE: [usize; 6] = [846, 752, 873, 737, 260, 699];

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut prng = Prng::new(7, 7);
        assert!((0..1000).all(|_| prng.weighted(&[(1, 'a'), (0, 'b'), (3, 'c')]) != 'b'));
    }
}
