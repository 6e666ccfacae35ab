//! The lines of a file, one at a time, and the words in them.

use crate::problem::{Place, Problem, Problems};
use std::io::BufRead;

/// The longest allowed line, in bytes.
pub(crate) const LONGEST: usize = 1 << 20;

/// Reads a file line by line into one buffer that does not grow beyond the longest line.
///
/// Blank lines, comments after `#`, and carriage returns are skipped.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// The start of the next line.
    offset: u64,
    number: u64,
}

/// A line that is not blank.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    bytes: &'a [u8],
    offset: u64,
    number: u64,
}

/// A word with its position.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub bytes: &'a [u8],
    pub place: Place,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            buffer: Vec::new(),
            offset: 0,
            number: 0,
        }
    }

    /// The next line that is not blank; `None` at the end, or after a fatal error.
    pub fn next(&mut self, problems: &mut Problems) -> Option<Line<'_>> {
        while !problems.stopped {
            let start = self.offset;
            match self.fill() {
                Ok(true) => self.number += 1,
                Ok(false) => return None,
                Err(words) => {
                    let line = self.number + 1;
                    let end = start + self.buffer.len() as u64;
                    problems.fatal(Problem::new(Place { start, end, line }, words));
                    return None;
                }
            }
            if let Some(comment) = self.buffer.iter().position(|&b| b == b'#') {
                self.buffer.truncate(comment);
            }
            if self.buffer.iter().any(|b| !b.is_ascii_whitespace()) {
                return Some(Line {
                    bytes: &self.buffer,
                    offset: start,
                    number: self.number,
                });
            }
        }
        None
    }

    /// The position behind the last line.
    pub fn end(&self) -> Place {
        Place {
            start: self.offset,
            end: self.offset,
            line: self.number.max(1),
        }
    }

    /// Reads a line with its end; `false` if there is none.
    fn fill(&mut self) -> Result<bool, String> {
        self.buffer.clear();
        loop {
            let available = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(format!("the file cannot be read: {error}")),
            };
            let end = available.iter().position(|&b| b == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.buffer.len() + taken > LONGEST {
                return Err(format!("this line is longer than {LONGEST} bytes"));
            }
            self.buffer.extend_from_slice(&available[..taken]);
            self.reader.consume(taken);
            self.offset += taken as u64;
            if end.is_some() || taken == 0 {
                return Ok(!self.buffer.is_empty());
            }
        }
    }
}

impl<'a> Line<'a> {
    /// The words between the blanks.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        self.words_from(0)
    }

    /// The words between the blanks, from a byte of the line on.
    pub fn words_from(self, at: usize) -> impl Iterator<Item = Word<'a>> {
        let mut at = at;
        std::iter::from_fn(move || {
            let rest = &self.bytes[at..];
            let start = at + rest.iter().position(|b| !b.is_ascii_whitespace())?;
            let blank = self.bytes[start..]
                .iter()
                .position(|b| b.is_ascii_whitespace());
            at = blank.map_or(self.bytes.len(), |length| start + length);
            Some(self.part(start, at))
        })
    }

    /// The bytes between two positions in the line.
    pub fn part(self, start: usize, end: usize) -> Word<'a> {
        Word {
            bytes: &self.bytes[start..end],
            place: Place {
                start: self.offset + start as u64,
                end: self.offset + end as u64,
                line: self.number,
            },
        }
    }

    /// The whole line.
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The line without surrounding blanks.
    pub fn place(self) -> Place {
        let trimmed = self.bytes.trim_ascii();
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        self.part(start, start + trimmed.len()).place
    }
}

impl Word<'_> {
    /// The word as a decimal number.
    pub fn number(self) -> Option<u64> {
        let digit = |n: u64, &b: &u8| {
            let digit = b.is_ascii_digit().then(|| u64::from(b - b'0'))?;
            n.checked_mul(10)?.checked_add(digit)
        };
        match self.bytes {
            [] => None,
            digits => digits.iter().try_fold(0, digit),
        }
    }

    /// The word as shown in a message, shortened.
    pub fn text(self) -> String {
        let text = String::from_utf8_lossy(self.bytes);
        let control = |c: char| if c.is_control() { '?' } else { c };
        match text.chars().nth(30) {
            Some(_) => text
                .chars()
                .take(30)
                .map(control)
                .chain("...".chars())
                .collect(),
            None => text.chars().map(control).collect(),
        }
    }
}
