//! Random DVE systems: the generator of the tests of the DVE front end, with the numbers of this program.

#[path = "../../../crates/lariat-dve/tests/naive/generate.rs"]
mod systems;

use crate::prng::Prng;

/// The text of a system with accepting states, other than those of the property.
pub const ACCEPTING: &str = "accept q";

/// The text of the system of a number. Numbers of one seed are independent of each other.
pub fn system(seed: u64, number: u64) -> String {
    let mut prng = Prng::new(seed, number);
    systems::system(&mut |bound| prng.below(bound as usize) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_a_system() {
        assert_eq!(system(1, 7), system(1, 7));
        assert_ne!(system(1, 7), system(1, 8));
        assert_ne!(system(1, 7), system(2, 7));
    }
}
