//! R. Grosu, S. A. Smolka, "Monte Carlo Model Checking" (TACAS 2005): tables 1 to 3.
//!
//! Random lassos are drawn until one is a counterexample (tables 1 and 3), or until enough of them were none (table
//! 2), compared with a nested depth-first search, whose memory and time are bounded here. The paper's models are
//! reactive modules, of which it prints one process. The models here follow its description; they are in `examples/`.
//!
//! The paper has one measurement for each number. Here they are repeated where the number is random.

mod printed;

use std::time::Duration;

use super::{
    Config, Experiment, Lassos, Limits, Model, Order, Place, Quantity, Row, RowProperty, Search,
    Table,
};
use crate::Expected;
use printed::{
    Found, Kept, TABLE_1_DEADLOCK, TABLE_1_STARVATION, TABLE_2_DEADLOCK, TABLE_2_STARVATION,
    TABLE_3,
};

const ROUNDS: Model = Model {
    name: "philosophers_rounds.pml",
    text: Some(include_str!("../models/philosophers_rounds.pml")),
};
const FAIR: Model = Model {
    name: "philosophers_fair.pml",
    text: Some(include_str!("../models/philosophers_fair.pml")),
};
const NEEDHAM_SCHROEDER: Model = Model {
    name: "needham_schroeder.pml",
    text: Some(include_str!("../models/needham_schroeder.pml")),
};

/// The sizes of the tables.
struct Sizes {
    /// Philosophers without fairness: those for random lassos, and below those for searches.
    unfair: &'static [u32],
    /// Very many of them, and the repetitions: the replay of a counterexample takes long.
    large: &'static [(u32, u32)],
    unfair_searched: &'static [u32],
    /// Those with one choice at a time. For 20, the counterexample has six million steps, and its replay takes
    /// minutes.
    stepwise: &'static [u32],
    /// Those with fairness. Each number has its own repetitions: long walks need none.
    fair: &'static [(u32, u32)],
    fair_searched: &'static [u32],
    nonces: &'static [u32],
    clever: &'static [u32],
    repetitions: u32,
    /// The limits of a search.
    memory: u64,
    time: Duration,
    /// The time limits of random lassos until a violation is found, and of all of them if there is none.
    time_limit: Duration,
    long_time_limit: Duration,
}

const PAPER: Sizes = Sizes {
    unfair: &[4, 8, 12, 16, 20, 30, 40, 60, 100, 200],
    large: &[(1000, 5)],
    unfair_searched: &[4, 8, 12, 16, 20, 30, 40],
    stepwise: &[4, 8, 12, 16, 30, 40],
    fair: &[(4, 5), (6, 5), (8, 5), (10, 5), (12, 5), (16, 1), (20, 1)],
    fair_searched: &[4, 6, 8, 10, 12],
    nonces: &[4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 96, 126],
    clever: &[4, 32, 72, 126],
    repetitions: 20,
    memory: 200_000_000,
    time: Duration::from_secs(60),
    time_limit: Duration::from_secs(300),
    long_time_limit: Duration::from_secs(1800),
};

const QUICK: Sizes = Sizes {
    unfair: &[4, 6],
    large: &[],
    unfair_searched: &[4, 6],
    stepwise: &[4, 6],
    fair: &[(4, 2)],
    fair_searched: &[4],
    nonces: &[2, 4],
    clever: &[4],
    repetitions: 3,
    memory: 20_000_000,
    time: Duration::from_secs(10),
    time_limit: Duration::from_secs(10),
    long_time_limit: Duration::from_secs(10),
};

/// The error margin and the confidence of the paper.
const TEST: Lassos = Lassos::Test {
    epsilon: 1.8e-3,
    delta: 0.1,
};
/// The number of random lassos for that, as printed in the paper; the formula gives 1279.
const PRINTED_WALKS: f64 = 1257.0;

/// The experiment; with `quick`, a small one that is not compared with the paper.
pub(super) fn experiment(quick: bool) -> Experiment {
    let sizes = if quick { &QUICK } else { &PAPER };
    let mut tables = vec![unfair(sizes), fair(sizes), needham_schroeder(sizes)];
    if quick {
        for row in tables.iter_mut().flat_map(|t| &mut t.rows) {
            row.paper.clear();
        }
    }
    Experiment {
        name: "grosu2005",
        title: "Random lassos in place of a search",
        source: "R. Grosu, S. A. Smolka: Monte Carlo Model Checking, TACAS 2005",
        tables,
        needs_models: false,
        simulation: None,
        plot: None,
    }
}

/// A model of some size, and its property.
struct Subject {
    model: Model,
    /// The macro for the size.
    macro_name: &'static str,
    /// The name of the size in the paper.
    word: &'static str,
    more: &'static [&'static str],
    claim: RowProperty,
    verdict: Expected,
}

