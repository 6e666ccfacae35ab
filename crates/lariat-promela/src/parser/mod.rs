//! Tokens to syntax tree: recursive descent, with precedence climbing for expressions.
//!
//! The grammar is that of SPIN 6.5.2, made a little more tolerant. Two things are decided here
//! and not in the lexer, because they need the grammar:
//!
//! *Separators.* `;` and `->` separate statements. So does the end of a line, if the statement
//! before it is complete and the next line does not continue it. A line continues the statement
//! before it if it begins with something that no statement can begin with (`&&`, `,`, `)`, `->`,
//! `unless`, ...). Two tokens could do both: `-` at the start of a line is always the binary
//! minus, and `!` directly behind a variable that is the whole statement so far is a send. In
//! other positions `!` begins a new statement. As in SPIN, nothing is needed behind `}` and
//! `else`; we extend this to `fi` and `od`.
//!
//! *Inlines.* All definitions are collected before parsing starts. A call is parsed in place, from
//! the body's tokens with the arguments put in; see `inline.rs`.
//!
//! After an error the parser skips to the next separator or closing bracket of the same level. No
//! two errors are reported at the same token. Nesting and the size of expressions are bounded, so
//! that neither the parser nor anything that walks the tree can exhaust the stack.

mod decl;
mod expr;
mod inline;
mod stmt;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::{SourceMap, Span};

use crate::ast::*;
use crate::token::{Interner, Keyword, Punct, Symbol, Token, TokenKind};
use lariat_ir::diagnostic::Sink;

use inline::{Call, Inline};

/// Parentheses, operators with one operand and indices in each other, how deep. Blocks, options and
/// inline calls count twice, because their stack frames are larger: with this limit the parser
/// stays below one megabyte of stack, even without optimisation.
pub const MAX_NESTING: usize = 200;

/// Longer names are not compared with others.
const MAX_SIMILAR: usize = 64;

/// An error has been reported; the caller must find a place to go on.
pub(crate) struct Failed;

/// The result of parsing something.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// What must be closed before the current position is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    Brace,
    If,
    Do,
}

