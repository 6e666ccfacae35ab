//! The conditions of `#if` and `#elif`.
//!
//! The line is expanded after `defined X` has been replaced, names that remain are zero, and the
//! rest is an integer expression of C. Operands that are not needed are parsed but not evaluated,
//! so `defined(N) && 10 / N > 2` is fine without `N`.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::Span;

use super::Preprocessor;
use crate::lexer::{character_value, number_value};
use crate::token::{Interner, Punct, Token, TokenKind};

/// Parentheses and operators in each other, how deep.
const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// Evaluates the rest of the line; an error counts as false.
    pub(super) fn condition(&mut self, directive: Span) -> bool {
        let line = self.line_tokens();
        self.spend(line.len() as u64, directive);
        let result = self.replace_defined(line, directive).and_then(|tokens| {
            let tokens = self.expand_list(tokens);
            if self.sink.stopped {
                return Ok(0);
            }
            let mut evaluator = Evaluator {
                tokens: &tokens,
                at: 0,
                depth: 0,
                names: &self.names,
                end: directive,
            };
            evaluator.whole()
        });
        match result {
            Ok(value) => value != 0,
            Err(diagnostic) => {
                // Whether the group is wanted is unknown, so nothing behind it can be trusted.
                self.sink.fatal(diagnostic);
                false
            }
        }
    }

    fn replace_defined(
        &mut self,
        line: Vec<Token>,
        directive: Span,
    ) -> Result<Vec<Token>, Diagnostic> {
        let defined = self.names.intern("defined");
        let (zero, one) = (self.names.intern("0"), self.names.intern("1"));
        let mut result = Vec::with_capacity(line.len());
        let mut at = 0;
        while let Some(token) = line.get(at).copied() {
            at += 1;
            if token.kind != TokenKind::Ident(defined) {
                result.push(token);
                continue;
            }
            let parenthesis = line.get(at).is_some_and(|t| t.is(Punct::LParen));
            at += usize::from(parenthesis);
            let Some(TokenKind::Ident(name)) = line.get(at).map(|t| t.kind) else {
                let span = line.get(at).map_or(directive, |t| t.span);
                return Err(Diagnostic::error(span, "expected a name behind `defined`"));
            };
            at += 1;
            if parenthesis {
                if !line.get(at).is_some_and(|t| t.is(Punct::RParen)) {
                    let message = "expected `)` to close `defined(`";
                    return Err(Diagnostic::error(token.span, message));
                }
                at += 1;
            }
            let value = if self.macros.table.contains_key(&name) {
                one
            } else {
                zero
            };
            result.push(Token {
                kind: TokenKind::Number(value),
                ..token
            });
        }
        Ok(result)
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    names: &'a Interner,
    end: Span,
}

type Value = Result<i64, Diagnostic>;

