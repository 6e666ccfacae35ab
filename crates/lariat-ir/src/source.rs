//! Source files and positions in them.
//!
//! Every construct of the IR remembers where it came from, so that trails, diagnostics and
//! coverage can point at the user's text. A [`Span`] is a byte range of one file. Text that a
//! macro or an inline produced also knows the chain of [`Expansion`]s that led to it.

use std::fmt;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// An entry of the table of expansions; [`ExpansionId::NONE`] means that the text stands in the file as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    /// Not from an expansion.
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// A range of bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
    /// The macro or inline call that produced this text, if any.
    pub expansion: ExpansionId,
}

impl Span {
    /// The smallest span that covers both, if they are in the same file; otherwise the first.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file {
            Span {
                start: self.start.min(other.start),
                end: self.end.max(other.end),
                ..self
            }
        } else {
            self
        }
    }
}

/// How an expansion came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A preprocessor macro: spans of the produced tokens are those of the call.
    Macro,
    /// An inline: spans of the produced tokens are those of the inline's body.
    Inline,
}

/// One use of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// The name of the macro or inline.
    pub name: String,
    /// Where it was called. Its own `expansion` field leads further out.
    pub call: Span,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
}

/// A position that a person can read; both numbers start at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// All files of a model, and all expansions.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|(_, b)| *b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        self.files.push(SourceFile {
            name: name.into(),
            text,
            line_starts,
        });
        FileId(self.files.len() as u32 - 1)
    }

    /// Remembers an expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// The expansion that produced a span, if any.
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get((id.0 as usize).checked_sub(1)?)
    }

    /// Line and column of the start of a span.
    pub fn position(&self, span: Span) -> Position {
        self.files
            .get(span.file.0 as usize)
            .map_or(Position { line: 0, column: 0 }, |f| f.position(span.start))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.files
            .get(span.file.0 as usize)
            .and_then(|f| f.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// `file:line` of the start of a span.
    pub fn location(&self, span: Span) -> Location<'_> {
        Location {
            file: self
                .files
                .get(span.file.0 as usize)
                .map_or("?", |f| f.name.as_str()),
            line: self.position(span).line,
        }
    }
}

impl SourceFile {
    /// Line and column of an offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&s| s <= offset);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(0, |s| s.chars().count() as u32);
        Position {
            line: line as u32,
            column: column + 1,
        }
    }
}

/// A file name and a line, printed as `file:line`.
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The line, from one.
    pub line: u32,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
