//! `lariat replay`, and reading trails in general.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use lariat::{LANGUAGES, LoadError, Loaded};
use lariat_check::lasso_replay::{Asked, Candidate, End};
use lariat_check::model::replay::{replay, steps_of_trace};
use lariat_check::model::{ModelSystem, all_checks, fault_text};
use lariat_check::outcome::FaultText;
use lariat_check::properties::{self, ModelProperty};
use lariat_check::replay_budget::ReplayBudget;
use lariat_check::run_property::RunProperty;
use lariat_check::system::Halted;
use lariat_check::trace::Trace;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Step;
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, Fairness};
use lariat_ltl::automaton::Limits;
use lariat_report::trail::{FORMAT, Trail, TrailClaim};
use lariat_report::trail_text::trail_table;

/// Larger trails are not read: Lariat does not write such files.
const MAX_FILE: u64 = 1 << 30;

pub fn run(matches: &ArgMatches) -> u8 {
    let Some(path) = matches.get_one::<PathBuf>("file") else {
        return super::USAGE;
    };
    let trail = match read(path) {
        Ok(trail) => trail,
        Err(message) => return super::fail(&message),
    };
    let loaded = match matches.get_one::<PathBuf>("model") {
        Some(model) => LANGUAGES.load(model, &trail.options.load_options()),
        None => find_model(&places(path, &trail), &trail),
    };
    let mut loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return super::print_load_error(&error),
    };
    match confirm(&mut loaded, trail) {
        Ok(mut trail) => {
            trail.model.file.clone_from(&loaded.file);
            super::print(&trail_table(&trail, super::style(), false));
            1
        }
        Err(code) => code,
    }
}

/// Replays a trail, and returns the replayed run.
pub fn confirm(loaded: &mut Loaded, mut trail: Trail) -> Result<Trail, u8> {
    check_model(loaded, &trail).map_err(|message| super::fail(&message))?;
    let failed = |halted: Halted| super::fail(&format!("the trail does not replay: {halted}"));
    let steps = steps_of_trace(&trail.steps);
    let fault = Fault::from_code(trail.violation.code);
    let is_of_model = trail.loop_start.is_none() && !fault.kind.is_of_property();
    let trace = match &trail.claim {
        Some(claim) if !is_of_model => {
            let end = trail.loop_start.map_or(End::Settled(fault), End::Loop);
            replay_claim(loaded, claim, steps, end)?
        }
        _ => {
            let invariants = invariants(loaded, &trail)?;
            let text = fault_text(loaded.model(), fault, &invariants);
            let budget = &mut ReplayBudget::unlimited();
            replay(loaded.model(), &steps, fault, &invariants, budget).map(|trace| (trace, text))
        }
    };
    let (trace, text) = trace.map_err(failed)?;
    let Trace {
        steps,
        values,
        waiting,
        ..
    } = trace;
    trail.steps = steps;
    trail.violation.kind = text.kind.into();
    trail.violation.message = text.message;
    trail.violation.waiting = waiting;
    if let Some(claim) = &mut trail.claim {
        claim.values = values;
    }
    Ok(trail)
}

/// Replays a run that is claimed to violate a property of runs.
fn replay_claim(
    loaded: &mut Loaded,
    claim: &TrailClaim,
    steps: Vec<Step>,
    end: End,
) -> Result<Result<(Trace, FaultText), Halted>, u8> {
    let (property, conditions) = property(loaded, claim)?;
    let automaton = property
        .automaton(false, &Limits::default())
        .map_err(|why| super::fail(&format!("{}: {why}", property.title())))?;
    let asked = Asked {
        system: &ModelSystem(loaded.model()),
        property: &property,
        conditions: &conditions,
        automaton: &automaton,
        fairness: Fairness::from_word(&claim.fairness).unwrap_or_default(),
    };
    let text = property.fault_text(match end {
        End::Loop(_) => None,
        End::Settled(fault) => Some(fault),
    });
    Ok(asked
        .replay(&Candidate { steps, end }, &mut ReplayBudget::unlimited())
        .map(|trace| (trace, text)))
}

/// The property of a trail.
fn property(loaded: &mut Loaded, claim: &TrailClaim) -> Result<ModelProperty, u8> {
    let load_error = |e: LoadError| super::print_load_error(&e);
    match (claim.kind.as_str(), &claim.text) {
        ("acceptance", _) => Ok((RunProperty::acceptance(), Vec::new())),
        ("non-progress", _) => Ok(RunProperty::non_progress()),
        ("ltl", Some(text)) => properties::formula(loaded, text).map_err(load_error),
        ("hoa", Some(text)) => properties::automaton(loaded, &claim.name, text).map_err(load_error),
        _ => properties::of_model(loaded)
            .flatten()
            .find(|(property, _)| property.kind.word() == claim.kind && property.name == claim.name)
            .ok_or_else(|| {
                super::fail(&format!(
                    "{} has no `{} {}`",
                    loaded.file, claim.kind, claim.name
                ))
            }),
    }
}

/// Reads a trail.
pub fn read(path: &Path) -> Result<Trail, String> {
    let name = path.display();
    let size = std::fs::metadata(path)
        .map_err(|e| format!("cannot read {name}: {e}"))?
        .len();
    if size > MAX_FILE {
        return Err(format!("{name} is too large to be a trail"));
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let trail: Trail =
        serde_json::from_str(&text).map_err(|e| format!("{name} is not a trail: {e}"))?;
    if trail.format != FORMAT {
        return Err(format!(
            "{name} has format {}, but this version reads format {FORMAT}",
            trail.format
        ));
    }
    Ok(trail)
}

/// The possible files of the model of a trail: its path, relative to the trail or to the working folder, and beside
/// the trail.
fn places(path: &Path, trail: &Trail) -> Vec<PathBuf> {
    let model = PathBuf::from(&trail.model.file);
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = model.file_name().map(|name| folder.join(name));
    let mut places = vec![folder.join(&model), model];
    places.extend(beside);
    places
}

/// The first of these models that matches the trail; if none does, the first that can be read.
fn find_model(places: &[PathBuf], trail: &Trail) -> Result<Loaded, LoadError> {
    let load = |place: &PathBuf| LANGUAGES.load(place, &trail.options.load_options());
    let mut loaded = places.iter().filter(|place| place.exists()).map(load);
    let mut other = None;
    for loaded in &mut loaded {
        match loaded {
            Ok(loaded) if loaded.hash == trail.model.hash => return Ok(loaded),
            loaded => other = other.or(Some(loaded)),
        }
    }
    other.unwrap_or_else(|| load(&PathBuf::from(&trail.model.file)))
}

/// Whether a trail belongs to a model.
fn check_model(loaded: &Loaded, trail: &Trail) -> Result<(), String> {
    if loaded.hash == trail.model.hash {
        return Ok(());
    }
    Err(format!(
        "{} is not the model that the trail was written for, or it has changed since; run `lariat check` again",
        loaded.file
    ))
}

/// The invariants that were checked when a trail was written.
fn invariants(loaded: &mut Loaded, trail: &Trail) -> Result<Vec<Invariant>, u8> {
    let texts = &trail.options.invariants;
    let mut all = Vec::new();
    for text in texts {
        match loaded.invariant(text) {
            Ok(invariant) => all.push(invariant),
            Err(error) => return Err(super::print_load_error(&error)),
        }
    }
    let checks = Checks {
        assertions: trail.options.assertions,
        invariants: all,
        ..Checks::default()
    };
    Ok(all_checks(loaded.model(), &checks).invariants)
}
