//! From a file to a model.

use std::path::{Path, PathBuf};

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::model::Model;
use lariat_ir::source::{SourceMap, Span};
use lariat_ir::space::Invariant;
use lariat_promela::{
    Define, DiskLoader, Environment, Loader, LowerOptions, Lowered, ParseOptions,
};
use lariat_report::outcome::ModelRef;
use lariat_report::trail::model_hash;

/// How a model is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// `-D` and `-U`, in the order of the command line.
    pub defines: Vec<Define>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// Messages to full channels are lost.
    pub lossy: bool,
}

/// A model that can be run.
#[derive(Debug)]
pub struct Loaded {
    /// The name of its file.
    pub file: String,
    lowered: Lowered,
    environment: Environment,
    /// What is suspicious about it.
    pub warnings: Vec<Diagnostic>,
    hash: String,
}

/// A model that cannot be used, and why.
#[derive(Debug)]
pub struct LoadError {
    /// The text that the diagnostics speak of.
    pub sources: SourceMap,
    /// What is wrong; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model from a file.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let name = path.display().to_string();
    match DiskLoader.load(path) {
        Ok(bytes) => load_text(&name, lariat_promela::decode(bytes), options),
        Err(error) => {
            let mut sources = SourceMap::default();
            sources.add(name.clone(), "");
            let message = format!("cannot read {name}: {error}");
            Err(LoadError {
                sources,
                diagnostics: vec![Diagnostic::error(Span::default(), message)],
            })
        }
    }
}

/// Reads a model from a text; `name` says where it came from.
pub fn load_text(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::default();
    let parse_options = ParseOptions {
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.clone(),
        ..ParseOptions::default()
    };
    let parse = lariat_promela::parse(&mut sources, &parse_options, name, text);
    let mut diagnostics = parse.diagnostics;
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(LoadError {
            sources,
            diagnostics,
        });
    }
    let hash = model_hash(&sources);
    let lower_options = LowerOptions {
        lossy: options.lossy,
    };
    match lariat_promela::lower(&parse.program, sources, lower_options, &mut diagnostics) {
        Ok(lowered) => Ok(Loaded {
            file: name.to_string(),
            lowered,
            environment: parse.environment,
            warnings: diagnostics,
            hash,
        }),
        Err(sources) => Err(LoadError {
            sources,
            diagnostics,
        }),
    }
}

impl Loaded {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.lowered.model
    }

    /// Which model it is.
    pub fn reference(&self) -> ModelRef {
        ModelRef {
            file: self.file.clone(),
            hash: self.hash.clone(),
        }
    }

    /// A condition over the model's variables, as a user writes it.
    pub fn invariant(&mut self, text: &str) -> Result<Invariant, LoadError> {
        let mut sources = self.lowered.model.sources.clone();
        let result =
            lariat_promela::parse_expression(&mut sources, &self.environment, "--invariant", text);
        let failed = |diagnostics, sources| LoadError {
            sources,
            diagnostics,
        };
        let e = match result {
            Ok(e) => e,
            Err(diagnostics) => return Err(failed(diagnostics, sources)),
        };
        match self.lowered.expression(&e) {
            Ok(condition) => Ok(Invariant {
                text: text.to_string(),
                condition,
            }),
            Err(diagnostics) => Err(failed(diagnostics, sources)),
        }
    }
}
