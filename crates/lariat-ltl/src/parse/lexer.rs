//! The tokens of a formula.
//!
//! The spellings of SPIN and Spot are read side by side. Where they overlap the longest token wins:
//! `<->` is an equivalence, `x <-1` a comparison. Words made of the letters `G`, `F` and `X` alone
//! are taken apart, and so are short atoms behind them: `GFa` and `Xp1` are `G F a` and `X p1`, as
//! in Spot and in `spin -f`. Longer words such as `Foo` are names, as in a model.

use std::ops::Range;

use super::ParseError;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Char,
    Quoted,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Always,
    Eventually,
    Next,
    Not,
    Tilde,
    Minus,
    Plus,
    Star,
    Slash,
    Percent,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Assign,
    And,
    AndAnd,
    Or,
    OrOr,
    Caret,
    Xor,
    Implies,
    Equiv,
    True,
    False,
    Dot,
    Colon,
    At,
    Question,
    Comma,
    End,
}

/// A token and the bytes that it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub(super) fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Fixed spellings, longer ones before their prefixes.
const SPELLINGS: &[(&str, Kind)] = &[
    ("<-->", Kind::Equiv),
    ("<->", Kind::Equiv),
    ("<=>", Kind::Equiv),
    ("-->", Kind::Implies),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("&&", Kind::AndAnd),
    ("||", Kind::OrOr),
    ("/\\", Kind::AndAnd),
    ("\\/", Kind::OrOr),
    ("<<", Kind::Shl),
    (">>", Kind::Shr),
    ("<=", Kind::Le),
    (">=", Kind::Ge),
    ("==", Kind::Eq),
    ("!=", Kind::Ne),
    ("??", Kind::Question),
    ("(", Kind::LParen),
    (")", Kind::RParen),
    ("[", Kind::LBracket),
    ("]", Kind::RBracket),
    ("!", Kind::Not),
    ("~", Kind::Tilde),
    ("-", Kind::Minus),
    ("+", Kind::Plus),
    ("*", Kind::Star),
    ("/", Kind::Slash),
    ("%", Kind::Percent),
    ("<", Kind::Lt),
    (">", Kind::Gt),
    ("=", Kind::Assign),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("^", Kind::Caret),
    (".", Kind::Dot),
    (":", Kind::Colon),
    ("@", Kind::At),
    ("?", Kind::Question),
    (",", Kind::Comma),
    ("□", Kind::Always),
    ("◻", Kind::Always),
    ("◇", Kind::Eventually),
    ("◊", Kind::Eventually),
    ("○", Kind::Next),
    ("◯", Kind::Next),
    ("¬", Kind::Not),
    ("∧", Kind::AndAnd),
    ("∨", Kind::OrOr),
    ("⊕", Kind::Xor),
    ("→", Kind::Implies),
    ("⇒", Kind::Implies),
    ("↔", Kind::Equiv),
    ("⇔", Kind::Equiv),
    ("⊤", Kind::True),
    ("⊥", Kind::False),
];

/// All tokens of a text that is shorter than 4 GB, with one of kind `End` behind them.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("/*") {
            at += comment(rest, at)?;
            continue;
        } else if is_letter(first) {
            let len = prefix(rest, |c| is_letter(c) || c.is_ascii_digit());
            for _ in 0..operators_in_front(&rest[..len]) {
                tokens.push(token(Kind::Word, at, 1));
                at += 1;
            }
            let len = prefix(&text[at..], |c| is_letter(c) || c.is_ascii_digit());
            if len == 0 {
                continue;
            }
            (Kind::Word, len)
        } else if first.is_ascii_digit() {
            (Kind::Number, number(rest, at)?)
        } else if first == '"' {
            (Kind::Quoted, quoted(rest, at)?)
        } else if first == '\'' {
            (Kind::Char, character(rest, at)?)
        } else {
            match SPELLINGS.iter().find(|(s, _)| rest.starts_with(s)) {
                Some(&(spelling, kind)) => (kind, spelling.len()),
                None => return Err(unknown(first, at)),
            }
        };
        tokens.push(token(kind, at, len));
        at += len;
    }
    tokens.push(token(Kind::End, text.len(), 0));
    Ok(tokens)
}

