//! `compare spin`: both tools on every model, and where they disagree.

use crate::cache::Cache;
use crate::corpus::{self, Corpus, Say};
use crate::facts::{Answer, Outcome};
use crate::header::Header;
use crate::judge::{Judgement, judge};
use crate::options::Arguments;
use crate::{lariat, parallel, spin};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A model with the options to check it with.
struct Task {
    model: PathBuf,
    options: Vec<String>,
    /// Why there is nothing to compare, if so.
    skip: Option<String>,
}

/// The result of a task: a word for the summary, the line, and the entry of the table that was of use.
struct Line {
    status: &'static str,
    text: String,
    entry: Option<usize>,
}

/// The tools and their settings.
struct Tools {
    /// Absent with `--spin-only`.
    lariat: Option<PathBuf>,
    cache: Option<Cache>,
    time: Duration,
    settings: spin::Settings,
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
        cache,
        time,
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
    let mut lines: Vec<Line> = Vec::new();
    parallel::in_order(
        jobs,
        tasks.into_iter(),
        |task| tools.compare(task, &corpus),
        |line| {
            if progress {
                eprint!("\r\x1b[K");
            }
            println!("{:<9} {}", line.status, line.text);
            lines.push(line);
            if progress {
                eprint!("{}/{total}", lines.len());
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
        if filter.is_none() && !spin_only {
            &files
        } else {
            &[]
        },
    );
    print!("{summary}");
    if let Some(path) = report {
        let lines: String = lines
            .iter()
            .map(|line| format!("{:<9} {}\n", line.status, line.text))
            .collect();
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
        .or(corpus.skipped(file))
        .map(str::to_owned);
    let task = |options: Vec<String>| {
        let options = header.options().into_iter().chain(options).collect();
        Task {
            model: file.to_owned(),
            options,
            skip: skip.clone(),
        }
    };
    Ok(corpus.runs(file).into_iter().map(task).collect())
}

impl Tools {
    fn compare(&self, task: Task, corpus: &Corpus) -> Line {
        let mut name = task.model.display().to_string();
        for option in &task.options {
            let _ = write!(name, " {option}");
        }
        let line = |status, what: String, entry| Line {
            status,
            text: format!("{name}  {what}"),
            entry,
        };
        if let Some(reason) = task.skip {
            return line("skipped", reason, None);
        }
        let spin = self.spin(&task);
        let Some(binary) = &self.lariat else {
            let status = match &spin.outcome {
                Outcome::Complete(_) => "complete",
                Outcome::Cut(..) => "too big",
                Outcome::Rejected(_) => "rejected",
                Outcome::Failed(_) => "FAILED",
            };
            return line(status, spin.to_string(), None);
        };
        let lariat = lariat::check(binary, &task.model, &task.options, self.time, "6G")
            .unwrap_or_else(|error| Outcome::Failed(error.to_string()).into());
        match judge(&spin, &lariat) {
            Judgement::Equal => line("equal", spin.to_string(), None),
            Judgement::BothReject => line(
                "rejected",
                format!("by both; spin: {spin} | lariat: {lariat}"),
                None,
            ),
            Judgement::NotComparable(_) => {
                line("open", format!("spin: {spin} | lariat: {lariat}"), None)
            }
            Judgement::Different(kind) => match corpus.explanation(&task.model, &task.options) {
                Some(entry) => {
                    let reason = &corpus.entries[entry].reason;
                    line(
                        "explained",
                        format!("{reason}; spin: {spin} | lariat: {lariat}"),
                        Some(entry),
                    )
                }
                None => line(
                    "DIFFERENT",
                    format!("{}; spin: {spin} | lariat: {lariat}", kind.name()),
                    None,
                ),
            },
        }
    }

    /// SPIN's answer, from the cache if it is there.
    fn spin(&self, task: &Task) -> Answer {
        let settings = self.settings;
        if let Some(cache) = &self.cache
            && let Some(answer) = cache.get(&task.model, &task.options, settings)
        {
            return answer;
        }
        match spin::check(&task.model, &task.options, settings) {
            Ok(answer) => {
                if let Some(cache) = &self.cache {
                    cache.put(&task.model, &task.options, settings, &answer);
                }
                answer
            }
            Err(error) => Outcome::Failed(error.to_string()).into(),
        }
    }
}

/// The last lines, and whether all is well. Entries of the table that explain nothing are named.
fn summarise(lines: &[Line], corpus: &Corpus, files: &[PathBuf]) -> (String, bool) {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines {
        *numbers.entry(line.status).or_default() += 1;
    }
    let used: BTreeSet<usize> = lines.iter().filter_map(|line| line.entry).collect();
    let mut text = String::new();
    for entry in corpus.about_nothing(files) {
        let _ = writeln!(
            text,
            "unused    corpus.txt has an entry for {}, which is not there",
            entry.suffix
        );
    }
    for (index, entry) in corpus.entries.iter().enumerate() {
        let visited = files.iter().any(|file| entry.matches(file));
        if entry.say == Say::Differs && visited && !used.contains(&index) {
            let _ = writeln!(
                text,
                "unused    corpus.txt explains a difference of {} that is not there",
                entry.suffix
            );
        }
    }
    let parts: Vec<String> = numbers
        .iter()
        .map(|(status, number)| format!("{number} {status}"))
        .collect();
    let _ = writeln!(text, "{} checks: {}", lines.len(), parts.join(", "));
    (text, !numbers.contains_key("DIFFERENT"))
}
