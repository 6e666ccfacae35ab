//! Which properties `lariat check` checks.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use lariat::load::{Language, Loaded};
use lariat::property::{Kind, Question, Source};
use lariat_ir::diagnostic::did_you_mean;
use lariat_search::{StoreKind, StoringRule};

use super::args::{self, Common};

/// HOA files larger than this are not read.
const MAX_FILE: u64 = 1 << 28;

/// What is checked.
pub struct Selection {
    /// Whether safety is.
    pub safety: bool,
    /// The properties of infinite runs.
    pub questions: Vec<Question>,
    /// What the model would have and is not checked.
    pub unchecked: Vec<String>,
}

/// Reads from the command line what is to be checked: what is named there or, if nothing is, safety
/// and every property in the model.
pub fn selection(
    matches: &ArgMatches,
    common: &Common,
    loaded: &mut Loaded,
) -> Result<Selection, u8> {
    let mut questions = Vec::new();
    for name in matches.get_many::<String>("ltl").unwrap_or_default() {
        questions.push(named(loaded, name)?);
    }
    for text in matches.get_many::<String>("formula").unwrap_or_default() {
        let question = loaded.formula(text);
        questions.push(question.map_err(|e| super::print_load_error(&e))?);
    }
    if matches.contains_id("never") {
        questions.extend(claims(loaded, &common.load.never_files)?);
    }
    for path in matches.get_many::<PathBuf>("hoa").unwrap_or_default() {
        questions.push(hoa(loaded, path)?);
    }
    if matches.get_flag("acceptance") {
        if !loaded.model().has_accept_labels() {
            return Err(super::fail(match loaded.language() {
                Language::Promela => {
                    "--acceptance: no process of the model has a label that begins with `accept`"
                }
                Language::Dve => "--acceptance: no process of the system has accepting states",
            }));
        }
        questions.push(Question::acceptance());
    }
    if matches.get_flag("non-progress") {
        if loaded.language() == Language::Dve {
            return Err(super::fail(
                "--non-progress: DVE has no progress labels; say what progress is with --formula, as '[]<>P.done'",
            ));
        }
        questions.push(Question::non_progress());
    }
    let safety_only = matches.get_flag("safety");
    let mut selection = Selection {
        safety: safety_only || questions.is_empty(),
        unchecked: Vec::new(),
        questions,
    };
    if selection.questions.is_empty() {
        selection.take_all(loaded, safety_only);
    }
    selection.refuse(matches)?;
    Ok(selection)
}

impl Selection {
    /// Takes every property of the model or, if only safety is wanted, lists them as not checked.
    fn take_all(&mut self, loaded: &Loaded, safety_only: bool) {
        for question in loaded.questions() {
            match question {
                Ok(question) if safety_only => self.unchecked.push(question.title()),
                Ok(question) => self.questions.push(question),
                Err(why) => self.unchecked.push(why),
            }
        }
        let model = loaded.model();
        let counts = |q: &Question| matches!(&q.source, Source::Forbidden(w) if w.accept_labels);
        if model.has_accept_labels() && !self.questions.iter().any(counts) {
            let words = match loaded.language() {
                Language::Promela => "accept labels (--acceptance)",
                Language::Dve => "accepting states of processes (--acceptance)",
            };
            self.unchecked.push(words.into());
        }
        if model.has_progress_labels() {
            self.unchecked
                .push("progress labels (--non-progress)".into());
        }
    }

    /// Refuses options that have no meaning for what is checked.
    fn refuse(&self, matches: &ArgMatches) -> Result<(), u8> {
        let order = args::one::<String>(matches, "search").map(String::as_str);
        if self.questions.is_empty() {
            for (option, given) in [
                ("--fair", matches.contains_id("fair")),
                ("--shortest", matches.get_flag("shortest")),
                ("--search", matches!(order, Some("ndfs" | "scc" | "rest"))),
            ] {
                if given {
                    return Err(super::fail(&format!(
                        "{option} is about properties of infinite runs, and none is checked; name one with --ltl, --formula, --never, --acceptance or --non-progress"
                    )));
                }
            }
        }
        if let (false, Some(order @ ("bfs" | "dfs"))) = (self.safety, order) {
            return Err(super::fail(&format!(
                "--search {order} finds errors of safety; for a property of infinite runs choose ndfs, scc or auto"
            )));
        }
        let workers = matches.get_one::<u16>("workers").copied();
        if let (Some("dfs"), Some(workers @ 2..)) = (order, workers) {
            return Err(super::fail(&format!(
                "--search dfs works alone; leave --workers {workers} out, or choose bfs"
            )));
        }
        refuse_forgetting(matches, order, workers)?;
        let names_fairness = matches.get_one::<String>("fair").map(String::as_str);
        if let (Some("ndfs"), Some(fair @ ("weak" | "strong"))) = (order, names_fairness) {
            return Err(super::fail(&format!(
                "--search ndfs cannot see to fairness; leave it out, or choose scc, with --fair {fair}"
            )));
        }
        Ok(())
    }
}

