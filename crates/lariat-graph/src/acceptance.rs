//! Acceptance conditions: which infinite runs of a graph are accepted.
//!
//! Marks lie on edges, as a vector of bits. A generalised Büchi condition requires an edge of each of several sets
//! infinitely often. A Streett condition is a list of pairs: if edges that make a request are taken infinitely often,
//! edges that grant it must be, too. Weak fairness is a set for each process, strong fairness a pair for each. Both
//! conditions depend only on the edges that are taken infinitely often, so the union of the marks of its edges
//! decides whether a cycle is accepted.

use crate::StateSpace;

/// The edges that an accepted run must take infinitely often.
///
/// The bits of an edge's marks: first one for each set, then one for the request of each pair, then one for the grant
/// of each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Acceptance {
    /// Generalised Büchi: an edge of each set infinitely often. With 0 sets and 0 pairs every
    /// infinite run is accepted.
    pub sets: u32,
    /// Streett: for each pair, requests infinitely often imply grants infinitely often.
    pub pairs: u32,
}

/// A graph with an acceptance condition.
pub trait AcceptingGraph: StateSpace {
    /// The condition. It does not change; it defines the layout of the marks.
    fn acceptance(&self) -> Acceptance;
}

impl Acceptance {
    /// The number of words of marks of an edge.
    pub fn words(&self) -> usize {
        self.bits().div_ceil(64)
    }

    /// The number of bits of marks of an edge.
    pub fn bits(&self) -> usize {
        self.sets as usize + 2 * self.pairs as usize
    }

    /// The bit of a set.
    pub fn set_bit(&self, set: u32) -> usize {
        set as usize
    }

    /// The bit of the request of a pair.
    pub fn request_bit(&self, pair: u32) -> usize {
        self.sets as usize + pair as usize
    }

    /// The bit of the grant of a pair.
    pub fn grant_bit(&self, pair: u32) -> usize {
        self.sets as usize + self.pairs as usize + pair as usize
    }

    /// Whether `marks`, the union of the marks of some edges, has the bits of all sets.
    pub fn has_all_sets(&self, marks: &[u64]) -> bool {
        let whole = self.sets as usize / 64;
        let rest = (1 << (self.sets % 64)) - 1;
        marks[..whole].iter().all(|&word| word == u64::MAX)
            && (rest == 0 || marks[whole] & rest == rest)
    }

    /// The pairs whose request is in `marks` and whose grant is not.
    pub fn open_pairs(&self, marks: &[u64]) -> impl Iterator<Item = u32> {
        let has = |bit: usize| marks[bit / 64] >> (bit % 64) & 1 == 1;
        (0..self.pairs)
            .filter(move |&pair| has(self.request_bit(pair)) && !has(self.grant_bit(pair)))
    }

    /// Whether a cycle is accepted, given the union of the marks of its edges.
    ///
    /// # Panics
    ///
    /// If there are fewer than [`words`](Self::words) words.
    pub fn accepts(&self, marks: &[u64]) -> bool {
        self.has_all_sets(marks) && self.open_pairs(marks).next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn union(bits: &[usize], words: usize) -> Vec<u64> {
        let mut marks = vec![0; words];
        bits.iter()
            .for_each(|&bit| marks[bit / 64] |= 1 << (bit % 64));
        marks
    }

    #[test]
    fn bits_do_not_overlap() {
        let acceptance = Acceptance {
            sets: 100,
            pairs: 50,
        };
        let sets = (0..100).map(|set| acceptance.set_bit(set));
        let requests = (0..50).map(|pair| acceptance.request_bit(pair));
        let grants = (0..50).map(|pair| acceptance.grant_bit(pair));
        let bits: Vec<_> = sets.chain(requests).chain(grants).collect();
        assert_eq!(bits, (0..200).collect::<Vec<_>>());
        assert_eq!((acceptance.bits(), acceptance.words()), (200, 4));
        assert_eq!(Acceptance::default().words(), 0);
    }

    #[test]
    fn every_set_is_required() {
        for sets in [0, 1, 2, 63, 64, 65, 127, 128, 129, 300] {
            let acceptance = Acceptance { sets, pairs: 0 };
            let all: Vec<usize> = (0..sets as usize).collect();
            assert!(acceptance.accepts(&union(&all, acceptance.words())));
            for missing in 0..sets as usize {
                let mut some = all.clone();
                some.remove(missing);
                assert!(!acceptance.accepts(&union(&some, acceptance.words())));
            }
        }
    }

    #[test]
    fn a_request_needs_its_grant() {
        let acceptance = Acceptance { sets: 60, pairs: 3 };
        let sets: Vec<usize> = (0..60).collect();
        let accepts = |more: &[usize]| {
            let bits = [&sets[..], more].concat();
            acceptance.accepts(&union(&bits, acceptance.words()))
        };
        assert!(accepts(&[]));
        assert!(accepts(&[63, 64, 65]));
        assert!(accepts(&[61, 64]));
        assert!(!accepts(&[61, 63, 65]));
        assert!(!accepts(&[60, 61, 63]));
        let open: Vec<u32> = acceptance
            .open_pairs(&union(&[60, 61, 62, 64], 2))
            .collect();
        assert_eq!(open, [0, 2]);
    }
}
