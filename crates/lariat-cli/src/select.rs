//! Which properties `lariat check` checks.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use lariat_check::model::ModelSystem;
use lariat_check::properties::{self, ModelProperty};
use lariat_check::run_property::{Kind, RunProperty};
use lariat_check::task::Property;
use lariat_front::{Loaded, decode, read_file};
use lariat_ir::diagnostic::did_you_mean;
use lariat_ir::space::Checks;

use crate::args::{self, Common};

/// The properties to check.
pub struct Selection {
    /// Safety, if that is checked.
    safety: Option<Checks>,
    /// The properties of runs.
    runs: Vec<ModelProperty>,
    /// The invariants of the command line.
    pub invariants: Vec<String>,
    /// Properties of the model that are not checked.
    pub unchecked: Vec<String>,
}

impl Selection {
    /// Selects the properties of the command line or, if it names none, safety and every property of the model. An
    /// invariant implies safety.
    pub fn new(matches: &ArgMatches, common: &Common, loaded: &mut Loaded) -> Result<Self, u8> {
        let named = named_properties(matches, common, loaded)?;
        let texts = matches.get_many::<String>("invariant").unwrap_or_default();
        let texts: Vec<String> = texts.cloned().collect();
        let mut invariants = Vec::new();
        for text in &texts {
            match loaded.invariant(text) {
                Ok(invariant) => invariants.push(invariant),
                Err(_) if is_temporal(text) => {
                    return Err(crate::fail(&format!(
                        "--invariant '{text}': an invariant is a condition on single states, without temporal operators; use --formula '{text}'"
                    )));
                }
                Err(error) => return Err(crate::print_load_error(&error)),
            }
        }
        let safety_only = matches.get_flag("safety") && named.is_empty();
        let safety = matches.get_flag("safety") || named.is_empty() || !invariants.is_empty();
        let mut unchecked = Vec::new();
        let runs = match named.is_empty() && !safety_only {
            true => all_properties(loaded, &mut unchecked),
            false => {
                list_others(loaded, &named, &mut unchecked);
                named
            }
        };
        if !safety {
            let words = "assertions and deadlocks (--safety)";
            unchecked.insert(0, words.into());
        }
        list_labels(loaded, &runs, &mut unchecked);
        if !common.no_warnings {
            runs.iter()
                .for_each(|(property, _)| warn_of_constants(property));
        }
        let checks = Checks {
            end_states: !matches.get_flag("no-deadlock"),
            assertions: !matches.get_flag("no-assert"),
            invariants,
        };
        Ok(Selection {
            safety: safety.then_some(checks),
            runs,
            invariants: texts,
            unchecked,
        })
    }

    /// The properties, safety first.
    pub fn properties<'m>(&self) -> Vec<Property<ModelSystem<'m>>> {
        let safety = self.safety.iter().cloned().map(Property::Safety);
        let runs = self.runs.iter().cloned();
        let runs = runs.map(|(property, conditions)| Property::Runs(property, conditions));
        safety.chain(runs).collect()
    }
}

/// Whether there are temporal operators in something that is not a condition.
fn is_temporal(text: &str) -> bool {
    const WORDS: [&str; 11] = [
        "G",
        "F",
        "X",
        "U",
        "W",
        "V",
        "R",
        "always",
        "eventually",
        "until",
        "release",
    ];
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    text.contains("[]") || text.contains("<>") || words.any(|word| WORDS.contains(&word))
}

/// Warns of conditions that have the same value in every state: often a name is missing there.
fn warn_of_constants(property: &RunProperty) {
    for &(atom, value) in &property.constants {
        let text = property.atoms.get(atom as usize).map_or("", String::as_str);
        // Intended constants.
        if !matches!(text, "0" | "1" | "true" | "false") {
            let title = property.title();
            crate::print_error_lines(&format!(
                "warning: {title}: `{text}` is {value} in every state, because it reads no variable\n"
            ));
        }
    }
}

/// The properties of runs on the command line.
fn named_properties(
    matches: &ArgMatches,
    common: &Common,
    loaded: &mut Loaded,
) -> Result<Vec<ModelProperty>, u8> {
    let mut named = Vec::new();
    for name in matches.get_many::<String>("ltl").unwrap_or_default() {
        named.push(ltl_block(loaded, name)?);
    }
    for text in matches.get_many::<String>("formula").unwrap_or_default() {
        let property = properties::formula(loaded, text);
        named.push(property.map_err(|error| crate::print_load_error(&error))?);
    }
    if args::is_given(matches, "never") {
        named.extend(claims(matches, loaded, &common.load.claim_files)?);
    }
    for path in matches.get_many::<PathBuf>("hoa").unwrap_or_default() {
        named.push(hoa(loaded, path)?);
    }
    let terms = loaded.terms();
    if matches.get_flag("acceptance") {
        if !loaded.model().has_accept_labels() {
            return Err(crate::fail(&format!(
                "--acceptance: {}",
                terms.no_accepting
            )));
        }
        named.push((RunProperty::acceptance(), Vec::new()));
    }
    if matches.get_flag("non-progress") {
        if let Some(why) = terms.no_progress {
            return Err(crate::fail(&format!("--non-progress: {why}")));
        }
        named.push(RunProperty::non_progress());
    }
    Ok(named)
}

