//! Checks a model with Lariat or with Stateright, and prints the number of states, the time, and the peak of the
//! memory.
//!
//! `stateright-bench TOOL MODEL SIZE THREADS`, where TOOL is `lariat` or `stateright`, and MODEL is `2pc`, `paxos` or
//! `register`. Both tools run the same code of the model; only the adapters differ.

mod abd;
mod paxos;
mod register;
mod two_phase;

use std::time::Instant;

/// A model for both tools.
trait Both: lariat::Model + stateright::Model + Sized {
    /// Adds the properties for Lariat.
    fn with_properties(checker: lariat::Checker<Self>) -> lariat::Checker<Self>;
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, tool, model, size, threads] = &arguments[..] else {
        eprintln!("usage: stateright-bench lariat|stateright 2pc|paxos|register SIZE THREADS");
        std::process::exit(2);
    };
    let size: usize = size.parse().expect("SIZE is a number");
    let threads: usize = threads.parse().expect("THREADS is a number");
    let states = match model.as_str() {
        "2pc" => run(
            tool,
            two_phase::TwoPhaseCommit { participants: size },
            threads,
        ),
        "paxos" => run(
            tool,
            register::System::<paxos::Server>::new(3, size),
            threads,
        ),
        "register" => run(tool, register::System::<abd::Server>::new(2, size), threads),
        _ => panic!("unknown model"),
    };
    println!("{states}");
}

fn run<M>(tool: &str, model: M, threads: usize) -> String
where
    M: Both + Send + Sync + 'static,
    <M as stateright::Model>::State:
        Send + Sync + std::hash::Hash + Clone + std::fmt::Debug + PartialEq,
    <M as stateright::Model>::Action:
        Send + Sync + Clone + PartialEq + std::fmt::Debug + std::hash::Hash,
{
    let started = Instant::now();
    let states = match tool {
        "lariat" => {
            let checker = M::with_properties(lariat::Checker::new(model)).threads(threads);
            let outcome = checker.run().expect("the model can be checked");
            outcome.assert_holds();
            outcome.properties()[0].statistics.states_stored
        }
        "stateright" => {
            use stateright::{Checker, Model};
            let checker = Model::checker(model).threads(threads).spawn_bfs().join();
            checker.assert_properties();
            checker.unique_state_count() as u64
        }
        _ => panic!("unknown tool"),
    };
    let seconds = started.elapsed().as_secs_f64();
    let (cpu, peak) = (cpu_seconds(), peak_kib());
    format!("states {states} seconds {seconds:.3} cpu {cpu:.2} peak-kib {peak}")
}

/// The processor time that this process has used. The kernel counts in hundredths of a second.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or("").split_whitespace();
    let ticks: f64 = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// The peak of the memory of this process.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}
