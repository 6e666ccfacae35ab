//! Liveness checks of random programs.

use super::{LIMITS, Request, Tools, same_difference};
use crate::both::{self, Both, Lariat};
use crate::finding::Finding;
use crate::judge::{Judgement, Kind};
use crate::liveness::Spin;
use crate::spin::Settings;
use lariat_testkit::parallel;
use lariat_testkit::promela;
use lariat_testkit::promela::tree::Node;
use lariat_testkit::property::{Check, Fairness, Property};
use std::collections::BTreeMap;
use std::path::Path;

/// A program and its checks.
struct Trial {
    number: u64,
    program: Node,
    /// Empty if SPIN does not accept the program.
    checks: Vec<(Check, Answer)>,
}

/// The result of a check.
enum Answer {
    Spin(Finding),
    Both(Both),
}

/// Compares both tools; returns whether there is no difference.
pub fn run(tools: &Tools, request: &Request) -> bool {
    let mut statistics = Statistics::default();
    let work = |number| tools.live_trial(request.seed, number);
    parallel::in_order(request.jobs, request.first.., work, |trial| {
        statistics.add(&trial);
        for (check, answer) in &trial.checks {
            if let Some((both, kind)) = answer.difference()
                && !is_known(both, check, &trial.program)
            {
                tools.report_live(request, &trial, check, both, kind);
            }
        }
        request.progress(statistics.programs);
        request.enough(statistics.programs)
    });
    statistics.print();
    statistics.different == 0
}

impl Answer {
    fn spin(&self) -> &Finding {
        match self {
            Answer::Spin(finding) => finding,
            Answer::Both(both) => &both.spin,
        }
    }

    /// The answers and their difference, if there is one.
    fn difference(&self) -> Option<(&Both, Kind)> {
        match self {
            Answer::Both(both) => match both.judgement {
                Judgement::Different(kind) => Some((both, kind)),
                _ => None,
            },
            Answer::Spin(_) => None,
        }
    }
}

/// Whether a difference comes from a known defect of SPIN: one that shows in the answers, or one of weak fairness.
/// For SPIN a process that waits to receive in a rendezvous is blocked, so that it finds too many fair runs, and one
/// that is blocked by its priority or its `provided` clause is not, so that it finds too few.
fn is_known(both: &Both, check: &Check, program: &Node) -> bool {
    if both.known_defect(check).is_some() {
        return true;
    }
    if check.fairness != Fairness::Weak {
        return false;
    }
    let text = program.print();
    match (both.spin.holds(), both.lariat.holds()) {
        (Some(false), Some(true)) => text.contains("[0] of"),
        (Some(true), Some(false)) => text.contains(" priority ") || text.contains(" provided "),
        _ => false,
    }
}

impl Tools {
    fn live_trial(&self, seed: u64, number: u64) -> Trial {
        let program = promela::program_with_properties(seed, number);
        let file = self.directory.path().join(format!("{number}.pml"));
        let checks = self.with_program(&program, &file, |spin| {
            let checks = spin.survey().offers.checks().into_iter();
            checks
                .map(|check| {
                    let answer = match &self.lariat {
                        Some(binary) => Answer::Both(ask(&check, spin, binary, &file)),
                        None => Answer::Spin(spin.check(&check)),
                    };
                    (check, answer)
                })
                .collect()
        });
        Trial {
            number,
            program,
            checks: checks.unwrap_or_default(),
        }
    }

    /// Calls a function with SPIN and a program in a temporary file.
    fn with_program<R>(
        &self,
        program: &Node,
        file: &Path,
        work: impl FnOnce(&mut Spin) -> R,
    ) -> Option<R> {
        std::fs::write(file, program.print()).ok()?;
        let settings = Settings::for_random_programs();
        let result = work(&mut Spin::new(file, &[], settings, None));
        let _ = std::fs::remove_file(file);
        Some(result)
    }

    /// Minimises the program of a difference, stores it and prints it.
    fn report_live(
        &self,
        request: &Request,
        trial: &Trial,
        check: &Check,
        both: &Both,
        kind: Kind,
    ) {
        let (seed, number) = (request.seed, trial.number);
        println!(
            "DIFFERENT seed {seed}, program {number}, {check}: {}",
            kind.name()
        );
        println!("  {both}");
        let Some(binary) = &self.lariat else { return };
        let again = |program: &Node, file: &Path| {
            self.with_program(program, file, |spin| ask(check, spin, binary, file))
        };
        let small = self.minimise(request, number, &trial.program, |candidate, file| {
            again(candidate, file).is_some_and(|both| {
                same_difference(&both.judgement, kind) && !is_known(&both, check, candidate)
            })
        });
        let answers = again(&small, &self.directory.path().join("small.pml"));
        let answers = answers.map_or_else(String::new, |both| both.to_string());
        println!("  minimised: {answers}\n{}", small.print());
        let comment = format!("// {check}\n// {answers}\n");
        request.keep(number, &trial.program, &small, &comment);
    }
}

fn ask(check: &Check, spin: &mut Spin, binary: &Path, model: &Path) -> Both {
    let lariat = Lariat {
        binary,
        model,
        options: &[],
        limits: LIMITS,
    };
    both::compare(check, spin, lariat)
}

/// Counts over all programs.
#[derive(Default)]
struct Statistics {
    programs: usize,
    unusable: usize,
    /// For each kind of check: how many hold, are violated, and have no answer of SPIN.
    checks: BTreeMap<String, [usize; 3]>,
    counted: usize,
    explained: usize,
    different: usize,
}

impl Statistics {
    fn add(&mut self, trial: &Trial) {
        if trial
            .checks
            .iter()
            .all(|(_, answer)| answer.spin().holds().is_none())
        {
            self.unusable += 1;
            return;
        }
        self.programs += 1;
        for (check, answer) in &trial.checks {
            let column = match answer.spin().holds() {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            self.checks.entry(kind_of(check)).or_default()[column] += 1;
            if let Answer::Both(both) = answer {
                self.counted += usize::from(both.counted.is_some());
            }
            if let Some((both, _)) = answer.difference() {
                if is_known(both, check, &trial.program) {
                    self.explained += 1;
                } else {
                    self.different += 1;
                }
            }
        }
    }

    fn print(&self) {
        for (kind, [hold, violated, open]) in &self.checks {
            println!("{kind:<26} {hold} hold, {violated} violated, {open} without an answer");
        }
        let checks: usize = self.checks.values().flatten().sum();
        println!(
            "{} programs with {checks} checks, {} with states; besides {} programs without answers; {} explained, {} DIFFERENT",
            self.programs, self.counted, self.unusable, self.explained, self.different
        );
    }
}

/// The check without names.
fn kind_of(check: &Check) -> String {
    let property = match &check.property {
        Property::Ltl(_) => Property::Ltl("p".into()),
        Property::Never(_) => Property::Never(None),
        other => other.clone(),
    };
    Check::new(property, check.fairness).to_string()
}
