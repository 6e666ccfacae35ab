//! Every option has an effect together with every other option, or the two are refused: no option is silently ignored.
//!
//! An option is tried in the context of another one, on models in which everything can happen that an option is about. It has
//! an effect if anything that the program leaves behind differs from a run without it: the exit code, messages, files, and
//! the report, except for the wishes that it repeats and for what each run takes. Pairs in which an option asks for
//! what is done anyway are listed with the reason.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::Folder;

/// Properties are violated, and there are several errors. The model has a warning.
const WRONG: &str = r#"
byte x; bool done; chan c = [1] of { byte };
ltl grows { []<>(x == 2) }
never bad { do :: !done :: done -> break od; accept: do :: x == 1 od }
#ifdef WIDE
byte wide;
#endif
active proctype P() {
  byte t;
  printf("%d\n");
accept_a:
  do :: atomic { x < 3 -> t = x; x = t + 1 };
        if :: x == 3 -> assert(false) :: else fi
     :: x > 0 -> x = 0; done = true
     :: c!1 :: c!2
     :: x == 2 && done -> break
  od;
progress: skip
}
active proctype Q() { byte u; do :: c?u :: x == 3 -> break od; c?3 }
"#;

/// Properties hold, so that everything is visited.
const RIGHT: &str = r#"
byte x, y; chan c = [1] of { byte };
ltl grows { [](x == 1 -> <>(x != 1)) }
never bad { do :: x < 5 :: x > 5 -> break od; accept: do :: true od }
#ifdef WIDE
byte wide;
#endif
active proctype P() {
  byte t; bool b;
accept_a: x = 1;
progress_a: do
  :: t = (y + 1) % 3; x = 2; y = t; b = 1; c!y
  :: x = 4; if :: y == 1 -> x = 1 :: else -> x = 0 fi; if :: c!1 :: x = 1 fi; b = x
  od
}
active proctype Q() { byte u, w; do :: c?u; w = u; assert(w < 4) :: timeout -> y = 0 od }
"#;

/// The only error is a deadlock, where it is depends on lost messages.
const STUCK: &str = "
byte x; chan c = [1] of { byte }; ltl grows { <>(x == 1) } never bad { do :: x == 0 od }
active proctype P() { accept: progress: x = 1; c!1; c!2; x == 0 }
";

/// The only error is an assertion.
const FAILING: &str = "
byte x; ltl grows { <>(x == 1) } never bad { do :: x == 0 od }
active proctype P() { accept: progress: x = 1; assert(x == 0) }
";

/// The models, each in a folder of its own.
const MODELS: [(&str, &str); 4] = [
    ("wrong", WRONG),
    ("right", RIGHT),
    ("stuck", STUCK),
    ("failing", FAILING),
];

/// An option: what is written as the context of others, and what is tried. Limits are wide as a context, and narrow
/// when they are tried. Options with the same group are values of one option, or exclude each other.
struct Given {
    group: &'static str,
    context: &'static str,
    tried: &'static str,
}

const fn plain(group: &'static str, words: &'static str) -> Given {
    limit(group, words, words)
}

const fn limit(group: &'static str, context: &'static str, tried: &'static str) -> Given {
    Given {
        group,
        context,
        tried,
    }
}

/// What `check` and `estimate` have in common.
const COMMON: &[Given] = &[
    plain("define", "-DWIDE"),
    plain("lossy", "--lossy"),
    plain("wrap", "--wrap"),
    plain("no-warnings", "--no-warnings"),
    plain("safety", "--safety"),
    plain("ltl", "--ltl grows"),
    plain("formula", "--formula []<>(x==1)"),
    plain("never", "--never"),
    plain("hoa", "--hoa a.hoa"),
    plain("acceptance", "--acceptance"),
    plain("non-progress", "--non-progress"),
    plain("fair", "--fair weak"),
    plain("fair", "--fair strong"),
    plain("shortest", "--shortest"),
    plain("invariant", "--invariant x<2"),
    plain("no-deadlock", "--no-deadlock"),
    plain("no-assert", "--no-assert"),
    plain("seed", "--seed 5"),
    limit("memory", "--memory 1G", "--memory 1K"),
    limit("time", "--time 1h", "--time 0s"),
    plain("workers", "--workers 2"),
    plain("exec", "--exec interp"),
    plain("exec", "--exec both"),
    plain("no-merge", "--no-merge"),
    plain("no-dead", "--no-dead"),
    plain("trail", "--trail t.json"),
    plain("trail", "--no-trail"),
];

