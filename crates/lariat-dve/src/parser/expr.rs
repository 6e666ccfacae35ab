//! Expressions.
//!
//! From loose to tight: `imply`; `&&` and `||` (also `and`, `or`), on one level; `|`, `&` and `^`, on
//! one level; equality; order; shifts; sums; products; the operators with one operand. All binary
//! operators associate to the left. So `a || b && c` means `(a || b) && c`, unlike in C, and the
//! user is told.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::operators::{MAX_HEIGHT, Operator, OperatorSequence, Tall};

use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::pretty::expression_text;
use crate::token::{Keyword, Punct, Token, TokenKind, shorten};

impl Parser<'_> {
    /// A full expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        if self.nesting == 0 {
            self.told = false;
        }
        self.enter()?;
        let left = self.tall_operand()?;
        let expr = self.binary(left, 0)?;
        self.leave();
        self.height = self.height.max(expr.height);
        Ok(expr.expr)
    }

    /// Operators that bind at least as tightly as `minimum`.
    fn binary(&mut self, left: Tall<Expr>, minimum: u8) -> Parsed<Tall<Expr>> {
        let mut sequence = OperatorSequence::new(left);
        let mut before = None;
        while let Some(operator) = self.operator() {
            if operator.level() < minimum {
                break;
            }
            if !sequence.continues(operator) {
                sequence = OperatorSequence::new(self.join(sequence)?);
            }
            let token = self.bump();
            if let Some(left) = sequence.single() {
                if (before, operator) == (Some(BinaryOp::Or), BinaryOp::And) {
                    let message = "in DVE `&&` does not bind more tightly than `||`; both are read from left to right";
                    let shown = self.shown(left);
                    self.tell(token, &shown, message);
                }
                if matches!(operator.level(), 4 | 5) && self.is_open_negation(left) {
                    let message = format!("`not` binds more tightly than `{}`", operator.text());
                    let shown = self.shown(left);
                    self.tell(token, &shown, &message);
                }
            }
            let right = self.tall_operand()?;
            let right = self.binary(right, operator.level() + 1)?;
            sequence.push(operator, right);
            before = Some(operator);
        }
        self.join(sequence)
    }

    /// The tree of a sequence of operators.
    fn join(&mut self, sequence: OperatorSequence<BinaryOp, Expr>) -> Parsed<Tall<Expr>> {
        // An implication becomes two operators later on.
        let mut more = 0;
        let mut tree = sequence.join(&mut |operator, left, right| {
            more += usize::from(operator == BinaryOp::Imply);
            Expr {
                span: left.span.to(right.span),
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            }
        });
        tree.height += more;
        if tree.height > MAX_HEIGHT {
            let message = format!(
                "more than {MAX_HEIGHT} operators of this expression are inside each other"
            );
            let span = self.previous().span;
            self.sink.fatal(Diagnostic::error(span, message));
            return Err(Failed);
        }
        Ok(tree)
    }

    /// An operand with its height.
    fn tall_operand(&mut self) -> Parsed<Tall<Expr>> {
        let outside = std::mem::take(&mut self.height);
        let expr = self.operand()?;
        let height = self.height + 1;
        self.height = outside;
        Ok(Tall { expr, height })
    }

    /// Whether an operand is `not a` without parentheses around it.
    fn is_open_negation(&self, e: &Expr) -> bool {
        let first = self.text.as_bytes().get(e.span.start as usize);
        matches!(e.kind, ExprKind::Unary(UnaryOp::Not, _)) && first != Some(&b'(')
    }

    /// The text of an operand, if it is short.
    fn shown(&self, e: &Expr) -> String {
        match e.span.end - e.span.start < 60 {
            true => expression_text(e),
            false => "...".to_string(),
        }
    }

    /// Warns of an operator that does not bind as most readers think.
    fn tell(&mut self, token: Token, left: &str, message: &str) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        let read = format!("({left}) {}", self.word(token));
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
        let operand = self.tall_operand()?;
        self.height = self.height.max(operand.height);
        let operand = operand.expr;
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

impl Operator for BinaryOp {
    fn group(self) -> Option<u8> {
        Some(match self {
            BinaryOp::Add | BinaryOp::Subtract => 0,
            BinaryOp::Multiply => 1,
            BinaryOp::BitAnd => 2,
            BinaryOp::BitOr => 3,
            BinaryOp::BitXor => 4,
            BinaryOp::And => 5,
            BinaryOp::Or => 6,
            _ => return None,
        })
    }

    fn inverse(self) -> Option<Self> {
        match self {
            BinaryOp::Add => Some(BinaryOp::Subtract),
            BinaryOp::Subtract => Some(BinaryOp::Add),
            _ => None,
        }
    }

    fn inverts(self) -> bool {
        self == BinaryOp::Subtract
    }
}
