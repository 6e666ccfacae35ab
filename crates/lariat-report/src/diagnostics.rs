//! Diagnostics with excerpts of the source.

use std::collections::HashMap;
use std::ops::Range;

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::{ExpansionKind, FileId, SourceMap, Span};

/// Longer lines are not shown, nor larger files: a message without its excerpt is still useful, and no input makes
/// the program print megabytes.
const MAX_LINE: usize = 400;
/// The largest number of messages.
const MAX_SHOWN: usize = 30;
const MAX_FILE: usize = 4 << 20;

/// Renders diagnostics as text, errors first.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], color: bool) -> String {
    let mut cache = Cache {
        sources,
        files: HashMap::new(),
    };
    let mut out = Vec::new();
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|d| std::cmp::Reverse(d.severity));
    for diagnostic in ordered.into_iter().take(MAX_SHOWN) {
        render_one(&mut cache, diagnostic, color, &mut out);
    }
    if let Some(more) = diagnostics.len().checked_sub(MAX_SHOWN + 1) {
        out.extend(format!("and {} more messages\n", more + 1).into_bytes());
    }
    let text = String::from_utf8_lossy(&out).into_owned();
    if color { text } else { without_escapes(&text) }
}

/// The heading of a custom kind is coloured even without colours in the configuration.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            plain.push(c);
        }
    }
    plain
}

fn render_one(cache: &mut Cache, diagnostic: &Diagnostic, color: bool, out: &mut Vec<u8>) {
    let sources = cache.sources;
    if !can_show(sources, diagnostic.span) {
        out.extend(plain(sources, diagnostic).into_bytes());
        return;
    }
    let (kind, hue) = match diagnostic.severity {
        Severity::Error => (ReportKind::Custom("error", Color::Red), Color::Red),
        Severity::Warning => (ReportKind::Custom("warning", Color::Yellow), Color::Yellow),
    };
    let place = |span: Span| (span.file, range(sources, span));
    let label = |span: Span, words: &str, hue| {
        // Without a text the span would not be underlined.
        let words = if words.is_empty() { "here" } else { words };
        Label::new(place(span)).with_color(hue).with_message(words)
    };
    let config = Config::new()
        .with_color(color)
        .with_char_set(if color {
            CharSet::Unicode
        } else {
            CharSet::Ascii
        })
        .with_index_type(IndexType::Byte);
    let mut report = Report::build(kind, place(diagnostic.span))
        .with_config(config)
        .with_message(&diagnostic.message)
        .with_label(label(diagnostic.span, &diagnostic.label, hue));
    for (span, words) in &diagnostic.related {
        if can_show(sources, *span) {
            report = report.with_label(label(*span, words, Color::Cyan));
        }
    }
    for note in expansion_notes(sources, diagnostic.span) {
        report = report.with_note(note);
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help);
    }
    if report.finish().write(&mut *cache, &mut *out).is_err() {
        out.extend(plain(sources, diagnostic).into_bytes());
    }
}

/// A message without an excerpt.
fn plain(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = if diagnostic.span == Span::default() {
        format!("{severity}: {}\n", diagnostic.message)
    } else {
        let location = sources.location(diagnostic.span);
        format!("{severity}: {location}: {}\n", diagnostic.message)
    };
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("  help: {help}\n"));
    }
    text
}

/// Whether there is a line to show, and it is short enough.
fn can_show(sources: &SourceMap, span: Span) -> bool {
    if span == Span::default() {
        return false;
    }
    let Some((_, file)) = sources.files().find(|(id, _)| *id == span.file) else {
        return false;
    };
    let start = (span.start as usize).min(file.text.len());
    let bytes = file.text.as_bytes();
    let before = bytes[..start]
        .iter()
        .rev()
        .take_while(|b| **b != b'\n')
        .count();
    let after = bytes[start..].iter().take_while(|b| **b != b'\n').count();
    !file.text.is_empty() && file.text.len() <= MAX_FILE && before + after <= MAX_LINE
}

/// The bytes of a span, on character borders, inside the file, and on one line if it is long.
fn range(sources: &SourceMap, span: Span) -> Range<usize> {
    let text = &sources.file(span.file).text;
    let border = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = border((span.start as usize).min(text.len().saturating_sub(1)));
    let mut end = border((span.end as usize).min(text.len())).max(start);
    let lines = text[start..end].matches('\n').count();
    if lines > 3 {
        end = start + text[start..end].find('\n').unwrap_or(0);
    }
    start..end.max(start)
}

/// The macro or inline call that produced a text.
fn expansion_notes(sources: &SourceMap, span: Span) -> Vec<String> {
    let mut notes = Vec::new();
    let mut expansion = sources.expansion(span.expansion);
    while let Some(e) = expansion {
        let location = sources.location(e.call);
        notes.push(match e.kind {
            ExpansionKind::Macro => format!("in the expansion of macro `{}` at {location}", e.name),
            ExpansionKind::Inline => format!("in inline `{}`, called at {location}", e.name),
        });
        if notes.len() == 4 {
            break;
        }
        expansion = sources.expansion(e.call.expansion);
    }
    notes
}

struct Cache<'a> {
    sources: &'a SourceMap,
    files: HashMap<FileId, Source>,
}

impl ariadne::Cache<FileId> for &mut Cache<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source, impl std::fmt::Debug> {
        let text = || self.sources.file(*id).text.clone();
        Ok::<_, std::convert::Infallible>(
            self.files
                .entry(*id)
                .or_insert_with(|| Source::from(text())),
        )
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl std::fmt::Display + 'b> {
        Some(self.sources.file(*id).name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_its_line_and_its_advice() {
        let mut sources = SourceMap::default();
        let file = sources.add("m.pml", "byte turn;\ninit { trun = 1 }\n");
        let span = Span {
            file,
            start: 18,
            end: 22,
            ..Span::default()
        };
        let error =
            Diagnostic::error(span, "variable `trun` is not declared").help("did you mean `turn`?");
        let text = render(&sources, &[error], false);
        assert!(text.contains("m.pml:2:8"), "{text}");
        assert!(text.contains("init { trun = 1 }"), "{text}");
        assert!(text.contains("did you mean `turn`?"), "{text}");
    }

    #[test]
    fn invalid_spans_are_accepted() {
        let mut sources = SourceMap::default();
        let file = sources.add("m.pml", "é\n");
        sources.add("empty.pml", "");
        for (start, end) in [(0, 0), (1, 1), (1, 2), (3, 3), (90, 99), (2, 1)] {
            for file in [file, FileId(1), FileId(7)] {
                let span = Span {
                    file,
                    start,
                    end,
                    ..Span::default()
                };
                render(&sources, &[Diagnostic::error(span, "x")], false);
            }
        }
    }
}
