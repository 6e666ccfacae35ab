//! Inlines: definitions kept as tokens, calls parsed in place.
//!
//! As in SPIN, a call is replaced by the body between braces, with every parameter replaced by the
//! tokens of its argument. Tokens of the body keep their place, with an expansion that leads to
//! the call; tokens of an argument keep the place where they were written. `x = f(...)` is a call
//! in which `return e` means `x = e`, without a jump.

use std::collections::HashMap;
use std::rc::Rc;

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::{Expansion, ExpansionId, ExpansionKind, SourceMap, Span};

use super::{Parsed, Parser, eof};
use crate::ast::*;
use crate::preprocess::count;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// Tokens that all calls together may produce.
pub(super) const MAX_SPLICED: usize = 2_000_000;

/// A definition.
pub(super) struct Inline {
    name: Symbol,
    span: Span,
    params: Vec<Symbol>,
    /// What stands between the braces.
    body: Vec<Token>,
    braces: Span,
}

/// A call that is being parsed.
pub(super) struct Call {
    name: Symbol,
    pub(super) span: Span,
    /// What `return` assigns to.
    pub(super) target: Option<VarRef>,
}

impl Parser<'_> {
    /// Remembers all definitions. Errors in them are reported when the parser gets there.
    pub(super) fn collect_inlines(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].keyword() != Some(Keyword::Inline) {
                at += 1;
                continue;
            }
            match self.scan_inline(tokens, at) {
                Ok((inline, end)) => {
                    self.inlines.entry(inline.name).or_insert(Rc::new(inline));
                    at = end;
                }
                Err((end, _)) => at = end.max(at + 1),
            }
        }
    }

    /// The definition that starts at a position, and where it ends.
    fn scan_inline(&self, tokens: &[Token], at: usize) -> Result<(Inline, usize), (usize, String)> {
        let name = |at: usize| match tokens.get(at).map(|t| t.kind) {
            Some(TokenKind::Ident(s)) if s.keyword().is_none() => Some(s),
            _ => None,
        };
        let is = |at: usize, punct: Punct| tokens.get(at).is_some_and(|t| t.is(punct));
        let wrong = |at: usize, expected: &str| (at, expected.to_string());
        let mut next = at + 1;
        let symbol = name(next).ok_or_else(|| wrong(next, "the name of the inline"))?;
        let span = tokens[next].span;
        next += 1;
        if !is(next, Punct::LParen) {
            return Err(wrong(next, "`(` behind the name of the inline"));
        }
        next += 1;
        let mut params = Vec::new();
        while !is(next, Punct::RParen) {
            params.push(name(next).ok_or_else(|| wrong(next, "the name of a parameter or `)`"))?);
            next += 1;
            if is(next, Punct::Comma) {
                next += 1;
            } else if !is(next, Punct::RParen) {
                return Err(wrong(next, "`,` or `)` behind a parameter"));
            }
        }
        next += 1;
        if !is(next, Punct::LBrace) {
            return Err(wrong(next, "`{` to open the body of the inline"));
        }
        let open = next;
        let mut depth = 0usize;
        loop {
            match tokens.get(next).map(|t| t.kind) {
                None | Some(TokenKind::Eof) => {
                    return Err(wrong(next, "`}` to close the body of the inline"));
                }
                Some(TokenKind::Punct(Punct::LBrace)) => depth += 1,
                Some(TokenKind::Punct(Punct::RBrace)) => depth -= 1,
                _ => {}
            }
            next += 1;
            if depth == 0 {
                break;
            }
        }
        let inline = Inline {
            name: symbol,
            span,
            params,
            body: tokens[open + 1..next - 1].to_vec(),
            braces: tokens[open].span.to(tokens[next - 1].span),
        };
        Ok((inline, next))
    }

    /// Passes over a definition and reports what is wrong with it.
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        let tokens = self.tokens.clone();
        match self.scan_inline(&tokens, self.at) {
            Ok((inline, end)) => {
                if let Some(first) = self.inlines.get(&inline.name)
                    && first.span != inline.span
                {
                    let text = self.names.text(inline.name);
                    let message = format!("inline `{text}` is defined twice");
                    let diagnostic = Diagnostic::error(inline.span, message)
                        .related(first.span, "the first definition");
                    self.error(diagnostic);
                }
                self.at = end;
                self.previous = tokens[end - 1];
                Ok(())
            }
            Err((at, expected)) => {
                self.at = at.min(tokens.len() - 1);
                self.unexpected(&expected)
            }
        }
    }

    /// Whether a call of a known inline starts here.
    pub(super) fn at_inline_call(&self) -> bool {
        self.name_at(0)
            .is_some_and(|s| self.inlines.contains_key(&s))
            && self.peek_at(1).is(Punct::LParen)
    }

    /// A call; the result is the block that it stands for.
    pub(super) fn inline_call(&mut self, target: Option<VarRef>) -> Parsed<(StmtKind, Span)> {
        let name_token = self.peek();
        let TokenKind::Ident(name) = name_token.kind else {
            return self.unexpected("the name of an inline");
        };
        let Some(inline) = self.inlines.get(&name).cloned() else {
            return self.unexpected("the name of an inline");
        };
        let start = self.at;
        self.bump();
        let (arguments, end) = self.call_arguments(name)?;
        let span = name_token.span.to(end);
        let text = self.names.text(name).to_string();
        if let Some(first) = self.calls.iter().position(|c| c.name == name) {
            let mut chain: Vec<&str> = self.calls[first..]
                .iter()
                .map(|c| self.names.text(c.name))
                .collect();
            chain.push(&text);
            let chain = chain.join("` -> `");
            let message = format!("inline `{text}` calls itself");
            let diagnostic = Diagnostic::error(name_token.span, message)
                .related(self.calls[first].span, "the outer call")
                .help(format!(
                    "the chain of calls is `{chain}`; inlines are replaced by their text, use a `proctype` instead"
                ));
            return self.fail_at(start, diagnostic);
        }
        if arguments.len() != inline.params.len() {
            let message = format!(
                "inline `{text}` has {}, but the call has {}",
                count(inline.params.len(), "parameter"),
                count(arguments.len(), "argument"),
            );
            let diagnostic =
                Diagnostic::error(span, message).related(inline.span, "it is defined here");
            return self.fail_at(start, diagnostic);
        }
        let tokens = self.splice(&inline, &arguments, span)?;
        let block = self.parse_spliced(tokens, inline.braces, Call { name, span, target })?;
        Ok((StmtKind::Block(block), span))
    }

    /// An error at a token that has been passed.
    fn fail_at<T>(&mut self, at: usize, diagnostic: Diagnostic) -> Parsed<T> {
        let here = std::mem::replace(&mut self.at, at);
        self.error(diagnostic);
        self.at = here;
        Err(super::Failed)
    }

    /// The arguments between parentheses, and the place of the closing one.
    fn call_arguments(&mut self, name: Symbol) -> Parsed<(Vec<Vec<Token>>, Span)> {
        let open = self.expect(Punct::LParen, "to open the list of arguments")?;
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Eof => {
                    let text = self.names.text(name);
                    let message = format!("the call of inline `{text}` is never closed");
                    return self.fail(Diagnostic::error(open, message).label("opened here"));
                }
                TokenKind::Punct(Punct::RParen) if depth == 0 => {
                    self.bump();
                    break;
                }
                TokenKind::Punct(Punct::Comma) if depth == 0 => {
                    self.bump();
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Punct(Punct::Semi | Punct::RBrace) if depth == 0 => {
                    return self.unexpected("`,` or `)` in the list of arguments");
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        }
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        Ok((arguments, self.previous.span))
    }

    /// The body with the arguments put in.
    fn splice(
        &mut self,
        inline: &Inline,
        arguments: &[Vec<Token>],
        call: Span,
    ) -> Parsed<Vec<Token>> {
        let expansion = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: self.names.text(inline.name).to_string(),
            call,
        });
        let mut renewed = HashMap::from([(ExpansionId::NONE, expansion)]);
        let mut tokens = Vec::with_capacity(inline.body.len() + 1);
        for token in &inline.body {
            let param = match token.kind {
                TokenKind::Ident(symbol) => inline.params.iter().position(|p| *p == symbol),
                _ => None,
            };
            match param {
                Some(index) => {
                    for (i, argument) in arguments[index].iter().enumerate() {
                        tokens.push(Token {
                            newline: i == 0 && token.newline,
                            ..*argument
                        });
                    }
                }
                None => {
                    let mut token = *token;
                    token.span.expansion = renew(self.sources, &mut renewed, token.span.expansion);
                    tokens.push(token);
                }
            }
            if self.spliced + tokens.len() > self.most_spliced {
                let help = match self.most_spliced < MAX_SPLICED {
                    true => "there is no memory for more; a larger --memory allows more",
                    false => "look for inlines that call others several times",
                };
                self.sink.fatal(
                    Diagnostic::error(call, "the model is too large after expanding its inlines")
                        .help(help),
                );
                return Err(super::Failed);
            }
        }
        self.spliced += tokens.len();
        tokens.push(eof(Span {
            expansion,
            ..inline.braces
        }));
        Ok(tokens)
    }

    /// Allows only so many tokens of inlines.
    pub(crate) fn limit_spliced(&mut self, tokens: usize) {
        self.most_spliced = MAX_SPLICED.min(tokens);
    }

    /// Parses the statements of a call.
    fn parse_spliced(&mut self, tokens: Vec<Token>, braces: Span, call: Call) -> Parsed<Block> {
        self.enter_block()?;
        let expansion = tokens
            .last()
            .map_or(ExpansionId::NONE, |t| t.span.expansion);
        self.lists += 1;
        let saved = (
            std::mem::replace(&mut self.tokens, tokens.into()),
            std::mem::replace(&mut self.at, 0),
            std::mem::replace(&mut self.list, self.lists),
            self.previous,
            std::mem::take(&mut self.openers),
        );
        self.calls.push(call);
        let mut steps = Vec::new();
        loop {
            self.sequence(&mut steps);
            if self.peek().kind == TokenKind::Eof {
                break;
            }
            // A closing word or a unit in the middle of the body.
            let _: Parsed<()> = self.unexpected("a statement");
            self.bump();
        }
        self.calls.pop();
        (self.tokens, self.at, self.list, self.previous, self.openers) = saved;
        self.leave_block();
        Ok(Block {
            steps,
            span: Span {
                expansion,
                ..braces
            },
        })
    }
}

/// The same chain of expansions as before, but inside the call of an inline.
fn renew(
    sources: &mut SourceMap,
    renewed: &mut HashMap<ExpansionId, ExpansionId>,
    id: ExpansionId,
) -> ExpansionId {
    // Walk outwards to what is known, then come back.
    let mut chain: Vec<(ExpansionId, Expansion)> = Vec::new();
    let mut outer = id;
    let mut new = loop {
        if let Some(known) = renewed.get(&outer) {
            break *known;
        }
        match sources.expansion(outer).cloned() {
            Some(expansion) => {
                let next = expansion.call.expansion;
                chain.push((outer, expansion));
                outer = next;
            }
            None => break ExpansionId::NONE,
        }
    };
    for (old, mut expansion) in chain.into_iter().rev() {
        expansion.call.expansion = new;
        new = sources.add_expansion(expansion);
        renewed.insert(old, new);
    }
    new
}
