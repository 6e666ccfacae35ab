//! Tokens to syntax tree: recursive descent, with precedence climbing for expressions.
//!
//! The language is that of DiVinE (Barnat, Brim, Černá, Moravec, Ročkai, Šimeček: DiVinE - A Tool
//! for Distributed Verification, CAV 2006), as the models of the BEEM collection use it (Pelánek:
//! BEEM: Benchmarks for Explicit Model Checkers, SPIN 2007). The parser is a little more tolerant:
//! declarations and clauses may come in any order, and commas between transitions may be missing.
//!
//! After an error the parser skips to the end of the clause, of the transition or of the
//! declaration, whichever is nearest. No two errors are reported at the same token. Nesting and the
//! size of expressions are bounded, so that neither the parser nor anything that walks the tree can
//! exhaust the stack.

mod decl;
mod expr;
mod process;

use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::Span;

use crate::ast::*;
use crate::token::{Keyword, Punct, Token, TokenKind, shorten};
use lariat_ir::diagnostic::Sink;

/// Parentheses, operators with one operand and indices in each other, how deep.
pub const MAX_NESTING: usize = 200;

/// Longer names are not compared with others.
pub const MAX_SIMILAR: usize = 64;

/// An error has been reported; the caller must find a place to go on.
pub(crate) struct Failed;

/// The result of parsing something.
pub(crate) type Parsed<T> = Result<T, Failed>;

pub(crate) struct Parser<'a> {
    text: &'a str,
    sink: &'a mut Sink,
    /// The tokens, with an end-of-file token at the end.
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
    /// The height of the tallest expression since the current operand began.
    height: usize,
    /// Whether the user was told how the current expression is read.
    told: bool,
    /// The token at which the last error was reported.
    last_error: Option<usize>,
}

impl<'a> Parser<'a> {
    /// A parser for tokens of a text.
    pub(crate) fn new(text: &'a str, sink: &'a mut Sink, tokens: Vec<Token>) -> Self {
        Parser {
            text,
            sink,
            tokens,
            at: 0,
            nesting: 0,
            height: 0,
            told: false,
            last_error: None,
        }
    }

    /// A whole system.
    pub(crate) fn system(&mut self) -> System {
        let mut system = System::default();
        let mut ended = false;
        while self.peek().kind != TokenKind::Eof && !ended {
            let before = self.at;
            if self.unit(&mut system, &mut ended).is_err() {
                self.nesting = 0;
                self.recover_unit();
            }
            if before == self.at {
                self.bump();
            }
        }
        let rest = self.peek();
        if !ended && system.processes.is_empty() && self.sink.errors == 0 {
            self.error(
                Diagnostic::error(rest.span, "there is no process in the text")
                    .help("a system has processes, as `process P { state q; init q; }`, and ends with `system async;`"),
            );
        } else if !ended && self.sink.errors == 0 {
            let message = "the last line, `system async;`, is missing";
            self.error(Diagnostic::error(rest.span, message).help(
                "write `system async;` at the end, or `system async property P;` if the process P is a property",
            ));
        }
        if ended && rest.kind != TokenKind::Eof {
            let message = format!(
                "nothing can follow the line `system`, but here is {}",
                self.describe(rest)
            );
            self.error(Diagnostic::error(rest.span, message).related(system.span, "the last line"));
        }
        if system.processes.is_empty() && self.sink.errors == 0 {
            self.error(
                Diagnostic::error(system.span, "the system has no process")
                    .help("a process is written `process P { state q; init q; }`"),
            );
        }
        system
    }

    /// A single expression that takes up all tokens.
    pub(crate) fn only_expression(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        if self.peek().kind != TokenKind::Eof {
            return self.unexpected("an operator or the end");
        }
        Ok(expr)
    }