impl Subject {
    fn row(&self, block: &'static str, size: u32, search: Search, limits: Limits) -> Row {
        let mut defines = vec![format!("{}={size}", self.macro_name)];
        defines.extend(self.more.iter().map(|d| d.to_string()));
        Row {
            block,
            label: format!("{} = {size}", self.word),
            paper: Vec::new(),
            config: Config {
                model: self.model,
                defines,
                claim: self.claim,
                verdict: self.verdict,
                search,
                rule: None,
                order: Order::Fixed,
                reduced: true,
                limits,
            },
            repetitions: 1,
            is_base: false,
            only_successes: false,
            size: Some(f64::from(size)),
        }
    }

    /// Random lassos.
    fn walks(&self, block: &'static str, size: u32, lassos: Lassos, sizes: &Sizes) -> Row {
        let time_limit = match lassos {
            Lassos::UntilFound => sizes.time_limit,
            Lassos::Test { .. } => sizes.long_time_limit,
        };
        let limits = Limits {
            memory: Some(sizes.memory),
            time: Some(time_limit),
            ..Limits::default()
        };
        Row {
            repetitions: sizes.repetitions,
            ..self.row(block, size, Search::Walks(lassos), limits)
        }
    }

    /// A nested depth-first search, with the paper's time and entries of the hash table.
    fn searched(&self, block: &'static str, size: u32, paper: Option<Kept>, sizes: &Sizes) -> Row {
        let limits = Limits {
            memory: Some(sizes.memory),
            time: Some(sizes.time),
            ..Limits::default()
        };
        Row {
            paper: paper.map_or(Vec::new(), |(time, entries)| vec![time, entries]),
            ..self.row(block, size, Search::Nested, limits)
        }
    }
}

fn limits_note(sizes: &Sizes, time_limit: Duration) -> String {
    format!(
        "A search may use {} MB and {} s; random lassos may take {} s.",
        sizes.memory / 1_000_000,
        sizes.time.as_secs(),
        time_limit.as_secs()
    )
}

const LENGTHS_NOTE: &str = "time in seconds, or as h:mm:ss; time/100 for a hundred lassos; N lassos were drawn, \
                            the longest with mxl steps; cxl those of the counterexample.";

fn unfair(sizes: &Sizes) -> Table {
    let subject = |claim, more| Subject {
        model: ROUNDS,
        macro_name: "N",
        word: "ph",
        more,
        claim: RowProperty::Ltl(claim),
        verdict: Expected::Violated,
    };
    let mut rows = Vec::new();
    let mut part = |claim, blocks: [&'static str; 3], printed: &[(u32, Kept, Found)]| {
        let of = |n: u32| printed.iter().find(|p| p.0 == n);
        let usual = sizes.unfair.iter().map(|&n| (n, sizes.repetitions));
        for (n, repetitions) in usual.chain(sizes.large.iter().copied()) {
            let paper = of(n).map(|(_, _, found)| found.columns());
            rows.push(Row {
                paper: paper.unwrap_or_default(),
                repetitions,
                ..subject(claim, &[]).walks(blocks[0], n, Lassos::UntilFound, sizes)
            });
        }
        for &n in sizes.unfair_searched {
            let paper = of(n).map(|p| p.1);
            rows.push(subject(claim, &[]).searched(blocks[1], n, paper, sizes));
        }
        for &n in sizes.stepwise {
            rows.push(subject(claim, &["STEPWISE"]).searched(blocks[2], n, None, sizes));
        }
    };
    part(
        "no_deadlock",
        [
            "deadlock freedom, random lassos",
            "deadlock freedom, nested depth-first search",
            "deadlock freedom, nested depth-first search, one choice at a time",
        ],
        &TABLE_1_DEADLOCK,
    );
    part(
        "no_starvation",
        [
            "starvation freedom, random lassos",
            "starvation freedom, nested depth-first search",
            "starvation freedom, nested depth-first search, one choice at a time",
        ],
        &TABLE_1_STARVATION,
    );
    Table {
        place: Place::Table(1),
        title: "Philosophers, symmetric and unfair: both properties are violated".into(),
        columns: vec![
            Quantity::Time,
            Quantity::States,
            Quantity::Kilobytes,
            Quantity::Walks,
            Quantity::Longest,
            Quantity::Counterexample,
            Quantity::Hundred,
        ],
        rows,
        least_times: false,
        notes: vec![
            LENGTHS_NOTE.into(),
            limits_note(sizes, sizes.time_limit),
            "The paper's search has 20 hours and no answer for deadlock freedom and 16, and not enough memory (1 GB) from 20 on.".into(),
        ],
    }
}

