//! From text to syntax tree: the entry points of the syntax half of the front end.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::{SourceMap, Span};

use crate::ast::{Expr, Program};
use crate::parser::Parser;
use crate::preprocess::{Define, DiskLoader, Limits, Loader, Macros, Preprocessor};
use crate::token::{Interner, Symbol};
use lariat_ir::diagnostic::Sink;

/// What a model is parsed with.
pub struct ParseOptions {
    /// `-D` and `-U`, in the order of the command line.
    pub defines: Vec<Define>,
    /// `-I`: where to look for included files, after the directory of the including file.
    pub include_dirs: Vec<PathBuf>,
    /// How included files are read.
    pub loader: Box<dyn Loader>,
    /// How large the model may become.
    pub limits: Limits,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            defines: Vec::new(),
            include_dirs: Vec::new(),
            loader: Box::new(DiskLoader),
            limits: Limits::default(),
        }
    }
}

/// The result of parsing a model.
#[derive(Debug)]
pub struct Parse {
    /// The tree. If there were errors, parts of it are missing or are `Error` nodes.
    pub program: Program,
    /// What is to be said about the text, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The macros and names of the model, for [`parse_expression`] and [`parse_part`].
    pub environment: Environment,
}

impl Parse {
    /// Whether the tree must not be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }
}

/// The macros with which a model ended, and the names of its proctypes.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    names: Interner,
    macros: Macros,
    proctypes: HashSet<Symbol>,
}

/// Parses a model.
///
/// The text is added to `sources` under `root_name`, which is also the path that `#include`
/// starts from. Never panics, whatever the text.
///
/// ```
/// use lariat_ir::source::SourceMap;
/// use lariat_promela::{ParseOptions, parse};
///
/// let mut sources = SourceMap::default();
/// let text = "#define N 3\nbyte x[N]; init { x[N - 1] = 7; assert(x[2] == 7) }";
/// let parse = parse(&mut sources, &ParseOptions::default(), "model.pml", text.to_string());
/// assert!(parse.diagnostics.is_empty());
/// assert_eq!(parse.program.units.len(), 2);
/// ```
pub fn parse(
    sources: &mut SourceMap,
    options: &ParseOptions,
    root_name: &str,
    root_text: String,
) -> Parse {
    let mut sink = Sink::default();
    let shared: Arc<str> = Arc::from(root_text.as_str());
    if root_text.len() >= u32::MAX as usize {
        sink.fatal(Diagnostic::error(Span::default(), "the file is too large"));
        return Parse {
            program: Program::default(),
            diagnostics: sink.diagnostics,
            environment: Environment::default(),
        };
    }
    // The model is the first file, so that messages without a place point into it.
    let file = sources.add(root_name, root_text);
    let mut preprocessor = Preprocessor::new(
        sources,
        Interner::default(),
        Macros::default(),
        &mut sink,
        options.loader.as_ref(),
        &options.include_dirs,
        options.limits,
    );
    preprocessor.command_line(&options.defines);
    let tokens = preprocessor.run_file(file, shared, Path::new(root_name).to_path_buf());
    let (mut names, macros) = (preprocessor.names, preprocessor.macros);
    let mut program = Program::default();
    let mut proctypes = HashSet::new();
    // What the parser would say after an error in the tokens is mostly a consequence of it.
    if sink.errors == 0 {
        let left = options.limits.tokens.saturating_sub(tokens.len());
        let mut parser = Parser::new(sources, &mut names, &mut sink, tokens);
        parser.limit_spliced(left);
        program = parser.program();
        proctypes = std::mem::take(&mut parser.proctypes);
    }
    Parse {
        program,
        diagnostics: sink.diagnostics,
        environment: Environment {
            names,
            macros,
            proctypes,
        },
    }
}

/// Parses an expression that was given apart from the model, such as an invariant on the command
/// line. The macros of the model can be used in it.
pub fn parse_expression(
    sources: &mut SourceMap,
    environment: &Environment,
    name: &str,
    text: &str,
) -> Result<Expr, Vec<Diagnostic>> {
    parse_part(sources, environment, name, text, 0..text.len())
}

/// Parses an expression that is a part of a text in another language, such as an atom of a formula.
/// What is wrong with it is shown in the whole text.
pub fn parse_part(
    sources: &mut SourceMap,
    environment: &Environment,
    name: &str,
    text: &str,
    part: Range<usize>,
) -> Result<Expr, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let file = sources.add(name, text);
    let mut preprocessor = Preprocessor::new(
        sources,
        environment.names.clone(),
        environment.macros.clone(),
        &mut sink,
        &DiskLoader,
        &[],
        Limits::default(),
    );
    let alone = alone(text, part);
    let tokens = preprocessor.run_file(file, Arc::from(alone), PathBuf::new());
    let mut names = preprocessor.names;
    let mut result = None;
    if sink.errors == 0 {
        let mut parser = Parser::new(sources, &mut names, &mut sink, tokens);
        parser.proctypes = environment.proctypes.clone();
        result = parser.only_expression().ok();
    }
    match result {
        Some(expr) if sink.errors == 0 => Ok(expr),
        _ => Err(sink.diagnostics),
    }
}

/// A text in which everything but a part is blank. Quotes around names, which a formula may have, are
/// blank as well.
fn alone(text: &str, part: Range<usize>) -> String {
    let blank = |text: &str| " ".repeat(text.len());
    match (text.get(..part.start), text.get(part.clone())) {
        (Some(before), Some(part)) if part.starts_with('"') || part.contains('\'') => {
            blank(before) + part
        }
        (Some(before), Some(part)) => blank(before) + &part.replace('"', " "),
        _ => text.to_string(),
    }
}
