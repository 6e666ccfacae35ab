//! `random spin`: both tools on random programs. Differences are minimised and stored.

mod live;

use crate::facts::{Answer, Outcome};
use crate::judge::{Judgement, Kind, judge};
use crate::minimise::minimise;
use crate::options::Arguments;
use crate::process::TemporaryDirectory;
use crate::{lariat, spin};
use lariat_testkit::parallel;
use lariat_testkit::promela;
use lariat_testkit::promela::tree::Node;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Larger programs are replaced by others.
const MOST_STATES: u64 = 200_000;

/// The limit of programs that are tried to minimise one difference.
const MINIMISING_CHECKS: usize = 400;

/// The limits for any of the programs.
const LIMITS: lariat::Limits = lariat::Limits {
    time: Duration::from_secs(30),
    memory: "1G",
};

/// The binary of Lariat (absent with `--spin-only`) and the directory for programs.
struct Tools {
    lariat: Option<PathBuf>,
    directory: TemporaryDirectory,
}

/// The result for one program.
struct Trial {
    number: u64,
    program: Node,
    spin: Answer,
    /// Absent if SPIN is no reference for this program or there is no Lariat.
    lariat: Option<Answer>,
}

/// Counts over all programs.
#[derive(Default)]
struct Statistics {
    rejected: BTreeMap<String, usize>,
    failed: BTreeMap<String, usize>,
    too_big: usize,
    /// States of the programs that were compared.
    sizes: Vec<u64>,
    with_errors: usize,
    differences: usize,
}

/// The options of the command line.
struct Request {
    programs: usize,
    seed: u64,
    first: u64,
    jobs: usize,
    keep: PathBuf,
}

impl Request {
    /// Shows the progress on a terminal.
    fn progress(&self, done: usize) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K{done}/{}", self.programs);
            if done >= self.programs {
                eprint!("\r\x1b[K");
            }
        }
    }

    /// Whether to continue with further programs.
    fn enough(&self, done: usize) -> ControlFlow<()> {
        if done < self.programs {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Stores a program on which the tools differ, as generated and minimised.
    fn keep(&self, number: u64, full: &Node, small: &Node, comment: &str) {
        let seed = self.seed;
        let small = format!(
            "// seed {seed}, program {number}\n{comment}{}",
            small.print()
        );
        let kept = [
            (format!("{seed}-{number}.pml"), small),
            (format!("{seed}-{number}.full.pml"), full.print()),
        ];
        for (name, text) in kept {
            let file = self.keep.join(&name);
            let written =
                std::fs::create_dir_all(&self.keep).and_then(|()| std::fs::write(&file, text));
            match written {
                Ok(()) => println!("  kept as {}", file.display()),
                Err(error) => println!("  not kept: {}: {error}", file.display()),
            }
        }
    }
}

/// Runs the command; `Ok(true)` if there is no difference.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let keep = arguments.value("--keep")?.map(PathBuf::from);
    let request = Request {
        programs: arguments.number("--programs")?.unwrap_or(500) as usize,
        seed: arguments.number("--seed")?.unwrap_or(1),
        first: arguments.number("--first")?.unwrap_or(0),
        jobs: arguments.number("--jobs")?.unwrap_or(2) as usize,
        keep: keep.unwrap_or_else(|| lariat::target_directory().join("xtask-random")),
    };
    let print = arguments.flag("--print");
    let spin_only = arguments.flag("--spin-only");
    let liveness = arguments.flag("--liveness");
    if let Some(unknown) = arguments.rest()?.first() {
        return Err(format!("random spin: unexpected `{unknown}`"));
    }
    let seed = request.seed;
    if print {
        for number in request.first..request.first + request.programs as u64 {
            let program = if liveness {
                promela::program_with_properties(seed, number)
            } else {
                promela::program(seed, number)
            };
            println!("// seed {seed}, program {number}\n{}", program.print());
        }
        return Ok(true);
    }
    spin::version()?;
    let lariat = if spin_only {
        None
    } else {
        Some(lariat::binary()?)
    };
    let tools = Tools {
        lariat,
        directory: TemporaryDirectory::new().map_err(|error| error.to_string())?,
    };
    if liveness {
        return Ok(live::run(&tools, &request));
    }

    let mut statistics = Statistics::default();
    let work = |number| tools.trial(seed, number);
    parallel::in_order(request.jobs, request.first.., work, |trial| {
        statistics.add(&trial);
        if let Some(lariat) = &trial.lariat
            && let Judgement::Different(kind) = judge(&trial.spin, lariat)
        {
            statistics.differences += 1;
            tools.report(&request, &trial, lariat, kind);
        }
        request.progress(statistics.sizes.len());
        request.enough(statistics.sizes.len())
    });
    statistics.print();
    Ok(statistics.differences == 0)
}

