//! Operands: names with indices and fields, polls, functions, constants.

use super::lexer::{self, Kind};
use super::*;

impl Parser<'_> {
    /// What starts an operand: a prefix operator, a parenthesis, or all of an expression's operand.
    pub(super) fn operand(&mut self) -> Result<Expect, ParseError> {
        let at = self.at;
        let prefix = match self.kind(at) {
            Kind::LParen => {
                self.at += 1;
                self.pending.push(Pending::Open(at, false));
                return Ok(Expect::Operand);
            }
            Kind::LBracket if self.kind(at + 1) == Kind::RBracket => {
                self.at += 1;
                Some(Prefix::Always)
            }
            Kind::Lt if self.kind(at + 1) == Kind::Gt => {
                self.at += 1;
                Some(Prefix::Eventually)
            }
            Kind::Always => Some(Prefix::Always),
            Kind::Eventually => Some(Prefix::Eventually),
            Kind::Next => Some(Prefix::Next),
            Kind::Not | Kind::Tilde => Some(Prefix::Not),
            Kind::Minus => Some(Prefix::Minus),
            Kind::Word if self.is_name(at) => None,
            Kind::Word => prefix_word(self.word(at)),
            _ => None,
        };
        if let Some(prefix) = prefix {
            self.at += 1;
            self.pending.push(Pending::Prefix(prefix, at));
            return Ok(Expect::Operand);
        }
        let class = match self.kind(at) {
            Kind::Word if self.is_name(at) => self.reference()?,
            // A quoted name can also be part of an expression: `s == "M"`.
            Kind::Quoted if self.is_quoted_name(at) => {
                self.at += 1;
                term(at, at, false)
            }
            Kind::Number => {
                self.at += 1;
                let truth = matches!(self.word(at), "0" | "1");
                term(at, at, !truth)
            }
            Kind::Char => {
                self.at += 1;
                term(at, at, true)
            }
            Kind::True | Kind::False | Kind::Quoted => {
                self.at += 1;
                Class::Logical {
                    expression: false,
                    ambiguous: None,
                }
            }
            _ => return Err(self.unexpected("a formula")),
        };
        let node = match self.kind(at) {
            Kind::True => self.push(Tree::Constant(true))?,
            Kind::False => self.push(Tree::Constant(false))?,
            Kind::Quoted if !self.is_quoted_name(at) => self.push(Tree::Quoted(at))?,
            _ => 0,
        };
        self.values.push(Value {
            first: at,
            last: self.at - 1,
            class,
            node,
        });
        Ok(Expect::Operator)
    }

    /// A name with its indices and fields, a label or variable of a process, a poll of a channel,
    /// or a function of the modelling language.
    pub(super) fn reference(&mut self) -> Result<Class, ParseError> {
        let first = self.at;
        self.at += 1;
        if lexer::looks_like_operator(self.word(first)) {
            self.warn_operator(first);
        }
        if self.kind(self.at) == Kind::LParen {
            if !is_function(self.word(first)) {
                return Err(self.no_function(first));
            }
            self.skip_brackets()?;
            return Ok(term(first, self.at - 1, self.word(first) == "len"));
        }
        loop {
            match self.kind(self.at) {
                Kind::LBracket if self.kind(self.at + 1) != Kind::RBracket => {
                    self.skip_brackets()?;
                }
                Kind::Dot => {
                    self.at += 1;
                    self.name_behind("the name of a field")?;
                }
                Kind::At => {
                    self.at += 1;
                    self.name_behind("the name of a label")?;
                    break;
                }
                Kind::Colon if self.is_remote(self.at) => self.at += 2,
                Kind::Question => {
                    self.at += 1;
                    if self.kind(self.at) != Kind::LBracket {
                        let help =
                            "a formula cannot receive; `q?[m]` tests whether `m` can be received";
                        return Err(self.unexpected_with("`[`", Some(help.to_string())));
                    }
                    self.skip_brackets()?;
                    break;
                }
                _ => break,
            }
        }
        Ok(term(first, self.at - 1, false))
    }

    /// Whether the colon at a place joins a process and a variable: no space is around it.
    pub(super) fn is_remote(&self, colon: At) -> bool {
        let token = self.tokens[colon];
        colon > 0
            && matches!(self.kind(colon - 1), Kind::Word | Kind::RBracket)
            && self.tokens[colon - 1].end == token.start
            && self.kind(colon + 1) == Kind::Word
            && self.tokens[colon + 1].start == token.end
    }

    pub(super) fn name_behind(&mut self, what: &str) -> Result<(), ParseError> {
        if self.kind(self.at) != Kind::Word {
            return Err(self.unexpected(what));
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over a pair of brackets and all in it, which is part of an atom.
    pub(super) fn skip_brackets(&mut self) -> Result<(), ParseError> {
        let mut open = Vec::new();
        loop {
            let at = self.at;
            let kind = self.kind(at);
            let closes = match kind {
                Kind::RParen => Some(Kind::LParen),
                Kind::RBracket => Some(Kind::LBracket),
                _ => None,
            };
            match kind {
                Kind::LParen | Kind::LBracket => open.push(at),
                Kind::RParen | Kind::RBracket => {
                    let start = open.pop().unwrap_or(at);
                    if Some(self.kind(start)) != closes {
                        return Err(self.unclosed(start));
                    }
                    if start + 1 == at {
                        return Err(self.unexpected("an expression"));
                    }
                }
                Kind::End => return Err(self.unclosed(open.pop().unwrap_or(at))),
                Kind::Always | Kind::Eventually | Kind::Next | Kind::Equiv | Kind::Quoted => {
                    return Err(self.not_in_brackets());
                }
                Kind::Word if !self.is_name(at) => return Err(self.not_in_brackets()),
                Kind::Assign => return Err(self.unexpected("an operator")),
                _ => {}
            }
            self.at += 1;
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Whether the word at a place where an operand is expected is a name and not an operator. A
    /// word such as `G` or `M` is one if no operand follows it: `s == M`, `G && p`, `X > 1`.
    pub(super) fn is_name(&self, at: At) -> bool {
        match self.word(at) {
            "not" | "xor" | "implies" | "equivalent" => false,
            word if prefix_word(word).is_some() || binary_word(word).is_some() => {
                // In `G U p` the second word is the operator, in `G U` the first.
                match self.is_binary_word(at + 1) {
                    true => prefix_word(word).is_none() || self.starts_operand(at + 2),
                    false => !self.starts_operand(at + 1),
                }
            }
            _ => true,
        }
    }

    fn is_binary_word(&self, at: At) -> bool {
        self.kind(at) == Kind::Word && binary_word(self.word(at)).is_some()
    }

    /// Whether an operand can start at a place, so that a word before it is an operator.
    fn starts_operand(&self, at: At) -> bool {
        match self.kind(at) {
            Kind::Word | Kind::Number | Kind::Char | Kind::Quoted | Kind::LParen => true,
            Kind::Always | Kind::Eventually | Kind::Next | Kind::True | Kind::False => true,
            Kind::Not | Kind::Tilde | Kind::Minus => true,
            Kind::LBracket => self.kind(at + 1) == Kind::RBracket,
            Kind::Lt => self.kind(at + 1) == Kind::Gt,
            _ => false,
        }
    }

    /// Whether the quotes at a place contain a name of the modelling language.
    fn is_quoted_name(&self, at: At) -> bool {
        let inner = self.word(at).trim_matches('"');
        let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        self.kind(at) == Kind::Quoted
            && inner.bytes().next().is_some_and(letter)
            && inner.bytes().all(|b| letter(b) || b.is_ascii_digit())
    }
}
