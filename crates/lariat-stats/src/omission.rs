//! What a search that distinguishes states by a hash may have omitted.
//!
//! A state that is offered for the first time is omitted if the store takes it for another one: if its fingerprint of
//! `b` bits is stored already, or if all of its `K` bits in a Bloom filter are set. Wolper and Leroy, "Reliable hashing
//! without collision detection", CAV 1993; Stern and Dill, "Improved probabilistic verification by hash compaction",
//! CHARME 1995; Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 1970.
//!
//! # What is assumed
//!
//! The hash is chosen at random, by a seed that does not depend on the model: the hashes of different states are
//! independent and uniform. Nothing is assumed about the model, the order of the search or the number of workers.
//!
//! # Why the number of states that is *observed* may be used
//!
//! The textbook formulas have the true number of states, which a search that omits states does not know. But the hash
//! of a state plays no part before the state is offered for the first time. So whatever happened before, the
//! probability `p` that this state is omitted is known at that moment: `k/2^b` with `k` fingerprints stored, and
//! `(ones/bits)^K` in a Bloom filter. It grows while the search goes on. Let `p_1 <= ... <= p_n` be these
//! probabilities for the `n` states that were stored, each just before it was, and `q >= p_n` the one at the end: `n/2^b` or
//! the last `(ones/bits)^K`.
//!
//! - **One state.** A given state, if it is offered at all, is offered when `p <= q`. So it is omitted, and the search
//!   ends with this `q` or less, with probability at most `q`: [`Omission::single`].
//! - **Several given states**, such as those of a path or a lasso: at most the sum ([`Omission::among`]).
//! - **Several given states, and those that are taken for them** ([`Omission::lasso`]). Each state that is offered has
//!   the hash of a given one with probability `2^-b`, and is stored with probability `1-p`. So, as in the next argument, of the
//!   offers to a search that stores `n` states at most `n 2^-b/(1-q)` have that hash, in expectation. For fingerprints only.
//! - **How many.** Let `N` count the omissions, and `U` add `p/(1-p)` for each state that is stored, with the `p` just
//!   before. An offer adds 1 to `N` with probability `p`, and `p/(1-p)` to `U` with probability `1-p`: the same in
//!   expectation, so `N - U` is a martingale. Stopped before `U`, with the term of the next offer, exceeds `u`, it shows
//!   that at most `u` omissions are expected until then. At the end `U` is at most `(p_1 + ... + p_n + q)/(1-q)`:
//!   [`Omission::expected`]. States that are reached only through omitted ones are not counted; of these there can be
//!   any number.
//! - **Any state.** Let `L` be the sum of `-ln(1-p)` over the offers. Then `exp(L)` as long as nothing is omitted, and 0
//!   afterwards, is a martingale with mean 1. Stopped before `L` exceeds `u`, it shows that nothing is omitted until
//!   then with probability at least `exp(-u)`. Before the first omission all that is offered is stored, so that its `L` is
//!   at most `U` with the term of `q`: [`Omission::any`] is `1 - exp(-expected)`. If it is small, it is nearly the sum of the
//!   `p`, which for fingerprints is `n(n+1)/2^(b+1)`.
//!
//! Each statement has the form: omission *and* a search that ends with figures no greater than these. So a search which omits the
//! states in question, and for which the reported probability is at most `a`, has a probability of at most
//! `a`. Several workers change nothing: offers that are under way at the same time are stored in the end if none of
//! them is omitted, and count as stored.

/// How a store distinguishes states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinction {
    /// By fingerprints of so many bits.
    Fingerprints {
        /// The bits.
        bits: u32,
    },
    /// By a Bloom filter.
    Bloom {
        /// The bits of the table.
        bits: u64,
        /// Those that are set at the end.
        ones: u64,
        /// How many bits belong to a state.
        probes: u32,
    },
}

/// What a search may have omitted: upper bounds, which hold for any model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omission {
    /// How states were distinguished.
    pub distinction: Distinction,
    /// The states that were counted as new.
    pub states: u64,
    /// The probability that a given state is taken for another one when it is met for the first time.
    pub single: f64,
    /// The probability that anything was omitted.
    pub any: f64,
    /// The expected number of states that were met and omitted; infinite if the store is so full that there is no bound.
    pub expected: f64,
}

