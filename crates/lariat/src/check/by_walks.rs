//! Looking for errors of states and steps with random walks.

use lariat_ir::fault::Fault;
use lariat_ir::interpret::Patience;
use lariat_ir::model::Model;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_report::outcome::{Guarantee, Verdict};
use lariat_search::{
    Ending, FoundFault, Observer, Path, Recorded, Sampled, Statistics, WalkOptions, random_lassos,
    record,
};

use super::{CheckError, CheckOptions, Checked, measured, patience, violation};
use crate::engine::{self, Executor, Job};
use crate::load::Loaded;
use crate::replay::{self, ReplayError};
use crate::walks::{Ground, Judge, Walks};

/// Draws random walks and replays those that find an error, one for each kind and place.
pub(super) fn check(
    loaded: &Loaded,
    model: &Model,
    checks: Checks,
    options: &CheckOptions,
    walks: &Walks,
    observer: &mut impl Observer,
) -> Result<Checked, CheckError> {
    // A cycle is no error.
    let walk_options = WalkOptions {
        cycles: false,
        retest: false,
        ..walks.options
    };
    let job = SafetyWalks {
        options,
        walk_options,
        judge: Judge::new(walks, Ground::Graph),
        observer,
    };
    let exec = options.engine.exec;
    let (sampled, judge, recorded) = engine::with_executor(exec, model, checks.clone(), job)?;
    let mut space = ModelSpace::new(model, checks.clone());
    space.limit_memory(usize::MAX);
    let (mut violations, mut trails, mut faults) = (Vec::new(), Vec::new(), Vec::<Fault>::new());
    for walk in &recorded {
        let Ending::Fault(code) = walk.walk.ending else {
            return Err(ReplayError("a walk does not find its error again".into()).into());
        };
        let fault = Fault::from_code(code);
        if faults.contains(&fault) {
            continue;
        }
        let steps = replay::steps_of_walk(&mut space, walk)?;
        let trail = replay::replay(loaded.model(), &steps, fault, &checks.invariants)?;
        let found = FoundFault {
            code,
            occurrences: judge.times(code),
            path: Path {
                initial: walk.initial,
                labels: Vec::new(),
            },
        };
        violations.push(violation(&space, &found, fault, &trail));
        trails.push(trail);
        faults.push(fault);
    }
    let (verdict, guarantee) = match violations.is_empty() {
        true => judge.verdict(&sampled),
        false => (
            Verdict::Violated,
            Guarantee::ReplayedCounterexample {
                shortest: false,
                complete: false,
            },
        ),
    };
    let mut result = measured(&statistics(&sampled));
    result.search = "monte-carlo".into();
    result.verdict = verdict;
    result.guarantee = guarantee;
    result.errors = sampled.tally.violations;
    result.violations = violations;
    result.sampling = Some(judge.result(&sampled));
    Ok(Checked {
        result,
        trails,
        faults,
    })
}

/// What was measured of walks, as other searches tell it.
pub(crate) fn statistics(sampled: &Sampled) -> Statistics {
    Statistics {
        max_depth: sampled.tally.longest,
        memory_bytes: sampled.memory_bytes,
        elapsed: sampled.elapsed,
        ..Statistics::default()
    }
}

/// Random walks, for any executor.
struct SafetyWalks<'a, O> {
    options: &'a CheckOptions,
    walk_options: WalkOptions,
    judge: Judge,
    observer: &'a mut O,
}

impl<'m, O: Observer> Job<'m> for SafetyWalks<'_, O> {
    type Output = Result<(Sampled, Judge, Vec<Recorded>), CheckError>;

    fn run<E: Executor + 'm>(mut self, mut executor: E) -> Self::Output {
        let budget = &self.options.budget;
        executor.stop_on(patience(budget));
        engine::limit_expansions(&mut executor, budget);
        let mut spaces = vec![executor; self.options.engine.workers.max(1)];
        let judge = &mut self.judge;
        let fold = |number, walk: &_| judge.add(number, walk);
        let sampled = random_lassos(&mut spaces, &self.walk_options, budget, fold, self.observer);
        if let Some(difference) = spaces.iter().find_map(E::difference) {
            return Err(CheckError::Executors(difference));
        }
        // The budget was for the walks. What they have found is walked again whatever the clock says.
        spaces[0].stop_on(Patience::default());
        let numbers = self.judge.found().iter();
        let again = |&number| record(&mut spaces[0], &self.walk_options, number);
        let recorded = numbers.filter_map(again).collect();
        Ok((sampled, self.judge, recorded))
    }
}
