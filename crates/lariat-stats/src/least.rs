//! The least number that suffices.

/// The least number from `from` to `most` that suffices, if all larger ones do as well: by doubling, then by
/// bisection.
pub(crate) fn least(from: u64, most: u64, suffices: impl Fn(u64) -> bool) -> Option<u64> {
    let mut enough = from;
    let mut too_few = from.saturating_sub(1);
    while !suffices(enough) {
        too_few = enough;
        enough = enough.checked_mul(2).filter(|&n| n <= most)?;
    }
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if suffices(middle) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    Some(enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_below_suffices() {
        for from in [1, 2, 7, 100] {
            for bound in 0..300 {
                let found = least(from, 1 << 20, |n| n >= bound);
                assert_eq!(found, Some(bound.max(from)));
            }
        }
        assert_eq!(least(1, 100, |_| false), None);
    }
}
