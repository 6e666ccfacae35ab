//! Messages about a model: errors and warnings with the places they speak of.
//!
//! Front ends collect them; how they look on a terminal is decided elsewhere.

use crate::source::Span;

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model can be used, but something in it is suspicious.
    Warning,
    /// The model cannot be used.
    Error,
}

/// A message with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where it is wrong.
    pub span: Span,
    /// A few words shown at the place itself; empty if the message says it all.
    pub label: String,
    /// Other places that matter, with a few words each.
    pub related: Vec<(Span, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message.into())
    }

    /// A warning.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message.into())
    }

    fn new(severity: Severity, span: Span, message: String) -> Self {
        Diagnostic {
            severity,
            message,
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// Adds the words at the place itself.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// After so many errors nothing more is said.
pub const MAX_ERRORS: usize = 20;

/// No warning is added to so many messages.
const MAX_WARNINGS: usize = 200;

/// A list of messages that cannot grow without bound.
#[derive(Debug, Default)]
pub struct Sink {
    /// What has been reported, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of errors among them.
    pub errors: usize,
    /// Nothing more is to be reported or read.
    pub stopped: bool,
}

impl Sink {
    /// Adds a message, unless there are too many already.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.stopped {
            return;
        }
        let span = diagnostic.span;
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        } else if self.diagnostics.len() >= MAX_WARNINGS {
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.errors >= MAX_ERRORS {
            self.stopped = true;
            let message = format!("stopped after {MAX_ERRORS} errors");
            self.diagnostics.push(Diagnostic::error(span, message));
        }
    }

    /// Adds an error that makes it pointless to go on.
    pub fn fatal(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.stopped = true;
    }
}

/// The name among `candidates` that the user most probably meant by `name`.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = name.chars().count();
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let own = letters(name);
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        // To a name of one letter every other one would be as near.
        .filter(|c| *c != name && (length > 1 || c.eq_ignore_ascii_case(name)))
        .map(|c| (edit_distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        // Among names that are equally near, letters in another order are the likelier mistake.
        .min_by_key(|(d, c)| (*d, letters(c) != own, *c))
        .map(|(_, c)| c)
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_near_and_never_the_name_itself() {
        assert_eq!(did_you_mean("conter", ["counter", "x"]), Some("counter"));
        assert_eq!(did_you_mean("trun", ["turn", "true", "run"]), Some("turn"));
        assert_eq!(did_you_mean("x", ["c", "xy"]), None);
        assert_eq!(did_you_mean("p", ["q", "P"]), Some("P"));
        assert_eq!(did_you_mean("x", ["x", "abc"]), None);
    }
}
