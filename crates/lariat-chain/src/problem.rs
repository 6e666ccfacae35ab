//! Error messages about a file whose text is not kept.
//!
//! A file of a hundred million lines is read line by line and its text is not kept. An error stores the bytes that it
//! refers to; only if there are errors, the beginning of the file is read again, to show their lines.

use lariat_ir::diagnostic::{Diagnostic, MAX_ERRORS};
use lariat_ir::source::{ExpansionId, FileId, SourceMap, Span};
use std::io::{BufRead, Read, Seek, SeekFrom};

/// A range of bytes of a file, with its line, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub start: u64,
    pub end: u64,
    pub line: u64,
}

/// An error in a file.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub place: Place,
    pub message: String,
    pub label: String,
    pub related: Option<Box<(Place, String)>>,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Problem {
            place,
            message: message.into(),
            label: String::new(),
            related: None,
            help: None,
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn related(mut self, place: Place, words: impl Into<String>) -> Self {
        self.related = Some(Box::new((place, words.into())));
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A bounded list of errors.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub list: Vec<Problem>,
    /// Reading ends after a fatal error.
    pub stopped: bool,
}

impl Problems {
    pub fn report(&mut self, problem: Problem) {
        if self.stopped {
            return;
        }
        let place = problem.place;
        self.list.push(problem);
        if self.list.len() >= MAX_ERRORS {
            let message = format!("stopped after {MAX_ERRORS} errors");
            self.list.push(Problem::new(place, message));
            self.stopped = true;
        }
    }

    /// Adds an error after which reading ends.
    pub fn fatal(&mut self, problem: Problem) {
        self.report(problem);
        self.stopped = true;
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The errors as diagnostics, with the file, or as much of it as can be shown, in `sources`.
    pub fn diagnostics(
        self,
        sources: &mut SourceMap,
        name: &str,
        input: &mut (impl BufRead + Seek + ?Sized),
    ) -> Vec<Diagnostic> {
        let text = beginning(input);
        let length = text.len() as u64;
        let file = sources.add(name, text);
        let convert = |problem| diagnostic(problem, file, length);
        self.list.into_iter().map(convert).collect()
    }
}

/// The longest part of a file that is kept to be shown.
const SHOWN: u64 = 1 << 26;

/// The first bytes of a file, as text in which every byte keeps its position.
fn beginning(input: &mut (impl BufRead + Seek + ?Sized)) -> String {
    let mut bytes = Vec::new();
    let read = input
        .seek(SeekFrom::Start(0))
        .and_then(|_| input.take(SHOWN).read_to_end(&mut bytes));
    if read.is_err() {
        bytes.clear();
    }
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let ascii = |byte: u8| if byte.is_ascii() { byte as char } else { '?' };
        error.into_bytes().into_iter().map(ascii).collect()
    })
}

fn diagnostic(problem: Problem, file: FileId, length: u64) -> Diagnostic {
    let span = |place: Place| Span {
        file,
        start: place.start.min(length) as u32,
        end: place.end.min(length) as u32,
        expansion: ExpansionId::NONE,
    };
    let place = problem.place;
    // An error behind the part that is shown has at least its line number.
    let message = match place.end > length {
        true => format!("line {}: {}", place.line, problem.message),
        false => problem.message,
    };
    let mut diagnostic = Diagnostic::error(span(place), message).label(problem.label);
    if let Some(related) = problem.related {
        let (place, words) = *related;
        diagnostic = diagnostic.related(span(place), words);
    }
    diagnostic.help = problem.help;
    diagnostic
}
