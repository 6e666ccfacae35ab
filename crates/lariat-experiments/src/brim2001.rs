//! L. Brim, I. Černá, M. Nečesal, "Randomization helps in LTL model checking" (PAPM-PROBMIV 2001): tables 1 to 5.
//!
//! Tables 1 to 3 remove states at random (dynamic and static strategy) and measure the saved memory and the
//! additional time. Tables 4 and 5 use a random order of successors and measure how early an error is found. The
//! models of the paper were not published. The models here follow its description; they are in `examples/`. ExIF of
//! table 5 has exactly the states and transitions of the paper; the others are similar.
//!
//! The paper used SPIN with partial order reduction, which Lariat does not have. The number of transitions per state,
//! on which everything in tables 1 to 3 depends, would therefore be higher here. For Peterson's algorithm the model
//! has an option for it (`LOCAL_FIRST`); the philosophers have hardly any step that could be reduced.

use std::time::Duration;

use lariat_search::StoringRule;

use super::{
    Config, Expected, Experiment, Limits, Model, Order, Place, Plot, Quantity, Row, RowProperty,
    Search, Table,
};

const PETERSON: Model = Model {
    name: "peterson3.pml",
    text: Some(include_str!("../models/peterson3.pml")),
};
pub(super) const PHILOSOPHERS: Model = Model {
    name: "philosophers_seats.pml",
    text: Some(include_str!("../models/philosophers_seats.pml")),
};
const EXIF: Model = Model {
    name: "exif.pml",
    text: Some(include_str!("../models/exif.pml")),
};
const LEADER: Model = Model {
    name: "leader_election.pml",
    text: Some(include_str!("../models/leader_election.pml")),
};

