//! DVE as a language of Lariat.

use std::ops::Range;

use lariat_front::{FrontEnd, LanguageOption, LoadError, Read, Request, Source, Terms};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::expr::Expr;
use lariat_ir::model::Model;
use lariat_ir::source::{SourceMap, Span};

use crate::{LowerOptions, Lowered, lower, parse, parse_part};

/// The language of DiVinE.
#[derive(Clone, Copy, Debug)]
pub struct Dve;

const OPTIONS: &[LanguageOption] = &[LanguageOption {
    name: "wrap",
    short: None,
    value: None,
    help: "a value that does not fit into its variable is cut instead of being an error, as LTSmin does",
}];

/// What a byte of a model takes at most, in bytes.
const BYTES_PER_BYTE: u64 = 400;
/// A model of so many bytes is allowed in any case.
const LEAST_BYTES: u64 = 75_000;

impl FrontEnd for Dve {
    fn name(&self) -> &'static str {
        "dve"
    }

    fn title(&self) -> &'static str {
        "DVE"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["dve", "mdve"]
    }

    fn options(&self) -> &'static [LanguageOption] {
        OPTIONS
    }

    fn load(&self, request: Request<'_>) -> Result<Read, LoadError> {
        let mut sources = SourceMap::default();
        let affordable = request.memory.map_or(u64::MAX, |m| m / BYTES_PER_BYTE);
        if request.text.len() as u64 > affordable.max(LEAST_BYTES) {
            let size = request.text.len();
            let message = format!("there is no memory for a model of {size} bytes");
            let diagnostic = Diagnostic::error(Span::default(), message);
            let diagnostic = diagnostic.help("a larger --memory allows more");
            return Err(LoadError::of_text(request.name, "", diagnostic));
        }
        let parse = parse(&mut sources, request.name, request.text);
        let mut diagnostics = parse.diagnostics;
        if !request.claim_files.is_empty() {
            let message = "-N with a file reads a never claim, which is for Promela; this model is read as DVE";
            let help = "write a property process into the system, and use -N without a file";
            diagnostics.push(Diagnostic::error(Span::default(), message).help(help));
        }
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(LoadError {
                sources,
                diagnostics,
            });
        }
        let options = LowerOptions {
            wrap: request.options.iter().any(|option| option.name == "wrap"),
        };
        match lower(&parse.system, sources, options, &mut diagnostics) {
            Ok(lowered) => Ok(Read {
                source: Box::new(DveSource(lowered)),
                warnings: diagnostics,
            }),
            Err(sources) => Err(LoadError {
                sources,
                diagnostics,
            }),
        }
    }
}

/// A model with its names.
#[derive(Debug)]
struct DveSource(Lowered);

impl Source for DveSource {
    fn model(&self) -> &Model {
        &self.0.model
    }

    fn condition(
        &mut self,
        sources: &mut SourceMap,
        name: &str,
        text: &str,
        part: Range<usize>,
    ) -> Result<Expr, Vec<Diagnostic>> {
        let expression = parse_part(sources, name, text, part)?;
        self.0.expression(&expression)
    }

    fn terms(&self) -> Terms {
        Terms {
            claim: "property process",
            accepting: "accepting states of processes",
            no_accepting: "no process of the system has accepting states",
            no_progress: Some(
                "DVE has no progress labels; say what progress is with a formula, for example '[]<>P.done'",
            ),
        }
    }

    /// The arrows of `P->v` do not look like implications: those between the name of a process and another
    /// name, without blanks.
    fn hide_operators(&self, formula: &str) -> String {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut plain = formula.to_string();
        for (at, arrow) in formula.match_indices("->") {
            let before = &formula[..at];
            let name = &before[before.trim_end_matches(is_name).len()..];
            let follows = formula[at + arrow.len()..]
                .chars()
                .next()
                .is_some_and(is_name);
            let is_process = self.model().processes.iter().any(|p| p.name == name);
            if is_process && follows {
                plain.replace_range(at..at + arrow.len(), ". ");
            }
        }
        plain
    }
}
