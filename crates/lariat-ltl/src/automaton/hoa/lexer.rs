//! The tokens of the format.

use super::Problem;
use std::fmt;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name with a colon directly behind it.
    Header(String),
    /// A name.
    Name(String),
    /// `@` and a name.
    Alias(String),
    /// A text in quotes.
    String(String),
    /// A number.
    Integer(u64),
    /// A single character.
    Symbol(char),
    /// `--BODY--`
    Body,
    /// `--END--`
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Token::Header(name) => write!(f, "`{name}:`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Alias(name) => write!(f, "`@{name}`"),
            Token::String(text) => write!(f, "\"{text}\""),
            Token::Integer(value) => write!(f, "{value}"),
            Token::Symbol(c) => write!(f, "`{c}`"),
            Token::Body => write!(f, "`--BODY--`"),
            Token::End => write!(f, "`--END--`"),
        }
    }
}

/// Splits a text into tokens, with one token of lookahead.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// The token that was peeked at, where it begins and where it ends.
    peeked: Option<(Token, usize, usize)>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer {
            text,
            at: 0,
            peeked: None,
        }
    }

    /// Where the next token begins.
    pub(super) fn offset(&self) -> usize {
        match &self.peeked {
            Some((_, begin, _)) => *begin,
            None => self.skip_blanks().unwrap_or(self.text.len()),
        }
    }

    pub(super) fn peek(&mut self) -> Result<Token, Problem> {
        if self.peeked.is_none() {
            let begin = self.skip_blanks()?;
            let (token, end) = self.token(begin)?;
            self.peeked = Some((token, begin, end));
        }
        match &self.peeked {
            Some((token, _, _)) => Ok(token.clone()),
            None => Err((self.at, "unexpected end".into())),
        }
    }

    pub(super) fn next(&mut self) -> Result<Token, Problem> {
        let token = self.peek()?;
        if let Some((_, _, end)) = self.peeked.take() {
            self.at = end;
        }
        Ok(token)
    }

    /// The first byte that is neither white space nor in a comment. Comments nest.
    fn skip_blanks(&self) -> Result<usize, Problem> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        let mut depth = 0usize;
        let mut opened = at;
        while at < bytes.len() {
            if bytes[at..].starts_with(b"/*") {
                if depth == 0 {
                    opened = at;
                }
                depth += 1;
                at += 2;
            } else if depth > 0 && bytes[at..].starts_with(b"*/") {
                depth -= 1;
                at += 2;
            } else if depth > 0 || bytes[at].is_ascii_whitespace() {
                at += 1;
            } else {
                break;
            }
        }
        match depth {
            0 => Ok(at),
            _ => Err((opened, "a comment without end".into())),
        }
    }

    /// The token at a byte, and the byte behind it.
    fn token(&self, begin: usize) -> Result<(Token, usize), Problem> {
        let rest = &self.text[begin..];
        let Some(first) = rest.chars().next() else {
            return Err((begin, "the text ends in the middle of an automaton".into()));
        };
        if first == '"' {
            return self.string(begin);
        }
        if first.is_ascii_digit() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            return match rest[..digits].parse() {
                Ok(value) => Ok((Token::Integer(value), begin + digits)),
                Err(_) => Err((begin, "a number that is too large".into())),
            };
        }
        for (word, token) in [("--BODY--", Token::Body), ("--END--", Token::End)] {
            if rest.starts_with(word) {
                return Ok((token, begin + word.len()));
            }
        }
        if rest.starts_with("--ABORT--") {
            return Err((begin, "the automaton was aborted".into()));
        }
        if let Some(name) = rest.strip_prefix('@') {
            let length = name_length(name);
            if length == 0 {
                return Err((begin, "`@` without a name".into()));
            }
            return Ok((Token::Alias(name[..length].into()), begin + 1 + length));
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let length = name_length(rest);
            let name = rest[..length].to_string();
            return Ok(match rest[length..].starts_with(':') {
                true => (Token::Header(name), begin + length + 1),
                false => (Token::Name(name), begin + length),
            });
        }
        Ok((Token::Symbol(first), begin + first.len_utf8()))
    }

    fn string(&self, begin: usize) -> Result<(Token, usize), Problem> {
        let mut text = String::new();
        let mut characters = self.text[begin + 1..].char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => return Ok((Token::String(text), begin + 1 + at + 1)),
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => text.push(c),
            }
        }
        Err((begin, "a text without closing quote".into()))
    }
}

/// The bytes of the name that a text begins with.
fn name_length(text: &str) -> usize {
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    text.bytes().take_while(|b| part(b)).count()
}