impl Omission {
    /// For fingerprints of `bits` bits, of which `states` are stored at the end.
    pub fn fingerprints(states: u64, bits: u32) -> Self {
        let n = states as f64;
        // A power of two: the division is exact, down to the smallest numbers.
        let scale = (-f64::from(bits.min(1000))).exp2();
        let distinction = Distinction::Fingerprints { bits };
        Self::from_sum(distinction, states, n * scale, n * (n + 1.0) / 2.0 * scale)
    }

    /// For a Bloom filter of `bits` bits with `probes` for each state, of which `ones` are set at the end. `sum` is the
    /// sum of `(ones/bits)^probes` over the `states` that were counted as new, each just before it was inserted. The places of
    /// the bits follow from a hash of 64 bits, by which a state is also omitted if it has that of a stored one.
    pub fn bloom(states: u64, bits: u64, ones: u64, probes: u32, sum: f64) -> Self {
        let fill = if bits == 0 {
            1.0
        } else {
            ones as f64 / bits as f64
        };
        let n = states as f64;
        let scale = (-f64::from(WIDEST)).exp2();
        let single = fill.powf(f64::from(probes)) + n * scale;
        let distinction = Distinction::Bloom { bits, ones, probes };
        let same_hash = n * (n - 1.0).max(0.0) / 2.0 * scale;
        Self::from_sum(distinction, states, single, sum + same_hash + single)
    }

    /// From the probabilities at the offers: the last one, and the sum of all.
    fn from_sum(distinction: Distinction, states: u64, last: f64, sum: f64) -> Self {
        let single = last.clamp(0.0, 1.0);
        let expected = if single < 1.0 {
            sum / (1.0 - single)
        } else {
            f64::INFINITY
        };
        Omission {
            distinction,
            states,
            single,
            any: -(-expected).exp_m1(),
            expected,
        }
    }

    /// The probability that one of so many given states is omitted when it is met.
    pub fn among(&self, states: u64) -> f64 {
        (states as f64 * self.single).min(1.0)
    }

    /// The probability that a search that visits whatever it stores does not visit a given state at so many steps from
    /// an initial one: one of the states on a path to it is omitted.
    pub fn path(&self, steps: u64) -> f64 {
        self.among(steps.saturating_add(1))
    }

    /// The probability that one of the states of a given lasso is omitted, or that another state is taken for it.
    pub fn lasso(&self, states: u64) -> f64 {
        let shared = self.single / (1.0 - self.single);
        (states as f64 * shared).min(1.0)
    }
}

/// A size for the entries of a table of fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntrySize {
    /// The bytes of an entry.
    pub bytes: u32,
    /// The bits of the fingerprint that are stored in it. Others follow from its place in the table.
    pub stored_bits: u32,
}

/// The bits of a reference to a state, which is the widest fingerprint.
const WIDEST: u32 = 64;

/// How full a table gets, in percent.
const LOAD: u64 = 80;

