//! Statements and the separators between them.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::Span;

use super::expr::Reference;
use super::{Opener, Parsed, Parser, starts_unit};
use crate::ast::*;
use crate::token::{Keyword, Punct, Token, TokenKind, shorten};

impl Parser<'_> {
    /// `{ ... }`; an empty block is allowed.
    pub(super) fn block(&mut self, why: &str) -> Parsed<Block> {
        let open = self.expect(Punct::LBrace, why)?;
        self.enter_block()?;
        self.openers.push(Opener::Brace);
        let mut steps = Vec::new();
        loop {
            self.sequence(&mut steps);
            let token = self.peek();
            if token.is(Punct::RBrace) {
                self.bump();
                break;
            }
            let wanted_outside = self.closes_outer(token);
            let ends = token.kind == TokenKind::Eof
                || token.keyword().is_some_and(starts_unit)
                || wanted_outside;
            if ends {
                let found = self.describe(token);
                let message = format!("expected `}}`, found {found}");
                let diagnostic = Diagnostic::error(token.span, message)
                    .related(open, "the block is opened here");
                self.error(diagnostic);
                break;
            }
            self.stray(token);
        }
        self.openers.pop();
        self.leave_block();
        Ok(Block {
            steps,
            span: open.to(self.previous.span),
        })
    }

    /// Whether a token ends an `if` or `do` outside the innermost bracket.
    fn closes_outer(&self, token: Token) -> bool {
        let outer = &self.openers[..self.openers.len().saturating_sub(1)];
        match token.keyword() {
            Some(Keyword::Fi) => outer.contains(&Opener::If),
            Some(Keyword::Od) => outer.contains(&Opener::Do),
            _ if token.is(Punct::ColonColon) => {
                outer.contains(&Opener::If) || outer.contains(&Opener::Do)
            }
            _ => false,
        }
    }

    /// Reports and passes over a token that closes nothing.
    fn stray(&mut self, token: Token) {
        let message = format!("unexpected {}", self.describe(token));
        let diagnostic = Diagnostic::error(token.span, message);
        let help = match token.keyword() {
            Some(Keyword::Fi) => "there is no open `if`",
            Some(Keyword::Od) => "there is no open `do`",
            _ => "options can stand only between `if` and `fi` or `do` and `od`",
        };
        self.error(diagnostic.help(help));
        self.bump();
        self.separators();
    }

    /// Statements up to something that cannot be one. Errors are reported and recovered from.
    pub(super) fn sequence(&mut self, steps: &mut Vec<Step>) {
        loop {
            let token = self.peek();
            if ends_sequence(token) {
                return;
            }
            let (nesting, openers) = (self.nesting, self.openers.len());
            match self.step() {
                Ok(step) => steps.push(step),
                Err(_) => {
                    self.reset_nesting(nesting);
                    self.openers.truncate(openers);
                    let span = token.span;
                    self.recover();
                    steps.push(Step::Stmt(Stmt {
                        labels: Vec::new(),
                        kind: StmtKind::Error,
                        span,
                    }));
                }
            }
            if self.separators() {
                continue;
            }
            let token = self.peek();
            if ends_sequence(token) {
                return;
            }
            let closed = self.previous.is(Punct::RBrace)
                || matches!(
                    self.previous.keyword(),
                    Some(Keyword::Fi | Keyword::Od | Keyword::Else)
                );
            if closed || token.newline {
                continue;
            }
            self.missing_separator(token);
            self.recover();
            self.separators();
        }
    }

    /// Takes all separators; returns whether there was one.
    fn separators(&mut self) -> bool {
        let mut found = false;
        while self.at(Punct::Semi) || self.at(Punct::Arrow) {
            self.bump();
            found = true;
        }
        found
    }

    fn missing_separator(&mut self, token: Token) {
        let found = self.describe(token);
        let message = format!("expected an operator or `;`, found {found}");
        let mut diagnostic = Diagnostic::error(token.span, message);
        if let Some(help) = self.hint(token) {
            diagnostic = diagnostic.help(help);
        }
        self.error(diagnostic);
    }

    /// A declaration, a channel assertion, or a statement.
    fn step(&mut self) -> Parsed<Step> {
        if self.at_declaration() {
            return Ok(Step::Decl(self.declaration()?));
        }
        if let Some(keyword @ (Keyword::Xr | Keyword::Xs)) = self.peek().keyword() {
            let start = self.bump().span;
            let mut channels = vec![self.variable_reference()?];
            while self.eat(Punct::Comma) {
                channels.push(self.variable_reference()?);
            }
            return Ok(Step::Exclusive {
                send: keyword == Keyword::Xs,
                channels,
                span: start.to(self.previous.span),
            });
        }
        let main = self.statement()?;
        if self.eat_keyword(Keyword::Unless).is_none() {
            return Ok(Step::Stmt(main));
        }
        let escape = self.statement()?;
        let span = main.span.to(escape.span);
        let mut main = main;
        // A label before `main unless escape` is that of the main sequence, as in SPIN.
        let labels = std::mem::take(&mut main.labels);
        Ok(Step::Stmt(Stmt {
            labels,
            kind: StmtKind::Unless(Box::new(main), Box::new(escape)),
            span,
        }))
    }

    /// Labels and a statement.
    fn statement(&mut self) -> Parsed<Stmt> {
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(self.expect_name("a label")?);
            self.bump();
        }
        let token = self.peek();
        if let Some(label) = labels.last() {
            if ends_sequence(token) || token.is(Punct::Semi) || token.is(Punct::Arrow) {
                let span = label.span;
                return Ok(Stmt {
                    labels,
                    kind: StmtKind::Expr(Expr {
                        kind: ExprKind::Int(1),
                        span,
                    }),
                    span,
                });
            }
            let exclusive = matches!(token.keyword(), Some(Keyword::Xr | Keyword::Xs));
            if exclusive || self.at_declaration() {
                let message = format!("label `{}` stands before a declaration", label.name);
                let diagnostic = Diagnostic::error(label.span, message)
                    .help("move the label to the statement behind the declaration, or add `skip`");
                return self.fail(diagnostic);
            }
        }
        let (kind, span) = self.statement_kind()?;
        Ok(Stmt { labels, kind, span })
    }

    /// Whether a label starts here, and not a remote reference `P:x`.
    fn at_label(&self) -> bool {
        let Some(name) = self.name_at(0) else {
            return false;
        };
        if !self.peek_at(1).is(Punct::Colon) {
            return false;
        }
        if !self.seen_proctypes.contains(&name) || self.name_at(2).is_none() {
            return true;
        }
        // A proctype's name, a colon and a name: it is a reference if a comparison follows.
        !matches!(
            self.peek_at(3).kind,
            TokenKind::Punct(Punct::Eq | Punct::Ne | Punct::Lt | Punct::Le | Punct::Gt | Punct::Ge)
        )
    }

    fn statement_kind(&mut self) -> Parsed<(StmtKind, Span)> {
        let token = self.peek();
        match token.keyword() {
            Some(Keyword::If | Keyword::Do | Keyword::Atomic | Keyword::DStep | Keyword::For) => {
                self.compound_statement()
            }
            Some(_) => self.simple_statement(),
            None if token.is(Punct::LBrace) => self.compound_statement(),
            None if self.at_inline_call() => self.inline_call(None),
            None if self.name_at(0).is_some() => self.named_statement(),
            None => self.simple_statement(),
        }
    }

    /// Statements that contain others. Apart from the simple ones, because its stack frame is
    /// there once per level of nesting.
    #[inline(never)]
    fn compound_statement(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.peek().span;
        let kind = match self.peek().keyword() {
            Some(Keyword::If) => StmtKind::If(self.options(Opener::If)?),
            Some(Keyword::Do) => StmtKind::Do(self.options(Opener::Do)?),
            Some(Keyword::For) => self.for_loop()?,
            Some(Keyword::Atomic) => {
                self.bump();
                StmtKind::Atomic(self.block("behind `atomic`")?)
            }
            Some(Keyword::DStep) => {
                self.bump();
                StmtKind::DStep(self.block("behind `d_step`")?)
            }
            _ => StmtKind::Block(self.block("to open a block")?),
        };
        Ok((kind, start.to(self.previous.span)))
    }

    /// Statements that begin with a keyword, and conditions that do not begin with a name.
    #[inline(never)]
    fn simple_statement(&mut self) -> Parsed<(StmtKind, Span)> {
        let token = self.peek();
        let start = token.span;
        let kind = match token.keyword() {
            Some(Keyword::Break) => {
                self.bump();
                StmtKind::Break
            }
            Some(Keyword::Else) => {
                self.bump();
                StmtKind::Else
            }
            Some(Keyword::Goto) => {
                self.bump();
                StmtKind::Goto(self.expect_name("a label")?)
            }
            Some(Keyword::Select) => {
                self.bump();
                self.expect(Punct::LParen, "behind `select`")?;
                let var = self.variable_reference()?;
                let (from, to) = self.range()?;
                self.expect(Punct::RParen, "to close `select`")?;
                StmtKind::Select { var, from, to }
            }
            Some(Keyword::Printf) => self.printf()?,
            Some(Keyword::Printm) => {
                self.bump();
                self.expect(Punct::LParen, "behind `printm`")?;
                let value = self.expr()?;
                self.expect(Punct::RParen, "to close `printm`")?;
                StmtKind::Printm(value)
            }
            Some(Keyword::Assert) => {
                self.bump();
                StmtKind::Assert(self.expr()?)
            }
            Some(Keyword::SetPriority) => {
                self.bump();
                self.expect(Punct::LParen, "behind `set_priority`")?;
                let process = self.expr()?;
                self.expect(Punct::Comma, "behind the process")?;
                let priority = self.expr()?;
                self.expect(Punct::RParen, "to close `set_priority`")?;
                StmtKind::SetPriority(process, priority)
            }
            Some(Keyword::Return) => return self.return_statement(),
            Some(Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack) => {
                self.refuse_c();
                StmtKind::Error
            }
            _ => {
                if !starts_expression(token) {
                    return self.not_a_statement(token);
                }
                StmtKind::Expr(self.expr()?)
            }
        };
        Ok((kind, start.to(self.previous.span)))
    }

    fn not_a_statement<T>(&mut self, token: Token) -> Parsed<T> {
        let found = self.describe(token);
        let message = format!("expected a statement, found {found}");
        let mut diagnostic = Diagnostic::error(token.span, message);
        let help = match token.kind {
            TokenKind::Punct(Punct::Semi | Punct::Arrow) => {
                Some("use `skip` for a statement that does nothing")
            }
            TokenKind::Punct(Punct::Assign) if self.previous.is(Punct::Colon) => {
                Some("an assignment is written `x = 1`")
            }
            TokenKind::Ident(_) => match token.keyword() {
                Some(Keyword::Unless) => Some("`unless` needs a statement before it"),
                Some(keyword) if starts_unit(keyword) => {
                    Some("a `}` is probably missing before this place")
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.fail(diagnostic)
    }

    /// Whether an operator stands here with a `=` right behind it, as in C's `x += 1`.
    fn at_compound_assignment(&self) -> bool {
        let next = self.peek_at(1);
        let operator = matches!(
            self.peek().kind,
            TokenKind::Punct(
                Punct::Plus
                    | Punct::Minus
                    | Punct::Star
                    | Punct::Slash
                    | Punct::Percent
                    | Punct::And
                    | Punct::Or
                    | Punct::Caret
                    | Punct::Shl
                    | Punct::Shr
            )
        );
        operator && next.is(Punct::Assign) && !next.space
    }

    /// A statement that begins with a variable: assignment, send, receive, or a condition.
    #[inline(never)]
    fn named_statement(&mut self) -> Parsed<(StmtKind, Span)> {
        self.height = 0;
        let first = self.peek();
        let start = first.span;
        let simple = self.peek_at(1);
        if simple.is(Punct::LParen) && !simple.newline {
            self.unknown_call(first);
            return Ok((StmtKind::Error, start.to(self.previous.span)));
        }
        if let (Some(name), Some(word)) = (self.name_at(0), self.name_at(1))
            && !simple.newline
            && matches!(
                self.peek_at(2).kind,
                TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::Assign | Punct::LBracket)
            )
            && self.names.text(word) != "and"
            && self.names.text(word) != "or"
        {
            return self.unknown_type(name, start);
        }
        let var = match self.reference()? {
            Reference::Variable(var) => var,
            Reference::Remote(expr) => {
                let expr = self.continue_expr(expr)?;
                return Ok((StmtKind::Expr(expr), start.to(self.previous.span)));
            }
        };
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Punct(Punct::Assign) => {
                self.bump();
                if self.at_inline_call() {
                    let (kind, span) = self.inline_call(Some(var))?;
                    return Ok((kind, start.to(span)));
                }
                StmtKind::Assign(var, self.expr()?)
            }
            TokenKind::Punct(operator @ (Punct::PlusPlus | Punct::MinusMinus)) => {
                self.bump();
                let operator = if operator == Punct::PlusPlus {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                let one = Expr {
                    kind: ExprKind::Int(1),
                    span: token.span,
                };
                let old = Expr {
                    span: var.span,
                    kind: ExprKind::Var(var.clone()),
                };
                let span = start.to(token.span);
                let value = ExprKind::Binary(operator, Box::new(old), Box::new(one));
                StmtKind::Assign(var, Expr { kind: value, span })
            }
            TokenKind::Punct(operator) if self.at_compound_assignment() => {
                let sign = operator.text();
                let name = var.parts.first().map_or("x", |p| p.name.name.as_str());
                let message = format!("Promela has no `{sign}=`");
                let help = format!("write `{name} = {name} {sign} ...`");
                let span = token.span.to(self.peek_at(1).span);
                return self.fail(Diagnostic::error(span, message).help(help));
            }
            TokenKind::Punct(operator @ (Punct::Bang | Punct::BangBang)) => {
                self.bump();
                let args = self.send_arguments()?;
                StmtKind::Send {
                    channel: var,
                    sorted: operator == Punct::BangBang,
                    args,
                }
            }
            TokenKind::Punct(operator @ (Punct::Question | Punct::QuestionQuestion))
                if !self.peek_at(1).is(Punct::LBracket) =>
            {
                self.bump();
                let peek = self.eat(Punct::Lt);
                let args = self.receive_arguments()?;
                if peek {
                    self.expect(Punct::Gt, "to close the receive")?;
                }
                StmtKind::Receive {
                    channel: var,
                    random: operator == Punct::QuestionQuestion,
                    peek,
                    args,
                }
            }
            _ => {
                let operand = self.poll_or_variable(var)?;
                StmtKind::Expr(self.continue_expr(operand)?)
            }
        };
        Ok((kind, start.to(self.previous.span)))
    }

    /// `name(` where the name is not an inline.
    fn unknown_call(&mut self, token: Token) {
        let TokenKind::Ident(symbol) = token.kind else {
            return;
        };
        let text = self.names.text(symbol).to_string();
        let message = format!("unknown inline `{}`", shorten(&text));
        let mut diagnostic = Diagnostic::error(token.span, message);
        let help = match text.as_str() {
            "while" => Some(
                "there is no `while`; write `do :: condition -> ... :: else -> break od`"
                    .to_string(),
            ),
            "switch" => Some("there is no `switch`; write `if :: x == 1 -> ... fi`".to_string()),
            _ if self.proctypes.contains(&symbol) => {
                Some(format!("a process is started with `run {text}(...)`"))
            }
            _ => self
                .similar(&text, self.inlines.keys(), |k| k.text().len() > 3)
                .map(|near| format!("did you mean `{near}`?")),
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.error(diagnostic);
        self.bump();
        self.skip_balanced();
        if self.at(Punct::LBrace) && matches!(text.as_str(), "while" | "switch") {
            self.skip_balanced();
        }
    }

    /// `c!a,b` or `c!m(a,b)`, from behind the operator.
    fn send_arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        if self.at(Punct::LParen) && !self.peek().newline {
            self.bump();
            loop {
                args.push(self.expr()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::RParen, "to close the message")?;
            return Ok(args);
        }
        while self.eat(Punct::Comma) {
            args.push(self.expr()?);
        }
        Ok(args)
    }

    /// `printf("...", e, e)`
    fn printf(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "behind `printf`")?;
        let TokenKind::Str(text) = self.peek().kind else {
            return self.unexpected("a string");
        };
        let format = self.names.text(text).to_string();
        self.bump();
        let mut args = Vec::new();
        while self.eat(Punct::Comma) {
            args.push(self.expr()?);
        }
        self.expect(Punct::RParen, "or `,` in `printf`")?;
        Ok(StmtKind::Printf { format, args })
    }

    /// `: a .. b`
    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        self.expect(Punct::Colon, "before the range")?;
        let from = self.expr()?;
        self.expect(Punct::DotDot, "between the bounds of the range")?;
        let to = self.expr()?;
        Ok((from, to))
    }

    #[inline(never)]
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        let start = self.bump().span;
        self.expect(Punct::LParen, "behind `for`")?;
        let c_style = self.at(Punct::Semi)
            || self.at_declaration()
            || self.name_at(0).is_some() && self.peek_at(1).is(Punct::Assign);
        if c_style {
            let span = start.to(self.peek().span);
            let message = "this is not a loop of Promela";
            let diagnostic = Diagnostic::error(span, message).help(
                "write `for (i : 0 .. 9) { ... }` with a variable that is declared before, or `for (i in array) { ... }`",
            );
            self.error(diagnostic);
            self.skip_head_and_body();
            return Ok(StmtKind::Error);
        }
        let var = self.variable_reference()?;
        if let Some(word) = self.name_at(0)
            && self.names.text(word) == "in"
        {
            self.bump();
            let collection = self.variable_reference()?;
            self.expect(Punct::RParen, "behind the array or channel")?;
            self.eat(Punct::Semi);
            let body = self.block("to open the body of the loop")?;
            return Ok(StmtKind::ForIn {
                var,
                collection,
                body,
            });
        }
        if !self.at(Punct::Colon) {
            return self.unexpected("`:` or `in`");
        }
        let (from, to) = self.range()?;
        self.expect(Punct::RParen, "behind the range")?;
        self.eat(Punct::Semi);
        let body = self.block("to open the body of the loop")?;
        Ok(StmtKind::ForRange {
            var,
            from,
            to,
            body,
        })
    }

    /// Passes over the rest of a C-style head, and the block behind it.
    fn skip_head_and_body(&mut self) {
        loop {
            match self.peek().kind {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::LParen) => {
                    self.skip_balanced();
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    return;
                }
                TokenKind::Punct(Punct::RParen) => {
                    self.bump();
                    if self.at(Punct::LBrace) {
                        self.skip_balanced();
                    }
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// `return e` assigns to the variable of the call `x = f(...)`.
    fn return_statement(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.peek().span;
        let Some(call) = self.calls.last() else {
            let message = "`return` can be used only in an inline that is called as `x = f(...)`";
            let diagnostic = Diagnostic::error(start, message)
                .help("to leave a loop use `break`, to end a process `goto` a label at its end");
            return self.fail(diagnostic);
        };
        let Some(target) = call.target.clone() else {
            let message = "this inline returns a value, which the call does not use";
            let diagnostic = Diagnostic::error(start, message)
                .related(call.span, "this call must have the form `x = f(...)`");
            return self.fail(diagnostic);
        };
        self.bump();
        let value = self.expr()?;
        let span = start.to(value.span);
        Ok((StmtKind::Assign(target, value), span))
    }

    /// The options of an `if` or `do`, with the words around them.
    fn options(&mut self, opener: Opener) -> Parsed<Vec<Block>> {
        let open = self.bump();
        let (word, closer) = match opener {
            Opener::Do => ("do", Keyword::Od),
            _ => ("if", Keyword::Fi),
        };
        self.enter_block()?;
        self.openers.push(opener);
        let mut options = Vec::new();
        let muted = self.muted;
        if !self.at(Punct::ColonColon) {
            self.missing_option(word, closer);
            // What stands here may still be meant as an option; its errors are not news.
            self.muted = true;
            let mut steps = Vec::new();
            self.sequence(&mut steps);
        }
        while self.at(Punct::ColonColon) {
            let start = self.bump().span;
            let mut steps = Vec::new();
            self.sequence(&mut steps);
            if steps.is_empty() {
                let token = self.peek();
                let found = self.describe(token);
                let message = format!("expected a statement behind `::`, found {found}");
                self.error(Diagnostic::error(token.span, message));
            }
            options.push(Block {
                steps,
                span: start.to(self.previous.span),
            });
        }
        self.close_options(open, closer);
        self.muted = muted;
        self.openers.pop();
        self.leave_block();
        Ok(options)
    }

    fn missing_option(&mut self, word: &str, closer: Keyword) {
        let token = self.peek();
        let found = self.describe(token);
        let message = format!("expected `::` behind `{word}`, found {found}");
        let closer = closer.text();
        let diagnostic = Diagnostic::error(token.span, message).help(format!(
            "write `{word} :: condition -> ... :: else -> ... {closer}`"
        ));
        self.error(diagnostic);
    }

    /// Takes the closing word, or reports that it is missing.
    fn close_options(&mut self, open: Token, closer: Keyword) {
        let token = self.peek();
        if token.keyword() == Some(closer) {
            self.bump();
            return;
        }
        let found = self.describe(token);
        let opened = self.describe(open);
        let message = format!(
            "expected `{}` to close {opened}, found {found}",
            closer.text()
        );
        let diagnostic =
            Diagnostic::error(token.span, message).related(open.span, "it is opened here");
        self.error(diagnostic);
        let wrong_closer = matches!(token.keyword(), Some(Keyword::Fi | Keyword::Od));
        if wrong_closer && !self.closes_outer(token) {
            self.bump();
        }
    }
}

/// Whether no further statement of the sequence can stand here.
fn ends_sequence(token: Token) -> bool {
    match token.kind {
        TokenKind::Eof | TokenKind::Punct(Punct::RBrace | Punct::ColonColon) => true,
        TokenKind::Ident(_) => match token.keyword() {
            Some(Keyword::Fi | Keyword::Od) => true,
            Some(keyword) => starts_unit(keyword),
            None => false,
        },
        _ => false,
    }
}

/// Whether an expression can begin with this token.
fn starts_expression(token: Token) -> bool {
    match token.kind {
        TokenKind::Number(_) | TokenKind::Char(_) => true,
        TokenKind::Punct(p) => matches!(
            p,
            Punct::LParen | Punct::Bang | Punct::BangBang | Punct::Minus | Punct::Tilde
        ),
        TokenKind::Ident(_) => match token.keyword() {
            None => true,
            Some(keyword) => matches!(
                keyword,
                Keyword::True
                    | Keyword::False
                    | Keyword::Skip
                    | Keyword::Timeout
                    | Keyword::Np
                    | Keyword::Run
                    | Keyword::Len
                    | Keyword::Full
                    | Keyword::Nfull
                    | Keyword::Empty
                    | Keyword::Nempty
                    | Keyword::Enabled
                    | Keyword::PcValue
                    | Keyword::GetPriority
                    | Keyword::CExpr
                    | Keyword::Eval
            ),
        },
        _ => false,
    }
}
