//! What the tests of lowering share.

use lariat_dve::{Lowered, lower, parse};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::SourceMap;

pub fn shown(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            let at = sources.position(d.span);
            let mut line = format!("{}:{} {}", at.line, at.column, d.message);
            for (span, words) in &d.related {
                line += &format!(" ({words}: {})", sources.text(*span));
            }
            let help = d.help.as_ref().map_or(String::new(), |h| format!(" [{h}]"));
            line + &help
        })
        .collect();
    lines.join("\n")
}

pub fn lowered(system: &str) -> (Result<Lowered, SourceMap>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let parse = parse(&mut sources, "test.dve", system.to_string());
    assert!(
        !parse.has_errors(),
        "{}",
        shown(&sources, &parse.diagnostics)
    );
    let mut diagnostics = parse.diagnostics;
    let result = lower(&parse.system, sources, Default::default(), &mut diagnostics);
    (result, diagnostics)
}

/// The model of a system in which nothing is wrong or suspicious.
pub fn model(system: &str) -> Lowered {
    let (result, diagnostics) = lowered(system);
    match result {
        Ok(lowered) if diagnostics.is_empty() => lowered,
        Ok(lowered) => panic!("{}", shown(&lowered.model.sources, &diagnostics)),
        Err(sources) => panic!("{}", shown(&sources, &diagnostics)),
    }
}

/// What is said about a system.
pub fn said(system: &str) -> String {
    match lowered(system) {
        (Ok(lowered), diagnostics) => shown(&lowered.model.sources, &diagnostics),
        (Err(sources), diagnostics) => shown(&sources, &diagnostics),
    }
}

/// Checks that a system is refused, with one message that contains these words.
pub fn refused(system: &str, words: &str) {
    let said = said(system);
    assert!(
        said.contains(words),
        "{system}\nsaid: {said}\nwords: {words}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(lowered(system).0.is_err(), "{system} is accepted");
}

/// Checks that a system is accepted, with one warning that contains these words.
pub fn suspicious(system: &str, words: &str) {
    let said = said(system);
    assert!(
        said.contains(words),
        "{system}\nsaid: {said}\nwords: {words}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    let (result, diagnostics) = lowered(system);
    assert!(result.is_ok() && diagnostics[0].severity == Severity::Warning);
}

/// A system with these global declarations and one process with these transitions.
pub fn system(globals: &str, transitions: &str) -> String {
    format!("{globals}\nprocess P {{ state q; init q; trans {transitions} }}\nsystem async;")
}
