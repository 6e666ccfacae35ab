//! `lariat simulate`

use std::path::PathBuf;

use clap::ArgMatches;
use lariat_check::model::fault_text;
use lariat_check::model::replay::{Ran, Runner, steps_of_trace};
use lariat_check::trace::TraceStep;
use lariat_front::LoadOptions;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::Step;
use lariat_ir::state::State;
use lariat_report::trail::Trail;
use lariat_stats::stream;

use super::args::Common;
use super::{chain, interactive, replay};

pub fn run(matches: &ArgMatches) -> u8 {
    let mut common = Common::new(matches);
    if let Err(code) = chain::refuse_as_model(&common.file) {
        return code;
    }
    let mut trail = match matches.get_one::<PathBuf>("trail") {
        None => None,
        Some(path) => match replay::read(path) {
            Ok(trail) => Some(trail),
            Err(message) => return super::fail(&message),
        },
    };
    // By default the model is read with the options of the trail.
    if let Some(trail) = &trail {
        common.load = as_for_trail(common.load, trail);
    }
    let mut loaded = match super::load_model(&common) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    if let Some(claimed) = trail.take() {
        match replay::confirm(&mut loaded, claimed) {
            Ok(confirmed) => trail = Some(confirmed),
            Err(code) => return code,
        }
    }
    let runner = match Runner::new(loaded.model()) {
        Ok(runner) => runner,
        Err(fault) => {
            return super::fail(&format!("the model cannot start: {}", fault.kind.words()));
        }
    };
    let mut session = Session {
        runner,
        quiet: matches.get_flag("quiet"),
        taken: 0,
        most: matches.get_one("steps").copied().unwrap_or(500),
        faulty: false,
        history: Vec::new(),
        file: loaded.file.clone(),
    };
    if let Some(trail) = trail {
        session.follow(&steps_of_trace(&trail.steps));
        if !matches.get_flag("interactive") {
            super::print_lines(&format!("end of the trail: {}\n", trail.violation.message));
            return 1;
        }
    }
    if matches.get_flag("interactive") {
        interactive::run(&mut session);
    } else {
        let seed = matches
            .get_one("seed")
            .copied()
            .unwrap_or_else(super::random_seed);
        session.random(seed);
    }
    session.exit_code()
}

/// The options for reading a model to follow a trail: those of the user and, by default, those of the trail.
fn as_for_trail(given: LoadOptions, trail: &Trail) -> LoadOptions {
    let written = trail.options.load_options();
    LoadOptions {
        language: given.language.or(written.language),
        options: match given.options.is_empty() {
            true => written.options,
            false => given.options,
        },
        claim_files: written.claim_files,
        memory: given.memory,
    }
}

/// A simulation.
pub struct Session<'m> {
    /// The run.
    pub runner: Runner<'m>,
    quiet: bool,
    /// The number of steps.
    pub taken: u64,
    most: u64,
    faulty: bool,
    file: String,
    /// The points of the run to which the user can return.
    pub history: Vec<Earlier>,
}

/// A point of a run to which the user can return.
pub struct Earlier {
    /// The state.
    pub state: State,
    /// The process that had control.
    pub control: Option<u32>,
    /// The number of steps.
    pub taken: u64,
}

impl Session<'_> {
    fn exit_code(&self) -> u8 {
        u8::from(self.faulty)
    }

    /// Takes random steps until the run ends.
    fn random(&mut self, seed: u64) {
        let mut rng = stream(seed, "simulate", 0);
        if !self.quiet {
            super::print_lines(&format!("seed {seed}\n"));
        }
        while self.taken < self.most {
            let choices = self.runner.choices();
            let Some(step) = rng.choose(&choices).copied() else {
                self.report_end();
                return;
            };
            if self.take(step) {
                return;
            }
        }
        if !self.quiet {
            super::print_lines(&format!("stopped after {} steps\n", self.taken));
        }
    }

    /// The present point of the run.
    pub fn now(&self) -> Earlier {
        Earlier {
            state: self.runner.state().clone(),
            control: self.runner.control(),
            taken: self.taken,
        }
    }

    /// Takes the steps of a trail that has been replayed.
    fn follow(&mut self, steps: &[Step]) {
        for step in steps {
            self.history.push(self.now());
            if self.take(*step) {
                break;
            }
        }
    }

    /// Takes a step, shows it, and returns whether the run is over.
    pub fn take(&mut self, step: Step) -> bool {
        let Ran {
            step,
            faults,
            stopped,
        } = self.runner.run(step);
        self.taken += 1;
        if self.quiet {
            super::print(&step.output);
        } else {
            super::print_lines(&self.line(&step));
        }
        for fault in &faults {
            self.faulty = true;
            super::print_lines(&format!("{}\n", self.describe(*fault)));
        }
        stopped || faults.iter().any(|f| f.kind == FaultKind::Assertion)
    }

    /// Prints why no process can move.
    pub fn report_end(&mut self) {
        let interpreter = self.runner.interpreter();
        let state = self.runner.state();
        if interpreter.is_valid_end(state) {
            if !self.quiet {
                super::print_lines(&format!(
                    "end: every process has finished or rests, after {} steps\n",
                    self.taken
                ));
            }
            return;
        }
        self.faulty = true;
        super::print("invalid end state: no process can move\n");
        for line in self.runner.waiting() {
            super::print_lines(&format!("  {line}\n"));
        }
    }

    fn describe(&self, fault: Fault) -> String {
        fault_text(self.runner.interpreter().model(), fault, &[]).message
    }

    /// A step in one line, with its output below.
    fn line(&self, step: &TraceStep) -> String {
        let place = |file: &str, line: u32| {
            if file == self.file {
                line.to_string()
            } else {
                format!("{file}:{line}")
            }
        };
        let statement = step.statements();
        let mut process = format!("{}[{}]", step.process, step.pid);
        if let Some(partner) = &step.partner {
            process.push_str(&format!(" -> {}[{}]", partner.process, partner.pid));
        }
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let line = format!(
            "{:>5}  {process:16} {:>5}  {statement:32}  {}",
            self.taken,
            place(&step.file, step.line),
            changes.join(", ")
        );
        let mut text = format!("{}\n", line.trim_end());
        for printed in step.output.lines() {
            text.push_str(&format!("       | {printed}\n"));
        }
        text
    }
}
