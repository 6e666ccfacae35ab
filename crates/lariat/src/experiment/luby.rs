//! When to begin again.
//!
//! Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47(4), 1993: a search whose length
//! varies much from run to run is stopped after 1, 1, 2, 1, 1, 2, 4, 1, ... units and begun again with other random
//! numbers. Whatever the distribution of the length, this takes at most a logarithmic factor longer than the best way to
//! choose the moments.

/// The length of run number `i`, counted from 1.
pub(super) fn luby(mut i: u64) -> u64 {
    // The sequence up to 2^k - 1 is that up to 2^(k-1) - 1, twice, and then 2^(k-1).
    loop {
        let Some(next) = i.checked_add(1) else {
            return 1 << 63;
        };
        if next.is_power_of_two() {
            return next / 2;
        }
        // The largest 2^k - 1 below i.
        i -= (1 << (u64::BITS - 1 - next.leading_zeros())) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_begins_as_published() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(luby((1 << 40) - 1), 1 << 39);
        assert_eq!(luby(u64::MAX), 1 << 63);
        assert_eq!(luby(u64::MAX - 1), 1 << 62);
    }

    #[test]
    fn each_length_takes_about_as_much_time_as_each_other() {
        let mut total = [0u64; 8];
        for i in 1..256 {
            let length = luby(i);
            total[length.trailing_zeros() as usize] += length;
        }
        assert_eq!(total, [128; 8]);
    }
}