const SEARCH: &[Given] = &[
    plain("search", "--search bfs"),
    plain("search", "--search dfs"),
    plain("search", "--search ndfs"),
    plain("search", "--search scc"),
    plain("search", "--search rest"),
    plain("search", "--search owcty"),
    plain("search", "--search map"),
    plain("search", "--search monte-carlo"),
    plain("all-errors", "--all-errors"),
    limit("max-states", "--max-states 100000", "--max-states 2"),
    plain("spill", "--spill ."),
    plain("order", "--order random"),
    plain("runs", "--runs 3"),
    plain("restarts", "--restarts luby:10"),
    plain("store", "--store flat"),
    plain("store", "--store sample:dynamic:0.5"),
    plain("store", "--store sample:auto"),
    plain("store", "--store cache:500"),
];

const WALKS: &[Given] = &[
    plain("sampling", "--sampling multi-lasso"),
    plain("sampling", "--sampling biased"),
    plain("sampling", "--sampling splitting"),
    plain("uniform", "--uniform transitions"),
    plain("uniform", "--uniform states"),
    limit("max-length", "--max-length 1e6", "--max-length 2"),
    limit("walks", "--walks 300", "--walks 2"),
    plain("labels", "--labels a.lab"),
    plain("epsilon", "--epsilon 0.3"),
    plain("delta", "--delta 0.2"),
];

/// Pairs in which the first option asks for what is done anyway, or which depend on more than these models show.
const ANYWAY: &[(&str, &str, &str)] = &[
    ("--search bfs", "", "the search that is chosen for safety"),
    (
        "--search dfs",
        "--store",
        "the search that is chosen with such a store",
    ),
    (
        "--search ndfs",
        "",
        "the search that is chosen for these properties",
    ),
    (
        "--search scc",
        "--fair",
        "the search that is chosen under fairness",
    ),
    ("--order random", "--seed", "a seed asks for a random order"),
    ("--order random", "--restarts", "restarts are random"),
    (
        "--runs",
        "--restarts",
        "a violation is found before, or nothing is left to search",
    ),
    ("--safety", "--invariant", "an invariant asks for safety"),
    ("--uniform transitions", "--sampling", "what these walks do"),
    (
        "--no-merge",
        "--never",
        "the states between statements count for a claim",
    ),
    (
        "--no-merge",
        "--hoa",
        "the states between statements count for an automaton",
    ),
    (
        "--no-merge",
        "--acceptance",
        "the states between statements count for labels",
    ),
    (
        "--no-merge",
        "--non-progress",
        "the states between statements count for labels",
    ),
    (
        "--search owcty",
        "--spill",
        "the search that is chosen if waiting states may be on disk",
    ),
    (
        "--method gbas",
        "",
        "the method that is chosen for plain walks",
    ),
    (
        "--method optimal",
        "--sampling",
        "the method that is chosen for such walks",
    ),
];

fn is_anyway(tried: &str, context: &str) -> bool {
    ANYWAY
        .iter()
        .any(|(first, second, _)| tried.starts_with(first) && context.contains(second))
}

/// What a run leaves behind.
#[derive(PartialEq)]
enum Left {
    Refused,
    Behind(Option<i32>, Value, String, Vec<String>),
}

