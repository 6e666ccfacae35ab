//! `lariat experiment`

use std::path::PathBuf;

use clap::ArgMatches;
use lariat_experiments::{
    self as experiment, Experiment, ExperimentObserver, Failure, Measured, Place, Settings,
    SimulatedRow, Simulation, heading, simulation_text, table_text,
};
use lariat_search::Progress;

use super::progress::SearchBar;

/// The exit code of an interruption by the user.
const INTERRUPTED: u8 = 4;

pub fn run(matches: &ArgMatches) -> u8 {
    let experiments = experiment::all(matches.get_flag("quick"));
    let Some(name) = matches.get_one::<String>("name") else {
        super::print(&list(&experiments));
        return 0;
    };
    let Some(experiment) = experiments.iter().find(|e| e.name == name) else {
        let names: Vec<&str> = experiments.iter().map(|e| e.name).collect();
        let names = names.join(", ");
        return super::fail(&format!(
            "there is no experiment {name}; there are: {names}"
        ));
    };
    let tables = matches.get_many("table").unwrap_or_default();
    let figures = matches.get_many("figure").unwrap_or_default();
    let tables = tables.copied().map(Place::Table);
    let settings = Settings {
        places: tables.chain(figures.copied().map(Place::Figure)).collect(),
        models: matches.get_one::<PathBuf>("models").cloned(),
        out: matches.get_one::<PathBuf>("out").cloned(),
        seed: matches.get_one("seed").copied().unwrap_or(1),
        repetitions: matches.get_one("repetitions").copied(),
        ..Settings::default()
    };
    super::wishes::stop_on_interrupt(settings.stop.clone());
    let mut terminal = Terminal {
        heading: Some(heading(experiment)),
        bar: SearchBar::new(None),
    };
    let outcome = experiment::run(experiment, &settings, &mut terminal);
    terminal.bar.clear();
    match outcome {
        Ok(_) => {
            if let Some(folder) = &settings.out {
                super::print(&format!("\n  written to {}\n", folder.display()));
            }
            0
        }
        Err(Failure::Interrupted) => {
            let help = match settings.out {
                Some(_) => "what was measured is kept; run it again to go on",
                None => "with --out, what was measured is kept",
            };
            super::print_error_lines(&format!("interrupted; {help}\n"));
            INTERRUPTED
        }
        Err(Failure::Message(message)) => super::fail(&message),
    }
}

/// A line for each experiment.
fn list(experiments: &[Experiment]) -> String {
    let line = |e: &Experiment| format!("{:<10} {}\n{:<10} {}\n", e.name, e.title, "", e.source);
    experiments.iter().map(line).collect()
}

/// Shows tables on standard output, and progress on a terminal.
struct Terminal {
    /// The text before the first table.
    heading: Option<String>,
    bar: SearchBar,
}

impl ExperimentObserver for Terminal {
    fn progress(&mut self, what: &str, progress: &Progress) {
        self.bar.show(what, None, progress);
    }

    fn table(&mut self, measured: &Measured) {
        self.print(&table_text(measured));
    }

    fn simulated(&mut self, simulation: &Simulation, rows: &[SimulatedRow]) {
        self.print(&simulation_text(simulation, rows));
    }
}

impl Terminal {
    fn print(&mut self, text: &str) {
        self.bar.clear();
        let heading = self.heading.take().unwrap_or_default();
        super::print(&format!("{heading}{text}"));
    }
}
