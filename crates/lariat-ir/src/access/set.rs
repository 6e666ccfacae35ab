//! Sets of small numbers.

/// A set of small numbers, one bit each. It grows as needed; what it does not mention is not in it.
#[derive(Clone, Debug, Default)]
pub struct Set {
    words: Vec<u64>,
}

impl Set {
    /// The numbers below `end`.
    pub fn below(end: usize) -> Self {
        let mut set = Set::default();
        (0..end).for_each(|n| set.insert(n));
        set
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Removes a number.
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.words
            .get(number / 64)
            .is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Adds all numbers of `other`; answers whether one of them is new.
    pub fn union(&mut self, other: &Set) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            grown |= more & !*word != 0;
            *word |= more;
        }
        grown
    }

    /// Whether the two have a number in common.
    pub fn meets(&self, other: &Set) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The numbers, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| index * 64 + bit)
        })
    }
}

/// Two sets are equal if they have the same members, however much memory they hold.
impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Set {}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = Set::default();
        numbers.into_iter().for_each(|n| set.insert(n));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let mut a: Set = [3, 64, 200].into_iter().collect();
        let b: Set = [64, 65].into_iter().collect();
        assert!(a.meets(&b) && !a.contains(65) && !a.contains(10_000));
        assert!(a.union(&b));
        assert!(!a.union(&b));
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 64, 65, 200]);
        a.remove(200);
        assert_eq!(a, [65, 64, 3].into_iter().collect());
        assert_eq!(Set::below(70).iter().count(), 70);
    }
}
