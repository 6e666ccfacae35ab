//! Text to tokens.
//!
//! The lexer is driven by the preprocessor, which also decides what is a directive. It never
//! looks at the whole file at once: a token is made when it is asked for, so that the limits of
//! the preprocessor also bound the work done here. A backslash at the end of a line joins it with
//! the next one, anywhere, as in C. Bytes that cannot start a token are reported once per run.

use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, Sink};
use lariat_ir::source::{ExpansionId, FileId, Span};

use crate::token::{Interner, Punct, Token, TokenKind};

/// The position in one file.
#[derive(Clone, Debug)]
pub struct Lexer {
    text: Arc<str>,
    file: FileId,
    position: usize,
    newline: bool,
    space: bool,
    /// Report nothing: the text is being skipped.
    pub quiet: bool,
}

impl Lexer {
    /// A lexer at the start of a text. A byte order mark is passed over.
    pub fn new(file: FileId, text: Arc<str>) -> Lexer {
        let position = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            file,
            position,
            newline: true,
            space: false,
            quiet: false,
        }
    }

    /// The span from an offset to the current position.
    fn span(&self, start: usize) -> Span {
        Span {
            file: self.file,
            start: start as u32,
            end: self.position as u32,
            expansion: ExpansionId::NONE,
        }
    }

    /// The next byte, after any line continuations.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.position) {
                Some(b'\\') => match self.continuation() {
                    Some(behind) => self.position = behind,
                    None => return Some(b'\\'),
                },
                other => return other.copied(),
            }
        }
    }

    /// The position behind a backslash, optional blanks and a newline.
    fn continuation(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.position + 1;
        while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | 0x0c)) {
            at += 1;
        }
        (bytes.get(at) == Some(&b'\n')).then_some(at + 1)
    }

    /// The byte behind the next one.
    fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        let saved = self.position;
        self.position += 1;
        let second = self.peek();
        self.position = saved;
        second
    }

    /// Takes the next byte if it is this one.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.position += 1;
        }
        found
    }

    /// Passes over white space and comments. With `stop_at_newline`, a newline outside a comment
    /// is left where it is.
    fn skip_blanks(&mut self, stop_at_newline: bool, sink: &mut Sink) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' if stop_at_newline => return,
                b'\n' => {
                    self.newline = true;
                    self.space = true;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.space = true;
                    self.position += 1;
                }
                b'/' => match self.peek_second() {
                    Some(b'/') => {
                        while self.peek().is_some_and(|b| b != b'\n') {
                            self.position += 1;
                        }
                        self.space = true;
                    }
                    Some(b'*') => self.skip_block_comment(sink),
                    _ => return,
                },
                b'*' if self.closes_no_comment() => {
                    let start = self.position;
                    self.position += 1;
                    self.peek();
                    self.position += 1;
                    self.space = true;
                    let message = "this `*/` closes no comment and is ignored";
                    let diagnostic = Diagnostic::warning(self.span(start), message);
                    self.warn(diagnostic, sink);
                }
                _ => return,
            }
        }
    }

    /// Whether a `*/` stands here outside of any comment, and not the `*` of a product with a
    /// comment behind it.
    fn closes_no_comment(&mut self) -> bool {
        if self.peek_second() != Some(b'/') {
            return false;
        }
        let saved = self.position;
        self.position += 1;
        let third = self.peek_second();
        self.position = saved;
        !matches!(third, Some(b'*' | b'/'))
    }

    fn warn(&self, diagnostic: Diagnostic, sink: &mut Sink) {
        if !self.quiet {
            sink.report(diagnostic);
        }
    }

    fn skip_block_comment(&mut self, sink: &mut Sink) {
        let start = self.position;
        self.position += 1;
        self.peek();
        self.position += 1;
        let opened = self.span(start);
        self.space = true;
        loop {
            match self.peek() {
                None => {
                    if !self.quiet {
                        sink.report(
                            Diagnostic::error(opened, "this comment is never closed")
                                .label("opened here")
                                .help("add `*/` where the comment ends"),
                        );
                    }
                    return;
                }
                Some(b'*') if self.peek_second() == Some(b'/') => {
                    self.position += 1;
                    self.peek();
                    self.position += 1;
                    return;
                }
                Some(b'\n') => {
                    self.newline = true;
                    self.position += 1;
                }
                Some(_) => self.position += 1,
            }
        }
    }

    /// Whether the next token, perhaps on a later line, is an opening parenthesis.
    pub fn at_parenthesis(&mut self, sink: &mut Sink) -> bool {
        self.skip_blanks(false, sink);
        self.peek() == Some(b'(')
    }

    /// The next token.
    pub fn next(&mut self, names: &mut Interner, sink: &mut Sink) -> Token {
        self.skip_blanks(false, sink);
        self.token(false, names, sink).unwrap_or_else(|| self.eof())
    }

    /// The next token of this line.
    pub fn next_on_line(&mut self, names: &mut Interner, sink: &mut Sink) -> Option<Token> {
        self.skip_blanks(true, sink);
        self.token(true, names, sink)
    }

    /// Leaves the rest of the line. Comments that start on it are passed over as a whole.
    pub fn skip_line(&mut self, names: &mut Interner, sink: &mut Sink) {
        let quiet = std::mem::replace(&mut self.quiet, true);
        while self.next_on_line(names, sink).is_some() {}
        self.quiet = quiet;
    }

    /// The rest of the line as it stands, without the blanks around it.
    pub fn rest_of_line(&mut self) -> String {
        let start = self.position;
        while self.peek().is_some_and(|b| b != b'\n') {
            self.position += 1;
        }
        let text = self.text.get(start..self.position).unwrap_or("");
        text.trim().to_string()
    }

    /// What stands between `<` and `>` on this line, for `#include <file>`; the position must be
    /// behind the `<`.
    pub fn until_angle(&mut self) -> Option<String> {
        let start = self.position;
        while self.peek().is_some_and(|b| b != b'\n' && b != b'>') {
            self.position += 1;
        }
        let name = self.text.get(start..self.position)?.to_string();
        self.eat(b'>').then_some(name)
    }

    fn eof(&mut self) -> Token {
        Token {
            kind: TokenKind::Eof,
            span: self.span(self.position),
            newline: true,
            space: true,
            painted: false,
        }
    }

    /// A token at the current position, which is not blank; `None` at the end of the text or, if
    /// asked for, of the line.
    fn token(&mut self, on_line: bool, names: &mut Interner, sink: &mut Sink) -> Option<Token> {
        loop {
            if sink.stopped && !self.quiet {
                return None;
            }
            let first = self.peek()?;
            if on_line && first == b'\n' {
                return None;
            }
            let start = self.position;
            let kind = match first {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => TokenKind::Ident(self.word(names)),
                b'0'..=b'9' => TokenKind::Number(self.word(names)),
                b'"' => TokenKind::Str(self.quoted(b'"', "string", names, sink)),
                b'\'' => TokenKind::Char(self.quoted(b'\'', "character constant", names, sink)),
                _ => match self.punct(first) {
                    Some(Punct::MinusMinus) if self.peek() == Some(b'>') => {
                        self.position += 1;
                        let span = self.span(start);
                        self.warn(Diagnostic::warning(span, "`-->` is read as `->`"), sink);
                        TokenKind::Punct(Punct::Arrow)
                    }
                    Some(punct) => TokenKind::Punct(punct),
                    None => {
                        self.garbage(start, sink);
                        self.skip_blanks(on_line, sink);
                        continue;
                    }
                },
            };
            let token = Token {
                kind,
                span: self.span(start),
                newline: self.newline,
                space: self.space,
                painted: false,
            };
            self.newline = false;
            self.space = false;
            return Some(token);
        }
    }

    /// Letters, digits and underscores.
    fn word(&mut self, names: &mut Interner) -> crate::token::Symbol {
        let start = self.position;
        let mut joined = String::new();
        let mut piece = start;
        loop {
            let bytes = self.text.as_bytes();
            while bytes
                .get(self.position)
                .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            {
                self.position += 1;
            }
            let end = self.position;
            let more = bytes.get(end) == Some(&b'\\')
                && self
                    .peek()
                    .is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !more {
                self.position = end;
                let last = &self.text[piece..end];
                if joined.is_empty() {
                    return names.intern(last);
                }
                joined.push_str(last);
                return names.intern(&joined);
            }
            joined.push_str(&self.text[piece..end]);
            piece = self.position;
        }
    }

    /// A string or a character constant; the result is the text between the quotes.
    fn quoted(
        &mut self,
        quote: u8,
        what: &str,
        names: &mut Interner,
        sink: &mut Sink,
    ) -> crate::token::Symbol {
        let start = self.position;
        self.position += 1;
        let opened = self.span(start);
        let mut content: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                None | Some(b'\n') => {
                    if !self.quiet {
                        let message = format!("this {what} is not closed on its line");
                        sink.report(Diagnostic::error(opened, message).label("opened here"));
                    }
                    break;
                }
                Some(b) if b == quote => {
                    self.position += 1;
                    break;
                }
                Some(b'\\') => {
                    content.push(b'\\');
                    self.position += 1;
                    if let Some(b) = self.peek().filter(|b| *b != b'\n') {
                        content.push(b);
                        self.position += 1;
                    }
                }
                Some(b) => {
                    content.push(b);
                    self.position += 1;
                }
            }
        }
        names.intern(&String::from_utf8_lossy(&content))
    }

    /// The longest operator that starts with this byte.
    fn punct(&mut self, first: u8) -> Option<Punct> {
        use Punct::*;
        let choices: &[(u8, Punct)] = match first {
            b':' => &[(b':', ColonColon)],
            b'.' => &[(b'.', DotDot)],
            b'-' => &[(b'>', Arrow), (b'-', MinusMinus)],
            b'+' => &[(b'+', PlusPlus)],
            b'=' => &[(b'=', Eq)],
            b'!' => &[(b'=', Ne), (b'!', BangBang)],
            b'<' => &[(b'<', Shl), (b'=', Le)],
            b'>' => &[(b'>', Shr), (b'=', Ge)],
            b'&' => &[(b'&', AndAnd)],
            b'|' => &[(b'|', OrOr)],
            b'?' => &[(b'?', QuestionQuestion)],
            b'#' => &[(b'#', HashHash)],
            _ => &[],
        };
        let single = Punct::ALL
            .iter()
            .copied()
            .find(|p| p.text().as_bytes() == [first])?;
        self.position += 1;
        let end = self.position;
        let second = self.peek();
        for (byte, punct) in choices {
            if second == Some(*byte) {
                self.position += 1;
                return Some(*punct);
            }
        }
        self.position = end;
        Some(single)
    }

    /// Reports bytes that cannot start a token, as a whole run.
    fn garbage(&mut self, start: usize, sink: &mut Sink) {
        while let Some(byte) = self.peek() {
            let starts_token = byte.is_ascii_alphanumeric()
                || byte.is_ascii_whitespace()
                || b"_\"'(){}[];,:.-@=!<>+*/%&|^~?#".contains(&byte);
            if starts_token {
                break;
            }
            self.position += 1;
        }
        if self.quiet {
            return;
        }
        let span = self.span(start);
        let text = self.text.get(start..self.position).unwrap_or("");
        let mut characters = text.chars();
        let diagnostic = match (characters.next(), characters.next()) {
            (Some(c @ ('\u{2018}'..='\u{201f}')), _) => {
                Diagnostic::error(span, format!("unexpected character `{c}`"))
                    .help("use the plain quotes `\"` and `'`")
            }
            (Some('`'), None) => Diagnostic::error(span, "unexpected backquote"),
            (Some('\\'), None) => Diagnostic::error(span, "unexpected character `\\`")
                .help("a line is continued only by a backslash at its very end"),
            (Some(c), None) => Diagnostic::error(
                span,
                format!("unexpected character `{}`", c.escape_default()),
            ),
            _ => Diagnostic::error(span, "unexpected characters that are not part of Promela"),
        };
        sink.report(diagnostic);
    }
}

