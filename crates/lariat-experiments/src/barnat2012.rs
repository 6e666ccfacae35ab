//! J. Barnat, J. Havlíček, P. Ročkai, "Distributed LTL Model Checking with Hash Compaction" (PASM 2012): table 1 and figures 3 to 6.
//!
//! OWCTY with a table of whole states (`flat`), with a compressed one (`tree`), and with fingerprints (`compact:40`), on instances
//! of the BEEM collection, which is not part of the program. The names of the models are missing in the table as we have
//! it; twelve of its rows were identified by their numbers of states. Table 2 is not in the paper: its algorithm beside the one that Lariat uses, on
//! random graphs.

mod graphs;
mod printed;

use std::time::Duration;

use lariat_search::StoreKind;

use super::brim2001::PHILOSOPHERS;
use super::{
    Config, Expected, Experiment, Limits, Model, Order, Place, Plot, Quantity, Row, RowProperty,
    Search, Simulation, Table,
};
use printed::{Printed, TABLE_1};

const STORES: [&str; 3] = ["flat", "tree", "compact:40"];
const REPETITIONS: u32 = 3;

/// What is checked.
#[derive(Clone)]
struct Instance {
    name: &'static str,
    model: Model,
    defines: Vec<String>,
    verdict: Expected,
    limits: Limits,
}

impl Instance {
    /// One of the BEEM collection.
    fn beem(name: &'static str, verdict: Expected) -> Self {
        Instance {
            name: name.trim_end_matches(".dve"),
            model: Model { name, text: None },
            defines: Vec::new(),
            verdict,
            limits: Limits {
                memory: Some(8_000_000_000),
                time: Some(Duration::from_secs(300)),
                ..Limits::default()
            },
        }
    }

    /// A small one.
    fn small(name: &'static str, defines: &[&str], verdict: Expected) -> Self {
        Instance {
            name,
            model: PHILOSOPHERS,
            defines: defines.iter().map(|define| define.to_string()).collect(),
            verdict,
            limits: Limits {
                time: Some(Duration::from_secs(10)),
                ..Limits::default()
            },
        }
    }

    fn row(&self, block: &'static str, label: String, store: &str, workers: usize) -> Row {
        // The names are constants, which a test reads.
        let store = store.parse::<StoreKind>().unwrap_or_default();
        let config = Config {
            model: self.model,
            defines: self.defines.clone(),
            claim: RowProperty::Never,
            verdict: self.verdict,
            search: Search::Owcty { store, workers },
            rule: None,
            order: Order::Fixed,
            reduced: false,
            limits: self.limits,
        };
        Row {
            block,
            label,
            paper: Vec::new(),
            config,
            repetitions: REPETITIONS,
            is_base: false,
            only_successes: false,
            size: None,
        }
    }
}

/// The experiment; with `quick`, a small one that is not compared with the paper.
pub(super) fn experiment(quick: bool) -> Experiment {
    let small = || {
        let correct = Instance::small("philosophers", &["N=4", "CLAIM"], Expected::Holds);
        let defines = ["N=4", "CLAIM", "FAULTY"];
        let faulty = Instance::small("faulty philosophers", &defines, Expected::Violated);
        [correct, faulty]
    };
    let rows: Vec<(Instance, Option<&Printed>)> = match quick {
        true => small().map(|instance| (instance, None)).into(),
        false => {
            let rows = TABLE_1.iter();
            rows.map(|printed| (printed.instance(), Some(printed)))
                .collect()
        }
    };
    let scaling: Vec<Instance> = match quick {
        true => small()[..1].to_vec(),
        false => printed::scaling().into(),
    };
    let mut tables = vec![table_1(&rows)];
    for (number, instance) in (3..).zip(&scaling) {
        tables.push(figure(number, instance));
    }
    Experiment {
        name: "barnat2012",
        title: "OWCTY with fingerprints in place of states",
        source: "J. Barnat, J. Havlicek, P. Rockai: Distributed LTL Model Checking with Hash Compaction, PASM 2012",
        tables,
        needs_models: !quick,
        simulation: Some(simulation(if quick { 2_000 } else { 300_000 })),
        plot: Some(Plot {
            x: Quantity::Workers,
            y: Quantity::Time,
        }),
    }
}

