//! The replacement of macros.
//!
//! Text that a macro produced is scanned again, on a stack of contexts: one per expansion that is
//! not used up. While the context of a macro is on the stack, its name is not expanded; a name
//! met in that state is painted and stays as it is for ever, also when it is moved elsewhere as
//! an argument. This is how C compilers realise the hide sets of Prosser's algorithm (X3J11/86-196).
//!
//! A token of a macro's body carries the place of the call in the outermost real file, a token of
//! an argument keeps its own place inside that call. Both know the chain of expansions.

use std::sync::Arc;

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::{Expansion, ExpansionId, ExpansionKind, FileId, Span};

use super::{Macro, Meaning, Params, Preprocessor};
use crate::lexer::Lexer;
use crate::token::{Punct, Symbol, Token, TokenKind};
use lariat_ir::diagnostic::Sink;

/// Macro calls in arguments of macro calls, how deep.
const MAX_ARGUMENT_DEPTH: usize = 200;

/// Longest name or string that `#` and `##` may make.
const MAX_MADE: usize = 1 << 16;

/// Tokens that are to be read before anything else.
struct Context {
    tokens: Vec<Token>,
    next: usize,
    name: Option<Symbol>,
}

/// The stack of contexts.
#[derive(Default)]
pub(super) struct Expander {
    contexts: Vec<Context>,
    /// How often each macro is on the stack.
    active: Vec<u32>,
    /// A list is being expanded: do not read on in the file.
    lists: usize,
    /// A macro that stood at the start of a line produced nothing.
    newline: bool,
}

impl Expander {
    fn is_active(&self, name: Symbol) -> bool {
        self.active.get(name.index()).is_some_and(|n| *n > 0)
    }

    fn push(&mut self, tokens: Vec<Token>, name: Option<Symbol>) {
        if let Some(name) = name {
            if self.active.len() <= name.index() {
                self.active.resize(name.index() + 1, 0);
            }
            self.active[name.index()] += 1;
        }
        self.contexts.push(Context {
            tokens,
            next: 0,
            name,
        });
    }

    fn pop(&mut self) {
        if let Some(name) = self.contexts.pop().and_then(|c| c.name) {
            self.active[name.index()] -= 1;
        }
    }
}

