//! From text to syntax tree: the entry points of the syntax half of the front end.

use std::ops::Range;

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::{FileId, SourceMap, Span};

use crate::ast::{Expr, System};
use crate::lexer;
use crate::parser::Parser;
use crate::token::{Punct, Token, TokenKind};
use lariat_ir::diagnostic::Sink;

/// The result of parsing a system.
#[derive(Debug)]
pub struct Parse {
    /// The tree. If there were errors, parts of it are missing.
    pub system: System,
    /// What is to be said about the text, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// Whether the tree must not be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }
}

/// Parses a system.
///
/// The text is added to `sources` under `name`. Never panics, whatever the text.
///
/// ```
/// use lariat_ir::source::SourceMap;
///
/// let text = "byte x; process P { state q; init q; trans q -> q { effect x = 1 - x; }; } system async;";
/// let mut sources = SourceMap::default();
/// let parse = lariat_dve::parse(&mut sources, "blink.dve", text.to_string());
/// assert!(parse.diagnostics.is_empty());
/// assert_eq!(parse.system.processes[0].transitions.len(), 1);
/// ```
pub fn parse(sources: &mut SourceMap, name: &str, text: String) -> Parse {
    let mut sink = Sink::default();
    if text.len() >= u32::MAX as usize {
        sources.add(name, "");
        sink.fatal(Diagnostic::error(Span::default(), "the file is too large"));
        return Parse {
            system: System::default(),
            diagnostics: sink.diagnostics,
        };
    }
    let file = sources.add(name, text);
    let text = sources.file(file).text.as_str();
    let tokens = lexer::tokens(file, text, 0..text.len(), &mut sink);
    let template = template(text, &tokens);
    let mut system = System::default();
    // What the parser would say after an error in the tokens is mostly a consequence of it.
    if sink.errors == 0 {
        system = Parser::new(text, &mut sink, tokens).system();
    }
    match template {
        Some(span) if sink.errors > 0 => Parse {
            system,
            diagnostics: vec![is_template(span)],
        },
        _ => Parse {
            system,
            diagnostics: sink.diagnostics,
        },
    }
}

/// Parses a condition that is a part of another text, such as an atom of a formula on the command
/// line. What is wrong with it is shown in the whole text.
pub fn parse_part(
    sources: &mut SourceMap,
    name: &str,
    text: &str,
    part: Range<usize>,
) -> Result<Expr, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    if text.len() >= u32::MAX as usize {
        return Err(vec![Diagnostic::error(
            Span::default(),
            "the text is too large",
        )]);
    }
    let file: FileId = sources.add(name, text);
    // A formula may have quotes around names.
    let text = match (text.get(..part.start), text.get(part.clone())) {
        (Some(before), Some(inside)) if !inside.starts_with('"') => {
            let behind = &text[part.end..];
            format!("{before}{}{behind}", inside.replace('"', " "))
        }
        _ => text.to_string(),
    };
    let tokens = lexer::tokens(file, &text, part, &mut sink);
    let mut result = None;
    if sink.errors == 0 {
        result = Parser::new(&text, &mut sink, tokens).only_expression().ok();
    }
    match result {
        Some(expr) if sink.errors == 0 => Ok(expr),
        _ => Err(sink.diagnostics),
    }
}

/// The place that shows that a text must be expanded by m4 first, as the templates of the BEEM
/// collection must be.
fn template(text: &str, tokens: &[Token]) -> Option<Span> {
    const MACROS: &[&str] = &[
        "define",
        "undefine",
        "forloop",
        "foreach",
        "ifelse",
        "ifdef",
        "divert",
        "changequote",
        "include",
        "pushdef",
    ];
    let sign = |pair: &&[Token]| {
        let range = pair[0].span.start as usize..pair[0].span.end as usize;
        let word = text.get(range).unwrap_or("");
        let called = pair[1].kind == TokenKind::Punct(Punct::LParen);
        pair[0].kind == TokenKind::Name && (word == "dnl" || called && MACROS.contains(&word))
    };
    tokens.windows(2).find(sign).map(|pair| pair[0].span)
}

fn is_template(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this is a template for m4, not a DVE system")
        .help("expand it first: `m4 template.mdve > model.dve`")
}
