//! From the command line to options and a budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ArgMatches;
use lariat_check::repeat::Restarts;
use lariat_check::system::Exec;
use lariat_check::task::{Aim, Order, Wishes};
use lariat_ir::space::Fairness;
use lariat_search::{Budget, Estimator, SamplingName, SearchId, Spill, StoreKind, Uniform};

use crate::args;

/// The options of the user.
pub fn wishes(matches: &ArgMatches) -> Wishes {
    let word = |id: &str| args::one::<String>(matches, id).map(String::as_str);
    let number = |id: &str| args::one::<u64>(matches, id).copied();
    let probability = |id: &str| args::one::<f64>(matches, id).copied();
    Wishes {
        aim: match args::is_estimate(matches) {
            true => Aim::Estimate,
            false => Aim::Check,
        },
        search: word("search").and_then(SearchId::from_name),
        store: args::one::<StoreKind>(matches, "store").copied(),
        workers: args::one::<u16>(matches, "workers").map(|&workers| workers.into()),
        exec: word("exec").and_then(Exec::from_name),
        order: word("order").map(|order| match order {
            "random" => Order::Random,
            _ => Order::Model,
        }),
        seed: number("seed"),
        runs: number("runs"),
        confirm: number("confirm"),
        restarts: args::one::<Restarts>(matches, "restarts").copied(),
        shortest: args::flag(matches, "shortest"),
        all_errors: args::flag(matches, "all-errors"),
        fairness: word("fair").and_then(Fairness::from_word),
        no_deadlock: args::flag(matches, "no-deadlock"),
        no_assert: args::flag(matches, "no-assert"),
        no_merge: args::flag(matches, "no-merge"),
        no_dead: args::flag(matches, "no-dead"),
        sampling: args::one::<SamplingName>(matches, "sampling").map(|name| name.0),
        uniform: word("uniform").map(|uniform| match uniform {
            "transitions" => Uniform::Transitions,
            "states" => Uniform::States,
            _ => Uniform::Steps,
        }),
        max_length: number("max-length"),
        walks: number("walks"),
        epsilon: probability("epsilon"),
        delta: probability("delta"),
        max_errors: number("max-errors"),
        method: word("method").map(|method| match method {
            "gbas" => Estimator::Gbas,
            _ => Estimator::Optimal,
        }),
        alone: None,
    }
}

/// The budget. The first Ctrl-C, or a request to terminate, ends the search.
pub fn budget(matches: &ArgMatches) -> Budget {
    let budget = Budget {
        memory: args::memory(matches),
        time: args::one::<Duration>(matches, "time").copied(),
        states: args::one::<u64>(matches, "max-states").copied(),
        spill: args::one::<Spill>(matches, "spill").cloned(),
        stop: Arc::default(),
    };
    stop_on_interrupt(budget.stop.clone());
    budget
}

/// The first Ctrl-C ends the search, the second the program.
pub fn stop_on_interrupt(stop: Arc<AtomicBool>) {
    // Without a handler Ctrl-C ends the program, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}
