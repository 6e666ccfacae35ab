//! `compare languages`: the DVE version and the Promela version of an instance of BEEM (R. Pelánek: BEEM: Benchmarks for
//! explicit model checkers, SPIN 2007) give the same verdict on the same property.
//!
//! The folder contains for each family `FAMILY.xml`, which defines the properties, and for each instance
//! `FAMILY.N.dve`, the same with the automaton of the runs that violate property K as `FAMILY.N.propK.dve`, and
//! `FAMILY.N.pm`. A formula is checked in three ways: with BEEM's automaton, with our own in DVE, and with our own in
//! Promela. A state of a reachability property must be found, or not, in both languages; here a violation is the
//! state found.
//!
//! Known reasons for differences:
//!
//! - Some Promela versions begin with an `init` process that fills arrays and then starts all others. Until then,
//!   `P@s` is false for all of them, which is not true in any state of the DVE version. A formula would be evaluated
//!   in these states, so it is checked from the first state with all processes on: `(_nr_pr == 1) U ((_nr_pr > 1) &&
//!   F)`. All processes begin in one atomic step, and none has moved in that state, so it is the initial state of the
//!   DVE version. Conditions of reachability properties are false before: no process is at a label, and variables
//!   have their initial values already, but for elements of arrays, which are not compared.
//! - A transition of DVE with a guard, a message and assignments is one step. In Promela it is an atomic sequence,
//!   which may wait after the guard for its partner, bound to this choice, and whose control passes to the receiver
//!   with the message: the sender's assignments are a step of their own, and other processes may move before. In
//!   between the process is at no label.
//! - States without successors became labels of one and the same statement: a process is at all of them at once.
//! - A value that does not fit into its variable is an error in DVE and is truncated in Promela.
//!
//! Differences with these causes, or caused by errors in the models, are listed in `xtask/languages.txt`.

mod catalogue;
mod known;
mod macros;
mod translate;

use crate::beem::table;
use crate::facts::Outcome;
use crate::lariat::{self, Limits};
use crate::options::Arguments;
use catalogue::{Catalogue, Kind, Property};
use known::Known;
use lariat_testkit::parallel;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use translate::Language;

/// The memory of one run.
const MEMORY: &str = "4G";

/// For every run.
const COMMON: [&str; 4] = ["--workers", "1", "--no-trail", "--no-warnings"];

/// The options of the command line.
struct Request {
    binary: PathBuf,
    folder: PathBuf,
    most_states: u64,
    limits: Limits,
    known: Known,
}

/// An instance with both versions.
struct Instance {
    /// The family and a number.
    name: String,
    states: Option<u64>,
}

/// A property of an instance, to be checked.
struct Task<'a> {
    instance: &'a Instance,
    property: Property,
    catalogue: &'a Catalogue,
}

/// The verdict of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Violated,
    /// An error of the model was found first.
    Fault,
    /// The search ended early.
    Cut,
    /// There is no such check.
    None,
    Failed(String),
}

impl Verdict {
    fn word(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Fault => "fault",
            Verdict::Cut => "cut",
            Verdict::None => "-",
            Verdict::Failed(_) => "FAILED",
        }
    }
}

/// The verdicts on a property: of BEEM's automaton, in DVE, in Promela.
type Verdicts = [Verdict; 3];

/// The result for a property.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    Equal,
    Differs(String),
    /// For a known reason.
    Explained(String),
    /// A search ended early.
    Open,
    /// The verdicts cannot be compared, for this reason.
    Skipped(String),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Equal => f.write_str("equal"),
            Status::Differs(why) if why.is_empty() => f.write_str("DIFFERS"),
            Status::Differs(why) => write!(f, "DIFFERS: {why}"),
            Status::Explained(why) => write!(f, "explained: {why}"),
            Status::Open => f.write_str("open"),
            Status::Skipped(why) => write!(f, "skipped: {why}"),
        }
    }
}

