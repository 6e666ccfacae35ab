//! What a search that may have omitted states claims, in words.

use std::fmt::Write;

use lariat_check::omission::{Missed, OmissionClaim, Violating};
use lariat_search::Distinction;

use crate::text::{bytes, number, plural, probability, stopped_by};

/// The claim, in sentences.
pub(crate) fn omission_claim(claim: &OmissionClaim) -> String {
    let several = claim.searches > 1;
    let mut text = format!(
        "not a proof: {}, distinguished by {}",
        states(claim),
        distinction(claim.omission.distinction),
    );
    let omitted = match several {
        true => "the probability that all of them omitted a state is",
        false => "the probability that any state was omitted is",
    };
    let _ = match claim.any {
        1.0 => write!(text, ";\n  so many that some may have been omitted"),
        any => write!(text, ";\n  {omitted} at most {}", probability(any)),
    };
    text.push_str(&missed(claim.missed.as_ref(), claim.any, several));
    if let Some(stop) = claim.stopped_by {
        let _ = write!(
            text,
            ";\n  no more searches were made because {}",
            stopped_by(stop)
        );
    }
    text.push_str("\n  these are probabilities of the hash, whatever the model is; they hold for a seed that was chosen before the search");
    text
}

/// The states of the last search, and its seed.
fn states(claim: &OmissionClaim) -> String {
    let states = plural(claim.omission.states, "state");
    let first = claim.seed.wrapping_sub(claim.searches.saturating_sub(1));
    match claim.searches {
        1 => format!(
            "{states} {} visited (seed {})",
            was(claim.omission.states),
            claim.seed
        ),
        n => format!(
            "{} searches with different hashes (seeds {first} to {}), {states} {} visited by the last one",
            number(n),
            claim.seed,
            was(claim.omission.states),
        ),
    }
}

fn was(count: u64) -> &'static str {
    match count {
        1 => "was",
        _ => "were",
    }
}

fn distinction(distinction: Distinction) -> String {
    match distinction {
        Distinction::Fingerprints { bits } => format!("{bits}-bit fingerprints"),
        Distinction::Bloom { bits, ones, probes } => format!(
            "{} in a table of {}, {:.1} % full",
            plural(u64::from(probes), "bit"),
            bytes(bits.div_ceil(8)),
            100.0 * ones as f64 / bits.max(1) as f64,
        ),
    }
}

/// The claim about a given violation, where it says more than the one about any state.
fn missed(missed: Option<&Missed>, any: f64, several: bool) -> String {
    let by_all = if several { " by all of them" } else { "" };
    let Some(Missed {
        what,
        probability: p,
    }) = missed
    else {
        return ";\n  no bound is known for a given counterexample".into();
    };
    if *p >= any {
        return String::new();
    }
    let what = match what {
        Violating::State { steps } => {
            format!(
                "a given state at most {} from the start",
                plural(*steps, "step")
            )
        }
        Violating::Lasso { states } => {
            format!(
                "a given counterexample of at most {} states",
                number(*states)
            )
        }
    };
    format!(
        ";\n  {what} was missed{by_all} with probability at most {}",
        probability(*p)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_search::{Omission, Stop};

    fn claim(omission: Omission, what: Option<Violating>) -> OmissionClaim {
        let probability = |what| match what {
            Violating::State { steps } => omission.path(steps),
            Violating::Lasso { states } => omission.lasso(states),
        };
        OmissionClaim {
            omission,
            seed: 42,
            searches: 1,
            any: omission.any,
            missed: what.map(|what| Missed {
                what,
                probability: probability(what),
            }),
            stopped_by: None,
        }
    }

    #[test]
    fn a_search_for_states() {
        let omission = Omission::fingerprints(1_234_567, 64);
        let claim = claim(omission, Some(Violating::State { steps: 23 }));
        let text = omission_claim(&claim);
        for part in [
            "not a proof: 1,234,567 states were visited (seed 42), distinguished by 64-bit fingerprints;",
            "the probability that any state was omitted is at most 4.131e-8;",
            "a given state at most 23 steps from the start was missed with probability at most 1.606e-12\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn searches_for_cycles() {
        let omission = Omission::fingerprints(1_000_000, 48);
        let text = omission_claim(&claim(omission, Some(Violating::Lasso { states: 1000 })));
        let part = "a given counterexample of at most 1,000 states was missed with probability at most 3.553e-6\n";
        assert!(text.contains(part), "{text}");
        let text = omission_claim(&claim(omission, None));
        assert!(
            text.contains("no bound is known for a given counterexample\n"),
            "{text}"
        );
    }

    /// The bound for a given state is not stated where that for any state is smaller.
    #[test]
    fn only_the_stronger_statement() {
        let omission = Omission::fingerprints(100, 20);
        let text = omission_claim(&claim(omission, Some(Violating::State { steps: 99 })));
        assert!(
            text.contains("any state was omitted") && !text.contains("a given state"),
            "{text}"
        );
    }

    #[test]
    fn a_full_store() {
        let omission = Omission::bloom(1 << 20, 1 << 20, 1 << 19, 2, 1e5);
        let text = omission_claim(&claim(omission, Some(Violating::State { steps: 1 })));
        for part in [
            "2 bits in a table of 128.0 KiB, 50.0 % full;\n  so many that some may have been omitted;",
            "a given state at most 1 step from the start was missed with probability at most 0.5\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn several_searches() {
        let one = claim(
            Omission::fingerprints(1000, 32),
            Some(Violating::State { steps: 9 }),
        );
        let text = omission_claim(&OmissionClaim {
            searches: 3,
            any: one.any.powi(3),
            missed: Some(Missed {
                what: Violating::State { steps: 9 },
                probability: 1.25e-17,
            }),
            stopped_by: Some(Stop::Time),
            ..one
        });
        for part in [
            "not a proof: 3 searches with different hashes (seeds 40 to 42), 1,000 states were visited by the last one, ",
            "the probability that all of them omitted a state is at most 1.582e-12;",
            "was missed by all of them with probability at most 1.25e-17;",
            "no more searches were made because the time limit was reached\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
