//! Expressions.
//!
//! From loose to tight: `imply`; `&&` and `||` (also `and`, `or`), on one level; `|`, `&` and `^`, on
//! one level; equality; order; shifts; sums; products; the operators with one operand. All binary
//! operators associate to the left. So `a || b && c` means `(a || b) && c`, unlike in C, and the
//! user is told.

use lariat_ir::diagnostic::Diagnostic;

use super::{Failed, MAX_OPERATORS, Parsed, Parser};
use crate::ast::*;
use crate::pretty::expression_text;
use crate::token::{Keyword, Punct, Token, TokenKind, shorten};

impl Parser<'_> {
    /// A full expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        if self.nesting == 0 {
            self.operators = 0;
            self.told = false;
        }
        self.enter()?;
        let left = self.operand()?;
        let expr = self.binary(left, 0)?;
        self.leave();
        Ok(expr)
    }

    /// Operators that bind at least as tightly as `minimum`.
    fn binary(&mut self, mut left: Expr, minimum: u8) -> Parsed<Expr> {
        let mut before = None;
        while let Some(operator) = self.operator() {
            if operator.level() < minimum {
                break;
            }
            let token = self.bump();
            self.count(operator)?;
            if (before, operator) == (Some(BinaryOp::Or), BinaryOp::And) {
                let message = "in DVE `&&` does not bind more tightly than `||`; both are read from left to right";
                self.tell(token, &left, message);
            }
            if matches!(operator.level(), 4 | 5) && self.is_open_negation(&left) {
                let message = format!("`not` binds more tightly than `{}`", operator.text());
                self.tell(token, &left, &message);
            }
            let right = self.operand()?;
            let right = self.binary(right, operator.level() + 1)?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                span,
            };
            before = Some(operator);
        }
        Ok(left)
    }

    /// Counts an operator of the current expression. An implication becomes two later on.
    fn count(&mut self, operator: BinaryOp) -> Parsed<()> {
        self.operators += 1 + usize::from(operator == BinaryOp::Imply);
        if self.operators > MAX_OPERATORS {
            let message = format!("the expression has more than {MAX_OPERATORS} operators");
            let span = self.previous().span;
            self.sink.fatal(Diagnostic::error(span, message));
            return Err(Failed);
        }
        Ok(())
    }

    /// Whether an operand is `not a` without parentheses around it.
    fn is_open_negation(&self, e: &Expr) -> bool {
        let first = self.text.as_bytes().get(e.span.start as usize);
        matches!(e.kind, ExprKind::Unary(UnaryOp::Not, _)) && first != Some(&b'(')
    }

    /// Warns of an operator that does not bind as most readers think.
    fn tell(&mut self, token: Token, left: &Expr, message: &str) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        let short = left.span.end - left.span.start < 60;
        let read = match short {
            true => format!("({}) {}", expression_text(left), self.word(token)),
            false => format!("(...) {}", self.word(token)),
        };
        self.sink
            .report(Diagnostic::warning(token.span, message).help(format!(
                "this is read as `{read} ...`; write the parentheses that you mean"
            )));
    }

    /// The binary operator at the current position.
    fn operator(&self) -> Option<BinaryOp> {
        Some(match self.peek().kind {
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Imply => BinaryOp::Imply,
                Keyword::Or => BinaryOp::Or,
                Keyword::And => BinaryOp::And,
                _ => return None,
            },
            TokenKind::Punct(punct) => match punct {
                Punct::OrOr => BinaryOp::Or,
                Punct::AndAnd => BinaryOp::And,
                Punct::Or => BinaryOp::BitOr,
                Punct::And => BinaryOp::BitAnd,
                Punct::Caret => BinaryOp::BitXor,
                Punct::Equal => BinaryOp::Equal,
                Punct::NotEqual => BinaryOp::NotEqual,
                Punct::Less => BinaryOp::Less,
                Punct::LessEqual => BinaryOp::LessEqual,
                Punct::Greater => BinaryOp::Greater,
                Punct::GreaterEqual => BinaryOp::GreaterEqual,
                Punct::ShiftLeft => BinaryOp::ShiftLeft,
                Punct::ShiftRight => BinaryOp::ShiftRight,
                Punct::Plus => BinaryOp::Add,
                Punct::Minus => BinaryOp::Subtract,
                Punct::Star => BinaryOp::Multiply,
                Punct::Slash => BinaryOp::Divide,
                Punct::Percent => BinaryOp::Remainder,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// An operand: operators with one operand, parentheses, numbers, references.
    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let operator = match token.kind {
            TokenKind::Number => {
                let value = self.number(token)?;
                return Ok(Expr {
                    kind: ExprKind::Number(value),
                    span: token.span,
                });
            }
            TokenKind::Keyword(word @ (Keyword::True | Keyword::False)) => {
                self.bump();
                return Ok(Expr {
                    kind: ExprKind::Bool(word == Keyword::True),
                    span: token.span,
                });
            }
            TokenKind::Name => return self.reference(),
            TokenKind::Punct(Punct::LParen) => return self.parenthesis(),
            TokenKind::Keyword(Keyword::Not) | TokenKind::Punct(Punct::Bang) => UnaryOp::Not,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Minus,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::Complement,
            _ => return self.unexpected("an expression"),
        };
        self.bump();
        self.enter()?;
        let operand = self.operand()?;
        self.leave();
        let span = token.span.to(operand.span);
        Ok(Expr {
            kind: ExprKind::Unary(operator, Box::new(operand)),
            span,
        })
    }

    /// A number.
    pub(super) fn number(&mut self, token: Token) -> Parsed<i32> {
        let word = self.word(token);
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let value = match word.parse::<i32>() {
            Ok(value) if digits => value,
            _ => {
                let why = if digits {
                    "is too large; the greatest number is 2147483647"
                } else {
                    "is not a number; numbers consist of the digits 0 to 9"
                };
                let message = format!("`{}` {why}", shorten(word));
                return self.fail(Diagnostic::error(token.span, message));
            }
        };
        self.bump();
        Ok(value)
    }

    fn parenthesis(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let mut expr = self.expr()?;
        if !self.at(Punct::RParen) {
            let token = self.peek();
            let found = self.describe(token);
            let message = format!("expected an operator or `)`, found {found}");
            let mut diagnostic = Diagnostic::error(token.span, message)
                .related(open, "the parenthesis is opened here");
            if let Some(help) = self.hint(token, &[]) {
                diagnostic = diagnostic.help(help);
            }
            return self.fail(diagnostic);
        }
        let close = self.bump().span;
        expr.span = open.to(close);
        Ok(expr)
    }

    /// `x`, `x[e]`, `P.q`, `P->x` or `P->x[e]`
    fn reference(&mut self) -> Parsed<Expr> {
        let name = self.expect_name("a name")?;
        let start = name.span;
        let kind = if self.eat(Punct::Dot) {
            ExprKind::At {
                process: name,
                state: self.expect_name("the name of a state")?,
            }
        } else if self.eat(Punct::Arrow) {
            ExprKind::Remote {
                process: name,
                var: self.place("the name of a variable")?,
            }
        } else {
            ExprKind::Var(self.indexed(name)?)
        };
        Ok(Expr {
            kind,
            span: start.to(self.previous().span),
        })
    }

    /// `x` or `x[e]`
    pub(super) fn place(&mut self, what: &str) -> Parsed<Place> {
        let name = self.expect_name(what)?;
        self.indexed(name)
    }

    /// What may follow the name of a variable.
    fn indexed(&mut self, name: Ident) -> Parsed<Place> {
        let mut index = None;
        if self.eat(Punct::LBracket) {
            index = Some(Box::new(self.expr()?));
            self.expect(Punct::RBracket, "after the index")?;
            if self.at(Punct::LBracket) {
                let span = self.peek().span;
                let message = format!("`{}` can have only one index", shorten(&name.name));
                return self.fail(Diagnostic::error(span, message).help(
                    "DVE has arrays of one dimension; compute the index, as in `x[4 * i + j]`",
                ));
            }
        }
        let span = name.span.to(self.previous().span);
        Ok(Place { name, index, span })
    }
}
