//! Text to tokens.
//!
//! Comments are those of C. Characters that cannot start a token are reported once per run and
//! passed over.

use std::ops::Range;

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::{ExpansionId, FileId, Span};

use crate::token::{Keyword, Punct, Token, TokenKind, shorten};
use lariat_ir::diagnostic::Sink;

/// A longer text is refused.
pub const MAX_TOKENS: usize = 8_000_000;

/// The tokens of a part of a text, with an end-of-file token at the end.
pub fn tokens(file: FileId, text: &str, part: Range<usize>, sink: &mut Sink) -> Vec<Token> {
    let end = part.end.min(text.len());
    let mut lexer = Lexer {
        text: text.as_bytes().get(..end).unwrap_or_default(),
        file,
        position: part.start.min(end),
    };
    if lexer.position == 0 && text.starts_with('\u{feff}') {
        lexer.position = 3;
    }
    let mut tokens = Vec::new();
    while !sink.stopped
        && let Some(token) = lexer.next(text, sink)
    {
        if tokens.len() == MAX_TOKENS {
            let message = format!("the text has more than {MAX_TOKENS} words and operators");
            sink.fatal(Diagnostic::error(token.span, message));
            break;
        }
        tokens.push(token);
    }
    tokens.push(Token {
        kind: TokenKind::Eof,
        span: lexer.span(lexer.position),
    });
    tokens
}

struct Lexer<'a> {
    text: &'a [u8],
    file: FileId,
    position: usize,
}

impl Lexer<'_> {
    /// The span from an offset to the current position.
    fn span(&self, start: usize) -> Span {
        Span {
            file: self.file,
            start: start as u32,
            end: self.position as u32,
            expansion: ExpansionId::NONE,
        }
    }

    fn byte(&self, distance: usize) -> Option<u8> {
        self.text.get(self.position + distance).copied()
    }

    /// Passes over white space and comments.
    fn skip_blanks(&mut self, sink: &mut Sink) {
        while let Some(byte) = self.byte(0) {
            match (byte, self.byte(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, _) => self.position += 1,
                (b'/', Some(b'/')) => {
                    while self.byte(0).is_some_and(|b| b != b'\n') {
                        self.position += 1;
                    }
                }
                (b'/', Some(b'*')) => self.skip_block_comment(sink),
                _ => return,
            }
        }
    }

    fn skip_block_comment(&mut self, sink: &mut Sink) {
        let start = self.position;
        self.position += 2;
        let opened = self.span(start);
        loop {
            match (self.byte(0), self.byte(1)) {
                (Some(b'*'), Some(b'/')) => {
                    self.position += 2;
                    return;
                }
                (Some(_), _) => self.position += 1,
                (None, _) => break,
            }
        }
        sink.report(
            Diagnostic::error(opened, "this comment is never closed")
                .label("opened here")
                .help("add `*/` where the comment ends"),
        );
    }

    /// The next token; `None` at the end of the text.
    fn next(&mut self, text: &str, sink: &mut Sink) -> Option<Token> {
        loop {
            self.skip_blanks(sink);
            let start = self.position;
            let kind = match self.byte(0)? {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    self.word();
                    let word = text.get(start..self.position).unwrap_or("");
                    Keyword::find(word).map_or(TokenKind::Name, TokenKind::Keyword)
                }
                b'0'..=b'9' => {
                    self.word();
                    TokenKind::Number
                }
                _ => match Punct::find(&self.text[start..]) {
                    Some(punct) => {
                        self.position += punct.text().len();
                        TokenKind::Punct(punct)
                    }
                    None => {
                        self.garbage(text, sink);
                        continue;
                    }
                },
            };
            return Some(Token {
                kind,
                span: self.span(start),
            });
        }
    }

    /// Passes over letters, digits and underscores.
    fn word(&mut self) {
        while self
            .byte(0)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_')
        {
            self.position += 1;
        }
    }

    /// Reports a run of characters that mean nothing.
    fn garbage(&mut self, text: &str, sink: &mut Sink) {
        let start = self.position;
        while self.byte(0).is_some_and(|b| {
            !b.is_ascii_alphanumeric()
                && !b.is_ascii_whitespace()
                && b != b'_'
                && Punct::find(&self.text[self.position..]).is_none()
        }) {
            self.position += 1;
        }
        if self.position == start {
            self.position += 1;
        }
        let span = self.span(start);
        let found = text.get(start..self.position).unwrap_or("");
        let mut characters = found.chars();
        let first = characters.next().unwrap_or(' ');
        let (what, shown) = if characters.next().is_none() {
            ("character", first.to_string())
        } else {
            ("characters", found.to_string())
        };
        let message = format!("unexpected {what} `{}`", shorten(&shown).escape_debug());
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(help) = hint(first) {
            diagnostic = diagnostic.help(help);
        }
        sink.report(diagnostic);
    }
}

/// What the user may have meant by a character that has no meaning.
fn hint(character: char) -> Option<&'static str> {
    Some(match character {
        '#' => "DVE has no preprocessor; a comment is written `// ...`",
        '"' | '\'' => "DVE has no texts and no characters, only numbers",
        '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => "DVE has no texts, only numbers",
        '\u{2013}' | '\u{2014}' | '\u{2212}' => "a minus is written `-`",
        '\u{a0}' => "this is a blank that only looks like one; write an ordinary blank",
        _ => return None,
    })
}
