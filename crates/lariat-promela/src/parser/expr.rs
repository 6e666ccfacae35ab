//! Expressions, formulas, references and the arguments of receives.
//!
//! Precedences are those of SPIN's grammar, from loose to tight: `->` and `<->` (formulas only),
//! `||`, `&&`, `U W V`, `|`, `^`, `&`, equality, order, shifts, sums, products, and the operators
//! with one operand. All binary operators associate to the left, also `->` and `U`. There is one
//! difference: `[] x == 1`, which SPIN reads as `([] x) == 1` and makes nonsense of, means
//! `[] (x == 1)`, because nothing can be computed from the truth of a formula.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::operators::{MAX_HEIGHT, Operator, OperatorSequence, Tall};
use lariat_ir::source::Span;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lexer::{character_value, number_value};
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind, shorten};

/// The tightest precedence that belongs to logic; what is tighter computes values.
const COMPUTES: u8 = 5;

/// What a name at the start of an operand stands for.
pub(super) enum Reference {
    /// A variable of the process or of the model.
    Variable(VarRef),
    /// A label or variable of another process.
    Remote(Expr),
}

impl Parser<'_> {
    /// A full expression; a formula inside an `ltl` block.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let left = self.tall_operand()?;
        let expr = self.binary(left, 0)?;
        self.leave();
        Ok(self.finish(expr))
    }

    /// The rest of an expression whose first operand, a reference, has just been parsed at the
    /// beginning of a statement.
    pub(super) fn continue_expr(&mut self, left: Expr) -> Parsed<Expr> {
        let left = Tall {
            expr: left,
            height: self.height + 1,
        };
        let expr = self.binary(left, 0)?;
        Ok(self.finish(expr))
    }

    /// Remembers the height of an expression, which may be part of another one.
    fn finish(&mut self, expr: Tall<Expr>) -> Expr {
        self.height = self.height.max(expr.height);
        expr.expr
    }

    /// Operators that bind at least as tightly as `minimum`.
    fn binary(&mut self, left: Tall<Expr>, minimum: u8) -> Parsed<Tall<Expr>> {
        let mut sequence = OperatorSequence::new(left);
        while let Some((operator, precedence, tokens)) = self.operator() {
            if precedence < minimum {
                break;
            }
            if !sequence.continues(operator) {
                sequence = OperatorSequence::new(self.join(sequence)?);
            }
            for _ in 0..tokens {
                self.bump();
            }
            let right = self.tall_operand()?;
            let right = self.binary(right, precedence + 1)?;
            sequence.push(operator, right);
        }
        self.join(sequence)
    }

    /// The tree of a sequence of operators.
    fn join(&mut self, sequence: OperatorSequence<BinaryOp, Expr>) -> Parsed<Tall<Expr>> {
        let tree = sequence.join(&mut |operator, left, right| Expr {
            span: left.span.to(right.span),
            kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        });
        if tree.height > MAX_HEIGHT {
            let message = format!(
                "more than {MAX_HEIGHT} operators of this expression are inside each other"
            );
            let span = self.previous.span;
            self.sink.fatal(Diagnostic::error(span, message));
            return Err(super::Failed);
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

    /// The binary operator at the current position, with its precedence and number of tokens.
    fn operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let token = self.peek();
        let (operator, precedence) = match token.kind {
            TokenKind::Punct(punct) => match punct {
                Punct::Arrow if self.formula => (BinaryOp::Implies, 0),
                Punct::Lt if self.formula && self.peek_at(1).is(Punct::Arrow) => {
                    return Some((BinaryOp::Equivalent, 0, 2));
                }
                Punct::OrOr => (BinaryOp::Or, 1),
                Punct::AndAnd => (BinaryOp::And, 2),
                Punct::Or => (BinaryOp::BitOr, 5),
                Punct::Caret => (BinaryOp::BitXor, 6),
                Punct::And => (BinaryOp::BitAnd, 7),
                Punct::Eq => (BinaryOp::Eq, 8),
                Punct::Ne => (BinaryOp::Ne, 8),
                Punct::Lt => (BinaryOp::Lt, 9),
                Punct::Le => (BinaryOp::Le, 9),
                Punct::Gt => (BinaryOp::Gt, 9),
                Punct::Ge => (BinaryOp::Ge, 9),
                Punct::Shl => (BinaryOp::Shl, 10),
                Punct::Shr => (BinaryOp::Shr, 10),
                Punct::Plus => (BinaryOp::Add, 11),
                Punct::Minus => (BinaryOp::Sub, 11),
                Punct::Star => (BinaryOp::Mul, 12),
                Punct::Slash => (BinaryOp::Div, 12),
                Punct::Percent => (BinaryOp::Rem, 12),
                _ => return None,
            },
            TokenKind::Ident(word) if self.formula => match self.names.text(word) {
                "implies" => (BinaryOp::Implies, 0),
                "equivalent" => (BinaryOp::Equivalent, 0),
                "U" | "until" | "stronguntil" => (BinaryOp::Until, 3),
                "W" | "weakuntil" => (BinaryOp::WeakUntil, 3),
                "V" | "release" => (BinaryOp::Release, 3),
                _ => return None,
            },
            _ => return None,
        };
        Some((operator, precedence, 1))
    }

    /// An operand: operators with one operand, parentheses, constants, references, functions.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number(text) => {
                let text = self.names.text(text).to_string();
                let value = match number_value(&text) {
                    Ok(value) => value,
                    Err(why) => {
                        let message = format!("`{}` {why}", shorten(&text));
                        self.error(Diagnostic::error(token.span, message));
                        0
                    }
                };
                self.bump();
                Ok(int(value, token.span))
            }
            TokenKind::Char(text) => {
                let value = character_value(self.names.text(text));
                if value.is_none() {
                    let message =
                        "a character constant is one character or one escape such as `\\n`";
                    self.error(Diagnostic::error(token.span, message));
                }
                self.bump();
                Ok(int(value.unwrap_or(0), token.span))
            }
            TokenKind::Punct(punct) => self.punct_operand(punct, token),
            TokenKind::Ident(symbol) => match symbol.keyword() {
                Some(keyword) => self.keyword_operand(keyword, token),
                None => self.name_operand(symbol, token),
            },
            TokenKind::Str(_) | TokenKind::Eof => self.unexpected("an expression"),
        }
    }

    fn punct_operand(&mut self, punct: Punct, token: Token) -> Parsed<Expr> {
        let operator = match punct {
            Punct::LParen => return self.parenthesis(),
            Punct::Bang | Punct::BangBang => UnaryOp::Not,
            Punct::Minus => UnaryOp::Minus,
            Punct::Tilde => UnaryOp::Complement,
            Punct::LBracket if self.formula && self.peek_at(1).is(Punct::RBracket) => {
                self.bump();
                return self.temporal(UnaryOp::Always, token.span);
            }
            Punct::Lt if self.formula && self.peek_at(1).is(Punct::Gt) => {
                self.bump();
                return self.temporal(UnaryOp::Eventually, token.span);
            }
            Punct::LBracket | Punct::Lt if !self.formula => {
                let close = if punct == Punct::Lt {
                    Punct::Gt
                } else {
                    Punct::RBracket
                };
                if self.peek_at(1).is(close) {
                    let message = "temporal operators can be used only in an `ltl` block";
                    return self.fail(Diagnostic::error(token.span, message));
                }
                return self.unexpected("an expression");
            }
            _ => return self.unexpected("an expression"),
        };
        self.bump();
        self.enter()?;
        let operand = self.tall_operand()?;
        let operand = self.finish(operand);
        self.leave();
        let mut expr = unary(operator, operand, token.span);
        if punct == Punct::BangBang {
            expr = unary(operator, expr, token.span);
        }
        Ok(expr)
    }

    /// A temporal operator with one operand, from its last token on.
    fn temporal(&mut self, operator: UnaryOp, start: Span) -> Parsed<Expr> {
        self.bump();
        self.enter()?;
        let operand = self.tall_operand()?;
        let operand = self.binary(operand, COMPUTES)?;
        let operand = self.finish(operand);
        self.leave();
        Ok(unary(operator, operand, start))
    }

    /// `( e )` or `( c -> a : b )`
    fn parenthesis(&mut self) -> Parsed<Expr> {
        let open = self.bump().span;
        let mut expr = self.expr()?;
        if self.at(Punct::Arrow) {
            self.bump();
            let then = self.expr()?;
            self.expect(Punct::Colon, "in a conditional expression `(c -> a : b)`")?;
            let other = self.expr()?;
            expr.kind = ExprKind::Cond(
                Box::new(Expr {
                    kind: expr.kind,
                    span: expr.span,
                }),
                Box::new(then),
                Box::new(other),
            );
        } else if self.formula && self.at(Punct::Colon) {
            // Inside a formula the arrow has been taken for an implication.
            if let ExprKind::Binary(BinaryOp::Implies, condition, then) = expr.kind {
                self.bump();
                let other = self.expr()?;
                expr.kind = ExprKind::Cond(condition, then, Box::new(other));
            } else {
                return self.unexpected("`)`");
            }
        }
        if !self.at(Punct::RParen) {
            let token = self.peek();
            let found = self.describe(token);
            let message = format!("expected an operator or `)`, found {found}");
            let mut diagnostic = Diagnostic::error(token.span, message)
                .related(open, "the parenthesis is opened here");
            if let Some(help) = self.hint(token) {
                diagnostic = diagnostic.help(help);
            }
            return self.fail(diagnostic);
        }
        let close = self.bump().span;
        expr.span = open.to(close);
        Ok(expr)
    }

    fn keyword_operand(&mut self, keyword: Keyword, token: Token) -> Parsed<Expr> {
        let start = token.span;
        let kind = match keyword {
            Keyword::True | Keyword::Skip => {
                self.bump();
                ExprKind::Int(1)
            }
            Keyword::False => {
                self.bump();
                ExprKind::Int(0)
            }
            Keyword::Timeout => {
                self.bump();
                ExprKind::Timeout
            }
            Keyword::Np => {
                self.bump();
                ExprKind::NonProgress
            }
            Keyword::Run => self.run()?,
            Keyword::Len | Keyword::Full | Keyword::Nfull | Keyword::Empty | Keyword::Nempty => {
                let test = match keyword {
                    Keyword::Len => ChannelTest::Len,
                    Keyword::Full => ChannelTest::Full,
                    Keyword::Nfull => ChannelTest::NotFull,
                    Keyword::Empty => ChannelTest::Empty,
                    _ => ChannelTest::NotEmpty,
                };
                self.bump();
                self.expect(Punct::LParen, &format!("behind `{}`", keyword.text()))?;
                let channel = self.variable_reference()?;
                self.expect(Punct::RParen, "behind the channel")?;
                ExprKind::Channel(test, channel)
            }
            Keyword::Enabled => ExprKind::Enabled(self.argument(keyword)?),
            Keyword::PcValue => ExprKind::PcValue(self.argument(keyword)?),
            Keyword::GetPriority => ExprKind::GetPriority(self.argument(keyword)?),
            Keyword::Eval => {
                let message = "`eval` can be used only in the arguments of a receive";
                return self.fail(Diagnostic::error(start, message));
            }
            Keyword::CExpr => {
                self.refuse_c();
                ExprKind::Error
            }
            _ => return self.unexpected("an expression"),
        };
        Ok(Expr {
            kind,
            span: start.to(self.previous.span),
        })
    }

    /// `( e )` behind the name of a function.
    fn argument(&mut self, keyword: Keyword) -> Parsed<Box<Expr>> {
        self.bump();
        self.expect(Punct::LParen, &format!("behind `{}`", keyword.text()))?;
        let argument = self.expr()?;
        self.expect(Punct::RParen, &format!("to close `{}`", keyword.text()))?;
        Ok(Box::new(argument))
    }

    /// `run P(args) priority K`
    fn run(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let name = self.expect_name("the name of a proctype")?;
        self.expect(Punct::LParen, "behind the name of the proctype")?;
        let mut args = Vec::new();
        if !self.at(Punct::RParen) {
            loop {
                args.push(self.expr()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect(Punct::RParen, "or `,` in the list of arguments")?;
        let priority = match self.eat_keyword(Keyword::Priority) {
            Some(_) => Some(Box::new(self.operand()?)),
            None => None,
        };
        Ok(ExprKind::Run {
            name,
            args,
            priority,
        })
    }

    fn name_operand(&mut self, symbol: Symbol, token: Token) -> Parsed<Expr> {
        if self.formula {
            let operator = match self.names.text(symbol) {
                "X" | "next" => Some(UnaryOp::Next),
                "always" => Some(UnaryOp::Always),
                "eventually" => Some(UnaryOp::Eventually),
                _ => None,
            };
            if let Some(operator) = operator
                && self.operand_follows()
            {
                return self.temporal(operator, token.span);
            }
        }
        match self.reference()? {
            Reference::Variable(var) => self.poll_or_variable(var),
            Reference::Remote(expr) => Ok(expr),
        }
    }

    /// Whether an operand stands behind the current word, so that the word is an operator.
    fn operand_follows(&self) -> bool {
        let next = self.peek_at(1);
        match next.kind {
            TokenKind::Ident(word) => !matches!(
                self.names.text(word),
                "U" | "V"
                    | "W"
                    | "until"
                    | "stronguntil"
                    | "weakuntil"
                    | "release"
                    | "implies"
                    | "equivalent"
            ),
            TokenKind::Number(_) | TokenKind::Char(_) => true,
            TokenKind::Punct(Punct::LBracket) => self.peek_at(2).is(Punct::RBracket),
            TokenKind::Punct(Punct::Lt) => self.peek_at(2).is(Punct::Gt),
            TokenKind::Punct(p) => {
                matches!(
                    p,
                    Punct::LParen | Punct::Bang | Punct::BangBang | Punct::Tilde
                )
            }
            _ => false,
        }
    }

    /// `c?[...]`, `c??[...]`, or just the variable.
    pub(super) fn poll_or_variable(&mut self, var: VarRef) -> Parsed<Expr> {
        let random = self.at(Punct::QuestionQuestion);
        if !(random || self.at(Punct::Question)) || !self.peek_at(1).is(Punct::LBracket) {
            return Ok(Expr {
                span: var.span,
                kind: ExprKind::Var(var),
            });
        }
        self.bump();
        self.bump();
        let args = self.receive_arguments()?;
        let end = self.expect(Punct::RBracket, "to close the poll")?;
        Ok(Expr {
            span: var.span.to(end),
            kind: ExprKind::Poll {
                channel: var,
                random,
                args,
            },
        })
    }

    /// A variable, or a label or variable of another process.
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let symbol = self.name_at(0);
        let name = self.expect_name("a variable")?;
        let proctype = symbol.is_some_and(|s| self.proctypes.contains(&s));
        let index = self.index()?;
        if self.at(Punct::At) {
            self.bump();
            let label = self.expect_name("a label")?;
            return Ok(Reference::Remote(Expr {
                span: name.span.to(label.span),
                kind: ExprKind::RemoteLabel {
                    proctype: name,
                    pid: index,
                    label,
                },
            }));
        }
        if proctype && self.at(Punct::Colon) && self.name_at(1).is_some() {
            self.bump();
            let var = self.variable_reference()?;
            return Ok(Reference::Remote(Expr {
                span: name.span.to(var.span),
                kind: ExprKind::RemoteVar {
                    proctype: name,
                    pid: index,
                    var,
                },
            }));
        }
        Ok(Reference::Variable(self.fields(name, index)?))
    }

    /// A variable of this process or of the model.
    pub(super) fn variable_reference(&mut self) -> Parsed<VarRef> {
        let name = self.expect_name("a variable")?;
        let index = self.index()?;
        self.fields(name, index)
    }

    fn index(&mut self) -> Parsed<Option<Box<Expr>>> {
        if !self.at(Punct::LBracket) {
            return Ok(None);
        }
        // `[]` is an operator of formulas.
        if self.formula && self.peek_at(1).is(Punct::RBracket) {
            return Ok(None);
        }
        self.bump();
        let index = self.expr()?;
        self.expect(Punct::RBracket, "behind the index")?;
        if self.at(Punct::LBracket) && !self.peek().newline {
            return self.one_dimension();
        }
        Ok(Some(Box::new(index)))
    }

    fn fields(&mut self, name: Ident, index: Option<Box<Expr>>) -> Parsed<VarRef> {
        let start = name.span;
        let mut parts = vec![RefPart { name, index }];
        while self.eat(Punct::Dot) {
            let name = self.expect_name("the name of a field")?;
            let index = self.index()?;
            parts.push(RefPart { name, index });
        }
        Ok(VarRef {
            parts,
            span: start.to(self.previous.span),
        })
    }

    /// The arguments of a receive or a poll: `a,b` or `m(a,b)`, with parentheses in any place.
    pub(super) fn receive_arguments(&mut self) -> Parsed<Vec<RecvArg>> {
        let mut args = Vec::new();
        let mut open = 0usize;
        loop {
            while self.eat(Punct::LParen) {
                open += 1;
            }
            args.push(self.receive_argument()?);
            if self.at(Punct::LParen) && !self.peek().newline {
                continue;
            }
            while open > 0 && self.eat(Punct::RParen) {
                open -= 1;
            }
            if self.eat(Punct::Comma) {
                continue;
            }
            if open > 0 {
                return self.unexpected("`,` or `)` in the arguments of the receive");
            }
            return Ok(args);
        }
    }

    fn receive_argument(&mut self) -> Parsed<RecvArg> {
        let token = self.peek();
        let start = token.span;
        match token.kind {
            TokenKind::Ident(_) => match token.keyword() {
                None => Ok(RecvArg::Var(self.variable_reference()?)),
                Some(Keyword::Eval) => {
                    let value = self.argument(Keyword::Eval)?;
                    Ok(RecvArg::Eval(*value, start.to(self.previous.span)))
                }
                Some(Keyword::True | Keyword::False | Keyword::Skip) => {
                    Ok(RecvArg::Const(self.operand()?))
                }
                Some(_) => self.unexpected("a variable, a constant or `eval(...)`"),
            },
            TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::Punct(Punct::Minus) => {
                Ok(RecvArg::Const(self.operand()?))
            }
            _ => self.unexpected("a variable, a constant or `eval(...)`"),
        }
    }
}

impl Operator for BinaryOp {
    fn group(self) -> Option<u8> {
        Some(match self {
            BinaryOp::Add | BinaryOp::Sub => 0,
            BinaryOp::Mul => 1,
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
            BinaryOp::Add => Some(BinaryOp::Sub),
            BinaryOp::Sub => Some(BinaryOp::Add),
            _ => None,
        }
    }

    fn inverts(self) -> bool {
        self == BinaryOp::Sub
    }
}

fn int(value: i64, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Int(value),
        span,
    }
}

fn unary(operator: UnaryOp, operand: Expr, start: Span) -> Expr {
    Expr {
        span: start.to(operand.span),
        kind: ExprKind::Unary(operator, Box::new(operand)),
    }
}