fn fair(sizes: &Sizes) -> Table {
    let deadlock = "deadlock freedom, random lassos";
    let starvation = "starvation freedom, random lassos, a monitor that is never stuck";
    let stuck = "starvation freedom, random lassos, the automaton of the formula";
    let subject = |claim| Subject {
        model: FAIR,
        macro_name: "N",
        word: "ph",
        more: match claim {
            RowProperty::Never => &["MONITOR"],
            RowProperty::Ltl(_) => &[],
        },
        claim,
        verdict: Expected::Holds,
    };
    let ltl = [
        RowProperty::Ltl("no_deadlock"),
        RowProperty::Ltl("no_starvation"),
    ];
    let mut rows = Vec::new();
    let mut walks = |claim, block, printed: &[printed::Fair]| {
        for &(n, repetitions) in sizes.fair {
            let paper = printed.iter().find(|p| p.0 == n);
            let paper = paper.map(|&(_, _, [time, longest, mean])| {
                let hundred = 100.0 * time / PRINTED_WALKS;
                let length = [PRINTED_WALKS, mean, longest, hundred].map(Some);
                [vec![Some(time), None, None], length.to_vec()].concat()
            });
            rows.push(Row {
                paper: paper.unwrap_or_default(),
                repetitions,
                ..subject(claim).walks(block, n, TEST, sizes)
            });
        }
    };
    walks(ltl[0], deadlock, &TABLE_2_DEADLOCK);
    walks(RowProperty::Never, starvation, &TABLE_2_STARVATION);
    walks(ltl[1], stuck, &[]);
    let searches = [
        (
            ltl[0],
            "deadlock freedom, nested depth-first search",
            &TABLE_2_DEADLOCK,
        ),
        (
            ltl[1],
            "starvation freedom, nested depth-first search",
            &TABLE_2_STARVATION,
        ),
    ];
    for (claim, block, printed) in searches {
        for &n in sizes.fair_searched {
            let paper = printed.iter().find(|p| p.0 == n).map(|p| p.1);
            rows.push(subject(claim).searched(block, n, paper, sizes));
        }
    }
    Table {
        place: Place::Table(2),
        title: "Philosophers, asymmetric and fair: both properties hold".into(),
        columns: vec![
            Quantity::Time,
            Quantity::States,
            Quantity::Kilobytes,
            Quantity::Walks,
            Quantity::MeanLength,
            Quantity::Longest,
            Quantity::Hundred,
        ],
        rows,
        least_times: false,
        notes: vec![
            "All N lassos for epsilon = 0.0018 and delta = 0.1 are drawn: 1279, and 1257 in the paper; avl is their mean length, mxl the longest.".into(),
            limits_note(sizes, sizes.long_time_limit),
            "The paper's search has not enough memory (1 GB) from 12 on, for starvation freedom from 10 on.".into(),
        ],
    }
}

fn needham_schroeder(sizes: &Sizes) -> Table {
    let subject = |more| Subject {
        model: NEEDHAM_SCHROEDER,
        macro_name: "MR",
        word: "mr",
        more,
        claim: RowProperty::Ltl("safe"),
        verdict: Expected::Violated,
    };
    let of = |n: u32| TABLE_3.iter().find(|p| p.0 == n);
    let mut rows = Vec::new();
    for &n in sizes.nonces {
        let paper = of(n).map(|(_, _, found)| {
            let mut columns = found.columns();
            columns.insert(4, Some(found.walks / f64::from(n * n)));
            columns
        });
        rows.push(Row {
            paper: paper.unwrap_or_default(),
            ..subject(&[]).walks("random lassos", n, Lassos::UntilFound, sizes)
        });
    }
    for &n in sizes.clever {
        let block = "random lassos, an intruder who writes what he remembers";
        rows.push(subject(&["CLEVER"]).walks(block, n, Lassos::UntilFound, sizes));
    }
    for &n in sizes.nonces {
        let paper = of(n).map(|p| p.1);
        rows.push(subject(&[]).searched("nested depth-first search", n, paper, sizes));
    }
    Table {
        place: Place::Table(3),
        title: "Needham and Schroeder's protocol with numbers from 0 to mr: there is an attack"
            .into(),
        columns: vec![
            Quantity::Time,
            Quantity::States,
            Quantity::Kilobytes,
            Quantity::Walks,
            Quantity::WalksPerSquare,
            Quantity::Longest,
            Quantity::Counterexample,
            Quantity::Hundred,
        ],
        rows,
        least_times: false,
        notes: vec![
            LENGTHS_NOTE.into(),
            limits_note(sizes, sizes.time_limit),
            "The paper's search has not enough memory (1 GB) for 72.".into(),
        ],
    }
}

#[cfg(test)]
mod tests;
