//! Operators with two operands, parentheses, and what they make of their operands.

use super::lexer::Kind;
use super::*;

impl Parser<'_> {
    /// A binary operator, a closing parenthesis, or the end.
    pub(super) fn operator(&mut self) -> Result<Expect, ParseError> {
        let at = self.at;
        match self.kind(at) {
            Kind::RParen => {
                self.close()?;
                return Ok(Expect::Operator);
            }
            Kind::Colon => {
                self.colon()?;
                return Ok(Expect::Operand);
            }
            Kind::End => {
                self.reduce(0)?;
                return match self.pending.pop() {
                    Some(Pending::Open(open, _)) => Err(self.unclosed(open)),
                    _ => Ok(Expect::Nothing),
                };
            }
            _ => {}
        }
        let Some((binary, precedence)) = self.binary(at)? else {
            let expected = match self.pending.iter().any(|p| matches!(p, Pending::Open(..))) {
                true => "an operator or `)`",
                false => "an operator",
            };
            return Err(self.unexpected(expected));
        };
        self.reduce(precedence)?;
        self.at += 1;
        self.pending.push(Pending::Binary(binary, precedence, at));
        Ok(Expect::Operand)
    }

    /// The binary operator at a place and its precedence.
    pub(super) fn binary(&mut self, at: At) -> Result<Option<(Binary, u8)>, ParseError> {
        let compute = |precedence| Some((Binary::Compute(false), precedence));
        Ok(match self.kind(at) {
            Kind::Implies => Some((Binary::Implies, 0)),
            Kind::Equiv => Some((Binary::Equiv, 0)),
            Kind::Xor => Some((Binary::Xor, 1)),
            Kind::OrOr => Some((Binary::Or, 2)),
            Kind::AndAnd => Some((Binary::And, 3)),
            Kind::Word => binary_word(self.word(at)),
            Kind::Or | Kind::Caret | Kind::And => Some(self.bits_or_logic(at)?),
            Kind::Eq | Kind::Ne => Some((Binary::Compute(true), EQUALITY)),
            Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge => Some((Binary::Compute(true), 9)),
            Kind::Shl | Kind::Shr => compute(10),
            Kind::Plus | Kind::Minus => compute(11),
            Kind::Star | Kind::Slash | Kind::Percent => compute(12),
            _ => None,
        })
    }

    /// `&`, `|` or `^`: on bits if what stands on the left, or right behind, is arithmetic.
    pub(super) fn bits_or_logic(&mut self, at: At) -> Result<(Binary, u8), ParseError> {
        // In both cases what binds tighter comes first.
        self.reduce(EQUALITY)?;
        let left = self.values.last().map(|value| value.class);
        let is_term = matches!(left, Some(Class::Term { .. }));
        let arithmetic = matches!(
            left,
            Some(Class::Term {
                arithmetic: true,
                ..
            })
        );
        if arithmetic || (is_term && self.arithmetic_ahead(at + 1)) {
            let precedence = match self.kind(at) {
                Kind::Or => COMPUTE,
                Kind::Caret => COMPUTE + 1,
                _ => COMPUTE + 2,
            };
            return Ok((Binary::Compute(false), precedence));
        }
        Ok(match self.kind(at) {
            Kind::Or => (Binary::Or, 2),
            Kind::Caret => (Binary::Xor, 1),
            _ => (Binary::And, 3),
        })
    }

    /// Whether the operand at a place, up to an operator that is looser than comparisons, computes a
    /// number. Parentheses end the search, so that nested ones are not searched again and again.
    pub(super) fn arithmetic_ahead(&self, mut at: At) -> bool {
        let mut arithmetic = false;
        loop {
            match self.kind(at) {
                Kind::Minus | Kind::Char => return true,
                Kind::Number => {
                    arithmetic |= !matches!(self.word(at), "0" | "1");
                    at += 1;
                }
                Kind::Word if !is_function(self.word(at)) => at = self.behind_name(at + 1),
                _ => return arithmetic,
            }
            match self.kind(at) {
                Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Percent => {}
                Kind::Shl | Kind::Shr => {}
                Kind::Eq | Kind::Ne | Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge => return false,
                _ => return arithmetic,
            }
            arithmetic = true;
            at += 1;
        }
    }

    /// The place behind the indices and fields of a name.
    pub(super) fn behind_name(&self, mut at: At) -> At {
        let mut open = 0usize;
        loop {
            match self.kind(at) {
                Kind::LBracket => open += 1,
                Kind::RBracket => open = open.saturating_sub(1),
                Kind::End => return at,
                _ if open > 0 => {}
                Kind::Dot | Kind::At => at += 1,
                Kind::Colon if self.is_remote(at) => at += 1,
                _ => return at,
            }
            at += 1;
        }
    }

    /// Applies the operators that bind at least as tightly as `minimum`, up to a parenthesis.
    pub(super) fn reduce(&mut self, minimum: u8) -> Result<(), ParseError> {
        while let Some(&top) = self.pending.last() {
            match top {
                Pending::Open(..) => break,
                Pending::Binary(_, precedence, _) if precedence < minimum => break,
                Pending::Prefix(prefix, _) if is_temporal(prefix) && minimum >= COMPUTE => break,
                _ => {}
            }
            self.pending.pop();
            let Some(right) = self.values.pop() else {
                return Err(self.unexpected("a formula"));
            };
            let value = match top {
                Pending::Prefix(prefix, at) => self.apply_prefix(prefix, at, right)?,
                Pending::Binary(binary, _, at) => match self.values.pop() {
                    Some(left) => self.apply_binary(binary, at, left, right)?,
                    None => return Err(self.unexpected("a formula")),
                },
                Pending::Open(..) => right,
            };
            self.values.push(value);
        }
        Ok(())
    }

    pub(super) fn apply_prefix(
        &mut self,
        prefix: Prefix,
        at: At,
        operand: Value,
    ) -> Result<Value, ParseError> {
        let value = |class, node| Value {
            first: at,
            last: operand.last,
            class,
            node,
        };
        if prefix == Prefix::Minus {
            self.check_expression(operand)?;
            return Ok(value(term(at, operand.last, true), 0));
        }
        let arithmetic = matches!(
            operand.class,
            Class::Term {
                arithmetic: true,
                ..
            }
        );
        if self.kind(at) == Kind::Tilde && arithmetic {
            return Ok(value(term(at, operand.last, true), 0));
        }
        let class = match operand.class {
            _ if is_temporal(prefix) => Class::Temporal,
            Class::Temporal => Class::Temporal,
            class => Class::Logical {
                expression: self.is_expression(class) && matches!(self.word(at), "!" | "~"),
                ambiguous: None,
            },
        };
        // `!(a & 1)` may still turn out to be part of an expression.
        let node = self.formula(operand)?;
        let node = match (prefix, self.tree[node as usize]) {
            (Prefix::Not, Tree::Constant(truth)) => self.push(Tree::Constant(!truth))?,
            (Prefix::Not, Tree::Prefix(Prefix::Not, inner)) => inner,
            _ => self.push(Tree::Prefix(prefix, node))?,
        };
        Ok(value(class, node))
    }

    pub(super) fn apply_binary(
        &mut self,
        binary: Binary,
        at: At,
        left: Value,
        right: Value,
    ) -> Result<Value, ParseError> {
        let value = |class, node| Value {
            first: left.first,
            last: right.last,
            class,
            node,
        };
        let single = matches!(self.kind(at), Kind::And | Kind::Or | Kind::Caret);
        let arithmetic = |v: Value| {
            matches!(
                v.class,
                Class::Term {
                    arithmetic: true,
                    ..
                }
            )
        };
        let is_term = |v: Value| matches!(v.class, Class::Term { .. });
        let bits =
            single && is_term(left) && is_term(right) && (arithmetic(left) || arithmetic(right));
        if bits || matches!(binary, Binary::Compute(_)) {
            self.check_expression(left)?;
            self.check_expression(right)?;
            let arithmetic = binary != Binary::Compute(true);
            return Ok(value(term(left.first, right.last, arithmetic), 0));
        }
        let logic = matches!(
            binary,
            Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Equiv
        );
        let literal = |v: Value| v.first == v.last && self.kind(v.first) == Kind::Number;
        let class = if !logic || left.class == Class::Temporal || right.class == Class::Temporal {
            Class::Temporal
        } else {
            let spelling = single || matches!(self.word(at), "&&" | "||");
            Class::Logical {
                expression: spelling
                    && self.is_expression(left.class)
                    && self.is_expression(right.class),
                ambiguous: (single && (literal(left) || literal(right))).then_some(at),
            }
        };
        let (a, b) = (self.formula(left)?, self.formula(right)?);
        Ok(value(class, self.push_binary(binary, a, b)?))
    }

    /// A binary node; constants are absorbed, so that what is a conjunction in the tree is one in
    /// the arena and no longer one is ever copied again and again.
    pub(super) fn push_binary(
        &mut self,
        binary: Binary,
        a: u32,
        b: u32,
    ) -> Result<u32, ParseError> {
        let neutral = match binary {
            Binary::And => true,
            Binary::Or => false,
            _ => return self.push(Tree::Binary(binary, a, b)),
        };
        match (self.tree[a as usize], self.tree[b as usize]) {
            (Tree::Constant(truth), _) => Ok(if truth == neutral { b } else { a }),
            (_, Tree::Constant(truth)) => Ok(if truth == neutral { a } else { b }),
            _ => self.push(Tree::Binary(binary, a, b)),
        }
    }

    /// `)`
    pub(super) fn close(&mut self) -> Result<(), ParseError> {
        self.reduce(0)?;
        let at = self.at;
        let Some(Pending::Open(open, conditional)) = self.pending.pop() else {
            return Err(ParseError::new(
                self.tokens[at].span(),
                "this `)` closes no parenthesis",
                Some("remove it, or open one with `(` before".to_string()),
            ));
        };
        self.at += 1;
        let Some(&value) = self.values.last() else {
            return Err(self.unexpected("a formula"));
        };
        if conditional {
            self.check_expression(value)?;
        }
        if let Some(value) = self.values.last_mut() {
            (value.first, value.last) = (open, at);
            if conditional {
                value.class = term(open, at, false);
            }
        }
        Ok(())
    }

    /// The colon of `(c -> a : b)`: the arrow before it was no implication.
    pub(super) fn colon(&mut self) -> Result<(), ParseError> {
        self.reduce(1)?;
        let at = self.at;
        let arrow = match self.pending[..] {
            [
                ..,
                Pending::Open(_, false),
                Pending::Binary(Binary::Implies, _, arrow),
            ] => arrow,
            _ => {
                let help = "in `P:x`, the variable of a process, no space is around the colon; a \
                            conditional expression is `(c -> a : b)`";
                return Err(self.unexpected_with("an operator", Some(help.to_string())));
            }
        };
        self.pending.pop();
        for _ in 0..2 {
            if let Some(value) = self.values.pop() {
                self.check_expression(value)?;
            }
        }
        if self.word(arrow) != "->" {
            self.at = arrow;
            return Err(self.unexpected("`->`"));
        }
        if let Some(Pending::Open(_, conditional)) = self.pending.last_mut() {
            *conditional = true;
        }
        self.at = at + 1;
        Ok(())
    }
}