impl Evaluator<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.peek().is_some_and(|t| t.is(punct));
        self.at += usize::from(found);
        found
    }

    fn span(&self) -> Span {
        self.peek().map_or(self.end, |t| t.span)
    }

    fn expected<T>(&self, what: &str) -> Result<T, Diagnostic> {
        let found = self.peek().map_or("the end of the line".to_string(), |t| {
            t.describe(self.names)
        });
        let message = format!("expected {what} in the condition, found {found}");
        Err(Diagnostic::error(self.span(), message))
    }

    fn whole(&mut self) -> Value {
        let value = self.conditional(true)?;
        match self.peek() {
            None => Ok(value),
            Some(_) => self.expected("an operator"),
        }
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("the condition is nested more than {MAX_DEPTH} deep");
            return Err(Diagnostic::error(self.span(), message));
        }
        Ok(())
    }

    /// `a ? b : c`
    fn conditional(&mut self, needed: bool) -> Value {
        self.deeper()?;
        let mut value = self.binary(0, needed)?;
        if self.eat(Punct::Question) {
            let then = self.conditional(needed && value != 0)?;
            if !self.eat(Punct::Colon) {
                return self.expected("`:`");
            }
            let other = self.conditional(needed && value == 0)?;
            value = if value != 0 { then } else { other };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, minimum: u8, needed: bool) -> Value {
        let mut left = self.unary(needed)?;
        while let Some(token) = self.peek() {
            let TokenKind::Punct(operator) = token.kind else {
                break;
            };
            let Some(precedence) = precedence(operator).filter(|p| *p >= minimum) else {
                break;
            };
            self.at += 1;
            let right_needed = needed
                && match operator {
                    Punct::AndAnd => left != 0,
                    Punct::OrOr => left == 0,
                    _ => true,
                };
            let right = self.binary(precedence + 1, right_needed)?;
            left = apply(operator, left, right, needed).ok_or_else(|| {
                Diagnostic::error(token.span, "division by zero in the condition")
            })?;
        }
        Ok(left)
    }

    fn unary(&mut self, needed: bool) -> Value {
        let Some(token) = self.peek() else {
            return self.expected("a value");
        };
        self.deeper()?;
        let value = match token.kind {
            TokenKind::Punct(Punct::LParen) => {
                self.at += 1;
                let value = self.conditional(needed)?;
                if !self.eat(Punct::RParen) {
                    return self.expected("`)`");
                }
                value
            }
            TokenKind::Punct(
                operator @ (Punct::Bang
                | Punct::BangBang
                | Punct::Minus
                | Punct::MinusMinus
                | Punct::Plus
                | Punct::Tilde),
            ) => {
                self.at += 1;
                let value = self.unary(needed)?;
                match operator {
                    Punct::Bang => i64::from(value == 0),
                    Punct::BangBang => i64::from(value != 0),
                    Punct::Minus => value.wrapping_neg(),
                    Punct::Tilde => !value,
                    _ => value,
                }
            }
            TokenKind::Number(text) => {
                self.at += 1;
                self.number(self.names.text(text), token.span)?
            }
            TokenKind::Char(text) => {
                self.at += 1;
                character_value(self.names.text(text)).ok_or_else(|| {
                    Diagnostic::error(token.span, "this is not a single character")
                })?
            }
            // What is still a name is not a macro, and counts as zero.
            TokenKind::Ident(_) => {
                self.at += 1;
                0
            }
            _ => return self.expected("a value"),
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A number of C: also octal, with the suffixes `u` and `l`.
    fn number(&self, text: &str, span: Span) -> Value {
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let octal = digits.len() > 1 && digits.bytes().all(|b| b.is_ascii_digit());
        let value = match digits.strip_prefix('0').filter(|_| octal) {
            Some(rest) => i64::from_str_radix(rest, 8).map_err(|_| "is not a number".to_string()),
            None => number_value(digits),
        };
        value.map_err(|why| Diagnostic::error(span, format!("`{text}` {why}")))
    }
}

fn precedence(operator: Punct) -> Option<u8> {
    Some(match operator {
        Punct::OrOr => 0,
        Punct::AndAnd => 1,
        Punct::Or => 2,
        Punct::Caret => 3,
        Punct::And => 4,
        Punct::Eq | Punct::Ne => 5,
        Punct::Lt | Punct::Le | Punct::Gt | Punct::Ge => 6,
        Punct::Shl | Punct::Shr => 7,
        Punct::Plus | Punct::Minus => 8,
        Punct::Star | Punct::Slash | Punct::Percent => 9,
        _ => return None,
    })
}

/// `None` for a division by zero whose value is needed.
fn apply(operator: Punct, a: i64, b: i64, needed: bool) -> Option<i64> {
    let divisor = if b == 0 && !needed { 1 } else { b };
    Some(match operator {
        Punct::OrOr => i64::from(a != 0 || b != 0),
        Punct::AndAnd => i64::from(a != 0 && b != 0),
        Punct::Or => a | b,
        Punct::Caret => a ^ b,
        Punct::And => a & b,
        Punct::Eq => i64::from(a == b),
        Punct::Ne => i64::from(a != b),
        Punct::Lt => i64::from(a < b),
        Punct::Le => i64::from(a <= b),
        Punct::Gt => i64::from(a > b),
        Punct::Ge => i64::from(a >= b),
        Punct::Shl => a.wrapping_shl(b as u32),
        Punct::Shr => a.wrapping_shr(b as u32),
        Punct::Plus => a.wrapping_add(b),
        Punct::Minus => a.wrapping_sub(b),
        Punct::Star => a.wrapping_mul(b),
        Punct::Slash if divisor != 0 => a.wrapping_div(divisor),
        Punct::Percent if divisor != 0 => a.wrapping_rem(divisor),
        _ => return None,
    })
}