/// The value of a number, or what is wrong with it.
pub fn number_value(text: &str) -> Result<i64, String> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err("is not a number".to_string());
    }
    i64::from_str_radix(digits, radix).map_err(|_| "does not fit into 64 bits".to_string())
}

/// The value of a character constant, given the text between the quotes.
pub fn character_value(text: &str) -> Option<i64> {
    let mut characters = text.chars();
    let value = match (characters.next()?, characters.next()) {
        ('\\', Some(escaped)) => match escaped {
            'n' => 10,
            'r' => 13,
            't' => 9,
            'f' => 12,
            '0' => 0,
            other => i64::from(u32::from(other)),
        },
        (c, None) if c != '\\' => return Some(i64::from(u32::from(c))),
        _ => return None,
    };
    characters.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> (Vec<String>, Vec<bool>, Sink) {
        let mut names = Interner::default();
        let mut sink = Sink::default();
        let mut lexer = Lexer::new(FileId(0), Arc::from(text));
        let (mut texts, mut newlines) = (Vec::new(), Vec::new());
        loop {
            let token = lexer.next(&mut names, &mut sink);
            if token.kind == TokenKind::Eof {
                return (texts, newlines, sink);
            }
            texts.push(token.text(&names));
            newlines.push(token.newline);
        }
    }

    #[test]
    fn the_longest_operator_wins() {
        let (texts, _, sink) = lex("a->b--c::d..e!!f??g<=h>>i!=j&&k");
        assert_eq!(
            texts.join(" "),
            "a -> b -- c :: d .. e !! f ?? g <= h >> i != j && k"
        );
        assert_eq!(sink.errors, 0);
    }

    #[test]
    fn comments_and_continuations_vanish_but_newlines_are_seen() {
        let (texts, newlines, sink) =
            lex("\u{feff}a /* x\n y */ b\\\r\nc // d \\\n e\r\nf\\  \n+g");
        assert_eq!(texts, ["a", "bc", "f", "+", "g"]);
        assert_eq!(newlines, [true, true, true, false, false]);
        assert_eq!(sink.errors, 0);
        assert_eq!(lex("ab\\\ncd").0, ["abcd"]);
    }

    #[test]
    fn long_arrows_and_stray_ends_of_comments_are_warned_of() {
        let (texts, _, sink) = lex("a --> b */ c-- > d");
        assert_eq!(texts, ["a", "->", "b", "c", "--", ">", "d"]);
        assert_eq!((sink.errors, sink.diagnostics.len()), (0, 2));
        let (texts, _, sink) = lex("a*/* x */b*// c\nd */");
        assert_eq!(texts, ["a", "*", "b", "*", "d"]);
        assert_eq!((sink.errors, sink.diagnostics.len()), (0, 1));
    }

    #[test]
    fn garbage_is_reported_once_per_run() {
        let (texts, _, sink) = lex("a $$$` b \u{201c}x");
        assert_eq!(texts, ["a", "b", "x"]);
        assert_eq!(sink.errors, 2);
        assert_eq!(sink.diagnostics[0].span.start, 2);
        assert_eq!(sink.diagnostics[0].span.end, 6);
    }

    #[test]
    fn what_is_not_closed_is_reported_where_it_opens() {
        for (text, start) in [("a \"bc\nd", 2), ("x 'a", 2), ("x /* y", 2)] {
            let (_, _, sink) = lex(text);
            assert_eq!(sink.errors, 1, "{text}");
            assert_eq!(sink.diagnostics[0].span.start, start);
        }
    }

    #[test]
    fn values() {
        assert_eq!(number_value("0x1F"), Ok(31));
        assert_eq!(number_value("010"), Ok(10));
        assert!(number_value("12ab").is_err());
        assert!(number_value("99999999999999999999").is_err());
        assert_eq!(character_value("a"), Some(97));
        assert_eq!(character_value("\\n"), Some(10));
        assert_eq!(character_value("\\\\"), Some(92));
        assert_eq!(character_value("ab"), None);
        assert_eq!(character_value(""), None);
        assert_eq!(character_value("\\"), None);
    }
}