/// The report without what differs between two runs of the same command.
fn cleaned(value: &Value) -> Value {
    let is_noise = |name: &str| {
        name == "options" || ["second", "bytes"].iter().any(|noise| name.contains(noise))
    };
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !is_noise(name));
            kept.map(|(name, value)| (name.clone(), cleaned(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(cleaned).collect(),
        other => other.clone(),
    }
}

struct Models {
    command: &'static str,
    folder: Folder,
    runs: AtomicUsize,
}

impl Models {
    fn new(command: &'static str) -> Self {
        let folder = Folder::new();
        let hoa = folder.run("ltl <>(x==3) --hoa").exits_with(0).stdout;
        for (place, text) in MODELS {
            std::fs::create_dir(folder.path(place)).unwrap();
            folder.write(&format!("{place}/m.pml"), text);
            folder.write(&format!("{place}/a.hoa"), &hoa);
        }
        Models {
            command,
            folder,
            runs: AtomicUsize::new(0),
        }
    }

    /// Runs the command for a model, in a folder that only this run has.
    fn run(&self, model: &str, line: &str) -> Left {
        let place = format!("run{}", self.runs.fetch_add(1, Ordering::Relaxed));
        let folder = self.folder.path(&place);
        std::fs::create_dir(&folder).unwrap();
        for file in ["m.pml", "a.hoa"] {
            let from = self.folder.path(model).join(file);
            std::fs::copy(from, folder.join(file)).unwrap();
        }
        // With several workers, not all runs are the same.
        let workers = match line.contains("--workers") {
            true => "",
            false => "--workers 1",
        };
        let line = format!("{} m.pml --json {line} {workers}", self.command);
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = self.folder.command(&args).current_dir(&folder).output();
        let output = output.unwrap();
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut files: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        std::fs::remove_dir_all(&folder).unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        match output.status.code() {
            Some(2) => {
                assert!(stderr.contains("error: "), "{line}: {stderr}");
                Left::Refused
            }
            code => {
                let report = serde_json::from_slice(&output.stdout);
                let report: Value = report.unwrap_or_else(|e| panic!("{line}: {e}"));
                Left::Behind(code, cleaned(&report), stderr, files)
            }
        }
    }

    /// Whether an option has an effect in a context, in which each model has left this behind, or is refused there.
    fn has_effect(&self, context: &str, without: &[Left], tried: &str) -> bool {
        let line = format!("{context} {tried}");
        MODELS.iter().zip(without).any(|((model, _), without)| {
            let with = self.run(model, &line);
            with == Left::Refused || with != *without
        })
    }

    /// The pairs of options that are ignored, each after `base`.
    fn ignored(&self, base: &str, contexts: &[&Given], tried: &[&Given]) -> Vec<String> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut ignored = Vec::new();
            while let Some(context) = contexts.get(next.fetch_add(1, Ordering::Relaxed)) {
                ignored.extend(self.ignored_with(base, context, tried));
            }
            ignored
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap())
                .collect()
        })
    }

    /// The options that are ignored in a context.
    fn ignored_with(&self, base: &str, context: &Given, tried: &[&Given]) -> Vec<String> {
        let line = format!("{base} {}", context.context);
        let without = MODELS.map(|(model, _)| self.run(model, &line));
        // What is refused as a context is no context.
        if without[0] == Left::Refused {
            return Vec::new();
        }
        let others = tried.iter().filter(|tried| {
            tried.group != context.group
                && !is_anyway(tried.tried, &line)
                && !self.has_effect(&line, &without, tried.tried)
        });
        others
            .map(|tried| format!("{line} {}", tried.tried))
            .collect()
    }
}

/// The only context is what comes before.
const NOTHING: Given = plain("", "");

fn all<'a>(lists: &[&'a [Given]]) -> Vec<&'a Given> {
    lists.iter().flat_map(|list| list.iter()).collect()
}

#[track_caller]
fn assert_none(ignored: Vec<String>) {
    assert!(ignored.is_empty(), "ignored:\n{}", ignored.join("\n"));
}

#[test]
fn pairs_of_options_of_check() {
    let models = Models::new("check");
    let options = all(&[COMMON, SEARCH, WALKS]);
    assert_none(models.ignored("", &options, &options));
}

/// Where random walks are made, and where they are not for safety alone.
#[test]
fn pairs_of_options_of_random_walks() {
    let models = Models::new("check");
    for base in [
        "--search monte-carlo --safety --epsilon 0.2",
        "--search monte-carlo --ltl grows --epsilon 0.2",
    ] {
        let walks = all(&[WALKS]);
        assert_none(models.ignored(base, &walks, &walks));
        let others = all(&[COMMON, SEARCH, WALKS]);
        assert_none(models.ignored(base, &[&NOTHING], &others));
    }
    let models = Models::new("estimate");
    const METHODS: &[Given] = &[
        plain("method", "--method gbas"),
        plain("method", "--method optimal"),
    ];
    let walks = all(&[WALKS, METHODS]);
    let base = "--ltl grows --walks 200";
    assert_none(models.ignored(base, &walks, &walks));
    assert_none(models.ignored(base, &[&NOTHING], &all(&[COMMON, WALKS, METHODS])));
}