impl Tools {
    fn trial(&self, seed: u64, number: u64) -> Trial {
        let program = promela::program(seed, number);
        let file = self.directory.path().join(format!("{number}.pml"));
        let (spin, lariat) = self.both(&program, &file);
        Trial {
            number,
            program,
            spin,
            lariat,
        }
    }

    /// The answers on a program; Lariat is asked only where SPIN is a reference.
    fn both(&self, program: &Node, file: &Path) -> (Answer, Option<Answer>) {
        let failed = |error: std::io::Error| Answer::from(Outcome::Failed(error.to_string()));
        if let Err(error) = std::fs::write(file, program.print()) {
            return (failed(error), None);
        }
        let spin =
            spin::check(file, &[], spin::Settings::for_random_programs()).unwrap_or_else(failed);
        let lariat = match (&self.lariat, &spin.outcome) {
            (Some(binary), Outcome::Complete(counts)) if counts.states <= MOST_STATES => {
                Some(lariat::check(binary, file, &[], LIMITS).unwrap_or_else(failed))
            }
            _ => None,
        };
        let _ = std::fs::remove_file(file);
        (spin, lariat)
    }

    /// Minimises the program of a difference, stores it and prints it.
    fn report(&self, request: &Request, trial: &Trial, lariat: &Answer, kind: Kind) {
        let (seed, number) = (request.seed, trial.number);
        println!("DIFFERENT seed {seed}, program {number}: {}", kind.name());
        println!("  spin: {} | lariat: {lariat}", trial.spin);
        let small = self.minimise(
            request,
            number,
            &trial.program,
            |candidate, file| match self.both(candidate, file) {
                (spin, Some(lariat)) => same_difference(&judge(&spin, &lariat), kind),
                _ => false,
            },
        );
        let (spin, lariat) = self.both(&small, &self.directory.path().join("small.pml"));
        let lariat = lariat.map_or_else(String::new, |answer| answer.to_string());
        println!(
            "  minimised: spin: {spin} | lariat: {lariat}\n{}",
            small.print()
        );
        let comment = format!("// spin: {spin}\n// lariat: {lariat}\n");
        request.keep(number, &trial.program, &small, &comment);
    }

    /// Minimises a program while the difference persists; the file is for the candidate.
    fn minimise(
        &self,
        request: &Request,
        number: u64,
        program: &Node,
        interesting: impl Fn(&Node, &Path) -> bool + Sync,
    ) -> Node {
        let counter = AtomicUsize::new(0);
        minimise(
            program.clone(),
            request.jobs,
            MINIMISING_CHECKS,
            |candidate| {
                let part = counter.fetch_add(1, Ordering::Relaxed);
                let name = format!("{number}-{part}.pml");
                interesting(candidate, &self.directory.path().join(name))
            },
        )
    }
}

/// Failures and rejections must keep their kind; differences in verdict and counts may turn into each other.
fn same_difference(judgement: &Judgement, kind: Kind) -> bool {
    let class = |kind| match kind {
        Kind::Failure => 0,
        Kind::Acceptance => 1,
        Kind::Verdict | Kind::Errors | Kind::Counts => 2,
    };
    matches!(judgement, Judgement::Different(other) if class(*other) == class(kind))
}

impl Statistics {
    fn add(&mut self, trial: &Trial) {
        // A message without names and numbers, to count similar ones together.
        let alike = |message: &str| {
            let words = message
                .split_whitespace()
                .take(6)
                .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
            words.collect::<Vec<_>>().join(" ")
        };
        match &trial.spin.outcome {
            Outcome::Rejected(message) => *self.rejected.entry(alike(message)).or_default() += 1,
            Outcome::Failed(message) => *self.failed.entry(alike(message)).or_default() += 1,
            Outcome::Cut(..) => self.too_big += 1,
            Outcome::Complete(counts) if counts.states > MOST_STATES => self.too_big += 1,
            Outcome::Complete(counts) => {
                self.sizes.push(counts.states);
                self.with_errors += usize::from(counts.errors > 0);
            }
        }
    }

    fn print(&mut self) {
        let (rejected, failed) = (
            self.rejected.values().sum::<usize>(),
            self.failed.values().sum::<usize>(),
        );
        for (message, number) in self.rejected.iter().chain(&self.failed) {
            println!("rejected  {number} programs: {message}");
        }
        self.sizes.sort_unstable();
        if let Some(last) = self.sizes.len().checked_sub(1) {
            let quantile = |percent: usize| self.sizes[last * percent / 100];
            let values: Vec<String> = [0, 10, 25, 50, 75, 90, 100]
                .map(|p| format!("{p}%: {}", quantile(p)))
                .into();
            println!("states    {}", values.join(", "));
        }
        println!(
            "{} programs: {} with errors, {} clean; besides {rejected} rejected by SPIN, {failed} on which SPIN fails, {} too big; {} DIFFERENT",
            self.sizes.len(),
            self.with_errors,
            self.sizes.len() - self.with_errors,
            self.too_big,
            self.differences
        );
    }
}
