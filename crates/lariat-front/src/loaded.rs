//! A model that was read, and errors of reading.

use crate::languages::LoadOptions;
use crate::{FrontEnd, Read, Source, Terms};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::Expr;
use lariat_ir::model::Model;
use lariat_ir::property::Invariant;
use lariat_ir::source::{SourceMap, Span};
use std::fmt;
use std::ops::Range;

/// A model that can be run.
pub struct Loaded {
    /// The name of its file.
    pub file: String,
    /// A hash of its text and of all files that it includes.
    pub hash: String,
    /// What is suspicious about it.
    pub warnings: Vec<Diagnostic>,
    /// How it was read.
    pub options: LoadOptions,
    language: &'static dyn FrontEnd,
    source: Box<dyn Source>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = f.debug_struct("Loaded");
        parts.field("file", &self.file).field("hash", &self.hash);
        parts
            .field("language", &self.language.name())
            .finish_non_exhaustive()
    }
}

/// A model that cannot be used, and why.
#[derive(Debug)]
pub struct LoadError {
    /// The text that the diagnostics speak of.
    pub sources: SourceMap,
    /// What is wrong; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

impl LoadError {
    /// An error in a text.
    pub fn of_text(name: &str, text: &str, diagnostic: Diagnostic) -> Self {
        let mut sources = SourceMap::default();
        sources.add(name, text);
        LoadError {
            sources,
            diagnostics: vec![diagnostic],
        }
    }

    /// An error in a part of a text.
    pub fn in_part(
        name: &str,
        text: &str,
        part: Range<usize>,
        message: String,
        help: Option<String>,
    ) -> Self {
        let mut sources = SourceMap::default();
        let file = sources.add(name, text);
        let span = Span {
            file,
            start: part.start as u32,
            end: part.end as u32,
            ..Span::default()
        };
        let diagnostic = Diagnostic {
            help,
            ..Diagnostic::error(span, message)
        };
        LoadError {
            sources,
            diagnostics: vec![diagnostic],
        }
    }

    /// A file that cannot be read.
    pub fn cannot_read(name: &str, error: &std::io::Error) -> Self {
        let message = format!("cannot read {name}: {error}");
        LoadError::of_text(name, "", Diagnostic::error(Span::default(), message))
    }
}

/// The messages, without the text that they speak of.
impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        write!(f, "{}", messages.join("; "))
    }
}

impl std::error::Error for LoadError {}

impl Loaded {
    pub(crate) fn new(
        file: &str,
        language: &'static dyn FrontEnd,
        hash: TextHash,
        read: Read,
        options: LoadOptions,
    ) -> Self {
        Loaded {
            file: file.into(),
            hash: hash.to_string(),
            warnings: read.warnings,
            options,
            language,
            source: read.source,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.source.model()
    }

    /// The language that it is written in.
    pub fn language(&self) -> &'static dyn FrontEnd {
        self.language
    }

    /// What things are called in its language.
    pub fn terms(&self) -> Terms {
        self.source.terms()
    }

    /// A condition over the model's variables: a part of a text from the command line or from a file.
    pub fn condition(
        &mut self,
        name: &str,
        text: &str,
        part: Range<usize>,
    ) -> Result<Expr, LoadError> {
        let mut sources = self.model().sources.clone();
        let condition = self.source.condition(&mut sources, name, text, part);
        condition.map_err(|diagnostics| LoadError {
            sources,
            diagnostics,
        })
    }

    /// A condition that must hold in every state, as a user writes it.
    pub fn invariant(&mut self, text: &str) -> Result<Invariant, LoadError> {
        Ok(Invariant {
            text: text.to_string(),
            condition: self.condition("--invariant", text, 0..text.len())?,
            span: None,
        })
    }

    /// See [`Source::hide_operators`].
    pub fn hide_operators(&self, formula: &str) -> String {
        self.source.hide_operators(formula)
    }
}

/// A hash of texts: FNV-1a with 128 bits, enough to notice that a model is not the one that a trail was made for.
#[derive(Clone, Copy, Debug)]
pub struct TextHash(u128);

impl Default for TextHash {
    fn default() -> Self {
        TextHash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl TextHash {
    /// The hash of the text of all files of a model.
    pub fn of(sources: &SourceMap) -> Self {
        let mut hash = TextHash::default();
        for (_, file) in sources.files() {
            hash.feed(&(file.text.len() as u64).to_le_bytes());
            hash.feed(file.text.as_bytes());
        }
        hash
    }

    /// Adds some bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

impl fmt::Display for TextHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
