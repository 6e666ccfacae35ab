//! Processes and their transitions.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::Span;

use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};

/// The words that begin a clause of a process.
const CLAUSES: &[Keyword] = &[
    Keyword::State,
    Keyword::Init,
    Keyword::Accept,
    Keyword::Commit,
    Keyword::Assert,
    Keyword::Trans,
    Keyword::Const,
    Keyword::Int,
    Keyword::Byte,
];

/// The words that begin a clause of a transition, in their order.
const PARTS: &[Keyword] = &[Keyword::Guard, Keyword::Sync, Keyword::Effect];

impl Parser<'_> {
    /// `process P { ... }`
    pub(super) fn process(&mut self) -> Parsed<Process> {
        let start = self.bump().span;
        let name = self.expect_name("the name of the process")?;
        let open = self.expect(Punct::LBrace, "after the name of the process")?;
        let mut process = Process {
            span: start.to(name.span),
            name,
            variables: Vec::new(),
            states: Vec::new(),
            init: None,
            accept: Vec::new(),
            commit: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        let errors = self.sink.errors;
        while !self.eat(Punct::RBrace) {
            if self.at_border() {
                let found = self.describe(self.peek());
                let message = format!("expected `}}` at the end of the process, found {found}");
                let span = self.peek().span;
                self.error(
                    Diagnostic::error(span, message).related(open, "the process is opened here"),
                );
                return Ok(process);
            }
            if self.clause(&mut process).is_err() {
                self.nesting = 0;
                self.recover_clause();
            }
        }
        if self.sink.errors == errors {
            self.require_init(&process);
        }
        Ok(process)
    }

    /// Reports a process that has no state to start in.
    fn require_init(&mut self, process: &Process) {
        let name = &process.name;
        // These errors speak of the whole, so one at the same token does not matter.
        self.last_error = None;
        match process.states.first() {
            None => self.error(
                Diagnostic::error(name.span, format!("process `{}` has no states", name.name))
                    .help("declare them with `state q, r;` and `init q;`"),
            ),
            Some(first) if process.init.is_none() => {
                let message = format!("process `{}` has no initial state", name.name);
                self.error(
                    Diagnostic::error(name.span, message)
                        .help(format!("add `init {};` after the states", first.name)),
                );
            }
            Some(_) => {}
        }
        self.last_error = None;
    }

    fn clause(&mut self, process: &mut Process) -> Parsed<()> {
        let token = self.peek();
        match self.keyword() {
            Some(Keyword::Const | Keyword::Int | Keyword::Byte) => {
                self.variables(&mut process.variables)
            }
            Some(Keyword::State) => {
                self.bump();
                let mut names = self.names("the name of a state", "the state")?;
                process.states.append(&mut names);
                Ok(())
            }
            Some(Keyword::Init) => {
                self.bump();
                let state = self.expect_name("the initial state")?;
                if let Some(first) = &process.init {
                    self.error(
                        Diagnostic::error(state.span, "a process has only one initial state")
                            .related(first.span, "the first is here"),
                    );
                }
                process.init = Some(state);
                self.expect(Punct::Semi, "after the initial state")?;
                Ok(())
            }
            Some(Keyword::Accept) => {
                self.bump();
                self.acceptance()?;
                let mut names = self.names("an accepting state", "the accepting state")?;
                process.accept.append(&mut names);
                Ok(())
            }
            Some(Keyword::Commit) => {
                self.bump();
                let mut names = self.names("a committed state", "the committed state")?;
                process.commit.append(&mut names);
                Ok(())
            }
            Some(Keyword::Assert) => self.assertions(&mut process.assertions),
            Some(Keyword::Trans) => {
                self.bump();
                self.transitions(&mut process.transitions);
                Ok(())
            }
            Some(Keyword::Channel) => self.fail(
                Diagnostic::error(token.span, "channels inside a process are not supported")
                    .help("declare the channel outside, before the processes"),
            ),
            _ if self.at_transition() && !process.transitions.is_empty() => {
                self.error(
                    Diagnostic::error(
                        token.span,
                        format!("expected `}}`, found {}", self.describe(token)),
                    )
                    .help("transitions are separated by `,`; only the last one ends with `;`"),
                );
                self.transitions(&mut process.transitions);
                Ok(())
            }
            _ if self.eat(Punct::Semi) => Ok(()),
            _ => self.unexpected_word("`state`, `init`, `trans` or `}`", CLAUSES),
        }
    }

    /// The kind of acceptance behind `accept`.
    fn acceptance(&mut self) -> Parsed<()> {
        let token = self.peek();
        let followed = matches!(
            self.peek_at(1).kind,
            TokenKind::Punct(Punct::Comma | Punct::Semi)
        );
        if token.kind != TokenKind::Name || followed {
            return Ok(());
        }
        match self.word(token) {
            "buchi" => {
                self.bump();
                Ok(())
            }
            word @ ("genbuchi" | "muller" | "rabin" | "streett") => {
                let message = format!("acceptance of the kind `{word}` is not supported");
                self.fail(
                    Diagnostic::error(token.span, message)
                        .help("write a Buchi automaton: `accept q;`"),
                )
            }
            _ => Ok(()),
        }
    }

    /// `assert q: e, r: e;`
    fn assertions(&mut self, assertions: &mut Vec<Assertion>) -> Parsed<()> {
        self.bump();
        loop {
            let state = self.expect_name("the state of the assertion")?;
            self.expect(Punct::Colon, "after the state of the assertion")?;
            let condition = self.expr()?;
            let span = state.span.to(condition.span);
            assertions.push(Assertion {
                state,
                condition,
                span,
            });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semi, "or `,` after the assertion")?;
        Ok(())
    }

    /// Transitions, up to the semicolon behind the last. Commas may be missing or too many.
    fn transitions(&mut self, transitions: &mut Vec<Transition>) {
        loop {
            while self.eat(Punct::Comma) {}
            if self.eat(Punct::Semi) || self.at(Punct::RBrace) || self.at_border() {
                return;
            }
            if CLAUSES.iter().any(|k| self.keyword() == Some(*k)) {
                return;
            }
            let before = self.at;
            let source = transitions.last().map(|t| t.source.clone());
            match self.transition(source) {
                Ok(transition) => transitions.push(transition),
                Err(Failed) => {
                    self.nesting = 0;
                    self.recover_transition(before);
                }
            }
        }
    }

    /// `p -> q { ... }`, or `-> q { ... }` with the source of the transition before it.
    fn transition(&mut self, before: Option<Ident>) -> Parsed<Transition> {
        let start = self.peek().span;
        let shorthand = self.at(Punct::Arrow);
        let source = match (shorthand, before) {
            (false, _) => self.expect_name("a transition, `source -> target { ... }`")?,
            (true, Some(source)) => source,
            (true, None) => {
                let message = "the first transition must name the state from which it leads";
                self.error(
                    Diagnostic::error(start, message).help("write `source -> target { ... }`"),
                );
                Ident {
                    name: String::new(),
                    span: start,
                }
            }
        };
        self.refuse_probabilities()?;
        self.expect(Punct::Arrow, "after the source state")?;
        let target = self.expect_name("the target state")?;
        self.refuse_probabilities()?;
        let open = self.expect(Punct::LBrace, "after the target state")?;
        let mut transition = Transition {
            source,
            shorthand,
            target,
            guards: Vec::new(),
            sync: None,
            effects: Vec::new(),
            span: start,
        };
        self.parts(&mut transition, open);
        transition.span = start.to(self.previous().span);
        Ok(transition)
    }

    fn refuse_probabilities(&mut self) -> Parsed<()> {
        if !self.at(Punct::FatArrow) {
            return Ok(());
        }
        let span = self.peek().span;
        self.fail(
            Diagnostic::error(span, "probabilistic transitions are not supported")
                .help("write one transition `source -> target { ... }` for each target"),
        )
    }

    /// The inside of a transition, up to its closing brace.
    fn parts(&mut self, transition: &mut Transition, open: Span) {
        let mut seen: Vec<(Keyword, Span)> = Vec::new();
        while !self.eat(Punct::RBrace) {
            let token = self.peek();
            let closed = self.at_border()
                || self.at_transition()
                || self.at(Punct::Comma)
                || self.keyword() == Some(Keyword::Trans);
            if closed {
                let found = self.describe(token);
                let message = format!("expected `}}` at the end of the transition, found {found}");
                self.error(
                    Diagnostic::error(token.span, message)
                        .related(open, "the transition is opened here"),
                );
                return;
            }
            if let Some(keyword) = self.keyword() {
                self.check_order(keyword, token.span, &mut seen);
            }
            if self.part(transition).is_err() {
                self.nesting = 0;
                self.recover_part();
            }
        }
    }

    /// Each part may occur once, and in a fixed order.
    fn check_order(&mut self, keyword: Keyword, span: Span, seen: &mut Vec<(Keyword, Span)>) {
        let rank = |k: Keyword| PARTS.iter().position(|p| *p == k);
        let Some(new) = rank(keyword) else { return };
        let later = seen.iter().find(|(k, _)| rank(*k) >= Some(new));
        if let Some((other, place)) = later {
            let message = if *other == keyword {
                format!("a transition can have only one `{}`", keyword.text())
            } else {
                format!("`{}` must stand before `{}`", keyword.text(), other.text())
            };
            let diagnostic = Diagnostic::error(span, message)
                .related(*place, format!("`{}` stands here", other.text()));
            self.error(match keyword {
                Keyword::Guard if *other == keyword => {
                    diagnostic.help("several conditions are separated by `,`")
                }
                Keyword::Effect if *other == keyword => {
                    diagnostic.help("several assignments are separated by `,`")
                }
                _ => diagnostic,
            });
        }
        seen.push((keyword, span));
    }

    fn part(&mut self, transition: &mut Transition) -> Parsed<()> {
        match self.keyword() {
            Some(Keyword::Guard) => {
                self.bump();
                let mut guards = self.expressions()?;
                transition.guards.append(&mut guards);
                self.expect(Punct::Semi, "after the guard")?;
                Ok(())
            }
            Some(Keyword::Sync) => {
                self.bump();
                transition.sync = Some(self.communication()?);
                self.expect(Punct::Semi, "after `sync`")?;
                Ok(())
            }
            Some(Keyword::Effect) => {
                self.bump();
                loop {
                    let assignment = self.assignment()?;
                    transition.effects.push(assignment);
                    if !self.eat(Punct::Comma) {
                        break;
                    }
                }
                self.expect(Punct::Semi, "after the effect")?;
                Ok(())
            }
            _ if self.eat(Punct::Semi) => Ok(()),
            _ => self.unexpected_word("`guard`, `sync`, `effect` or `}`", PARTS),
        }
    }

    /// `c!`, `c!e`, `c!{e, e}`, and the same with `?`
    fn communication(&mut self) -> Parsed<Communication> {
        let channel = self.expect_name("the name of a channel")?;
        let send = self.at(Punct::Bang);
        if !send && !self.at(Punct::Question) {
            return self.unexpected("`!` to send or `?` to receive");
        }
        self.bump();
        let mut values = Vec::new();
        if self.at(Punct::LBrace) {
            values = self.braced("of values")?;
        } else if !self.at(Punct::Semi) && !self.at(Punct::RBrace) {
            values.push(self.expr()?);
        }
        let span = channel.span.to(self.previous().span);
        let message = if send {
            Message::Send(values)
        } else {
            Message::Receive(self.places(values)?)
        };
        Ok(Communication {
            channel,
            message,
            span,
        })
    }

    /// Received values go into variables.
    fn places(&mut self, values: Vec<Expr>) -> Parsed<Vec<Place>> {
        let mut places = Vec::new();
        for value in values {
            match value.kind {
                ExprKind::Var(place) => places.push(place),
                ExprKind::Remote { .. } => return self.foreign(value.span),
                _ => {
                    return self.fail(
                        Diagnostic::error(value.span, "a received value must go into a variable")
                            .help("receive into a variable, and let a transition behind it look at the value"),
                    );
                }
            }
        }
        Ok(places)
    }

    fn foreign<T>(&mut self, span: Span) -> Parsed<T> {
        self.fail(
            Diagnostic::error(span, "a process cannot change the variables of another")
                .help("make the variable global, or send its value through a channel"),
        )
    }

    /// `x = e`
    fn assignment(&mut self) -> Parsed<Assignment> {
        let first = self.peek().span;
        if self.is(1, Punct::Arrow) {
            return self.foreign(first);
        }
        let target = self.place("the variable of an assignment")?;
        if self.at(Punct::Equal) {
            let message = "expected `=` in the assignment, found `==`";
            let span = self.peek().span;
            return self.fail(
                Diagnostic::error(span, message)
                    .help("`==` compares; an assignment is written `x = e`"),
            );
        }
        if !self.at(Punct::Assign) {
            let step = matches!(
                self.peek().kind,
                TokenKind::Punct(Punct::Plus | Punct::Minus)
            );
            let token = self.peek();
            let found = self.describe(token);
            let message = format!("expected `=` in the assignment, found {found}");
            let mut diagnostic = Diagnostic::error(token.span, message);
            if step {
                diagnostic = diagnostic.help("write the assignment in full, as in `x = x + 1`");
            }
            return self.fail(diagnostic);
        }
        self.bump();
        let value = self.expr()?;
        let span = target.span.to(value.span);
        Ok(Assignment {
            target,
            value,
            span,
        })
    }

    /// Whether a transition begins here.
    fn at_transition(&self) -> bool {
        let named = self.peek().kind == TokenKind::Name;
        self.is(usize::from(named), Punct::Arrow)
    }

    /// Passes over tokens until a clause of the process can begin.
    fn recover_clause(&mut self) {
        // Something must be passed over, but not the end of the process.
        let mut first = true;
        while !self.at_border() {
            match self.peek().kind {
                TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => self.skip_balanced(),
                TokenKind::Keyword(k) if CLAUSES.contains(&k) && !first => return,
                _ => {
                    self.bump();
                }
            }
            first = false;
        }
    }

    /// Passes over the rest of a transition that began at a position and is not understood.
    fn recover_transition(&mut self, start: usize) {
        while !self.at_border() {
            match self.peek().kind {
                TokenKind::Punct(Punct::RBrace | Punct::Semi | Punct::Comma) => return,
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    // A probabilistic transition has two pairs of braces.
                    if !self.at(Punct::LBrace) {
                        return;
                    }
                }
                TokenKind::Keyword(k) if CLAUSES.contains(&k) && self.at > start => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Passes over the rest of a part of a transition.
    fn recover_part(&mut self) {
        let mut first = true;
        while !self.at_border() {
            match self.peek().kind {
                TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => self.skip_balanced(),
                TokenKind::Keyword(Keyword::Trans) => return,
                TokenKind::Keyword(k) if PARTS.contains(&k) && !first => return,
                TokenKind::Name if !first && self.header() => return,
                _ => {
                    self.bump();
                }
            }
            first = false;
        }
    }

    /// Whether `p -> q {` stands here.
    fn header(&self) -> bool {
        self.is(1, Punct::Arrow)
            && self.peek_at(2).kind == TokenKind::Name
            && self.is(3, Punct::LBrace)
    }
}
