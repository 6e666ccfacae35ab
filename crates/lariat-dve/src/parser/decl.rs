//! Variables, constants and channels.

use lariat_ir::diagnostic::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// `const int a = 1, b[2] = {3, 4};`
    pub(super) fn variables(&mut self, variables: &mut Vec<Variable>) -> Parsed<()> {
        let constant = self.eat_keyword(Keyword::Const);
        let ty = self.number_type("after `const`")?;
        loop {
            let variable = self.variable(constant, ty)?;
            variables.push(variable);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let what = if constant { "constant" } else { "variable" };
        self.expect(Punct::Semi, &format!("or `,` after the {what}"))?;
        Ok(())
    }

    fn number_type(&mut self, place: &str) -> Parsed<NumberType> {
        let ty = match self.keyword() {
            Some(Keyword::Byte) => NumberType::Byte,
            Some(Keyword::Int) => NumberType::Int,
            _ => {
                return self.unexpected_word(
                    &format!("the type `byte` or `int` {place}"),
                    &[Keyword::Byte, Keyword::Int],
                );
            }
        };
        self.bump();
        Ok(ty)
    }

    fn variable(&mut self, constant: bool, ty: NumberType) -> Parsed<Variable> {
        let name = self.expect_name(if constant {
            "the name of a constant"
        } else {
            "the name of a variable"
        })?;
        let mut length = None;
        if self.eat(Punct::LBracket) {
            length = Some(self.expr()?);
            self.expect(Punct::RBracket, "after the length of the array")?;
        }
        let init = if self.eat(Punct::Assign) {
            Some(self.initializer()?)
        } else {
            None
        };
        let span = name.span.to(self.previous().span);
        Ok(Variable {
            name,
            constant,
            ty,
            length,
            init,
            span,
        })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if !self.at(Punct::LBrace) {
            return Ok(Initializer::One(self.expr()?));
        }
        let start = self.peek().span;
        let values = self.braced("of initial values")?;
        let end = self.previous().span;
        Ok(Initializer::List(values, start.to(end)))
    }

    /// `{e, e, e}`. If something is wrong in it, the whole list is passed over.
    pub(super) fn braced(&mut self, what: &str) -> Parsed<Vec<Expr>> {
        let open = self.at;
        self.bump();
        let mut result = self.expressions();
        if result.is_ok() {
            let end = self.expect(Punct::RBrace, &format!("or `,` in the list {what}"));
            result = end.and(result);
        }
        if result.is_err() {
            self.at = open;
            self.skip_balanced();
        }
        result
    }

    /// `e, e, e`
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.eat(Punct::Comma) {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    /// `channel a, b;` or `channel {byte, int} a[0], b[3];`
    pub(super) fn channels(&mut self, channels: &mut Vec<Channel>) -> Parsed<()> {
        self.bump();
        let fields = if self.eat(Punct::LBrace) {
            Some(self.field_types()?)
        } else {
            None
        };
        loop {
            let channel = self.channel(&fields)?;
            channels.push(channel);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semi, "or `,` after the channel")?;
        Ok(())
    }

    fn field_types(&mut self) -> Parsed<Vec<NumberType>> {
        let mut types = Vec::new();
        loop {
            types.push(self.number_type("of a value of the channel")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RBrace, "or `,` after the type")?;
        Ok(types)
    }

    fn channel(&mut self, fields: &Option<Vec<NumberType>>) -> Parsed<Channel> {
        let name = self.expect_name("the name of a channel")?;
        let mut capacity = 0;
        let bracket = self.peek();
        if self.eat(Punct::LBracket) {
            capacity = self.capacity()?;
            let end = self.expect(Punct::RBracket, "after the capacity of the channel")?;
            if fields.is_none() {
                self.at -= 1;
                self.error(
                    Diagnostic::error(
                        bracket.span.to(end),
                        format!("channel `{}` has a capacity but no types", name.name),
                    )
                    .help(format!(
                        "say what its messages are, as in `channel {{byte}} {}[1];`",
                        name.name
                    )),
                );
                self.at += 1;
            }
        } else if fields.is_some() {
            let message = format!("channel `{}` has types but no capacity", name.name);
            self.error(Diagnostic::error(name.span, message).help(format!(
                "write `{}[0]` if sender and receiver meet, or `{}[1]` for a buffer of one message",
                name.name, name.name
            )));
        }
        let span = name.span.to(self.previous().span);
        Ok(Channel {
            name,
            fields: fields.clone(),
            capacity,
            span,
        })
    }

    fn capacity(&mut self) -> Parsed<u32> {
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return self.unexpected("a number, the capacity of the channel");
        }
        self.number(token).map(|value| value as u32)
    }
}
