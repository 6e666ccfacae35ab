//! The models of the benchmark: `models.txt`.
//!
//! Each line is one of
//!
//! ```text
//! safety PATH OPTIONS states=N depth=N vector=N
//! ltl PATH OPTIONS property=NAME states=N
//! ```
//!
//! PATH is relative to the folder of models that is given on the command line, or begins with `examples/` for models of
//! this repository. States are those of the search without reductions, for `ltl` those of the product; depth is the longest
//! path that SPIN follows, which it has to know in advance; vector is the size of SPIN's states in bytes. `#` begins a
//! comment.

use crate::lariat;
use std::path::{Path, PathBuf};

/// The property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Errors of safety.
    Safety,
    /// A formula in the model.
    Ltl,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The property.
    pub kind: Kind,
    /// The file.
    pub path: PathBuf,
    /// Options that both tools understand.
    pub options: Vec<String>,
    /// The name of the formula.
    pub property: Option<String>,
    /// States without reductions.
    pub states: u64,
    /// The longest path that SPIN follows.
    pub depth: u32,
    /// The size of SPIN's states in bytes.
    pub vector: u32,
}

impl Model {
    /// The file without its folder and extension, and the options.
    pub fn name(&self) -> String {
        let mut name = self
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for option in &self.options {
            name += &format!(" {option}");
        }
        if let Some(property) = &self.property {
            name += &format!(" {property}");
        }
        name
    }
}

/// The table that belongs to this program. The first part of each path is looked up below `directory`, or in the
/// workspace for our examples.
pub fn built_in(directory: &Path) -> Result<Vec<Model>, String> {
    let mut models = parse(include_str!("models.txt"))?;
    for model in &mut models {
        let root = if model.path.starts_with("examples") {
            lariat::workspace()
        } else {
            directory.to_owned()
        };
        model.path = root.join(&model.path);
    }
    Ok(models)
}

/// Parses a table; the error names the wrong line.
fn parse(text: &str) -> Result<Vec<Model>, String> {
    let mut models = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let model = parse_line(line);
            models.push(model.map_err(|what| format!("models.txt, line {}: {what}", number + 1))?);
        }
    }
    Ok(models)
}

fn parse_line(line: &str) -> Result<Model, String> {
    let mut words = line.split_whitespace();
    let kind = match words.next() {
        Some("safety") => Kind::Safety,
        Some("ltl") => Kind::Ltl,
        _ => return Err("expected `safety` or `ltl`".into()),
    };
    let path = words.next().ok_or("expected a path")?;
    let mut model = Model {
        kind,
        path: path.into(),
        options: Vec::new(),
        property: None,
        states: 0,
        depth: 0,
        vector: 0,
    };
    for word in words {
        if word.starts_with('-') {
            model.options.push(word.to_owned());
            continue;
        }
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is neither an option nor a fact"))?;
        let number = || {
            value
                .parse()
                .map_err(|_| format!("`{word}` needs a number"))
        };
        let small = || {
            value
                .parse()
                .map_err(|_| format!("`{word}` needs a number"))
        };
        match key {
            "property" => model.property = Some(value.to_owned()),
            "states" => model.states = number()?,
            "depth" => model.depth = small()?,
            "vector" => model.vector = small()?,
            _ => return Err(format!("`{key}` is not known")),
        }
    }
    let complete = match model.kind {
        Kind::Safety => model.depth > 0 && model.vector > 0 && model.property.is_none(),
        Kind::Ltl => model.property.is_some(),
    };
    if model.states == 0 || !complete {
        return Err("facts are missing".into());
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_of_this_program_is_well_formed() {
        let models = built_in(Path::new("models")).unwrap();
        let names: BTreeSet<String> = models.iter().map(Model::name).collect();
        assert_eq!(names.len(), models.len(), "names tell models apart");
        for model in &models {
            let ours = model.path.starts_with(lariat::workspace());
            assert!(!ours || model.path.exists(), "{}", model.path.display());
        }
        assert!(models.iter().any(|model| model.kind == Kind::Ltl));
    }

    #[test]
    fn lines() {
        let text = "# comment\nsafety a/m.pml -DN=2 states=30 depth=4 vector=56 # remark\nltl b.pml property=p states=5\n";
        let models = parse(text).unwrap();
        assert_eq!(models[0].name(), "m -DN=2");
        assert_eq!(
            (models[0].states, models[0].depth, models[0].vector),
            (30, 4, 56)
        );
        assert_eq!(models[1].name(), "b p");
        assert_eq!(models[1].property.as_deref(), Some("p"));
    }

    #[test]
    fn wrong_lines_are_named() {
        for wrong in [
            "model a.pml states=1 depth=1 vector=1",
            "safety",
            "safety a.pml states=1 depth=1",
            "safety a.pml states=x depth=1 vector=1",
            "safety a.pml states=1 depth=1 vector=1 colour=red",
            "safety a.pml states=1 depth=1 vector=1 red",
            "ltl a.pml states=1",
        ] {
            let error = parse(&format!("\n{wrong}\n")).unwrap_err();
            assert!(error.contains("line 2"), "{error}");
        }
    }
}
