//! Errors and warnings, and how they are shown with the text that they are about.

use std::fmt;
use std::ops::Range;

use super::lexer::{self, Kind};
use super::{At, FUNCTIONS, Parser};

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the text that the message is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
}

impl ParseError {
    pub(super) fn new(
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        ParseError {
            span,
            message: message.into(),
            help,
        }
    }

    /// The message with the line of the text that it is about, the place marked with carets.
    ///
    /// ```
    /// let mut formulas = lariat_ltl::Formulas::new();
    /// let text = "[] (p = 1)";
    /// let error = lariat_ltl::parse(&mut formulas, text).unwrap_err();
    /// assert_eq!(
    ///     error.render(text),
    ///     "error: expected an operator or `)`, found `=`\n  \
    ///        | [] (p = 1)\n  \
    ///        |       ^\n  \
    ///        = help: `=` assigns; write `==` to compare\n"
    /// );
    /// ```
    pub fn render(&self, text: &str) -> String {
        let help = self.help.as_deref();
        render("error", &self.message, help, &self.span, text)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// A remark about a formula that can be read in a way that its author may not expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseWarning {
    /// The bytes of the text that the message is about.
    pub span: Range<usize>,
    /// How the text was read.
    pub message: String,
}

impl ParseWarning {
    /// The message with the line of the text that it is about, the place marked with carets.
    pub fn render(&self, text: &str) -> String {
        render("warning", &self.message, None, &self.span, text)
    }
}

impl Parser<'_> {
    pub(super) fn describe(&self, at: At) -> String {
        match self.kind(at) {
            Kind::End => "the end of the formula".to_string(),
            _ => format!("`{}`", shorten(self.word(at))),
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> ParseError {
        let help = match expected {
            "a formula" => self.help_operand(),
            _ => self.help_operator(),
        };
        self.unexpected_with(expected, help)
    }

    pub(super) fn unexpected_with(&self, expected: &str, help: Option<String>) -> ParseError {
        let found = self.describe(self.at);
        let message = format!("expected {expected}, found {found}");
        let token = self.tokens[self.at.min(self.tokens.len() - 1)];
        ParseError::new(token.span(), message, help)
    }

    /// What may help if there is no operand where one should be.
    pub(super) fn help_operand(&self) -> Option<String> {
        let at = self.at;
        let word = self.word(at);
        let before = |n: usize| self.kind(at.wrapping_sub(n));
        match self.kind(at) {
            Kind::Word => Some(format!(
                "`{word}` is an operator; an atom of that name is written in quotes: `\"{word}\"`"
            )),
            Kind::End if at == 0 => {
                Some("a formula is, for example, `[] (request -> <> answer)`".to_string())
            }
            Kind::Gt if before(1) == Kind::Minus => Some("write `->` without a space".to_string()),
            Kind::Minus if before(1) == Kind::Lt => Some("write `<->` without spaces".to_string()),
            Kind::Implies if before(1) == Kind::Lt => {
                Some("write `<->` without spaces".to_string())
            }
            Kind::RBracket if before(1) == Kind::LBracket => None,
            Kind::Assign if before(1) == Kind::Eq => Some("`==` compares".to_string()),
            Kind::LBracket => Some("always is `[]`; group with parentheses".to_string()),
            Kind::AndAnd | Kind::And | Kind::OrOr | Kind::Or | Kind::Implies | Kind::Equiv => {
                Some(format!("`{word}` needs a formula on both sides"))
            }
            _ => None,
        }
    }

    /// What may help if there is no operator where one should be.
    pub(super) fn help_operator(&self) -> Option<String> {
        let at = self.at;
        let text = self.word(at);
        let previous = self.word(at.wrapping_sub(1));
        let help = match (self.kind(at), text.to_ascii_lowercase().as_str()) {
            (Kind::Assign, _) if self.kind(at + 1) == Kind::Lt => "write `<=`",
            (Kind::Assign, _) => "`=` assigns; write `==` to compare",
            (Kind::Word, "and") => "write `&&`",
            (Kind::Word, "or") => "write `||`",
            (Kind::Word, "iff") => "write `<->`",
            (Kind::Word, "u" | "w" | "v" | "r" | "m" | "until" | "release" | "xor" | "implies") => {
                "operators are written `U`, `W`, `V` or `R`, `M`, `until`, `release`, `xor`, `implies`"
            }
            (Kind::Eventually, _) => "`<>` means eventually; write `!=` for different values",
            (Kind::Always, _) => "`[]` means always; an index cannot be empty",
            (Kind::Not, _) => "a formula cannot send; write `!=` for different values",
            (Kind::Question, _) => "only a channel can be polled: `q?[m]`",
            _ if branching(previous).is_some() => return branching(previous),
            _ if previous.eq_ignore_ascii_case("not") => "write `!` for not",
            _ if matches!(previous, "g" | "f" | "x") => {
                "operators are capital letters: `G`, `F`, `X`"
            }
            (Kind::Word | Kind::Number | Kind::Quoted | Kind::LParen, _) => {
                "put an operator such as `&&`, `||`, `->` or `U` between the two"
            }
            _ => return None,
        };
        Some(help.to_string())
    }

    pub(super) fn unclosed(&self, open: At) -> ParseError {
        let (sign, close) = match self.kind(open) {
            Kind::LParen => ("(", ")"),
            _ => ("[", "]"),
        };
        let found = self.describe(self.at);
        ParseError::new(
            self.tokens[open].span(),
            format!("this `{sign}` is not closed: expected `{close}`, found {found}"),
            None,
        )
    }

    pub(super) fn not_in_brackets(&self) -> ParseError {
        let found = self.describe(self.at);
        ParseError::new(
            self.tokens[self.at].span(),
            format!("{found} cannot be used inside an atom"),
            Some("only expressions of the modelling language stand inside brackets".to_string()),
        )
    }

    pub(super) fn no_function(&self, at: At) -> ParseError {
        let name = self.word(at);
        let help = branching(name).unwrap_or_else(|| match name.to_ascii_lowercase().as_str() {
            "not" => "write `!` for not".to_string(),
            "g" | "f" | "x" => "operators are capital letters: `G`, `F`, `X`".to_string(),
            "and" => "write `a && b`".to_string(),
            "or" => "write `a || b`".to_string(),
            _ if lexer::looks_like_operator(name) => {
                format!("write `{} {}(...)`", &name[..1], &name[1..])
            }
            _ => format!(
                "the functions are {}; put an operator between `{}` and `(` if it is an atom",
                FUNCTIONS.map(|f| format!("`{f}`")).join(", "),
                shorten(name)
            ),
        });
        let message = format!("`{}` is not a function", shorten(name));
        ParseError::new(self.tokens[at].span(), message, Some(help))
    }

    /// A name such as `Fready`, when nothing behind it shows that it is a name of a model.
    pub(super) fn warn_operator(&mut self, at: At) {
        let behind = self.kind(at + 1);
        if matches!(
            behind,
            Kind::LBracket | Kind::Dot | Kind::At | Kind::Question | Kind::LParen
        ) || (behind == Kind::Colon && self.is_remote(at + 1))
            || self.warnings.len() >= 10
        {
            return;
        }
        let word = self.word(at);
        let (operator, rest) = word.split_at(1);
        let message = format!(
            "`{}` is read as the name of an atom; write `{operator} {}` for the operator",
            shorten(word),
            shorten(rest)
        );
        let span = self.tokens[at].span();
        if self.warnings.iter().all(|w| w.message != message) {
            self.warnings.push(ParseWarning { span, message });
        }
    }
}

/// A name that is short enough for a message.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A message with the marked line of the text.
fn render(
    kind: &str,
    message: &str,
    help: Option<&str>,
    span: &Range<usize>,
    text: &str,
) -> String {
    /// Characters of the line that are shown on each side of a place.
    const AROUND: usize = 60;
    let start = floor_boundary(text, span.start);
    let end = floor_boundary(text, span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let before: Vec<char> = text[line_start..start].chars().collect();
    let marked: Vec<char> = text[start..end.min(line_end)]
        .chars()
        .take(AROUND)
        .collect();
    let behind: Vec<char> = text[start..line_end].chars().take(2 * AROUND).collect();
    let cut = before.len().saturating_sub(AROUND);
    let dots = if cut > 0 { "..." } else { "" };
    let shown = |c: &char| if c.is_control() { ' ' } else { *c };
    let line: String = before[cut..].iter().chain(&behind).map(shown).collect();
    let column = dots.len() + before.len() - cut;
    let more = match text[start..line_end].chars().nth(2 * AROUND) {
        Some(_) => "...",
        None => "",
    };
    let mut out = format!(
        "{kind}: {message}\n  | {dots}{}{more}\n  | {}{}\n",
        line.trim_end(),
        " ".repeat(column),
        "^".repeat(marked.len().max(1))
    );
    if let Some(help) = help {
        out.push_str(&format!("  = help: {help}\n"));
    }
    out
}

/// The last place at or before `at` where a character starts.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What to write in place of an operator of branching time.
fn branching(name: &str) -> Option<String> {
    let operator = match name {
        "AG" | "EG" => "G",
        "AF" | "EF" => "F",
        "AX" | "EX" => "X",
        _ => return None,
    };
    Some(match name.starts_with('A') {
        true => format!(
            "`{name}` is an operator of CTL; formulas of LTL speak of every run anyway: write `{operator}`"
        ),
        false => format!(
            "`{name}` is an operator of CTL and asks for some run; check that no run does it, with `!{operator} ...`: a counterexample is such a run"
        ),
    })
}