/// Refuses what searches that forget states cannot do.
fn refuse_forgetting(
    matches: &ArgMatches,
    order: Option<&str>,
    workers: Option<u16>,
) -> Result<(), u8> {
    let store = args::one::<StoreKind>(matches, "store");
    let store = store.copied().unwrap_or_default();
    let StoreKind::Sample(sampling) = store else {
        return match order {
            Some("rest") => Err(super::fail(
                "--search rest is about forgetting states; choose which with --store sample:dynamic:P or sample:static:P",
            )),
            _ => Ok(()),
        };
    };
    let is_published = matches!(
        sampling.rule,
        StoringRule::Dynamic(_) | StoringRule::Static(_)
    );
    let fair = matches.get_one::<String>("fair").map(String::as_str);
    let why = if order == Some("rest") && !is_published {
        "--search rest knows sample:dynamic:P and sample:static:P only; leave it out"
    } else if let Some("bfs" | "scc") = order {
        "only depth-first searches can forget states; leave --search out, or choose dfs or ndfs"
    } else if workers.is_some_and(|workers| workers > 1) {
        "a search that forgets states works alone; leave --workers out"
    } else if let Some("weak" | "strong") = fair {
        "fairness needs a search of components, which keeps all states; leave --fair out"
    } else if matches.get_flag("shortest") {
        "a shortest counterexample needs all states; leave --shortest out"
    } else if args::flag(matches, "all-errors") {
        "errors of states that are visited again would be counted again; leave --all-errors out"
    } else {
        return Ok(());
    };
    Err(super::fail(&format!("--store {store}: {why}")))
}

/// The formula of the model with a name.
fn named(loaded: &Loaded, name: &str) -> Result<Question, u8> {
    let all: Vec<Question> = loaded
        .questions()
        .flatten()
        .filter(|q| q.kind == Kind::Ltl)
        .collect();
    if let Some(question) = all.iter().find(|q| q.name == name) {
        return Ok(question.clone());
    }
    let names: Vec<&str> = all.iter().map(|q| q.name.as_str()).collect();
    let mut message = format!("{} has no `ltl {name}`", loaded.file);
    match (did_you_mean(name, names.iter().copied()), names.is_empty()) {
        (Some(meant), _) => message.push_str(&format!("; did you mean `{meant}`?")),
        (None, false) => message.push_str(&format!("; it has {}", names.join(", "))),
        (None, true) => message.push_str("; a formula can be given with --formula"),
    }
    Err(super::fail(&message))
}

/// The never claims of the model or, if files with claims were given, those in these files.
fn claims(loaded: &Loaded, files: &[PathBuf]) -> Result<Vec<Question>, u8> {
    let model = loaded.model();
    let mut questions = Vec::new();
    for property in &model.properties {
        let file = &model.sources.location(property.span).file;
        let is_wanted = files.is_empty() || files.iter().any(|f| is_same(f, Path::new(file)));
        if property.kind.word() != "never" || !is_wanted {
            continue;
        }
        let question = Question::of_model(property, model);
        questions.push(question.map_err(|why| super::fail(&why))?);
    }
    if questions.is_empty() {
        let place = match files.first() {
            Some(file) => file.display().to_string(),
            None => loaded.file.clone(),
        };
        let what = match loaded.language() {
            Language::Promela => "never claim",
            Language::Dve => "property process",
        };
        return Err(super::fail(&format!("{place} has no {what}")));
    }
    Ok(questions)
}

fn is_same(a: &Path, b: &Path) -> bool {
    std::path::absolute(a).ok() == std::path::absolute(b).ok()
}

fn hoa(loaded: &mut Loaded, path: &Path) -> Result<Question, u8> {
    let name = path.display().to_string();
    let cannot = |e: std::io::Error| super::fail(&format!("cannot read {name}: {e}"));
    if std::fs::metadata(path).map_err(cannot)?.len() > MAX_FILE {
        return Err(super::fail(&format!(
            "{name} is too large for an automaton"
        )));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    let question = loaded.hoa(&name, &text);
    question.map_err(|e| super::print_load_error(&e))
}