pub(crate) struct Parser<'a> {
    sources: &'a mut SourceMap,
    names: &'a mut Interner,
    sink: &'a mut Sink,
    /// The tokens of the model or of an inline call, with an end-of-file token at the end.
    tokens: Rc<[Token]>,
    at: usize,
    /// Distinguishes lists of tokens.
    list: usize,
    lists: usize,
    /// The token before the current one.
    previous: Token,
    nesting: usize,
    /// The height of the tallest expression since the current operand or statement began.
    height: usize,
    /// Inside an `ltl` block.
    formula: bool,
    /// Errors are swallowed: they would follow from one that has been reported.
    muted: bool,
    last_error: Option<(usize, usize)>,
    openers: Vec<Opener>,
    pub(crate) proctypes: HashSet<Symbol>,
    /// Those whose definition has been passed.
    seen_proctypes: HashSet<Symbol>,
    typedefs: HashSet<Symbol>,
    inlines: HashMap<Symbol, Rc<Inline>>,
    calls: Vec<Call>,
    spliced: usize,
    /// How many there may be.
    most_spliced: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        sources: &'a mut SourceMap,
        names: &'a mut Interner,
        sink: &'a mut Sink,
        tokens: Vec<Token>,
    ) -> Parser<'a> {
        let previous = eof(Span::default());
        let mut tokens = tokens;
        if tokens.last().is_none_or(|t| t.kind != TokenKind::Eof) {
            let end = tokens.last().map_or(Span::default(), |t| t.span);
            tokens.push(eof(end));
        }
        let mut parser = Parser {
            sources,
            names,
            sink,
            tokens: tokens.into(),
            at: 0,
            list: 0,
            lists: 0,
            previous,
            nesting: 0,
            height: 0,
            formula: false,
            muted: false,
            last_error: None,
            openers: Vec::new(),
            proctypes: HashSet::new(),
            seen_proctypes: HashSet::new(),
            typedefs: HashSet::new(),
            inlines: HashMap::new(),
            calls: Vec::new(),
            spliced: 0,
            most_spliced: inline::MAX_SPLICED,
        };
        parser.collect_names();
        parser
    }

    /// A whole model.
    pub(crate) fn program(&mut self) -> Program {
        let mut program = Program::default();
        while self.peek().kind != TokenKind::Eof {
            let before = (self.at, self.sink.errors);
            let result = self.unit(&mut program.units);
            self.reset_nesting(0);
            self.openers.clear();
            self.formula = false;
            if result.is_err() {
                self.recover_unit();
            }
            if before.0 == self.at {
                // Every path above reports before it gives up without moving.
                self.bump();
            }
        }
        program
    }

    /// A single expression that takes up all tokens.
    pub(crate) fn only_expression(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        if self.peek().kind != TokenKind::Eof {
            return self.unexpected("an operator or the end");
        }
        Ok(expr)
    }

    /// Proctypes, types and inlines may be used before they are defined.
    fn collect_names(&mut self) {
        let tokens = self.tokens.clone();
        for pair in tokens.windows(2) {
            if let TokenKind::Ident(name) = pair[1].kind {
                match pair[0].keyword() {
                    Some(Keyword::Proctype | Keyword::DProctype) => {
                        self.proctypes.insert(name);
                    }
                    Some(Keyword::Typedef) => {
                        self.typedefs.insert(name);
                    }
                    _ => {}
                }
            }
        }
        self.collect_inlines(&tokens);
    }

    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, distance: usize) -> Token {
        let last = self.tokens[self.tokens.len() - 1];
        if self.sink.stopped {
            return eof(last.span);
        }
        self.tokens.get(self.at + distance).copied().unwrap_or(last)
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::Eof {
            self.at += 1;
            self.previous = token;
        }
        token
    }

    fn at(&self, punct: Punct) -> bool {
        self.peek().is(punct)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek().keyword() == Some(keyword)
    }

    /// A name that is not a keyword.
    fn name_at(&self, distance: usize) -> Option<Symbol> {
        match self.peek_at(distance).kind {
            TokenKind::Ident(s) if s.keyword().is_none() => Some(s),
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

    fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        self.at_keyword(keyword).then(|| self.bump().span)
    }

    fn expect(&mut self, punct: Punct, why: &str) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.bump().span);
        }
        self.unexpected(&format!("`{}` {why}", punct.text()))
    }

    fn expect_name(&mut self, what: &str) -> Parsed<Ident> {
        let token = self.peek();
        match self.name_at(0) {
            Some(symbol) => {
                self.bump();
                Ok(self.ident(symbol, token.span))
            }
            None => {
                if let Some(keyword) = token.keyword() {
                    let message =
                        format!("expected {what}, found the keyword `{}`", keyword.text());
                    return self.fail(Diagnostic::error(token.span, message));
                }
                self.unexpected(what)
            }
        }
    }

    fn ident(&self, symbol: Symbol, span: Span) -> Ident {
        Ident {
            name: self.names.text(symbol).to_string(),
            span,
        }
    }

    /// Reports an error, unless there was one at this token already.
    fn error(&mut self, diagnostic: Diagnostic) {
        let here = Some((self.list, self.at));
        if self.last_error == here || self.muted {
            return;
        }
        self.last_error = here;
        let diagnostic = match self.calls.last() {
            Some(call) if diagnostic.span.expansion == Default::default() => {
                diagnostic.related(call.span, "in this call of an inline")
            }
            _ => diagnostic,
        };
        self.sink.report(diagnostic);
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.error(diagnostic);
        Err(Failed)
    }

    /// Reports that something else was expected here.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek();
        let found = self.describe(token);
        let mut diagnostic =
            Diagnostic::error(token.span, format!("expected {expected}, found {found}"));
        if let Some(help) = self.hint(token) {
            diagnostic = diagnostic.help(help);
        }
        self.fail(diagnostic)
    }

    fn describe(&self, token: Token) -> String {
        if token.kind == TokenKind::Eof && !self.calls.is_empty() {
            return "the end of the inline".to_string();
        }
        token.describe(self.names)
    }

    /// Whether a token is the name of a proctype.
    fn is_proctype(&self, token: Token) -> bool {
        let TokenKind::Ident(name) = token.kind else {
            return false;
        };
        self.proctypes.contains(&name) || self.seen_proctypes.contains(&name)
    }

    /// What the user may have meant by an unexpected token.
    fn hint(&self, token: Token) -> Option<String> {
        let fixed = match token.kind {
            TokenKind::Punct(Punct::Assign) => "a comparison is written `==`",
            TokenKind::Punct(Punct::Question) => {
                "a conditional expression is written `(condition -> value : value)`"
            }
            TokenKind::Punct(Punct::Hash) => "a preprocessor directive must start its line",
            TokenKind::Punct(Punct::PlusPlus | Punct::MinusMinus) => {
                "`x++` and `x--` are statements of their own, not expressions"
            }
            TokenKind::Punct(Punct::Plus) if matches!(self.previous.kind, TokenKind::Str(_)) => {
                "values are printed by conversions: `printf(\"x = %d\\n\", x)`"
            }
            TokenKind::Punct(Punct::LBrace) if self.is_proctype(self.previous) => {
                "a proctype has a list of parameters, also if it is empty: `proctype P() { ... }`"
            }
            TokenKind::Punct(Punct::LParen) => {
                let TokenKind::Ident(name) = self.previous.kind else {
                    return None;
                };
                let text = self.names.text(name);
                if self.inlines.contains_key(&name) {
                    return Some(format!(
                        "inline `{text}` can be called only as a statement `{text}(...)` or `x = {text}(...)`"
                    ));
                }
                if self.proctypes.contains(&name) {
                    return Some(format!("a process is started with `run {text}(...)`"));
                }
                match text {
                    "G" | "F" => "in an `ltl` block, `G` is written `[]` and `F` is written `<>`",
                    "send" | "receive" | "recv" | "put" | "get" => {
                        "a message is sent with `c!value` and received with `c?variable`"
                    }
                    _ => return None,
                }
            }
            _ if self.previous.keyword() == Some(Keyword::Of) => {
                "the types of messages are in braces: `[1] of { int, bool }`"
            }
            _ if self.is_proctype(token) => "a process is started with `run P(...)`",
            TokenKind::Ident(name) => match self.names.text(name) {
                "and" => "the operator is written `&&`",
                "or" => "the operator is written `||`",
                "not" => "the operator is written `!`",
                "else" => "`else` can only stand at the start of an option `:: else -> ...`",
                "U" | "W" | "V" | "until" | "weakuntil" | "release" | "implies" => {
                    "temporal operators can be used only in an `ltl` block"
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(fixed.to_string())
    }

    /// Goes one level down. The level is left by [`Parser::leave`], or by the function that recovers
    /// from an error.
    fn enter(&mut self) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let span = self.peek().span;
            let blocks = MAX_NESTING / 2;
            self.sink.fatal(
                Diagnostic::error(span, "the text is nested too deeply").help(format!(
                    "at most {blocks} blocks or {MAX_NESTING} parentheses can be inside each other"
                )),
            );
            return Err(Failed);
        }
        Ok(())
    }

    /// Goes down into a block, which counts twice.
    fn enter_block(&mut self) -> Parsed<()> {
        self.nesting += 1;
        self.enter()
    }

    fn leave_block(&mut self) {
        self.nesting = self.nesting.saturating_sub(2);
    }

    fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Back to a level from which parsing goes on after an error.
    fn reset_nesting(&mut self, nesting: usize) {
        self.nesting = nesting;
    }

    /// Passes over tokens until statements can go on: before a separator, the end of an option or
    /// block, or a keyword that starts a line and a statement or a unit.
    fn recover(&mut self) {
        let start = self.at;
        let (mut nesting, mut parens) = (0usize, 0usize);
        loop {
            let token = self.peek();
            let keyword = token.keyword();
            match token.kind {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::LBrace) => nesting += 1,
                TokenKind::Punct(Punct::RBrace) if nesting == 0 => return,
                TokenKind::Punct(Punct::RBrace) => nesting -= 1,
                TokenKind::Punct(Punct::LParen) => parens += 1,
                TokenKind::Punct(Punct::RParen) => parens = parens.saturating_sub(1),
                TokenKind::Punct(Punct::Semi) if nesting == 0 => return,
                TokenKind::Punct(Punct::Arrow) if nesting == 0 && parens == 0 => return,
                TokenKind::Punct(Punct::ColonColon) if nesting == 0 => return,
                _ => match keyword {
                    Some(Keyword::If | Keyword::Do) => {
                        if nesting == 0 && token.newline && self.at > start {
                            return;
                        }
                        nesting += 1;
                    }
                    Some(Keyword::Fi | Keyword::Od) if nesting == 0 => return,
                    Some(Keyword::Fi | Keyword::Od) => nesting -= 1,
                    Some(keyword) if starts_unit(keyword) && token.newline => return,
                    Some(_) if token.newline && nesting == 0 && self.at > start => return,
                    _ => {}
                },
            }
            self.bump();
        }
    }

    /// Passes over tokens until a new unit can begin.
    fn recover_unit(&mut self) {
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    // The error may have been inside braces.
                    self.eat(Punct::RBrace);
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    return;
                }
                _ => {
                    let starts = token
                        .keyword()
                        .is_some_and(|k| starts_unit(k) || decl::is_type(k));
                    if starts && token.newline {
                        return;
                    }
                    self.bump();
                }
            }
        }
    }

    /// Passes over a bracket and all up to its partner. Returns whether it was found.
    fn skip_balanced(&mut self) -> bool {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::Eof => return false,
                TokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
                TokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return true;
            }
        }
    }

    /// Refuses embedded C code, passing over it.
    fn refuse_c(&mut self) {
        let token = self.bump();
        let word = token.keyword().map_or("c_code", Keyword::text);
        let message = format!("embedded C code is not supported, and this is a `{word}`");
        self.at -= 1;
        self.error(
            Diagnostic::error(token.span, message)
                .help("write what the C code does in Promela, for example in an `inline`"),
        );
        self.at += 1;
        if self.at(Punct::LBracket) {
            self.skip_balanced();
        }
        if self.at(Punct::LBrace) {
            self.skip_balanced();
        }
        while matches!(self.peek().kind, TokenKind::Str(_)) {
            self.bump();
        }
    }

    /// The known name or keyword that is nearest to a wrong name.
    fn similar<'n>(
        &'n self,
        name: &str,
        known: impl Iterator<Item = &'n Symbol>,
        keywords: impl Fn(Keyword) -> bool,
    ) -> Option<String> {
        // Computing the distance takes quadratic time; a name that long is hardly misspelt.
        if name.len() > MAX_SIMILAR {
            return None;
        }
        let mut candidates: Vec<&str> = known
            .map(|s| self.names.text(*s))
            .filter(|s| s.len() <= MAX_SIMILAR)
            .collect();
        let keywords = Keyword::ALL.iter().filter(|k| keywords(**k));
        candidates.extend(keywords.map(|k| k.text()));
        did_you_mean(name, candidates).map(str::to_string)
    }
}

/// Keywords that can only start a unit.
fn starts_unit(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Active
            | Keyword::Proctype
            | Keyword::DProctype
            | Keyword::Init
            | Keyword::Never
            | Keyword::Trace
            | Keyword::Notrace
            | Keyword::Ltl
            | Keyword::Typedef
            | Keyword::Inline
    )
}

fn eof(span: Span) -> Token {
    Token {
        kind: TokenKind::Eof,
        span,
        newline: true,
        space: true,
        painted: false,
    }
}

#[cfg(test)]
mod tests;