/// Every property of the model; those that cannot be checked are listed.
fn all_properties(loaded: &Loaded, unchecked: &mut Vec<String>) -> Vec<ModelProperty> {
    let mut all = Vec::new();
    for property in properties::of_model(loaded) {
        match property {
            Ok(property) => all.push(property),
            Err(why) => unchecked.push(why),
        }
    }
    all
}

/// Lists the properties of the model that were not selected.
fn list_others(loaded: &Loaded, named: &[ModelProperty], unchecked: &mut Vec<String>) {
    for property in properties::of_model(loaded) {
        match property {
            Ok((property, _)) => {
                let is_it = |(other, _): &ModelProperty| {
                    other.kind == property.kind
                        && other.name == property.name
                        && other.text.is_none()
                };
                if !named.iter().any(is_it) {
                    unchecked.push(property.title());
                }
            }
            Err(why) => unchecked.push(why),
        }
    }
}

/// Lists labels of the model that no property uses.
fn list_labels(loaded: &Loaded, checked: &[ModelProperty], unchecked: &mut Vec<String>) {
    let model = loaded.model();
    let counts = |(property, _): &ModelProperty| property.watches().1;
    if model.has_accept_labels() && !checked.iter().any(counts) {
        unchecked.push(format!("{} (--acceptance)", loaded.terms().accepting));
    }
    let is_progress = |(property, _): &ModelProperty| property.kind == Kind::NonProgress;
    if model.has_progress_labels() && !checked.iter().any(is_progress) {
        unchecked.push("progress labels (--non-progress)".into());
    }
}

/// The formula of the model with a name.
fn ltl_block(loaded: &Loaded, name: &str) -> Result<ModelProperty, u8> {
    let formulas = properties::of_model(loaded).flatten();
    let all: Vec<ModelProperty> = formulas
        .filter(|(property, _)| property.kind == Kind::Ltl)
        .collect();
    if let Some(property) = all.iter().find(|(property, _)| property.name == name) {
        return Ok(property.clone());
    }
    let names: Vec<&str> = all
        .iter()
        .map(|(property, _)| property.name.as_str())
        .collect();
    let mut message = format!("{} has no `ltl {name}`", loaded.file);
    match (did_you_mean(name, names.iter().copied()), names.is_empty()) {
        (Some(meant), _) => message.push_str(&format!("; did you mean `{meant}`?")),
        (None, false) => message.push_str(&format!("; it has {}", names.join(", "))),
        (None, true) => message.push_str("; a formula can be given with --formula"),
    }
    Err(crate::fail(&message))
}

/// The claims for `--never`: with a file, those in it; without, those of the model.
fn claims(
    matches: &ArgMatches,
    loaded: &Loaded,
    files: &[PathBuf],
) -> Result<Vec<ModelProperty>, u8> {
    let mut uses = matches
        .get_occurrences::<PathBuf>("never")
        .into_iter()
        .flatten();
    let of_model = uses.any(|mut file| file.next().is_none());
    let mut claims = Vec::new();
    if of_model {
        let is_given = |file: &Path| files.iter().any(|given| is_same(given, file));
        claims.extend(claims_in(loaded, &loaded.file, |file| !is_given(file))?);
    }
    for given in files {
        let place = given.display().to_string();
        claims.extend(claims_in(loaded, &place, |file| is_same(given, file))?);
    }
    Ok(claims)
}

/// The claims in the given files; at least one.
fn claims_in(
    loaded: &Loaded,
    place: &str,
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<ModelProperty>, u8> {
    let model = loaded.model();
    let mut claims = Vec::new();
    for property in &model.properties {
        let file = &model.sources.location(property.span).file;
        if property.kind.word() == "never" && is_wanted(Path::new(file)) {
            let claim = RunProperty::of_model(property, model);
            claims.push(claim.map_err(|why| crate::fail(&why))?);
        }
    }
    match claims.is_empty() {
        true => Err(crate::fail(&format!(
            "{place} has no {}",
            loaded.terms().claim
        ))),
        false => Ok(claims),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    std::path::absolute(a).ok() == std::path::absolute(b).ok()
}

fn hoa(loaded: &mut Loaded, path: &Path) -> Result<ModelProperty, u8> {
    let name = path.display().to_string();
    let bytes =
        read_file(path).map_err(|error| crate::fail(&format!("cannot read {name}: {error}")))?;
    let property = properties::automaton(loaded, &name, &decode(bytes));
    property.map_err(|error| crate::print_load_error(&error))
}
