//! What a front end is: a language in which models are written.
//!
//! A language is a crate that implements [`FrontEnd`], and one line in a list of [`Languages`]. It declares its name, the
//! endings of its files and the options of its own; command line, help, refusals and trails are made from that. Reading a
//! text gives a [`Source`]: a model of the intermediate language, and what is needed to understand conditions
//! that users write in the words of the language.

mod languages;
mod loaded;
mod options;
mod text;

pub use languages::{Languages, LoadOptions};
pub use loaded::{LoadError, Loaded, TextHash};
pub use options::{LanguageOption, OptionValue, OptionValues};
pub use text::{decode, read_file};

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::Expr;
use lariat_ir::model::Model;
use lariat_ir::source::SourceMap;
use std::fmt::Debug;
use std::ops::Range;
use std::path::PathBuf;

/// A language in which models are written.
pub trait FrontEnd: Sync {
    /// The name by which users choose it: lower case, no spaces.
    fn name(&self) -> &'static str;

    /// The name as it is written in sentences.
    fn title(&self) -> &'static str;

    /// The endings of its files, in lower case, without the point.
    fn endings(&self) -> &'static [&'static str];

    /// The options that only this language has.
    fn options(&self) -> &'static [LanguageOption] {
        &[]
    }

    /// Reads a model.
    fn load(&self, request: Request<'_>) -> Result<Read, LoadError>;
}

/// A text to be read.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Where it came from.
    pub name: &'a str,
    /// The text.
    pub text: String,
    /// The options of the language that were given; each is one that the language has declared.
    pub options: &'a OptionValues,
    /// Files with claims about the model, to be read as parts of it.
    pub claim_files: &'a [PathBuf],
    /// The memory that the model may take, in bytes. Languages keep to it roughly, and refuse models that need more.
    pub memory: Option<u64>,
}

/// A model that was read.
#[derive(Debug)]
pub struct Read {
    /// The model.
    pub source: Box<dyn Source>,
    /// What is suspicious about it.
    pub warnings: Vec<Diagnostic>,
}

/// A model with what its front end needs to understand conditions over it.
pub trait Source: Debug + Send + Sync {
    /// The model.
    fn model(&self) -> &Model;

    /// Reads a condition in the words of the language: the `part` of a `text` that is called `name` in messages.
    /// The text is added to `sources`.
    fn condition(
        &mut self,
        sources: &mut SourceMap,
        name: &str,
        text: &str,
        part: Range<usize>,
    ) -> Result<Expr, Vec<Diagnostic>>;

    /// The words of the language for what every language may have.
    fn terms(&self) -> Terms;

    /// A formula of the same length in which nothing of the language looks like an operator of temporal logic.
    fn hide_operators(&self, formula: &str) -> String {
        formula.to_string()
    }
}

/// What things are called in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// An automaton of runs that must not happen: `never claim`.
    pub claim: &'static str,
    /// What makes a state accepting: `accept labels`.
    pub accepting: &'static str,
    /// What a model without accepting states lacks: `no process has a label that begins with `accept``.
    pub no_accepting: &'static str,
    /// Why progress cannot be checked, if the language has no progress labels.
    pub no_progress: Option<&'static str>,
}