    /// A declaration, a process or the last line.
    fn unit(&mut self, system: &mut System, ended: &mut bool) -> Parsed<()> {
        match self.keyword() {
            Some(Keyword::Const | Keyword::Int | Keyword::Byte) => {
                self.variables(&mut system.variables)
            }
            Some(Keyword::Channel) => self.channels(&mut system.channels),
            Some(Keyword::Process) => {
                let process = self.process()?;
                system.processes.push(process);
                Ok(())
            }
            Some(Keyword::System) => {
                *ended = true;
                self.last_line(system)
            }
            // A stray semicolon does no harm.
            _ if self.eat(Punct::Semi) => Ok(()),
            _ => self.unexpected_word(
                "a declaration, `process` or `system`",
                &[
                    Keyword::Const,
                    Keyword::Int,
                    Keyword::Byte,
                    Keyword::Channel,
                    Keyword::Process,
                    Keyword::System,
                ],
            ),
        }
    }

    /// `system async property P;`
    fn last_line(&mut self, system: &mut System) -> Parsed<()> {
        let start = self.bump().span;
        system.span = start;
        system.mode = match self.keyword() {
            Some(Keyword::Async) => Mode::Async,
            Some(Keyword::Sync) => Mode::Sync,
            _ => {
                return self.unexpected_word(
                    "`async` or `sync` after `system`",
                    &[Keyword::Async, Keyword::Sync],
                );
            }
        };
        self.bump();
        if self.eat_keyword(Keyword::Property) {
            system.property = Some(self.expect_name("the name of the property process")?);
        }
        let end = self.expect(Punct::Semi, "at the end of the line `system`")?;
        system.span = start.to(end);
        Ok(())
    }

    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, distance: usize) -> Token {
        let last = self.tokens[self.tokens.len() - 1];
        if self.sink.stopped {
            return last;
        }
        self.tokens.get(self.at + distance).copied().unwrap_or(last)
    }

    /// The token before the current one.
    fn previous(&self) -> Token {
        self.tokens[self.at.saturating_sub(1)]
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::Eof {
            self.at += 1;
        }
        token
    }

    fn is(&self, distance: usize, punct: Punct) -> bool {
        self.peek_at(distance).kind == TokenKind::Punct(punct)
    }

    fn at(&self, punct: Punct) -> bool {
        self.is(0, punct)
    }

    /// The keyword at the current position, if it is one.
    fn keyword(&self) -> Option<Keyword> {
        match self.peek().kind {
            TokenKind::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, punct: Punct, why: &str) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.bump().span);
        }
        let (before, token) = (self.previous(), self.peek());
        let message = format!(
            "expected `{}` {why}, found {}",
            punct.text(),
            self.describe(token)
        );
        let mut diagnostic = Diagnostic::error(token.span, message);
        // At the end of a line the mistake is seen there, not in the next line.
        let gap = self
            .text
            .get(before.span.end as usize..token.span.start as usize);
        if gap.is_some_and(|gap| gap.contains('\n')) {
            let words = format!("`{}` is missing behind this", punct.text());
            diagnostic = diagnostic.related(before.span, words);
        }
        if let Some(help) = self.hint(token, &[]) {
            diagnostic = diagnostic.help(help);
        }
        self.fail(diagnostic)
    }

    fn expect_name(&mut self, what: &str) -> Parsed<Ident> {
        let token = self.peek();
        match token.kind {
            TokenKind::Name => {
                self.bump();
                Ok(Ident {
                    name: self.word(token).to_string(),
                    span: token.span,
                })
            }
            _ => self.unexpected(what),
        }
    }

    /// `a, b, c` up to `;`
    fn names(&mut self, what: &str, list: &str) -> Parsed<Vec<Ident>> {
        let mut names = Vec::new();
        loop {
            names.push(self.expect_name(what)?);
            if !self.eat(Punct::Comma) {
                break;
            }
            // A comma before the semicolon does no harm.
            if self.at(Punct::Semi) {
                break;
            }
        }
        self.expect(Punct::Semi, &format!("or `,` after {list}"))?;
        Ok(names)
    }

    /// The text of a token.
    fn word(&self, token: Token) -> &'a str {
        let range = token.span.start as usize..token.span.end as usize;
        self.text.get(range).unwrap_or("")
    }

    /// Reports an error, unless there was one at this token already.
    fn error(&mut self, diagnostic: Diagnostic) {
        if self.last_error != Some(self.at) {
            self.last_error = Some(self.at);
            self.sink.report(diagnostic);
        }
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.error(diagnostic);
        Err(Failed)
    }

    /// Reports that something else was expected here.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.unexpected_word(expected, &[])
    }

    /// Reports that something else was expected here, perhaps one of these words.
    fn unexpected_word<T>(&mut self, expected: &str, words: &[Keyword]) -> Parsed<T> {
        let token = self.peek();
        let found = self.describe(token);
        let message = format!("expected {expected}, found {found}");
        let mut diagnostic = Diagnostic::error(token.span, message);
        if let Some(help) = self.hint(token, words) {
            diagnostic = diagnostic.help(help);
        }
        self.fail(diagnostic)
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Eof => "the end of the text".into(),
            TokenKind::Keyword(keyword) => format!("the keyword `{}`", keyword.text()),
            TokenKind::Number => format!("the number `{}`", shorten(self.word(token))),
            _ => format!("`{}`", shorten(self.word(token))),
        }
    }

    /// What the user may have meant by an unexpected token.
    fn hint(&self, token: Token, words: &[Keyword]) -> Option<String> {
        let before = self.previous();
        let fixed = match token.kind {
            TokenKind::Punct(Punct::Assign) => match before.kind {
                TokenKind::Punct(Punct::Plus | Punct::Minus) => {
                    "write the assignment in full, as in `x = x + 1`"
                }
                _ => "a comparison is written `==`; an assignment can stand only in an `effect`",
            },
            TokenKind::Punct(Punct::LParen) if before.kind == TokenKind::Name => {
                "DVE has no functions"
            }
            TokenKind::Punct(Punct::FatArrow) => "an implication is written `imply`",
            TokenKind::Punct(Punct::Question) => {
                "a message is received only behind `sync`; DVE has no conditional expressions"
            }
            TokenKind::Punct(Punct::Comma | Punct::Semi) if self.doubled() => {
                "write the assignment in full, as in `x = x + 1`"
            }
            TokenKind::Name => {
                let word = self.word(token);
                match word {
                    "bool" | "boolean" | "bit" | "short" | "unsigned" => {
                        "the types are `byte` and `int`"
                    }
                    _ if word.len() <= MAX_SIMILAR => {
                        let meant = did_you_mean(word, words.iter().map(|k| k.text()))?;
                        return Some(format!("did you mean `{meant}`?"));
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(fixed.to_string())
    }

    /// Whether `++` or `--` stands before the current token.
    fn doubled(&self) -> bool {
        let sign = |back: usize| match self.at.checked_sub(back).map(|i| self.tokens[i].kind) {
            Some(TokenKind::Punct(p @ (Punct::Plus | Punct::Minus))) => Some(p),
            _ => None,
        };
        sign(1).is_some() && sign(1) == sign(2)
    }

    /// Goes one level down. The level is left by [`Parser::leave`], or by the function that recovers
    /// from an error.
    fn enter(&mut self) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let span = self.peek().span;
            self.sink.fatal(
                Diagnostic::error(span, "the expression is nested too deeply").help(format!(
                    "at most {MAX_NESTING} parentheses can be inside each other"
                )),
            );
            return Err(Failed);
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Whether a process, or the last line, begins here: no error goes beyond.
    fn at_border(&self) -> bool {
        matches!(self.keyword(), Some(Keyword::Process | Keyword::System))
            || self.peek().kind == TokenKind::Eof
    }

    /// Passes over tokens until a new declaration can begin.
    fn recover_unit(&mut self) {
        while !self.at_border() {
            match self.peek().kind {
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    // The list of an initial value is followed by more.
                    if !self.at(Punct::Semi) && !self.at(Punct::Comma) {
                        return;
                    }
                }
                TokenKind::Keyword(
                    Keyword::Const | Keyword::Int | Keyword::Byte | Keyword::Channel,
                ) => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Passes over a brace and all up to its partner, but not into the next process.
    fn skip_balanced(&mut self) {
        let mut depth = 0usize;
        loop {
            if self.at_border() {
                return;
            }
            match self.bump().kind {
                TokenKind::Punct(Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