impl Preprocessor<'_> {
    /// The next token, not expanded, from a context above `floor` or from the file.
    fn next_raw(&mut self, floor: usize) -> Token {
        let mut token = loop {
            if self.expander.contexts.len() <= floor {
                if self.expander.lists > 0 {
                    return Token {
                        kind: TokenKind::Eof,
                        span: Span::default(),
                        newline: false,
                        space: false,
                        painted: false,
                    };
                }
                break self.file_token();
            }
            if let Some(context) = self.expander.contexts.last_mut()
                && let Some(token) = context.tokens.get(context.next)
            {
                context.next += 1;
                break *token;
            }
            self.expander.pop();
        };
        if let TokenKind::Ident(name) = token.kind
            && self.expander.is_active(name)
        {
            token.painted = true;
        }
        token
    }

    /// Whether an opening parenthesis comes next.
    fn parenthesis_follows(&mut self, floor: usize) -> bool {
        for context in self.expander.contexts[floor..].iter().rev() {
            if let Some(token) = context.tokens.get(context.next) {
                return token.is(Punct::LParen);
            }
        }
        if self.expander.lists > 0 {
            return false;
        }
        match self.files.last_mut() {
            Some(open) => open.lexer.at_parenthesis(self.sink),
            None => false,
        }
    }

    /// The next token after expansion.
    pub(super) fn next_expanded(&mut self, floor: usize) -> Token {
        loop {
            let mut token = self.next_raw(floor);
            self.spend(1, token.span);
            if self.sink.stopped {
                token.kind = TokenKind::Eof;
            }
            if let TokenKind::Ident(name) = token.kind
                && !token.painted
                && let Some(found) = self.macros.table.get(&name)
            {
                let function_like = found.params.is_some();
                if !function_like || self.parenthesis_follows(floor) {
                    self.expand(name, token, floor);
                    continue;
                }
            }
            token.newline |= std::mem::take(&mut self.expander.newline);
            return token;
        }
    }

    /// Expands a list of tokens by itself, as for an argument.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        if self.expander.lists >= MAX_ARGUMENT_DEPTH {
            if let Some(first) = tokens.first() {
                let message = format!("macro calls are nested more than {MAX_ARGUMENT_DEPTH} deep");
                self.sink.fatal(Diagnostic::error(first.span, message));
            }
            return Vec::new();
        }
        let newline = std::mem::take(&mut self.expander.newline);
        let floor = self.expander.contexts.len();
        self.expander.lists += 1;
        self.expander.push(tokens, None);
        let mut result = Vec::new();
        loop {
            let token = self.next_expanded(floor);
            if token.kind == TokenKind::Eof {
                break;
            }
            result.push(token);
        }
        while self.expander.contexts.len() > floor {
            self.expander.pop();
        }
        self.expander.lists -= 1;
        self.expander.newline = newline;
        result
    }

    /// Puts what a macro produces on the stack.
    fn expand(&mut self, name: Symbol, call: Token, floor: usize) {
        let Some(Macro {
            params, meaning, ..
        }) = self.macros.table.get(&name).cloned()
        else {
            return;
        };
        let body = match meaning {
            Meaning::Text(body) => body,
            Meaning::File | Meaning::Line => {
                let (file, line) = self.location(call.span);
                let kind = if matches!(meaning, Meaning::File) {
                    TokenKind::Str(
                        self.names
                            .intern(&file.replace('\\', "\\\\").replace('"', "\\\"")),
                    )
                } else {
                    TokenKind::Number(self.names.intern(&line.to_string()))
                };
                self.expander.push(vec![Token { kind, ..call }], None);
                return;
            }
        };
        self.spend(8 + body.len() as u64, call.span);
        let mut span = call.span;
        let arguments = match &params {
            None => Vec::new(),
            Some(params) => match self.arguments(name, params, call, floor) {
                Some((arguments, close)) => {
                    span = span.to(close);
                    arguments
                }
                None => return,
            },
        };
        let produced = if body.is_empty() {
            Vec::new()
        } else {
            let expansion = self.sources.add_expansion(Expansion {
                kind: ExpansionKind::Macro,
                name: self.names.text(name).to_string(),
                call: span,
            });
            let place = Place {
                outer: span.expansion,
                span: Span { expansion, ..span },
            };
            self.substitute(&body, params.as_ref(), arguments, place)
        };
        self.spend(produced.len() as u64, call.span);
        let mut produced = produced;
        match produced.first_mut() {
            Some(first) => {
                first.newline = call.newline;
                first.space = call.space;
            }
            None => self.expander.newline |= call.newline,
        }
        self.expander.push(produced, Some(name));
    }

    /// Reads the arguments of a call, from the opening to the closing parenthesis.
    fn arguments(
        &mut self,
        name: Symbol,
        params: &Params,
        call: Token,
        floor: usize,
    ) -> Option<(Vec<Vec<Token>>, Span)> {
        self.next_raw(floor);
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        let close = loop {
            let mut token = self.next_raw(floor);
            self.spend(1, call.span);
            let variadic = params.variadic && arguments.len() >= params.names.len();
            match token.kind {
                TokenKind::Eof => {
                    let message = format!(
                        "the call of macro `{}` is never closed",
                        self.names.text(name)
                    );
                    self.sink
                        .fatal(Diagnostic::error(call.span, message).help("add `)`"));
                    return None;
                }
                TokenKind::Punct(Punct::RParen) if depth == 0 => break token.span,
                TokenKind::Punct(Punct::Comma) if depth == 0 && !variadic => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            token.space |= token.newline;
            token.newline = false;
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        };
        if params.names.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if params.variadic && arguments.len() + 1 == params.names.len() {
            arguments.push(Vec::new());
        }
        if arguments.len() != params.names.len() {
            let message = format!(
                "macro `{}` takes {}, but {} given",
                self.names.text(name),
                count(params.names.len(), "argument"),
                match arguments.len() {
                    1 => "1 is".to_string(),
                    n => format!("{n} are"),
                }
            );
            let span = call.span.to(close);
            let mut diagnostic = Diagnostic::error(span, message);
            if let Some(definition) = self.macros.table.get(&name) {
                diagnostic = diagnostic.related(definition.span, "it is defined here");
            }
            self.sink.fatal(diagnostic);
            return None;
        }
        Some((arguments, close))
    }

    /// The body with the arguments in their places.
    fn substitute(
        &mut self,
        body: &[(Token, Option<usize>)],
        params: Option<&Params>,
        arguments: Vec<Vec<Token>>,
        place: Place,
    ) -> Vec<Token> {
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut output: Vec<Token> = Vec::new();
        // The number of tokens before the operand on the left of a `##`.
        let mut left_start = 0;
        let mut at = 0;
        while let Some((token, param)) = body.get(at) {
            at += 1;
            if token.is(Punct::Hash) && params.is_some() {
                if let Some((_, Some(index))) = body.get(at) {
                    at += 1;
                    left_start = output.len();
                    let text = self.stringify(&arguments[*index]);
                    output.push(place.body(Token {
                        kind: TokenKind::Str(self.names.intern(&text)),
                        ..*token
                    }));
                    continue;
                }
                let message = "`#` in a macro must stand before a parameter";
                self.sink.report(Diagnostic::error(token.span, message));
                continue;
            }
            if token.is(Punct::HashHash) {
                let Some((right, right_param)) = body.get(at) else {
                    break;
                };
                at += 1;
                let operand: Vec<Token> = match right_param {
                    Some(index) => place.argument(&arguments[*index], right.space),
                    None => vec![place.body(*right)],
                };
                let rest = params.is_some_and(|p| {
                    p.variadic && *right_param == Some(p.names.len().saturating_sub(1))
                });
                let after_comma = output.last().is_some_and(|t| t.is(Punct::Comma));
                if rest && after_comma {
                    // GNU: `, ## __VA_ARGS__` drops the comma if there are no arguments.
                    if operand.is_empty() {
                        output.pop();
                    }
                    left_start = output.len();
                    output.extend(operand);
                    continue;
                }
                let has_left = output.len() > left_start;
                left_start = output.len().saturating_sub(1);
                let mut operand = operand.into_iter();
                if has_left
                    && let Some(left) = output.last().copied()
                    && let Some(right) = operand.next()
                {
                    output.pop();
                    output.extend(self.paste(left, right));
                }
                output.extend(operand);
                continue;
            }
            left_start = output.len();
            match param {
                None => output.push(place.body(*token)),
                Some(index) => {
                    let pasted = body.get(at).is_some_and(|(t, _)| t.is(Punct::HashHash));
                    if pasted {
                        output.extend(place.argument(&arguments[*index], token.space));
                    } else {
                        if expanded[*index].is_none() {
                            expanded[*index] = Some(self.expand_list(arguments[*index].clone()));
                        }
                        if let Some(tokens) = &expanded[*index] {
                            output.extend(place.argument(tokens, token.space));
                        }
                    }
                }
            }
            if self.work + output.len() as u64 > self.limits.work {
                self.spend(output.len() as u64, place.span);
                return Vec::new();
            }
        }
        output
    }

    /// The text of an argument as the content of a string.
    fn stringify(&mut self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && (token.space || token.newline) {
                text.push(' ');
            }
            let piece = token.text(&self.names);
            match token.kind {
                TokenKind::Str(_) | TokenKind::Char(_) => {
                    text.push_str(&piece.replace('\\', "\\\\").replace('"', "\\\""));
                }
                _ => text.push_str(&piece),
            }
            if text.len() > MAX_MADE {
                self.too_long(token.span);
                return String::new();
            }
        }
        self.work += text.len() as u64 / 4;
        text
    }

    fn too_long(&mut self, span: Span) {
        let message = "a macro makes a name or a string that is too long";
        self.sink.fatal(Diagnostic::error(span, message));
    }

    /// One token from two.
    fn paste(&mut self, left: Token, right: Token) -> Vec<Token> {
        let text = left.text(&self.names) + &right.text(&self.names);
        if text.len() > MAX_MADE {
            self.too_long(left.span);
            return Vec::new();
        }
        self.work += text.len() as u64 / 4;
        let mut quiet = Sink::default();
        let mut lexer = Lexer::new(FileId(0), Arc::from(text.as_str()));
        let token = lexer.next(&mut self.names, &mut quiet);
        let rest = lexer.next(&mut self.names, &mut quiet);
        if quiet.errors > 0 || rest.kind != TokenKind::Eof || token.kind == TokenKind::Eof {
            let message = format!(
                "`##` cannot make one token from {} and {}",
                left.describe(&self.names),
                right.describe(&self.names)
            );
            self.sink.report(Diagnostic::error(left.span, message));
            return vec![left, right];
        }
        vec![Token {
            kind: token.kind,
            painted: false,
            ..left
        }]
    }
}

/// Where the tokens of an expansion belong.
#[derive(Clone, Copy)]
struct Place {
    /// The expansion that the call itself comes from.
    outer: ExpansionId,
    /// The call, with the new expansion.
    span: Span,
}

impl Place {
    fn body(self, token: Token) -> Token {
        Token {
            span: self.span,
            newline: false,
            ..token
        }
    }

    /// Tokens of an argument; the first one is spaced as the parameter was.
    fn argument(self, tokens: &[Token], space: bool) -> Vec<Token> {
        let mut tokens = tokens.to_vec();
        for token in &mut tokens {
            token.newline = false;
            if token.span.expansion == self.outer {
                token.span.expansion = self.span.expansion;
            }
        }
        if let Some(first) = tokens.first_mut() {
            first.space = space;
        }
        tokens
    }
}

/// `1 argument`, `2 arguments`
pub(crate) fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
