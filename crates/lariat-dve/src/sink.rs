//! Where the messages of the front end are collected.

use lariat_ir::diagnostic::{Diagnostic, Severity};

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
