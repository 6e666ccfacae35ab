//! `compare spin`: both tools on every model, and where they disagree.

mod line;
mod live;

use crate::cache::{Cache, Key};
use crate::corpus::{self, Corpus};
use crate::facts::{Answer, Outcome};
use crate::judge::{Judgement, judge};
use crate::options::Arguments;
use crate::{lariat, spin};
use lariat_testkit::header::Header;
use lariat_testkit::parallel;
use lariat_testkit::property::Expectation;
use line::{Line, summarise};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A model with the options to check it with.
struct Task {
    model: PathBuf,
    options: Vec<String>,
    /// Why the model is not compared, if there is a reason.
    skip: Option<String>,
    /// The liveness checks of a model of ours; models of others are checked for all their properties.
    expectations: Option<Vec<Expectation>>,
}

impl Task {
    /// The model and its options, the beginning of its lines.
    fn name(&self) -> String {
        let mut name = self.model.display().to_string();
        for option in &self.options {
            let _ = write!(name, " {option}");
        }
        name
    }
}

/// The tools and their settings.
struct Tools {
    /// Absent with `--spin-only`.
    lariat: Option<PathBuf>,
    limits: lariat::Limits,
    cache: Option<Cache>,
    settings: spin::Settings,
    /// What is compared.
    safety: bool,
    liveness: bool,
}

/// Runs the command; `Ok(true)` if there is no unexplained difference.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let jobs = arguments.number("--jobs")?.unwrap_or(2) as usize;
    let time = Duration::from_secs(arguments.number("--timeout")?.unwrap_or(60));
    let filter = arguments.value("--filter")?;
    let report = arguments.value("--report")?;
    let spin_only = arguments.flag("--spin-only");
    let no_cache = arguments.flag("--no-cache");
    let quick = arguments.flag("--quick");
    let only = arguments.value("--only")?;
    let (safety, liveness) = match only.as_deref() {
        None => (true, true),
        Some("safety") => (true, false),
        Some("liveness") => (false, true),
        Some(other) => return Err(format!("--only safety or liveness, not `{other}`")),
    };
    let roots: Vec<PathBuf> = arguments.rest()?.into_iter().map(PathBuf::from).collect();
    if roots.is_empty() {
        return Err("compare spin: name a folder or files".into());
    }

    let version = spin::version()?;
    let cache = (!no_cache).then(|| {
        Cache::new(
            lariat::target_directory().join("xtask-spin-cache"),
            &version,
        )
    });
    let lariat = if spin_only {
        None
    } else {
        Some(lariat::binary()?)
    };
    let tools = Tools {
        lariat,
        limits: lariat::Limits { time, memory: "6G" },
        cache,
        safety,
        liveness,
        settings: if quick {
            spin::Settings::for_small_models(time)
        } else {
            spin::Settings::for_models(time)
        },
    };

    let corpus = Corpus::built_in()?;
    let mut files = corpus::find_models(&roots).map_err(|error| error.to_string())?;
    if let Some(text) = &filter {
        files.retain(|file| file.to_string_lossy().contains(text));
    }
    let mut tasks = Vec::new();
    for file in &files {
        tasks.extend(tasks_of(file, &corpus)?);
    }

    let total = tasks.len();
    let progress = std::io::stderr().is_terminal();
    let mut done = 0;
    let mut lines: Vec<Line> = Vec::new();
    parallel::in_order(
        jobs,
        tasks.into_iter(),
        |task| tools.compare(task, &corpus),
        |more| {
            done += 1;
            if progress {
                eprint!("\r\x1b[K");
            }
            for line in more {
                println!("{line}");
                lines.push(line);
            }
            if progress {
                eprint!("{done}/{total}");
            }
            ControlFlow::Continue(())
        },
    );
    if progress {
        eprint!("\r\x1b[K");
    }

    let (summary, good) = summarise(
        &lines,
        &corpus,
        if filter.is_none() && only.is_none() && !spin_only {
            &files
        } else {
            &[]
        },
    );
    print!("{summary}");
    if let Some(path) = report {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, lines + &summary).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(good)
}

/// The checks of one file, by its header (our models) or the table (models of others).
fn tasks_of(file: &Path, corpus: &Corpus) -> Result<Vec<Task>, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let header = Header::parse(&String::from_utf8_lossy(&bytes));
    let skip = header
        .without_spin()
        .or(corpus.skipped(file, &[]))
        .map(str::to_owned);
    let expectations = if header.is_empty() {
        None
    } else {
        let expectations = header.expectations();
        Some(expectations.map_err(|error| format!("{}: {error}", file.display()))?)
    };
    let task = |options: Vec<String>| {
        let options = header.options().into_iter().chain(options).collect();
        Task {
            model: file.to_owned(),
            options,
            skip: skip.clone(),
            expectations: expectations.clone(),
        }
    };
    Ok(corpus.runs(file).into_iter().map(task).collect())
}

impl Tools {
    /// All lines of a task.
    fn compare(&self, task: Task, corpus: &Corpus) -> Vec<Line> {
        if let Some(reason) = &task.skip {
            return vec![Line::new("skipped", &task.name(), reason)];
        }
        let mut lines = Vec::new();
        if self.safety {
            lines.push(self.compare_safety(&task, corpus));
        }
        if self.liveness {
            lines.extend(self.compare_liveness(&task, corpus));
        }
        lines
    }

    fn compare_safety(&self, task: &Task, corpus: &Corpus) -> Line {
        let line = |status, what: String| Line::new(status, &task.name(), what);
        let spin = self.spin(task);
        let Some(binary) = &self.lariat else {
            let status = match &spin.outcome {
                Outcome::Complete(_) => "complete",
                Outcome::Cut(..) => "too big",
                Outcome::Rejected(_) => "rejected",
                Outcome::Failed(_) => "FAILED",
            };
            return line(status, spin.to_string());
        };
        let lariat = lariat::check(binary, &task.model, &task.options, self.limits)
            .unwrap_or_else(|error| Outcome::Failed(error.to_string()).into());
        let both = format!("spin: {spin} | lariat: {lariat}");
        match judge(&spin, &lariat) {
            Judgement::Equal => line("equal", spin.to_string()),
            Judgement::BothReject => line("rejected", format!("by both; {both}")),
            Judgement::NotComparable(_) => line("open", both),
            Judgement::Different(kind) => {
                let explanation = corpus.explanation(&task.model, &task.options);
                Line::different(&task.name(), kind, &both, explanation, corpus)
            }
        }
    }

    /// SPIN's answer, from the cache if it is there.
    fn spin(&self, task: &Task) -> Answer {
        let key = Key::new(&task.model, &task.options, self.settings);
        if let Some(cache) = &self.cache
            && let Some(answer) = cache.get(&key)
        {
            return answer;
        }
        match spin::check(&task.model, &task.options, self.settings) {
            Ok(answer) => {
                if let Some(cache) = &self.cache {
                    cache.put(&key, &answer);
                }
                answer
            }
            Err(error) => Outcome::Failed(error.to_string()).into(),
        }
    }
}