fn table_1(instances: &[(Instance, Option<&Printed>)]) -> Table {
    let mut rows = Vec::new();
    for (instance, printed) in instances {
        for store in STORES {
            let paper = match (printed, store) {
                (Some(printed), "flat") => printed.exact(),
                (Some(printed), "compact:40") => printed.compact(),
                _ => Vec::new(),
            };
            rows.push(Row {
                paper,
                is_base: store == "flat",
                ..instance.row(instance.name, store.into(), store, 1)
            });
        }
    }
    Table {
        place: Place::Table(1),
        title: "Memory and time of OWCTY, one worker".into(),
        columns: vec![
            Quantity::Verdict,
            Quantity::States,
            Quantity::Coverage,
            Quantity::Time,
            Quantity::Cpu,
            Quantity::Slowdown,
            Quantity::Memory,
            Quantity::PerState,
            Quantity::Change,
        ],
        rows,
        least_times: true,
        notes: vec![
            "flat: states are not compressed, as in the paper's exact search; tree: compressed, exact; compact:40: fingerprints of 40 bits (of 32 in the paper).".into(),
            "time and cpu in seconds, the least of the repetitions; coverage, slower (cpu) and change (of memory) are relative to flat, in the paper to its exact search and by the clock.".into(),
            "memory: the peak of what the search has reserved for its table, its queues and its paths; in the paper that of the process, which is 259 MB for an empty model.".into(),
            "States of the paper are printed in thousands; those of its compact rows are computed from its coverage.".into(),
        ],
    }
}

/// A figure: time and memory for different numbers of workers. Its points were not printed as numbers.
fn figure(number: u32, instance: &Instance) -> Table {
    let mut rows = Vec::new();
    for store in STORES {
        for workers in [1, 2] {
            rows.push(instance.row(store, workers.to_string(), store, workers));
        }
    }
    Table {
        place: Place::Figure(number),
        title: format!("Scalability on {}", instance.name),
        columns: vec![
            Quantity::Workers,
            Quantity::Verdict,
            Quantity::States,
            Quantity::Time,
            Quantity::Cpu,
            Quantity::Memory,
            Quantity::PerState,
        ],
        rows,
        least_times: true,
        notes: vec![
            "time and cpu in seconds, the least of the repetitions; the points of the paper are not printed as numbers.".into(),
        ],
    }
}

fn simulation(cases: u64) -> Simulation {
    Simulation {
        place: Place::Table(2),
        title: "Not in the paper: its algorithm and that of Lariat on random graphs with random collisions",
        columns: graphs::COLUMNS,
        cases,
        run: graphs::run,
        notes: vec![
            format!("{cases} graphs of 2 to 10 states for each kind of collisions. missed: violations that are not found; false: violations reported that do not exist."),
            "as printed: a violation if the queue of accepting states is not empty at the end; edge test: the least repair, which asks whether an edge leads back.".into(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ending;
    use crate::tests::measured;

    #[test]
    fn the_names_of_stores_are_read() {
        for store in STORES {
            assert_eq!(store.parse::<StoreKind>().unwrap().to_string(), store);
        }
    }

    /// The numbers are printed with fewer digits than they were computed with.
    #[test]
    fn the_paper_follows_from_its_numbers() {
        let experiment = experiment(false);
        let places: Vec<_> = experiment.tables.iter().map(|t| t.place).collect();
        assert_eq!(places[0], Place::Table(1));
        assert_eq!(places[1..], [3, 4, 5, 6].map(Place::Figure));
        assert_eq!(experiment.tables[0].rows.len(), 12 * STORES.len());
        for printed in &TABLE_1 {
            let time = 100.0 * (printed.compact_seconds / printed.exact_seconds - 1.0);
            assert!(
                (time - printed.time_percent).abs() < 1.0,
                "{}",
                printed.file
            );
            let memory = 100.0 * (printed.compact_mb / printed.exact_mb - 1.0);
            assert!(
                (memory - printed.memory_percent).abs() < 1.0,
                "{}",
                printed.file
            );
        }
    }

    #[test]
    fn all_stores_give_the_same_answer() {
        let experiment = experiment(true);
        let measured = measured(&experiment, 1);
        for (row, samples) in measured.table.rows.iter().zip(&measured.samples) {
            assert_eq!(samples.len(), REPETITIONS as usize);
            let compact = row.label.starts_with("compact");
            let expected = match row.config.verdict {
                Expected::Violated => Ending::Violated,
                Expected::Holds if compact => Ending::NotFound,
                Expected::Holds => Ending::Holds,
            };
            assert!(
                samples.iter().all(|s| s.ending == expected),
                "{}",
                row.config
            );
        }
        for index in 0..measured.table.rows.len() {
            let coverage = measured.cell(index, Quantity::Coverage).unwrap().mean;
            // 2^-40 for each pair of states.
            assert_eq!(coverage, 1.0);
        }
    }
}