/// Runs the command; `Ok(false)` if there is an unexplained difference.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let most_states = arguments.number("--max-states")?.unwrap_or(100_000);
    let jobs = arguments.number("--jobs")?.unwrap_or(2) as usize;
    let time = Duration::from_secs(arguments.number("--timeout")?.unwrap_or(120));
    let filter = arguments.value("--filter")?.unwrap_or_default();
    let [folder] = &arguments.rest()?[..] else {
        return Err("compare languages: name one folder".into());
    };
    let request = Request {
        binary: lariat::binary()?,
        folder: PathBuf::from(folder),
        most_states,
        limits: Limits {
            time,
            memory: MEMORY,
        },
        known: Known::built_in()?,
    };
    let mut instances = instances(&request.folder)?;
    instances.retain(|instance| instance.name.contains(&filter));
    let found = instances.len();
    let instances = request.small(instances, jobs);
    let catalogues = request.catalogues(&instances)?;
    let tasks = tasks(&instances, &catalogues);

    println!(
        "{:<20}{:<10}{:<11}{:<11}{:<11}",
        "instance", "property", "automaton", "dve", "promela"
    );
    let mut tally = Tally::default();
    parallel::in_order(
        jobs,
        tasks.iter(),
        |task| (task, request.compare(task)),
        |(task, (verdicts, status))| {
            let words = verdicts.each_ref().map(|v| format!("{:<11}", v.word()));
            let (name, id) = (&task.instance.name, &task.property.id);
            println!("{name:<20}{id:<10}{}{status}", words.concat());
            tally.add(&status);
            ControlFlow::Continue(())
        },
    );
    println!(
        "{} of {found} instances with both versions have at most {most_states} states; {} properties: {tally}",
        instances.len(),
        tasks.len(),
    );
    Ok(tally.differs == 0)
}

/// How many properties there were of each kind.
#[derive(Default)]
struct Tally {
    equal: usize,
    differs: usize,
    explained: usize,
    open: usize,
    skipped: usize,
}

impl Tally {
    fn add(&mut self, status: &Status) {
        *match status {
            Status::Equal => &mut self.equal,
            Status::Differs(_) => &mut self.differs,
            Status::Explained(_) => &mut self.explained,
            Status::Open => &mut self.open,
            Status::Skipped(_) => &mut self.skipped,
        } += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} equal, {} explained, {} skipped, {} open, {} DIFFERENT",
            self.equal, self.explained, self.skipped, self.open, self.differs
        )
    }
}

/// The instances that have both versions, in the order of families and numbers.
fn instances(folder: &Path) -> Result<Vec<Instance>, String> {
    let counts = folder.join("COUNTS.tsv");
    let known = if counts.exists() {
        table::read(&counts)?
    } else {
        Vec::new()
    };
    let states: BTreeMap<String, Option<u64>> = known
        .into_iter()
        .map(|instance| (instance.name, instance.states))
        .collect();
    let mut found: Vec<(String, u32)> = Vec::new();
    for family in names(folder)? {
        let inside = folder.join(&family);
        if !inside.is_dir() {
            continue;
        }
        for file in names(&inside)? {
            let number = file
                .strip_prefix(&family)
                .and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".pm")?.parse().ok());
            if let Some(number) = number
                && inside.join(format!("{family}.{number}.dve")).exists()
            {
                found.push((family.clone(), number));
            }
        }
    }
    found.sort();
    let instance = |(family, number)| {
        let name = format!("{family}.{number}");
        let states = states.get(&name).copied().flatten();
        Instance { name, states }
    };
    Ok(found.into_iter().map(instance).collect())
}

/// The names in a folder.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.map_err(failed)?.file_name();
        Ok(name.to_string_lossy().into_owned())
    };
    entries.map(name).collect()
}

/// The properties of all instances.
fn tasks<'a>(
    instances: &'a [Instance],
    catalogues: &'a BTreeMap<String, Catalogue>,
) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for instance in instances {
        let Some(catalogue) = catalogues.get(instance.family()) else {
            continue;
        };
        tasks.extend(catalogue.properties.iter().map(|property| Task {
            instance,
            property: property.clone(),
            catalogue,
        }));
    }
    tasks
}

