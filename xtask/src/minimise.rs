//! Minimises a program that has some property: delta debugging (Zeller and Hildebrandt, IEEE TSE 2002) on the tree of
//! the program, where the parts to remove are statements, options and processes.

use lariat_testkit::parallel;
use lariat_testkit::promela::tree::Node;
use std::ops::ControlFlow;

/// The smallest program found: no single cut of it is interesting, or `checks` programs were tried.
pub fn minimise(
    mut program: Node,
    jobs: usize,
    mut checks: usize,
    interesting: impl Fn(&Node) -> bool + Sync,
) -> Node {
    // After a success, continue at the same position of the new list: the larger cuts before it have just failed.
    let mut position = 0;
    let mut failures_in_a_row = 0;
    loop {
        let cuts = program.cuts();
        if failures_in_a_row >= cuts.len() || checks == 0 {
            return program;
        }
        position %= cuts.len();
        let untried = cuts.len() - position;
        let mut found = None;
        let mut tried = 0;
        let candidates = cuts.into_iter().skip(position).take(untried.min(checks));
        let check = |cut: Node| interesting(&cut).then_some(cut);
        parallel::in_order(jobs, candidates, check, |result| {
            tried += 1;
            found = result;
            if found.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        checks -= tried;
        match found {
            Some(smaller) => {
                program = smaller;
                position += tried - 1;
                failures_in_a_row = 0;
            }
            None => {
                position = 0;
                failures_in_a_row += tried;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_testkit::promela;

    #[test]
    fn only_the_relevant_part_remains() {
        let program = (0..)
            .map(|n| promela::program(3, n))
            .find(|p| p.print().contains("assert("))
            .unwrap();
        let small = minimise(program, 2, 10_000, |p| p.print().contains("assert("));
        assert!(small.size() <= 3, "{}", small.print());
    }

    #[test]
    fn the_number_of_checks_is_bounded() {
        let program = promela::program(3, 1);
        let same = minimise(program.clone(), 1, 5, |_| false);
        assert_eq!(same, program);
    }
}
