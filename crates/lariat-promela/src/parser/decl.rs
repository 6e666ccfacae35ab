//! Units and declarations.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::Span;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::{Keyword, Punct, Symbol, TokenKind, shorten};

/// Keywords that name a type.
pub(super) fn is_type(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Bit
            | Keyword::Bool
            | Keyword::Byte
            | Keyword::Pid
            | Keyword::Short
            | Keyword::Int
            | Keyword::Unsigned
            | Keyword::Chan
            | Keyword::Mtype
    )
}

impl Parser<'_> {
    /// One unit; separators are passed over.
    pub(super) fn unit(&mut self, units: &mut Vec<Unit>) -> Parsed<()> {
        let token = self.peek();
        if token.is(Punct::Semi) || token.is(Punct::Arrow) {
            self.bump();
            return Ok(());
        }
        if self.at_declaration() {
            units.push(self.global_declaration()?);
            return Ok(());
        }
        let Some(keyword) = token.keyword() else {
            return self.not_a_unit();
        };
        match keyword {
            Keyword::Active | Keyword::Proctype | Keyword::DProctype => {
                let proctype = self.proctype()?;
                units.push(Unit::Proctype(proctype));
            }
            Keyword::Init => {
                let span = self.bump().span;
                let priority = self.priority()?;
                let body = self.block("to open the body of `init`")?;
                units.push(Unit::Init(Init {
                    span,
                    priority,
                    body,
                }));
            }
            Keyword::Never => {
                let span = self.bump().span;
                let name = match self.name_at(0) {
                    Some(_) => Some(self.expect_name("a name")?),
                    None => None,
                };
                let body = self.block("to open the body of the never claim")?;
                units.push(Unit::Never(Claim { name, span, body }));
            }
            Keyword::Trace | Keyword::Notrace => {
                let span = self.bump().span;
                let body = self.block("to open the trace assertion")?;
                units.push(Unit::Trace(Trace {
                    negated: keyword == Keyword::Notrace,
                    span,
                    body,
                }));
            }
            Keyword::Ltl => units.push(Unit::Ltl(self.ltl()?)),
            Keyword::Typedef => units.push(Unit::Typedef(self.typedef()?)),
            Keyword::Inline => self.inline_definition()?,
            Keyword::CCode
            | Keyword::CDecl
            | Keyword::CState
            | Keyword::CTrack
            | Keyword::CExpr => {
                self.refuse_c();
            }
            _ => return self.not_a_unit(),
        }
        Ok(())
    }

    /// Reports something that is neither a declaration nor the start of a process.
    fn not_a_unit(&mut self) -> Parsed<()> {
        let token = self.peek();
        let found = self.describe(token);
        if let Some(name) = self.name_at(0)
            && self.name_at(1).is_some()
            && !self.peek_at(2).is(Punct::LParen)
        {
            return self.unknown_type(name, token.span);
        }
        let message = format!("expected a declaration or a proctype, found {found}");
        let mut diagnostic = Diagnostic::error(token.span, message);
        if token.is(Punct::RBrace) {
            diagnostic = diagnostic.help("there is one `}` too many before this place");
            self.error(diagnostic);
            self.bump();
            return Ok(());
        }
        if let TokenKind::Ident(symbol) = token.kind {
            let text = self.names.text(symbol).to_string();
            let near = self.similar(&text, self.typedefs.iter(), |k| {
                super::starts_unit(k) || is_type(k)
            });
            if symbol.keyword().is_some() {
                diagnostic = diagnostic.help("statements must stand inside a `proctype` or `init`");
            } else if matches!(text.as_str(), "void" | "function" | "def" | "func") {
                diagnostic = diagnostic.help(
                    "Promela has no functions; write `inline f(x) { ... }`, or a `proctype` for something that runs by itself",
                );
            } else if let Some(near) = near {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            } else {
                diagnostic = diagnostic.help("statements must stand inside a `proctype` or `init`");
            }
        }
        self.fail(diagnostic)
    }

    /// Reports the name of a type that is not declared.
    pub(super) fn unknown_type<T>(&mut self, name: Symbol, span: Span) -> Parsed<T> {
        let text = self.names.text(name).to_string();
        let message = format!("there is no type `{}`", shorten(&text));
        let mut diagnostic = Diagnostic::error(span, message);
        diagnostic = diagnostic.help(match self.similar(&text, self.typedefs.iter(), is_type) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the types are `bit`, `bool`, `byte`, `pid`, `short`, `int`, `unsigned`, `mtype`, `chan`, and those that `typedef` declares".to_string(),
        });
        self.fail(diagnostic)
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let start = self.peek().span;
        let active = match self.eat_keyword(Keyword::Active) {
            None => None,
            Some(_) if self.eat(Punct::LBracket) => {
                let count = self.expr()?;
                self.expect(Punct::RBracket, "behind the number of instances")?;
                Some(Some(count))
            }
            Some(_) => Some(None),
        };
        let deterministic = self.at_keyword(Keyword::DProctype);
        if deterministic || self.at_keyword(Keyword::Proctype) {
            self.bump();
        } else {
            return self.unexpected("`proctype`");
        }
        let symbol = self.name_at(0);
        let name = self.expect_name("the name of the proctype")?;
        if let Some(symbol) = symbol {
            self.seen_proctypes.insert(symbol);
        }
        self.expect(Punct::LParen, "to open the list of parameters")?;
        let params = self.params()?;
        self.expect(Punct::RParen, "to close the list of parameters")?;
        let priority = self.priority()?;
        let provided = match self.eat_keyword(Keyword::Provided) {
            Some(_) => {
                self.expect(Punct::LParen, "behind `provided`")?;
                let condition = self.expr()?;
                self.expect(Punct::RParen, "to close the condition")?;
                Some(condition)
            }
            None => None,
        };
        let span = start.to(self.previous.span);
        let body = self.block("to open the body of the proctype")?;
        Ok(Proctype {
            name,
            span,
            deterministic,
            active,
            params,
            priority,
            provided,
            body,
        })
    }

    fn params(&mut self) -> Parsed<Vec<Decl>> {
        let mut params = Vec::new();
        while !self.at(Punct::RParen) {
            if !self.at_declaration() {
                self.unexpected::<()>("the type of a parameter")?;
            }
            params.push(self.declaration()?);
            if !self.at(Punct::RParen) {
                self.expect(Punct::Semi, "or `)` behind a parameter")?;
                while self.eat(Punct::Semi) {}
            }
        }
        Ok(params)
    }

    /// `priority K`
    fn priority(&mut self) -> Parsed<Option<Expr>> {
        match self.eat_keyword(Keyword::Priority) {
            Some(_) => Ok(Some(self.operand()?)),
            None => Ok(None),
        }
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        let span = self.bump().span;
        let name = match self.name_at(0) {
            Some(_) => Some(self.expect_name("a name")?),
            None => None,
        };
        self.expect(Punct::LBrace, "to open the formula")?;
        self.formula = true;
        let formula = self.expr();
        self.formula = false;
        let formula = formula?;
        while self.eat(Punct::Semi) {}
        if !self.at(Punct::RBrace) {
            return self.unexpected("an operator or `}` in the formula");
        }
        self.bump();
        Ok(Ltl {
            name,
            span,
            formula,
        })
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        self.bump();
        let name = self.expect_name("the name of the type")?;
        let open = self.expect(Punct::LBrace, "to open the list of fields")?;
        let mut fields = Vec::new();
        while !self.at(Punct::RBrace) {
            if self.eat(Punct::Semi) {
                continue;
            }
            if self.at_declaration() {
                fields.push(self.declaration()?);
                if self.at(Punct::RBrace) || self.at(Punct::Semi) || self.peek().newline {
                    continue;
                }
                self.unexpected::<()>("`;` or `}` behind a field")?;
            }
            let token = self.peek();
            if let (Some(symbol), Some(_)) = (self.name_at(0), self.name_at(1)) {
                return self.unknown_type(symbol, token.span);
            }
            let found = self.describe(token);
            let message = format!("expected the type of a field or `}}`, found {found}");
            let diagnostic =
                Diagnostic::error(token.span, message).related(open, "the list is opened here");
            self.fail::<()>(diagnostic)?;
        }
        self.bump();
        Ok(Typedef { name, fields })
    }

    /// Whether a declaration starts here.
    pub(super) fn at_declaration(&self) -> bool {
        match self.peek().kind {
            TokenKind::Ident(symbol) => match symbol.keyword() {
                Some(Keyword::Hidden | Keyword::Show | Keyword::Local) => true,
                Some(keyword) => is_type(keyword),
                None => self.typedefs.contains(&symbol) && self.name_at(1).is_some(),
            },
            _ => false,
        }
    }

    /// Variables or symbolic constants.
    fn global_declaration(&mut self) -> Parsed<Unit> {
        if self.at_keyword(Keyword::Mtype) {
            let after = if self.peek_at(1).is(Punct::Colon) {
                3
            } else {
                1
            };
            let next = self.peek_at(after);
            if next.is(Punct::LBrace)
                || next.is(Punct::Assign) && self.peek_at(after + 1).is(Punct::LBrace)
            {
                return Ok(Unit::Mtype(self.mtype()?));
            }
        }
        Ok(Unit::Decl(self.declaration()?))
    }

    fn mtype(&mut self) -> Parsed<MtypeDecl> {
        let span = self.bump().span;
        let subtype = if self.eat(Punct::Colon) {
            Some(self.expect_name("the name of the set")?)
        } else {
            None
        };
        self.eat(Punct::Assign);
        self.expect(Punct::LBrace, "to open the list of names")?;
        let mut names = Vec::new();
        loop {
            if self.eat(Punct::Comma) {
                continue;
            }
            self.useless_semicolon();
            if self.at(Punct::RBrace) {
                break;
            }
            names.push(self.expect_name("a name or `}`")?);
        }
        if names.is_empty() {
            self.unexpected::<()>("at least one name")?;
        }
        self.bump();
        Ok(MtypeDecl {
            span,
            subtype,
            names,
        })
    }

    /// Variables of one type, without the separator behind them.
    pub(super) fn declaration(&mut self) -> Parsed<Decl> {
        let start = self.peek().span;
        let visibility = match self.peek().keyword() {
            Some(Keyword::Hidden) => Visibility::Hidden,
            Some(Keyword::Show) => Visibility::Show,
            Some(Keyword::Local) => Visibility::Local,
            _ => Visibility::Normal,
        };
        if visibility != Visibility::Normal {
            self.bump();
        }
        let ty = self.type_name()?;
        if matches!(ty, TypeName::Mtype(_)) && (self.at(Punct::LBrace) || self.at(Punct::Assign)) {
            let span = self.peek().span;
            let message = "symbolic names can be declared only outside of processes";
            return self.fail(Diagnostic::error(span, message));
        }
        let mut vars = Vec::new();
        loop {
            vars.push(self.variable()?);
            if !self.eat(Punct::Comma) {
                break;
            }
            if self.at_declaration() {
                let span = self.previous.span;
                let message = "expected the name of a variable behind `,`, found a type";
                return self.fail(
                    Diagnostic::error(span, message)
                        .help("separate declarations of different types by `;`"),
                );
            }
        }
        Ok(Decl {
            span: start.to(self.previous.span),
            visibility,
            ty,
            vars,
        })
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let token = self.peek();
        let ty = match token.keyword() {
            Some(Keyword::Bit) => TypeName::Bit,
            Some(Keyword::Bool) => TypeName::Bool,
            Some(Keyword::Byte) => TypeName::Byte,
            Some(Keyword::Pid) => TypeName::Pid,
            Some(Keyword::Short) => TypeName::Short,
            Some(Keyword::Int) => TypeName::Int,
            Some(Keyword::Unsigned) => TypeName::Unsigned,
            Some(Keyword::Chan) => TypeName::Chan,
            Some(Keyword::Mtype) => {
                self.bump();
                let subtype = if self.eat(Punct::Colon) {
                    Some(self.expect_name("the name of the set")?)
                } else {
                    None
                };
                return Ok(TypeName::Mtype(subtype));
            }
            Some(_) => return self.unexpected("a type"),
            None => return Ok(TypeName::User(self.expect_name("a type")?)),
        };
        self.bump();
        Ok(ty)
    }

    fn variable(&mut self) -> Parsed<VarDecl> {
        let name = self.expect_name("the name of a variable")?;
        let mut variable = VarDecl {
            name,
            width: None,
            array: None,
            init: None,
        };
        if self.at(Punct::Colon) {
            self.bump();
            variable.width = Some(self.operand()?);
        }
        if self.eat(Punct::LBracket) {
            variable.array = Some(self.expr()?);
            self.expect(Punct::RBracket, "behind the size of the array")?;
            if self.at(Punct::LBracket) && !self.peek().newline {
                return self.one_dimension();
            }
        }
        if self.eat(Punct::Assign) {
            variable.init = Some(self.initializer()?);
        }
        Ok(variable)
    }

    pub(super) fn one_dimension<T>(&mut self) -> Parsed<T> {
        let span = self.peek().span;
        self.fail(
            Diagnostic::error(span, "an array has only one dimension").help(
                "declare `typedef Row { byte column[N] }` and an array of `Row`, and use `a[i].column[j]`",
            ),
        )
    }

    /// SPIN drops a `;` before `}` everywhere, also in lists.
    fn useless_semicolon(&mut self) {
        if self.peek_at(1).is(Punct::RBrace) {
            self.eat(Punct::Semi);
        }
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        let start = self.peek().span;
        if self.eat(Punct::LBrace) {
            let mut values = Vec::new();
            while !self.at(Punct::RBrace) {
                values.push(self.expr()?);
                self.useless_semicolon();
                if !self.at(Punct::RBrace) {
                    self.expect(Punct::Comma, "or `}` behind a value")?;
                }
            }
            let end = self.bump().span;
            return Ok(Initializer::List(values, start.to(end)));
        }
        if self.eat(Punct::LBracket) {
            return self.channel(start);
        }
        Ok(Initializer::Expr(self.expr()?))
    }

    /// `[n] of { t, t }`, from behind the opening bracket.
    fn channel(&mut self, start: Span) -> Parsed<Initializer> {
        let capacity = self.expr()?;
        self.expect(Punct::RBracket, "behind the capacity of the channel")?;
        if self.eat_keyword(Keyword::Of).is_none() {
            return self.unexpected("`of` and the types of the channel's messages");
        }
        self.expect(Punct::LBrace, "before the types of the messages")?;
        let mut fields = Vec::new();
        loop {
            let unsigned = self.peek();
            fields.push(self.type_name()?);
            if unsigned.keyword() == Some(Keyword::Unsigned) {
                let message = "`unsigned` cannot be the type of a message field";
                let diagnostic = Diagnostic::error(unsigned.span, message);
                self.error(diagnostic.help("use `byte`, `short` or `int`"));
                if self.eat(Punct::Colon) {
                    self.operand()?;
                }
            }
            if self.eat(Punct::Comma) {
                continue;
            }
            self.useless_semicolon();
            let end = self.expect(Punct::RBrace, "or `,` behind the type of a field")?;
            return Ok(Initializer::Channel {
                capacity,
                fields,
                span: start.to(end),
            });
        }
    }
}