impl Instance {
    fn family(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    fn number(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

impl Request {
    /// The instances that are not too large; those of unknown size are explored up to the limit.
    fn small(&self, instances: Vec<Instance>, jobs: usize) -> Vec<Instance> {
        let mut small = Vec::new();
        parallel::in_order(
            jobs,
            instances.into_iter(),
            |instance| (self.is_small(&instance), instance),
            |(is_small, instance)| {
                if is_small {
                    small.push(instance);
                }
                ControlFlow::Continue(())
            },
        );
        small
    }

    fn is_small(&self, instance: &Instance) -> bool {
        if let Some(states) = instance.states {
            return states <= self.most_states;
        }
        let limit = format!("--max-states={}", self.most_states);
        let mut options: Vec<String> = COMMON.map(str::to_owned).into();
        options.extend(["--safety", "--all-errors", "--no-deadlock", &limit].map(str::to_owned));
        let model = self.file(instance, ".dve");
        lariat::measure(&self.binary, &model, &options, self.limits)
            .is_ok_and(|measured| matches!(measured.answer.outcome, Outcome::Complete(_)))
    }

    fn file(&self, instance: &Instance, ending: &str) -> PathBuf {
        let folder = self.folder.join(instance.family());
        folder.join(format!("{}{ending}", instance.name))
    }

    /// The pages of the families.
    fn catalogues(&self, instances: &[Instance]) -> Result<BTreeMap<String, Catalogue>, String> {
        let mut catalogues = BTreeMap::new();
        for instance in instances {
            let family = instance.family();
            if catalogues.contains_key(family) {
                continue;
            }
            let file = self.folder.join(family).join(format!("{family}.xml"));
            let page = std::fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
            let catalogue = Catalogue::parse(&String::from_utf8_lossy(&page));
            catalogues.insert(family.to_owned(), catalogue);
        }
        Ok(catalogues)
    }

    /// Checks a property in all ways.
    fn compare(&self, task: &Task) -> (Verdicts, Status) {
        let verdicts = match task.property.kind {
            Some(Kind::Ltl) => self.formula(task),
            Some(Kind::Reachability) => self.reachability(task),
            None => Err("neither a formula nor reachability".into()),
        };
        match verdicts {
            Ok(verdicts) => {
                let status = self.judge(&task.instance.name, &task.property.id, &verdicts);
                (verdicts, status)
            }
            Err(why) => {
                let none = [Verdict::None, Verdict::None, Verdict::None];
                (none, Status::Skipped(why))
            }
        }
    }

    fn formula(&self, task: &Task) -> Result<Verdicts, String> {
        let instance = task.instance;
        let dve = task.formula(Language::Dve)?;
        let mut promela = task.formula(Language::Promela)?;
        if self.begins_with_init(instance)? {
            promela = format!("(_nr_pr == 1) U ((_nr_pr > 1) && ({promela}))");
        }
        let automaton = self.file(instance, &format!(".prop{}.dve", task.property.id));
        let automaton = if automaton.exists() {
            self.ask(&automaton, &["--never"])
        } else {
            Verdict::None
        };
        let dve = self.ask(&self.file(instance, ".dve"), &["--formula", &dve]);
        let promela = self.ask(&self.file(instance, ".pm"), &["--formula", &promela]);
        Ok([automaton, dve, promela])
    }

    fn reachability(&self, task: &Task) -> Result<Verdicts, String> {
        let ask = |language, ending| {
            let invariant = format!("!({})", task.formula(language)?);
            let model = self.file(task.instance, ending);
            let fixed = ["--safety", "--no-deadlock", "--no-assert", "--invariant"];
            let mut options = [&fixed[..], &[&invariant]].concat();
            let mut verdict = self.ask(&model, &options);
            if verdict == Verdict::Fault {
                // The state may be found behind the error.
                options.push("--all-errors");
                verdict = self.ask(&model, &options);
            }
            Ok::<Verdict, String>(verdict)
        };
        if self.begins_with_init(task.instance)? && task.formula(Language::Dve)?.contains('[') {
            return Err("the property reads an array, which `init` has to fill first".into());
        }
        let dve = ask(Language::Dve, ".dve")?;
        Ok([Verdict::None, dve, ask(Language::Promela, ".pm")?])
    }

    /// Whether the processes of the Promela version are started by another one.
    fn begins_with_init(&self, instance: &Instance) -> Result<bool, String> {
        let file = self.file(instance, ".pm");
        let text = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().map(str::trim_start);
        Ok(lines.any(|line| {
            let rest = line.strip_prefix("init").map(str::trim_start);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('{'))
        }))
    }

    /// Makes one check.
    fn ask(&self, model: &Path, options: &[&str]) -> Verdict {
        let options = options.iter().chain(&COMMON);
        let options: Vec<String> = options.map(|&option| option.to_owned()).collect();
        let entries = lariat::entries(&self.binary, model, &options, self.limits);
        match entries.as_deref() {
            Ok([entry]) => read(entry),
            Ok(several) => Verdict::Failed(format!("{} results", several.len())),
            Err(why) => Verdict::Failed(why.clone()),
        }
    }

    /// Judges the verdicts.
    fn judge(&self, instance: &str, property: &str, verdicts: &Verdicts) -> Status {
        if let Some(why) = verdicts.iter().find_map(|verdict| match verdict {
            Verdict::Failed(why) => Some(why.clone()),
            _ => None,
        }) {
            return Status::Differs(why);
        }
        let words = verdicts.each_ref().map(Verdict::word);
        if let Some(why) = self.known.explanation(instance, property, words) {
            return Status::Explained(why.to_owned());
        }
        if verdicts.contains(&Verdict::Cut) {
            return Status::Open;
        }
        let mut given = verdicts.iter().filter(|verdict| **verdict != Verdict::None);
        let first = given.next();
        if given.any(|verdict| Some(verdict) != first) {
            return Status::Differs(String::new());
        }
        if self.known.mentions(instance, property) {
            return Status::Differs("languages.txt says that the verdicts are not equal".into());
        }
        Status::Equal
    }
}

impl Task<'_> {
    fn formula(&self, language: Language) -> Result<String, String> {
        translate::formula(
            &self.property.formula,
            self.catalogue,
            self.instance.number(),
            language,
        )
    }
}

/// The verdict in an entry of a report. Other errors do not count if the invariant is violated, too.
fn read(entry: &Value) -> Verdict {
    let violations = entry["violations"].as_array();
    let has = |kind: &str| violations.is_some_and(|all| all.iter().any(|v| v["kind"] == kind));
    let safety = entry["property"] == "safety";
    match entry["verdict"].as_str() {
        Some("holds") => Verdict::Holds,
        Some("violated") if safety && has("invariant") => Verdict::Violated,
        Some("violated") if has("runtime error") => Verdict::Fault,
        Some("violated") if !safety => Verdict::Violated,
        Some("no violation found" | "exhausted") => Verdict::Cut,
        other => Verdict::Failed(format!("the verdict is {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::TemporaryDirectory;

    #[test]
    fn reports_become_verdicts() {
        let read = |text: &str| read(&serde_json::from_str(text).unwrap());
        assert_eq!(read(r#"{"verdict": "holds"}"#), Verdict::Holds);
        assert_eq!(read(r#"{"verdict": "exhausted"}"#), Verdict::Cut);
        let ltl = r#"{"property": "ltl x", "verdict": "violated", "violations": [{"kind": "K"}]}"#;
        assert_eq!(read(&ltl.replace('K', "lasso")), Verdict::Violated);
        assert_eq!(read(&ltl.replace('K', "runtime error")), Verdict::Fault);
        let safety = r#"{"property": "safety", "verdict": "violated",
                         "violations": [{"kind": "runtime error"}, {"kind": "K"}]}"#;
        assert_eq!(read(&safety.replace('K', "invariant")), Verdict::Violated);
        assert_eq!(read(&safety.replace('K', "other")), Verdict::Fault);
        assert!(matches!(read("{}"), Verdict::Failed(_)));
    }

    fn request(folder: &Path, known: &str) -> Request {
        Request {
            binary: PathBuf::new(),
            folder: folder.to_owned(),
            most_states: 10,
            limits: Limits {
                time: Duration::ZERO,
                memory: MEMORY,
            },
            known: Known::parse(known).unwrap(),
        }
    }

    #[test]
    fn instances_with_both_versions() {
        let folder = TemporaryDirectory::new().unwrap();
        let folder = folder.path();
        std::fs::create_dir(folder.join("b")).unwrap();
        let counts = "instance\tstates\ttransitions\tsource\nb.2\t9\t\tx\nb.10\t11\t\tx\n";
        let page = "<property id=\"1\" prop-type=\"LTL\"><formula>x</formula></property>";
        let files = [
            ("COUNTS.tsv", counts),
            ("b/b.xml", page),
            ("b/b.2.dve", ""),
            ("b/b.2.pm", "byte x;\ninit {\n run P() }"),
            ("b/b.3.dve", ""),
            ("b/b.10.dve", ""),
            ("b/b.10.pm", "byte initial;\nactive proctype init_()"),
            ("b/b.10.prop1.dve", ""),
        ];
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let found = instances(folder).unwrap();
        let [first, second] = &found[..] else {
            panic!("not two instances");
        };
        assert_eq!((first.name.as_str(), second.number()), ("b.2", "10"));
        let request = request(folder, "");
        assert!(request.is_small(first) && !request.is_small(second));
        assert_eq!(request.begins_with_init(first), Ok(true));
        assert_eq!(request.begins_with_init(second), Ok(false));
        let catalogues = request.catalogues(&found).unwrap();
        assert_eq!(tasks(&found, &catalogues).len(), 2);
    }

    #[test]
    fn verdicts_are_compared() {
        use Verdict::{Cut, Failed, Fault, Holds, None, Violated};
        let request = request(Path::new(""), "a.1 2 holds fault violated -- why");
        let judge = |property, verdicts| request.judge("a.1", property, &verdicts);
        let differs = |property, verdicts| {
            let status = judge(property, verdicts);
            matches!(status, Status::Differs(_))
        };
        assert_eq!(judge("1", [Holds, Holds, Holds]), Status::Equal);
        assert_eq!(judge("1", [None, Violated, Violated]), Status::Equal);
        assert_eq!(judge("1", [None, Violated, Cut]), Status::Open);
        assert!(differs("1", [None, Holds, Violated]));
        assert!(differs("1", [Violated, Holds, Holds]));
        assert!(differs("1", [Holds, Failed("why".into()), Holds]));
        let explained = judge("2", [Holds, Fault, Violated]);
        assert_eq!(explained, Status::Explained("why".into()));
        assert!(differs("2", [Holds, Holds, Holds]), "the table is old");
        assert!(differs("2", [Holds, Holds, Violated]));
    }
}
