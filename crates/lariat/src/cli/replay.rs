//! `lariat replay`, and reading trails in general.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use lariat::check::all_checks;
use lariat::lasso::{End, Suspect};
use lariat::liveness::{CheckError, replay_suspect};
use lariat::load::{LoadError, Loaded, load};
use lariat::property::Question;
use lariat::replay::{ReplayError, replay, steps_of_trail};
use lariat_ir::fault::Fault;
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, Fairness};
use lariat_report::text;
use lariat_report::trail::{FORMAT, Trail, TrailClaim};

use super::args;

/// Trails larger than this are not read: nothing that Lariat writes comes near it.
const MAX_FILE: u64 = 1 << 30;

pub fn run(matches: &ArgMatches) -> u8 {
    let Some(path) = matches.get_one::<PathBuf>("file") else {
        return super::USAGE;
    };
    let trail = match read(path) {
        Ok(trail) => trail,
        Err(message) => return super::fail(&message),
    };
    let model = matches
        .get_one::<PathBuf>("model")
        .cloned()
        .unwrap_or_else(|| find_model(path, &trail));
    let mut loaded = match load(&model, &args::load_options(&trail.options)) {
        Ok(loaded) => loaded,
        Err(error) => return super::print_load_error(&error),
    };
    match confirm(&mut loaded, trail) {
        Ok(mut trail) => {
            trail.model.file.clone_from(&loaded.file);
            super::print(&text::trail_table(&trail, super::style(), false));
            1
        }
        Err(code) => code,
    }
}

/// Makes sure that a trail does what it says, and returns it as it went.
pub fn confirm(loaded: &mut Loaded, mut trail: Trail) -> Result<Trail, u8> {
    check_model(loaded, &trail).map_err(|message| super::fail(&message))?;
    let failed =
        |error: ReplayError| super::fail(&format!("the trail does not replay: {}", error.0));
    let steps = steps_of_trail(&trail);
    let Some(claim) = &mut trail.claim else {
        let invariants = invariants(loaded, &trail)?;
        let fault = Fault::from_code(trail.violation.code);
        let replayed = replay(loaded.model(), &steps, fault, &invariants).map_err(failed)?;
        trail.steps = replayed.steps;
        trail.violation.waiting = replayed.waiting;
        return Ok(trail);
    };
    let question = question(loaded, claim)?;
    let fairness = Fairness::from_word(&claim.fairness).unwrap_or_default();
    let end = match trail.loop_start {
        Some(start) => End::Loop(start),
        None => End::Settled(Fault::from_code(trail.violation.code)),
    };
    let found = replay_suspect(loaded.model(), &question, fairness, &Suspect { steps, end });
    let found = found.map_err(|error| match error {
        CheckError::Replay(error) => failed(error),
        other => super::check::complain(&question.title(), &other),
    })?;
    claim.values = found.values;
    trail.steps = found.replayed.steps;
    Ok(trail)
}

/// The property of a trail.
fn question(loaded: &mut Loaded, claim: &TrailClaim) -> Result<Question, u8> {
    let load_error = |e: LoadError| super::print_load_error(&e);
    match (claim.kind.as_str(), &claim.text) {
        ("acceptance", _) => Ok(Question::acceptance()),
        ("non-progress", _) => Ok(Question::non_progress()),
        ("ltl", Some(text)) => loaded.formula(text).map_err(load_error),
        ("hoa", Some(text)) => loaded.hoa(&claim.name, text).map_err(load_error),
        _ => loaded
            .questions()
            .flatten()
            .find(|q| q.kind.word() == claim.kind && q.name == claim.name)
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

/// The model of a trail: where it was, or beside the trail.
fn find_model(path: &Path, trail: &Trail) -> PathBuf {
    let model = PathBuf::from(&trail.model.file);
    let beside = match (path.parent(), model.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => model.clone(),
    };
    if !model.exists() && beside.exists() {
        beside
    } else {
        model
    }
}

/// Whether a trail belongs to a model.
fn check_model(loaded: &Loaded, trail: &Trail) -> Result<(), String> {
    if loaded.reference().hash == trail.model.hash {
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
