//! All systems of the BEEM collection, if they lie beside the checkout.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lariat_dve::Lowered;
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::model::Model;
use lariat_ir::source::SourceMap;
use lariat_ir::space::{Checks, ModelSpace};

/// Larger systems are not explored here.
const MAX_STATES: usize = 12_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/beem")
}

/// All files with the extension `dve` below a folder.
fn systems(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            systems(&path, found);
        } else if path.extension().is_some_and(|e| e == "dve") {
            found.push(path);
        }
    }
    found.sort();
}

fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let lines = diagnostics.iter().map(|d| {
        let help = d.help.as_deref().unwrap_or("");
        format!("{}: {} ({help})\n", sources.location(d.span), d.message)
    });
    lines.collect()
}

/// Reads a system; what is wrong with it, or suspicious, is put into the list.
fn load(file: &Path, diagnostics: &mut Vec<Diagnostic>) -> Result<Lowered, SourceMap> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let mut sources = SourceMap::default();
    let parse = lariat_dve::parse(&mut sources, &file.display().to_string(), text);
    *diagnostics = parse.diagnostics;
    lariat_dve::lower(&parse.system, sources, Default::default(), diagnostics)
}

#[test]
fn every_system_of_the_collection_is_understood() {
    let mut files = Vec::new();
    systems(&folder(), &mut files);
    if files.is_empty() {
        println!("skipped: the collection is not there");
        return;
    }
    let mut warnings = 0;
    let mut wrong = String::new();
    for file in &files {
        let mut all = Vec::new();
        match load(file, &mut all) {
            Ok(lowered) => print!("{}", show(&lowered.model.sources, &all)),
            Err(sources) => wrong += &show(&sources, &all),
        }
        let suspicious = all.iter().filter(|d| d.severity == Severity::Warning);
        warnings += suspicious.count();
    }
    assert!(wrong.is_empty(), "{wrong}");
    println!("{} systems, {warnings} warnings", files.len());
}

/// States and transitions of a model.
fn explore(model: &Model) -> (usize, usize) {
    let checks = Checks {
        end_states: false,
        ..Checks::default()
    };
    let mut space = ModelSpace::new(model, checks);
    let mut out = Expansion::new();
    space.initial(&mut out);
    let mut open: Vec<Vec<u32>> = out.edges().map(|(words, _)| words.to_vec()).collect();
    let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
    let mut transitions = 0;
    while let Some(state) = open.pop() {
        if known.len() > 10 * MAX_STATES {
            break;
        }
        out.clear();
        space.successors(&state, &mut out);
        for (target, _) in out.edges() {
            transitions += 1;
            if known.insert(target.to_vec()) {
                open.push(target.to_vec());
            }
        }
    }
    (known.len(), transitions)
}

/// The numbers of states and transitions that are known, by the name of the system.
fn known_counts() -> HashMap<String, (usize, usize)> {
    let table = std::fs::read_to_string(folder().join("COUNTS.tsv")).unwrap_or_default();
    let rows = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let counts = (cells.get(1)?.parse().ok()?, cells.get(2)?.parse().ok()?);
        Some((cells.first()?.to_string(), counts))
    });
    rows.collect()
}

#[test]
fn small_systems_of_the_collection_have_the_known_numbers_of_states() {
    let counts = known_counts();
    let mut files = Vec::new();
    systems(&folder(), &mut files);
    let (mut compared, mut wrong) = (0, String::new());
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let Some(&expected) = counts.get(&*name) else {
            continue;
        };
        if expected.0 > MAX_STATES {
            continue;
        }
        if let Ok(lowered) = load(&file, &mut Vec::new()) {
            let found = explore(&lowered.model);
            compared += 1;
            if found != expected {
                wrong += &format!("{name}: {found:?}, expected {expected:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    if compared == 0 {
        println!("skipped: the collection is not there");
    } else {
        println!("{compared} systems compared");
    }
}