/// The sizes of the tables.
struct Sizes {
    peterson: u32,
    philosophers: [u32; 2],
    /// Philosophers with an error, and the number of repetitions of a random search.
    faulty: &'static [(u32, u32)],
    /// The memory limit of a search for their error: enough for the first number of them and not for the second.
    memory: u64,
    /// The number of states of the first restart.
    unit: u64,
    steps: u32,
    differences: [u32; 3],
    leader: u32,
    repetitions: u32,
    /// The limit of transitions of a search for tables 1, 2 and 3: one or two hundred times those of the plain
    /// search.
    transitions: [u64; 3],
    /// The sizes of the tables, in states, for the rule of Lariat.
    tables: [&'static [u64]; 3],
    time: Duration,
}

const PAPER: Sizes = Sizes {
    peterson: 3,
    philosophers: [4, 6],
    faulty: &[(11, 10), (12, 10), (14, 50), (16, 50), (20, 50)],
    memory: 12_000_000,
    unit: 100,
    steps: 1000,
    differences: [400, 200, 100],
    leader: 6,
    repetitions: 10,
    transitions: [10_000_000, 5_000_000, 120_000_000],
    tables: [
        &[9400, 7200, 5800],
        &[1750, 1550, 1300],
        &[96_000, 84_000, 72_000],
    ],
    time: Duration::from_secs(300),
};

const QUICK: Sizes = Sizes {
    peterson: 2,
    philosophers: [3, 3],
    faulty: &[(7, 3), (8, 3)],
    memory: 200_000,
    unit: 20,
    steps: 50,
    differences: [20, 10, 5],
    leader: 4,
    repetitions: 2,
    transitions: [100_000, 100_000, 100_000],
    tables: [&[350], &[300], &[300]],
    time: Duration::from_secs(10),
};

/// The numbers of a strategy in the paper: probability, then states, peak, saving in percent, transitions, overhead.
type Printed = (f64, Option<f64>, f64, f64, f64, f64);

/// The numbers of the paper in one of the tables 1 to 3.
struct Storing {
    plain: (f64, f64),
    dynamic: &'static [Printed],
    fixed: &'static [Printed],
}

const TABLE_1: Storing = Storing {
    plain: (17068.0, 32077.0),
    dynamic: &[
        (0.5, None, 11421.0, 33.0, 46074.0, 1.44),
        (0.1, None, 8263.0, 52.0, 136_344.0, 4.25),
        (0.01, Some(5559.0), 7407.0, 57.0, 1_110_526.0, 34.62),
    ],
    fixed: &[
        (0.75, Some(12807.0), 12812.0, 25.0, 38761.0, 1.21),
        (0.5, None, 9661.0, 43.0, 63662.0, 1.98),
        (0.4, Some(6852.0), 8417.0, 51.0, 390_737.0, 12.18),
    ],
};

const TABLE_2: Storing = Storing {
    plain: (3727.0, 18286.0),
    dynamic: &[
        (0.5, Some(3047.0), 3178.0, 15.0, 33475.0, 1.83),
        (0.1, Some(2482.0), 2686.0, 28.0, 139_263.0, 7.62),
        (0.01, Some(2316.0), 2531.0, 32.0, 1_287_156.0, 70.39),
    ],
    fixed: &[
        (0.75, Some(2788.0), 2961.0, 21.0, 49112.0, 2.69),
        (0.6, Some(2221.0), 2577.0, 31.0, 232_973.0, 12.74),
        (0.5, Some(1875.0), 2340.0, 37.0, 3_285_607.0, 179.68),
    ],
};

const TABLE_3: Storing = Storing {
    plain: (191_641.0, 1_144_950.0),
    dynamic: &[
        (0.5, None, 165_461.0, 14.0, 2_152_384.0, 1.88),
        (0.1, Some(136_081.0), 145_214.0, 24.0, 9_400_300.0, 8.21),
        (0.01, Some(131_306.0), 140_758.0, 27.0, 91_533_400.0, 79.9),
    ],
    fixed: &[
        (0.75, Some(143_661.0), 155_920.0, 19.0, 6_702_840.0, 5.85),
        (0.65, Some(124_377.0), 143_691.0, 25.0, 116_103_466.0, 101.4),
    ],
};

/// For each number of philosophers in table 4: the memory of SPIN in MB, successes, and the states, transitions and memory of those.
const TABLE_4: [(u32, f64, f64, f64, f64, f64); 5] = [
    (11, 56.9, 10.0, 100_421.0, 505_150.0, 26.4),
    (12, 205.0, 3.0, 68355.0, 346_824.0, 19.9),
    (14, 2800.0, 5.0, 46128.0, 250_266.0, 16.2),
    (16, 38500.0, 5.0, 46288.0, 245_406.0, 17.8),
    (20, 6_700_000.0, 2.0, 38282.0, 213_639.0, 18.2),
];
/// States and transitions of SPIN for the smallest number of philosophers in table 4.
const TABLE_4_SPIN: (f64, f64) = (288_922.0, 1_449_200.0);

/// Difference, then states and transitions of SPIN and of the random search in table 5.
const TABLE_5: [(u32, [f64; 2], [f64; 2]); 3] = [
    (400, [363_202.0, 543_502.0], [37999.0, 55810.0]),
    (200, [643_602.0, 964_002.0], [368_766.0, 551_537.0]),
    (100, [813_802.0, 1_219_250.0], [647_855.0, 969_977.0]),
];

/// The experiment; with `quick`, a small one without numbers of the paper.
pub(super) fn experiment(quick: bool) -> Experiment {
    let sizes = if quick { &QUICK } else { &PAPER };
    let mut tables = vec![
        peterson(sizes),
        philosophers(sizes, 0),
        philosophers(sizes, 1),
        faulty(sizes),
        exif(sizes),
    ];
    if quick {
        for row in tables.iter_mut().flat_map(|t| &mut t.rows) {
            row.paper.clear();
        }
    }
    Experiment {
        name: "brim2001",
        title: "Randomized storing and random order in nested depth-first search",
        source: "L. Brim, I. Cerna, M. Necesal: Randomization Helps in LTL Model Checking, PAPM-PROBMIV 2001",
        tables,
        needs_models: false,
        simulation: None,
        plot: Some(Plot {
            x: Quantity::Overhead,
            y: Quantity::Saving,
        }),
    }
}

/// A plain nested depth-first search as published.
fn plain(model: Model, defines: &[String], claim: RowProperty, verdict: Expected) -> Config {
    Config {
        model,
        defines: defines.to_vec(),
        claim,
        verdict,
        search: Search::AsPublished,
        rule: Some(StoringRule::Static(1.0)),
        order: Order::Fixed,
        reduced: false,
        limits: Limits::default(),
    }
}

fn row(block: &'static str, label: impl Into<String>, config: Config) -> Row {
    Row {
        block,
        label: label.into(),
        paper: Vec::new(),
        config,
        repetitions: 1,
        is_base: false,
        only_successes: false,
        size: None,
    }
}

fn peterson(sizes: &Sizes) -> Table {
    let plain = |defines: &[String]| {
        plain(
            PETERSON,
            defines,
            RowProperty::Ltl("exclusion"),
            Expected::Holds,
        )
    };
    let n = format!("N={}", sizes.peterson);
    let config = plain(&[n.clone(), "LOCAL_FIRST".into()]);
    let title = format!(
        "Peterson's algorithm, N = {}, [] (ncrit < 2)",
        sizes.peterson
    );
    let mut table = storing_table(1, title, sizes, &config, &TABLE_1);
    let block = "every interleaving of the steps, dynamic strategy";
    let every = plain(&[n]);
    table.rows.push(Row {
        is_base: true,
        ..row(block, "plain search", every.clone())
    });
    for (p, ..) in TABLE_1.dynamic {
        let config = Config {
            rule: Some(StoringRule::Dynamic(*p)),
            limits: limits(sizes, 1),
            ..every.clone()
        };
        table.rows.push(Row {
            repetitions: sizes.repetitions,
            ..row(block, format!("P = {p:.2}"), config)
        });
    }
    table.notes.push(
        "Except in the last block, a process takes steps of its own before others move, as partial order \
         reduction made it do in the paper."
            .into(),
    );
    table
}

/// The limits of a search for one of the tables 1 to 3.
fn limits(sizes: &Sizes, table: u32) -> Limits {
    Limits {
        transitions: Some(sizes.transitions[table as usize - 1]),
        time: Some(sizes.time),
        ..Limits::default()
    }
}

fn philosophers(sizes: &Sizes, which: usize) -> Table {
    let n = sizes.philosophers[which];
    let defines = [format!("N={n}"), "CLAIM".into()];
    let config = plain(PHILOSOPHERS, &defines, RowProperty::Never, Expected::Holds);
    let title = format!("Philosophers, N = {n}, []<> (EatingAny == 1)");
    let printed = [&TABLE_2, &TABLE_3][which];
    storing_table(2 + which as u32, title, sizes, &config, printed)
}

/// One of the tables 1 to 3.
fn storing_table(
    number: u32,
    title: String,
    sizes: &Sizes,
    config: &Config,
    printed: &Storing,
) -> Table {
    let (states, transitions) = printed.plain;
    let mut rows = vec![Row {
        paper: [states, states, 0.0, transitions, 1.0].map(Some).to_vec(),
        is_base: true,
        ..row("", "plain search", config.clone())
    }];
    let limits = limits(sizes, number);
    let strategy = |rule: StoringRule, search: Search| Config {
        rule: Some(rule),
        search,
        limits,
        ..config.clone()
    };
    let strategies = || {
        let dynamic = printed.dynamic.iter();
        let dynamic =
            dynamic.map(|p| ("dynamic strategy", "dynamic", StoringRule::Dynamic(p.0), p));
        let fixed = printed.fixed.iter();
        dynamic.chain(fixed.map(|p| ("static strategy", "static", StoringRule::Static(p.0), p)))
    };
    for (block, _, rule, p) in strategies() {
        rows.push(Row {
            paper: vec![p.1, Some(p.2), Some(p.3 / 100.0), Some(p.4), Some(p.5)],
            repetitions: sizes.repetitions,
            ..row(
                block,
                format!("P = {:.2}", p.0),
                strategy(rule, Search::AsPublished),
            )
        });
    }
    let block = "the same rules in the search that Lariat uses";
    rows.push(Row {
        is_base: true,
        ..row(
            block,
            "plain search",
            strategy(StoringRule::Static(1.0), Search::Nested),
        )
    });
    for (_, name, rule, p) in strategies() {
        rows.push(Row {
            repetitions: sizes.repetitions,
            ..row(
                block,
                format!("{name} {:.2}", p.0),
                strategy(rule, Search::Nested),
            )
        });
    }
    rows.push(Row {
        repetitions: sizes.repetitions,
        ..row(
            block,
            "dynamic 0.25",
            strategy(StoringRule::Dynamic(0.25), Search::Nested),
        )
    });
    for &states in sizes.tables[number as usize - 1] {
        let mut config = strategy(StoringRule::Auto, Search::Nested);
        config.limits.states = Some(states);
        let block = "sample:auto, with a table of so many states";
        rows.push(Row {
            repetitions: sizes.repetitions,
            ..row(block, states.to_string(), config)
        });
    }
    Table {
        place: Place::Table(number),
        title,
        columns: vec![
            Quantity::States,
            Quantity::Peak,
            Quantity::Saving,
            Quantity::Transitions,
            Quantity::Overhead,
        ],
        rows,
        least_times: false,
        notes: vec![
            "P is the probability of storing a state; saving is 1 - peak / states of the plain search.".into(),
        ],
    }
}

fn faulty(sizes: &Sizes) -> Table {
    let limits = Limits {
        memory: Some(sizes.memory),
        ..Limits::default()
    };
    let config = |n: u32, order: Order| {
        let defines = [format!("N={n}"), "FAULTY".into(), "CLAIM".into()];
        Config {
            order,
            limits,
            ..plain(
                PHILOSOPHERS,
                &defines,
                RowProperty::Never,
                Expected::Violated,
            )
        }
    };
    let printed = |n: u32| TABLE_4.iter().find(|p| p.0 == n);
    let label = |n: u32| format!("N = {n}");
    let mut rows = Vec::new();
    for (index, &(n, _)) in sizes.faulty.iter().enumerate() {
        let spin = (index == 0).then_some(TABLE_4_SPIN);
        rows.push(Row {
            paper: vec![
                None,
                None,
                None,
                spin.map(|s| s.0),
                spin.map(|s| s.1),
                printed(n).map(|p| p.1),
            ],
            ..row("fixed order", label(n), config(n, Order::Fixed))
        });
    }
    for &(n, runs) in sizes.faulty {
        let paper = printed(n).map(|p| {
            let mut paper = vec![Some(f64::from(runs)), Some(p.2), None];
            paper.extend([p.3, p.4, p.5].map(Some));
            paper
        });
        rows.push(Row {
            paper: paper.unwrap_or_default(),
            repetitions: runs,
            only_successes: true,
            ..row("random order", label(n), config(n, Order::Random))
        });
    }
    for &(n, _) in sizes.faulty {
        rows.push(Row {
            repetitions: sizes.repetitions,
            only_successes: true,
            ..row(
                "random order, with restarts by Luby's sequence",
                label(n),
                config(n, Order::Restarts(sizes.unit)),
            )
        });
    }
    Table {
        place: Place::Table(4),
        title: "Philosophers with an error".into(),
        columns: vec![
            Quantity::Runs,
            Quantity::Successes,
            Quantity::Restarts,
            Quantity::States,
            Quantity::Transitions,
            Quantity::Memory,
        ],
        rows,
        least_times: false,
        notes: vec![
            format!(
                "A search may use {:.1} MB. Means in random order are those of the runs that found the error.",
                sizes.memory as f64 / 1e6
            ),
            format!(
                "Restarts: after {} states, times 1, 1, 2, 1, 1, 2, 4, ...; states and transitions of all of them together.",
                sizes.unit
            ),
            "The paper extrapolates SPIN's memory for N > 11, and does not tell how much there was.".into(),
        ],
    }
}

fn exif(sizes: &Sizes) -> Table {
    let steps = format!("STEPS={}", sizes.steps);
    let config = |more: &[String], order: Order| {
        let mut defines = vec![steps.clone()];
        defines.extend_from_slice(more);
        Config {
            order,
            ..plain(EXIF, &defines, RowProperty::Never, Expected::Violated)
        }
    };
    let pair = |block: &'static str, config: &dyn Fn(Order) -> Config, rows: &mut Vec<Row>| {
        rows.push(Row {
            is_base: true,
            ..row(block, "fixed order", config(Order::Fixed))
        });
        rows.push(Row {
            repetitions: sizes.repetitions,
            ..row(block, "random order", config(Order::Random))
        });
    };
    let mut rows = Vec::new();
    const FIRST: [&str; 3] = ["Diff = 400", "Diff = 200", "Diff = 100"];
    const SMALL: [&str; 3] = ["Diff = 20", "Diff = 10", "Diff = 5"];
    for (index, difference) in sizes.differences.into_iter().enumerate() {
        let printed = &TABLE_5[index];
        let block = if printed.0 == difference {
            FIRST
        } else {
            SMALL
        }[index];
        let defines = [format!("DIFF={difference}")];
        let first = rows.len();
        pair(block, &|order| config(&defines, order), &mut rows);
        let share = printed.2[0] / printed.1[0];
        rows[first].paper = [printed.1[0], printed.1[1], 1.0].map(Some).to_vec();
        rows[first + 1].paper = [printed.2[0], printed.2[1], share].map(Some).to_vec();
        if index == 0 {
            let swapped = config(&[defines[0].clone(), "SWAP".into()], Order::Fixed);
            rows.push(row(block, "options swapped", swapped));
        }
    }
    let second = "second formula: [] (StepCounter < 1000 || MainCounter != 1500)";
    pair(
        second,
        &|order| config(&["SECOND".into()], order),
        &mut rows,
    );
    let swapped = config(&["SECOND".into(), "SWAP".into()], Order::Fixed);
    rows.push(row(second, "options swapped", swapped));
    leader(sizes, &pair, &mut rows);
    Table {
        place: Place::Table(5),
        title: format!(
            "ExIF with {0} steps, [] (MainCounter < 2 * {0} - Diff)",
            sizes.steps
        ),
        columns: vec![Quantity::States, Quantity::Transitions, Quantity::Share],
        rows,
        least_times: false,
        notes: vec![
            format!(
                "In fixed order, with L = {} - Diff: L^2 + 2 L + {1} states, (3 L^2 + 5 L) / 2 + {1} transitions.",
                sizes.steps,
                2 * sizes.steps + 2
            ),
            "The paper's 1219250 are 1219252, printed with six digits.".into(),
        ],
    }
}