/// The widest fingerprints with which so many states fit into the memory. Without a number of states, the widest
/// ones with which the number of states that fit is greatest.
///
/// A table of `2^q` entries with `s` bits stored in each holds fingerprints of `s + q` bits.
pub fn fingerprint_bits(memory: u64, states: Option<u64>, sizes: &[EntrySize]) -> Option<u32> {
    let entries = |size: &EntrySize| memory / u64::from(size.bytes.max(1));
    let holds = |size: &EntrySize| u128::from(entries(size)) * u128::from(LOAD) / 100;
    let smallest = sizes.iter().min_by_key(|size| size.bytes)?;
    // A table for fewer states than fit is smaller, and less of a fingerprint follows from the place in it.
    let width = |size: &EntrySize, states: u128| {
        let entries = (states * 100 / u128::from(LOAD)).max(1);
        (size.stored_bits + entries.ilog2()).min(WIDEST)
    };
    let states = states.map_or(holds(smallest), |states| {
        u128::from(states).min(holds(smallest))
    });
    let fitting = sizes.iter().filter(|size| holds(size) >= states);
    fitting.map(|size| width(size, states)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact probability that `n + 1` random fingerprints of `bits` bits are not all different.
    fn birthday(n: u64, bits: u32) -> f64 {
        let all = (f64::from(bits)).exp2();
        1.0 - (1..=n).map(|k| 1.0 - k as f64 / all).product::<f64>()
    }

    #[test]
    fn bounds_are_above_the_exact_probabilities_and_close() {
        for bits in [4, 8, 12, 16] {
            for n in [0, 1, 2, 3, 5, 8, 13] {
                let omission = Omission::fingerprints(n, bits);
                let exact = birthday(n, bits);
                assert!(
                    omission.any >= exact,
                    "{n} of {bits} bits: {omission:?}, {exact}"
                );
                assert!(omission.expected >= omission.any);
                assert_eq!(omission.single, (n as f64 / f64::from(1 << bits)).min(1.0));
                if bits >= 8 {
                    assert!(
                        omission.any <= exact * 1.06,
                        "{n} of {bits} bits: {omission:?}, {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn small_probabilities_are_not_rounded_away() {
        let omission = Omission::fingerprints(1_000_000, 128);
        let exact = 1e6 * (1e6 + 1.0) / 2.0 / 128f64.exp2();
        assert!((omission.any / exact - 1.0).abs() < 1e-12, "{omission:?}");
        assert!((omission.path(9) / (1e7 / 128f64.exp2()) - 1.0).abs() < 1e-12);
        let omission = Omission::fingerprints(1, u32::MAX);
        assert!(omission.any > 0.0 && omission.single > 0.0);
    }

    #[test]
    fn probabilities_are_at_most_one() {
        for states in [0, 1, 1_000_000_000_000, u64::MAX] {
            for bits in [0, 1, 32, 40, 64, 128] {
                check(Omission::fingerprints(states, bits));
            }
            for (bits, ones, sum) in [(0, 0, 0.0), (64, 64, 1.0), (1 << 40, 1 << 39, 1e12)] {
                for probes in [0, 1, 3, 30] {
                    check(Omission::bloom(states, bits, ones, probes, sum));
                }
            }
        }
        fn check(omission: Omission) {
            let probabilities = [
                omission.single,
                omission.any,
                omission.lasso(1),
                omission.lasso(u64::MAX),
            ];
            assert!(
                probabilities.iter().all(|p| (0.0..=1.0).contains(p)),
                "{omission:?}"
            );
            assert!(omission.expected >= 0.0, "{omission:?}");
        }
        assert_eq!(Omission::fingerprints(0, 40).any, 0.0);
        assert_eq!(Omission::fingerprints(1 << 8, 8).any, 1.0);
        assert_eq!(Omission::fingerprints(1 << 20, 20).expected, f64::INFINITY);
        // 10^12 states: 64 bits do not suffice, though a given state is rarely omitted.
        let omission = Omission::fingerprints(1_000_000_000_000, 64);
        assert!((omission.expected - 27_105.05).abs() < 0.1, "{omission:?}");
        assert_eq!(omission.any, 1.0);
        assert!((omission.single - 5.42e-8).abs() < 1e-10);
    }

    /// A Bloom filter with one probe is a table of fingerprints that stores only which ones there are.
    #[test]
    fn one_probe_is_a_fingerprint() {
        for n in [1u64, 10, 100] {
            let sum = (0..n).map(|k| k as f64 / 1024.0).sum();
            let bloom = Omission::bloom(n, 1024, n, 1, sum);
            let fingerprints = Omission::fingerprints(n, 10);
            assert!((bloom.any / fingerprints.any - 1.0).abs() < 1e-12);
            assert_eq!(bloom.single, fingerprints.single);
        }
    }

    #[test]
    fn the_widest_fingerprints_that_fit_are_chosen() {
        let (narrow, wide) = (
            EntrySize {
                bytes: 4,
                stored_bits: 28,
            },
            EntrySize {
                bytes: 8,
                stored_bits: 60,
            },
        );
        let sizes = [narrow, wide];
        // 2^20 bytes are 2^17 wide entries, of which four fifths are used, or 2^18 narrow ones.
        assert_eq!(fingerprint_bits(1 << 20, Some(100_000), &sizes), Some(64));
        assert_eq!(fingerprint_bits(1 << 20, Some(110_000), &sizes), Some(45));
        assert_eq!(fingerprint_bits(1 << 20, None, &sizes), Some(45));
        assert_eq!(fingerprint_bits(1 << 20, Some(u64::MAX), &sizes), Some(45));
        assert_eq!(fingerprint_bits(0, None, &sizes), Some(60));
        assert_eq!(fingerprint_bits(u64::MAX, Some(u64::MAX), &sizes), Some(64));
        assert_eq!(fingerprint_bits(1 << 20, None, &[]), None);
    }
}
