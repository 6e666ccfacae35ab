//! Model files and the facts in their headers.

use std::path::{Path, PathBuf};

use lariat::LANGUAGES;
use lariat_front::{LoadOptions, OptionValue};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether the ending of a file is that of a language.
pub fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_its = |ending| LANGUAGES.0.iter().any(|l| l.endings().contains(&ending));
    ending.is_some_and(is_its)
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if is_model(&path) {
            found.push(path);
        }
    }
    found.sort();
}

/// All models of the project.
pub fn all_models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    models(&root().join("models"), &mut found);
    models(&root().join("examples"), &mut found);
    found
}

/// The lines `//@ key: value` at the top of a model, in order.
pub fn facts(path: &Path) -> Vec<(String, String)> {
    let text = lariat_front::decode(std::fs::read(path).unwrap());
    text.lines()
        .map_while(|line| line.strip_prefix("//@"))
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
        .collect()
}

/// How a model with these arguments in its header is read.
pub fn load_options(args: &str) -> LoadOptions {
    let mut options = LoadOptions::default();
    let mut words = args.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = |prefix: &str| match word.strip_prefix(prefix) {
            Some("") => words.next().unwrap_or_default().to_string(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        if word == "--wrap" {
            options.options.push(OptionValue::flag("wrap"));
            continue;
        }
        match &word[..2] {
            "-D" => options
                .options
                .push(OptionValue::new("define", value("-D"))),
            "-U" => options
                .options
                .push(OptionValue::new("undefine", value("-U"))),
            "-m" => options.options.push(OptionValue::flag("lossy")),
            other => panic!("unknown argument {other} in the header"),
        }
    }
    options
}