fn token(kind: Kind, start: usize, len: usize) -> Token {
    Token {
        kind,
        start: start as u32,
        end: (start + len) as u32,
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// The length in bytes of the longest prefix of characters that all pass.
fn prefix(text: &str, mut pass: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !pass(c)).unwrap_or(text.len())
}

/// How many letters at the start of a word are operators of their own.
fn operators_in_front(word: &str) -> usize {
    let operators = prefix(word, |c| matches!(c, 'G' | 'F' | 'X'));
    let rest = &word[operators..];
    let short = rest.starts_with(|c: char| c.is_ascii_lowercase())
        && rest[1..].bytes().all(|b| b.is_ascii_digit());
    if short || rest.is_empty() {
        operators
    } else {
        0
    }
}

/// Whether a word could also have been meant as operators in front of an atom.
pub(super) fn looks_like_operator(word: &str) -> bool {
    let operators = prefix(word, |c| matches!(c, 'G' | 'F' | 'X'));
    operators > 0 && word[operators..].starts_with(|c: char| c.is_ascii_lowercase())
}

fn comment(rest: &str, at: usize) -> Result<usize, ParseError> {
    match rest[2..].find("*/") {
        Some(end) => Ok(end + 4),
        None => Err(ParseError::new(
            at..at + 2,
            "the comment that starts here does not end",
            Some("close it with `*/`".to_string()),
        )),
    }
}

fn number(rest: &str, at: usize) -> Result<usize, ParseError> {
    let len = prefix(rest, |c| is_letter(c) || c.is_ascii_digit());
    let text = &rest[..len];
    let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let valid = match hex {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()),
        None => text.bytes().all(|b| b.is_ascii_digit()),
    };
    if valid {
        return Ok(len);
    }
    Err(ParseError::new(
        at..at + len,
        format!(
            "`{}` is neither a number nor a name",
            super::messages::shorten(text)
        ),
        Some(format!(
            "names start with a letter or `_`; an atom can have any name in quotes: `\"{}\"`",
            super::messages::shorten(text)
        )),
    ))
}

/// The length of a quoted name, with both quotes.
fn quoted(rest: &str, at: usize) -> Result<usize, ParseError> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if i == 1 => {
                return Err(ParseError::new(
                    at..at + 2,
                    "an atom needs a name, found empty quotes",
                    None,
                ));
            }
            '"' => return Ok(i + 1),
            _ => {}
        }
    }
    Err(ParseError::new(
        at..at + 1,
        "the quoted name that starts here does not end",
        Some("close it with `\"`".to_string()),
    ))
}

fn character(rest: &str, at: usize) -> Result<usize, ParseError> {
    let mut chars = rest.char_indices().skip(1);
    let closed = match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars.next()
        }
        Some((_, c)) if c != '\'' => chars.next(),
        _ => None,
    };
    match closed {
        Some((end, '\'')) => Ok(end + 1),
        _ => Err(ParseError::new(
            at..at + 1,
            "expected one character between single quotes",
            Some("names of atoms are put between double quotes".to_string()),
        )),
    }
}

fn unknown(c: char, at: usize) -> ParseError {
    let help = match c {
        '{' | '}' => Some("group with parentheses: `(` and `)`".to_string()),
        ';' => Some("a formula has no `;` at its end: leave it out".to_string()),
        '#' | '$' => Some(format!("put names with `{c}` in quotes: \"...\"")),
        '\\' => Some("and is `/\\` or `&&`, or is `\\/` or `||`".to_string()),
        '≠' => Some("write `!=`".to_string()),
        '≤' => Some("write `<=`".to_string()),
        '≥' => Some("write `>=`".to_string()),
        '≡' => Some("write `<->` for an equivalence, `==` for equal values".to_string()),
        c if c.is_alphabetic() => Some(
            "names are made of the letters a to z, digits and `_`; put others in quotes: \"...\""
                .to_string(),
        ),
        _ => None,
    };
    let message = format!("a formula cannot contain `{}`", c.escape_debug());
    ParseError::new(at..at + c.len_utf8(), message, help)
}