type Pair<'a> = &'a dyn Fn(&'static str, &dyn Fn(Order) -> Config, &mut Vec<Row>);

/// The paper has no numbers and no model of this one.
fn leader(sizes: &Sizes, pair: Pair, rows: &mut Vec<Row>) {
    let config = |more: &[&str], order: Order| {
        let mut defines = vec![format!("N={}", sizes.leader), "BUG".into()];
        defines.extend(more.iter().map(|d| d.to_string()));
        Config {
            order,
            ..plain(
                LEADER,
                &defines,
                RowProperty::Ltl("somebody_wins"),
                Expected::Violated,
            )
        }
    };
    let block = "leader election with an error";
    pair(block, &|order| config(&[], order), rows);
    rows.push(row(
        block,
        "options swapped",
        config(&["SWAP"], Order::Fixed),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ending;
    use crate::tests::measured;

    /// The law of the paper's numbers of ExIF, for any number of steps.
    fn exif_law(steps: u64, difference: u64) -> (u64, u64) {
        let l = steps - difference;
        let rest = 2 * steps + 2;
        (l * l + 2 * l + rest, (3 * l * l + 5 * l) / 2 + rest)
    }

    #[test]
    fn the_paper_follows_the_law_of_exif() {
        for (difference, [states, transitions], _) in TABLE_5 {
            let law = exif_law(1000, difference.into());
            assert_eq!(states, law.0 as f64);
            // Six digits are printed.
            assert_eq!((transitions / 10.0).round(), (law.1 as f64 / 10.0).round());
        }
    }

    #[test]
    fn exif_in_fixed_order_has_the_states_and_transitions_of_the_paper() {
        let experiment = experiment(true);
        let measured = measured(&experiment, 5);
        let fixed = (measured.table.rows.iter()).zip(&measured.samples);
        let fixed: Vec<_> = fixed.filter(|(row, _)| row.is_base).collect();
        for (difference, (row, samples)) in QUICK.differences.into_iter().zip(&fixed) {
            let counted = (samples[0].states, samples[0].transitions);
            let law = exif_law(QUICK.steps.into(), difference.into());
            assert_eq!(counted, law, "{}", row.config);
        }
        assert!(
            measured
                .samples
                .iter()
                .flatten()
                .all(|s| s.ending == Ending::Violated)
        );
    }

    #[test]
    fn the_tables_are_those_of_the_paper() {
        let experiment = experiment(false);
        let numbers: Vec<u32> = experiment.tables.iter().map(|t| t.place.number()).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        for table in &experiment.tables[..3] {
            let column = |q| table.columns.iter().position(|c| *c == q).unwrap();
            let base = table.rows[0].paper.clone();
            for row in table.rows.iter().filter(|r| !r.paper.is_empty()) {
                let number = |q| row.paper[column(q)].unwrap();
                let peak = number(Quantity::Peak) / base[column(Quantity::States)].unwrap();
                let saving = number(Quantity::Saving);
                // They are rounded to whole percents, some of them downwards.
                assert!((1.0 - peak - saving).abs() < 0.011, "{}", row.config);
                let transitions =
                    number(Quantity::Transitions) / base[column(Quantity::Transitions)].unwrap();
                assert!(
                    (transitions / number(Quantity::Overhead) - 1.0).abs() < 0.01,
                    "{}",
                    row.config
                );
            }
        }
    }

    /// A dynamic strategy keeps each state that it leaves with probability P; so the number of states at the end is P
    /// times the visits on average, on any graph.
    #[test]
    fn states_at_the_end_are_p_times_the_visits() {
        let experiment = experiment(true);
        let measured = measured(&experiment, 2);
        let mut checked = 0;
        for (row, samples) in measured.table.rows.iter().zip(&measured.samples) {
            let Some(StoringRule::Dynamic(p)) = row.config.rule else {
                continue;
            };
            for sample in samples.iter().filter(|s| !s.ending.is_cut()) {
                let visits = sample.expansions as f64;
                let deviation = (visits * p * (1.0 - p)).sqrt();
                let difference = (sample.states as f64 - p * visits).abs();
                assert!(difference < 6.0 * deviation, "{}: {sample:?}", row.config);
                checked += 1;
            }
        }
        assert!(checked >= 6);
    }

    #[test]
    fn plain_rows_keep_all_states() {
        let experiment = experiment(true);
        for table in [1, 2] {
            let measured = measured(&experiment, table);
            let plain = measured.table.rows.iter().zip(&measured.samples);
            let plain: Vec<_> = plain
                .filter(|(r, _)| r.is_base)
                .map(|(_, s)| &s[0])
                .collect();
            // The first two are the same model, searched in two ways.
            assert_eq!(plain[0].states, plain[1].states);
            assert!(plain.iter().all(|s| s.states == s.peak), "{plain:?}");
        }
    }
}
