//! `compare beem`: Lariat on the models of BEEM (R. Pelánek: BEEM: Benchmarks for explicit model checkers, SPIN 2007)
//! against the counts of other tools, and the searches for infinite runs against each other on its properties.
//!
//! The folder contains `FAMILY/FAMILY.N.dve`, the same with a property as `FAMILY/FAMILY.N.propK.dve`, and
//! `COUNTS.tsv`: the instances with their known numbers of states and transitions, and the source of these.

mod properties;
pub mod table;

use crate::bench::report::{seconds, thousands};
use crate::facts::{Counts, Outcome};
use crate::lariat::{self, Limits, Measured};
use crate::options::Arguments;
use lariat_testkit::parallel;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use table::{Instance, Judgement};

/// The tools that the counts come from truncate a value that does not fit into its variable.
const MEANING: &str = "--wrap";

/// Every state counts, and the search does not stop at a deadlock.
const SAFETY: &str = "--safety --all-errors --no-deadlock --no-assert --no-merge --no-dead --workers 1 --no-trail --no-warnings";

/// The memory of one run.
const MEMORY: &str = "8G";

/// For fewer states, the memory of the program itself dominates.
const COUNTABLE: u64 = 100_000;

/// The options of the command line.
struct Request {
    binary: PathBuf,
    folder: PathBuf,
    /// The size of the largest instances.
    most_states: u64,
    jobs: usize,
    limits: Limits,
    /// Whether to include instances without a known count.
    new: bool,
}

/// Runs the command; `Ok(false)` if a confirmed count differs, or if searches disagree.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let properties = arguments.flag("--props");
    let default = if properties { 3_000_000 } else { 20_000_000 };
    let most_states = arguments.number("--max-states")?.unwrap_or(default);
    let jobs = arguments.number("--jobs")?.unwrap_or(1) as usize;
    let time = Duration::from_secs(arguments.number("--timeout")?.unwrap_or(600));
    let filter = arguments.value("--filter")?.unwrap_or_default();
    let new = arguments.flag("--new");
    let [folder] = &arguments.rest()?[..] else {
        return Err("compare beem: name one folder".into());
    };
    let request = Request {
        binary: lariat::binary()?,
        folder: PathBuf::from(folder),
        most_states,
        jobs,
        limits: Limits {
            time,
            memory: MEMORY,
        },
        new,
    };
    let mut instances = table::read(&request.folder.join("COUNTS.tsv"))?;
    instances.retain(|instance| instance.name.contains(&filter));
    if properties {
        properties::compare(&request, &instances)
    } else {
        Ok(request.compare(instances))
    }
}

impl Request {
    fn wants(&self, instance: &Instance) -> bool {
        match instance.states {
            Some(states) => states <= self.most_states,
            None => self.new,
        }
    }

    /// Explores an instance; one of unknown size only up to the limit.
    fn explore(&self, instance: &Instance) -> Result<Measured, String> {
        let words = SAFETY.split(' ').chain([MEANING]);
        let mut options: Vec<String> = words.map(str::to_owned).collect();
        if instance.states.is_none() {
            options.push(format!("--max-states={}", self.most_states));
        }
        let model = instance.file(&self.folder, "");
        lariat::measure(&self.binary, &model, &options, self.limits).map_err(|e| e.to_string())
    }

    /// Compares counts, and prints a line for each instance.
    fn compare(&self, mut instances: Vec<Instance>) -> bool {
        instances.retain(|instance| self.wants(instance));
        println!(
            "{:<22}{:>12}{:>13}{:>9}{:>12}{:>9}  {:<26}verdict",
            "instance", "states", "transitions", "seconds", "states/s", "B/state", "expected"
        );
        let start = Instant::now();
        let (mut cpu, mut tally) = (Duration::ZERO, Tally::default());
        parallel::in_order(
            self.jobs,
            instances.iter(),
            |instance| (instance, self.explore(instance)),
            |(instance, measured)| {
                let (line, judgement) = match measured {
                    Ok(measured) => {
                        cpu += measured.usage.cpu;
                        row(instance, &measured)
                    }
                    Err(why) => (why, Judgement::Failed),
                };
                println!("{:<22}{line}", instance.name);
                tally.add(judgement);
                ControlFlow::Continue(())
            },
        );
        println!(
            "{} instances: {} equal, {} new, {} unconfirmed, {} cut short, {} DIFFERENT, {} FAILED; {} s, {} s CPU",
            instances.len(),
            tally.equal,
            tally.new,
            tally.unconfirmed,
            tally.cut,
            tally.differs,
            tally.failed,
            seconds(start.elapsed().as_secs_f64()),
            seconds(cpu.as_secs_f64())
        );
        tally.differs + tally.failed == 0
    }
}

/// How many instances there were of each kind.
#[derive(Default)]
struct Tally {
    equal: usize,
    differs: usize,
    unconfirmed: usize,
    new: usize,
    cut: usize,
    failed: usize,
}

impl Tally {
    fn add(&mut self, judgement: Judgement) {
        *match judgement {
            Judgement::Equal => &mut self.equal,
            Judgement::Differs => &mut self.differs,
            Judgement::Unconfirmed => &mut self.unconfirmed,
            Judgement::New => &mut self.new,
            Judgement::Cut => &mut self.cut,
            Judgement::Failed => &mut self.failed,
        } += 1;
    }
}

/// The line of an instance without its name, and its judgement.
fn row(instance: &Instance, measured: &Measured) -> (String, Judgement) {
    let (judgement, remark) = match &measured.answer.outcome {
        Outcome::Complete(counts) => (instance.judge(edges(*counts)), faults(*counts)),
        Outcome::Cut(_, why) => (Judgement::Cut, format!(": {why}")),
        Outcome::Rejected(why) | Outcome::Failed(why) => {
            return (format!("  FAILED: {why}"), Judgement::Failed);
        }
    };
    let usage = measured.usage;
    let counts = measured.answer.counts().map(edges);
    let states = counts.map_or(0, |c| c.states);
    let per_second = states as f64 / usage.cpu.as_secs_f64().max(1e-3);
    let bytes = match states {
        0..COUNTABLE => "-".into(),
        _ => format!("{:.1}", usage.rss as f64 / states as f64),
    };
    let line = format!(
        "{:>12}{:>13}{:>9}{:>12}{:>9}  {:<26}{}{remark}",
        thousands(states),
        thousands(counts.map_or(0, |c| c.transitions)),
        seconds(usage.wall.as_secs_f64()),
        thousands(per_second as u64),
        bytes,
        instance.expected(),
        judgement.word(),
    );
    (line, judgement)
}

/// The counts as in BEEM: for Lariat, as for SPIN, the edge to the initial state is a transition, too.
fn edges(counts: Counts) -> Counts {
    Counts {
        transitions: counts.transitions.saturating_sub(1),
        ..counts
    }
}

/// A remark about errors of the model, which cut off a part of its states.
fn faults(counts: Counts) -> String {
    match counts.errors {
        0 => String::new(),
        errors => format!(" ({} steps at fault)", thousands(errors)),
    }
}
