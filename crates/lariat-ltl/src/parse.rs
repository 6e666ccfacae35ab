//! Formulas from text, in SPIN's syntax, in Spot's, or in a mixture.
//!
//! Operators from loose to tight; all binary ones associate to the left, as in SPIN's grammar
//! (Spot's `U`, `R`, `W`, `M` and `->` associate to the right: write parentheses where it matters).
//!
//! | operators | meaning |
//! |---|---|
//! | `->` `=>` `-->` `implies`, `<->` `<=>` `<-->` `equivalent` | implication, equivalence |
//! | `xor` `^` | exactly one |
//! | `\|\|` `\|` `\/` | or |
//! | `&&` `&` `/\` | and |
//! | `U` `until` `stronguntil`, `W` `weakuntil`, `R` `V` `release`, `M` | binary temporal operators |
//! | `[]` `G` `always`, `<>` `F` `eventually`, `X` `next` | unary temporal operators |
//! | `\|`, `^`, `&`, `== !=`, `< <= > >=`, `<< >>`, `+ -`, `* / %` | inside atoms only |
//! | `!` `~` `not`, `-` | not, minus |
//!
//! `true`, `tt`, `1`, `false`, `ff` and `0` are the constants; □ ◇ ○ ¬ ∧ ∨ ⊕ → ↔ ⊤ ⊥ are read too.
//!
//! # Atoms
//!
//! An atom is the longest expression of the modelling language without logical operators: `x > 1`,
//! `(a + b) * 2 == c`, `P[1]@cs`, `P:x`, `len(q) > 0`, `q?[m]`, `(c -> a : b) == 2`. Its name is its
//! text with the spaces put in order, so that `x>1` and `x > 1` are the same atom, and so is the
//! quoted `"x > 1"`. Any other name is possible in quotes: `"G"`, `"the door is open"`.
//!
//! - A unary temporal operator takes a whole atom: `[] x == 1` is `[] (x == 1)`. But `!` takes a
//!   single operand: `!x == 1` is `(!x) == 1`.
//! - A single `&`, `|` or `^` computes with bits if one of its operands is arithmetic (`a[i] & 6`,
//!   `b | a + 1`) or if the result is compared (`(a & b) == c`). Otherwise it is logical, as in Spot.
//!   `a & 1` could be either and is refused.
//! - `GFa` and `Xp1` are `G F a` and `X p1`: letters `G`, `F` and `X` are taken off in front of a small
//!   letter that has at most digits behind it. `Fork` and `Xpos` are names.
//! - In `P:x` there is no space around the colon; the colon of `(c -> a : b)` has spaces.
//!
//! # Method
//!
//! A precedence parser with two explicit stacks (Dijkstra's shunting yard) makes a flat tree, from
//! which the formulas are built bottom up. Nothing recurs, so no nesting is too deep. An expression
//! and a formula may start alike, `(a & b) == c` and `(a & b) U c`, so operands stay undecided until
//! the operator behind them is known.

mod lexer;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::formula::{Formula, Formulas, Node};
use lexer::{Kind, Token};

/// The largest number of operators and atoms in a formula.
pub const MAX_NODES: usize = 1_000_000;

/// The longest text of a formula, in bytes.
pub const MAX_TEXT: usize = 1 << 26;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the text that the message is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
}

impl ParseError {
    fn new(span: Range<usize>, message: impl Into<String>, help: Option<String>) -> Self {
        ParseError {
            span,
            message: message.into(),
            help,
        }
    }

    /// The message with the line of the text that it is about, the place marked with carets.
    ///
    /// ```
    /// let mut formulas = lariat_ltl::Formulas::new();
    /// let text = "[] (p = 1)";
    /// let error = lariat_ltl::parse(&mut formulas, text).unwrap_err();
    /// assert_eq!(
    ///     error.render(text),
    ///     "error: expected an operator or `)`, found `=`\n  \
    ///        | [] (p = 1)\n  \
    ///        |       ^\n  \
    ///        = help: `=` assigns; write `==` to compare\n"
    /// );
    /// ```
    pub fn render(&self, text: &str) -> String {
        let help = self.help.as_deref();
        render("error", &self.message, help, &self.span, text)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// A remark about a formula that can be read in a way that its author may not expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseWarning {
    /// The bytes of the text that the message is about.
    pub span: Range<usize>,
    /// How the text was read.
    pub message: String,
}

impl ParseWarning {
    /// The message with the line of the text that it is about, the place marked with carets.
    pub fn render(&self, text: &str) -> String {
        render("warning", &self.message, None, &self.span, text)
    }
}

/// An atom as it was found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedAtom {
    /// Its number in the arena.
    pub number: u32,
    /// Its name: the text with the spaces put in order.
    pub name: String,
    /// The text as it was written; what stands between the quotes if it was quoted.
    pub text: String,
    /// Where it stands first.
    pub span: Range<usize>,
}

/// A formula with the places of its atoms.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// Its atoms, each once, in the order of the text.
    pub atoms: Vec<ParsedAtom>,
    /// What the author might not expect.
    pub warnings: Vec<ParseWarning>,
}

/// Reads a formula.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let spin = lariat_ltl::parse(&mut formulas, "[] (x == 1 -> <> y)").unwrap();
/// let spot = lariat_ltl::parse(&mut formulas, "G(\"x == 1\" -> F y)").unwrap();
/// assert_eq!(spin, spot);
/// ```
pub fn parse(formulas: &mut Formulas, text: &str) -> Result<Formula, ParseError> {
    parse_with_atoms(formulas, text).map(|parsed| parsed.formula)
}

/// Reads a formula and says where its atoms stand.
pub fn parse_with_atoms(formulas: &mut Formulas, text: &str) -> Result<Parsed, ParseError> {
    let mut parser = Parser::new(text)?;
    let value = parser.run()?;
    let root = parser.formula(value)?;
    let built = parser.build(formulas, root);
    Ok(Parsed {
        formula: built.0,
        atoms: built.1,
        warnings: parser.warnings,
    })
}

/// The name of the atom that a text would be if it was written without quotes, with whether it
/// needs no parentheses anywhere; none if it can only be quoted.
pub(crate) fn expression(text: &str) -> Option<(String, bool)> {
    let mut parser = Parser::new(text).ok()?;
    let value = parser.run().ok()?;
    let Class::Term { inner, .. } = value.class else {
        return None;
    };
    if parser.constant(inner).is_some() {
        return None;
    }
    let mut depth = 0usize;
    let mut simple = matches!(parser.kind(inner.0), Kind::Word | Kind::LParen);
    for at in inner.0..=inner.1 {
        match parser.kind(at) {
            Kind::LParen | Kind::LBracket => depth += 1,
            Kind::RParen | Kind::RBracket => depth = depth.saturating_sub(1),
            _ if depth == 0 && at > inner.0 => simple &= !parser.spaced(at),
            _ => {}
        }
    }
    Some((parser.name(inner), simple))
}

/// A number of a token.
type At = usize;

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// An expression that is, or will be part of, an atom: its first and last token without the
    /// parentheses around it, and whether it computes a number.
    Term { inner: (At, At), arithmetic: bool },
    /// A formula without temporal operators: whether it can be part of an expression, and the `&`,
    /// `|` or `^` in it that is logical only if it is not.
    Logical {
        expression: bool,
        ambiguous: Option<At>,
    },
    /// A formula with temporal operators.
    Temporal,
}

/// An operand: its first and last token, and its node in the tree if it is no term.
#[derive(Clone, Copy, Debug)]
struct Value {
    first: At,
    last: At,
    class: Class,
    node: u32,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    Not,
    Minus,
    Next,
    Always,
    Eventually,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Implies,
    Equiv,
    Xor,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    /// An operator inside an atom: whether it compares.
    Compute(bool),
}

/// What waits for operands or for a closing parenthesis.
#[derive(Clone, Copy, Debug)]
enum Pending {
    Prefix(Prefix, At),
    Binary(Binary, u8, At),
    /// An open parenthesis; `true` behind the colon of a conditional expression.
    Open(At, bool),
}

/// A node of the tree; the parts come before it.
#[derive(Clone, Copy, Debug)]
enum Tree {
    Constant(bool),
    /// An atom from one token to another.
    Atom(At, At),
    Quoted(At),
    Prefix(Prefix, u32),
    Binary(Binary, u32, u32),
}

/// Precedence of the operators inside atoms; what is looser is logic.
const COMPUTE: u8 = 5;
/// Precedence of the operators that compare for equality.
const EQUALITY: u8 = 8;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The next token.
    at: At,
    pending: Vec<Pending>,
    values: Vec<Value>,
    tree: Vec<Tree>,
    warnings: Vec<ParseWarning>,
}

/// What comes next in the text.
enum Expect {
    Operand,
    Operator,
    Nothing,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, ParseError> {
        if text.len() > MAX_TEXT {
            let message = format!("the formula is longer than {MAX_TEXT} bytes");
            return Err(ParseError::new(0..0, message, None));
        }
        Ok(Parser {
            text,
            tokens: lexer::tokens(text)?,
            at: 0,
            pending: Vec::new(),
            values: Vec::new(),
            tree: Vec::new(),
            warnings: Vec::new(),
        })
    }

    fn run(&mut self) -> Result<Value, ParseError> {
        let mut expect = Expect::Operand;
        loop {
            expect = match expect {
                Expect::Operand => self.operand()?,
                Expect::Operator => self.operator()?,
                Expect::Nothing => match self.values.pop() {
                    Some(value) => return Ok(value),
                    None => return Err(self.unexpected("a formula")),
                },
            };
        }
    }

    /// What starts an operand: a prefix operator, a parenthesis, or all of an expression's operand.
    fn operand(&mut self) -> Result<Expect, ParseError> {
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
            Kind::Word => prefix_word(self.word(at)),
            _ => None,
        };
        if let Some(prefix) = prefix {
            self.at += 1;
            self.pending.push(Pending::Prefix(prefix, at));
            return Ok(Expect::Operand);
        }
        let class = match self.kind(at) {
            Kind::Word if binary_word(self.word(at)).is_none() => self.reference()?,
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
            Kind::Quoted => self.push(Tree::Quoted(at))?,
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
    fn reference(&mut self) -> Result<Class, ParseError> {
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
    fn is_remote(&self, colon: At) -> bool {
        let token = self.tokens[colon];
        colon > 0
            && matches!(self.kind(colon - 1), Kind::Word | Kind::RBracket)
            && self.tokens[colon - 1].end == token.start
            && self.kind(colon + 1) == Kind::Word
            && self.tokens[colon + 1].start == token.end
    }

    fn name_behind(&mut self, what: &str) -> Result<(), ParseError> {
        if self.kind(self.at) != Kind::Word {
            return Err(self.unexpected(what));
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over a pair of brackets and all in it, which is part of an atom.
    fn skip_brackets(&mut self) -> Result<(), ParseError> {
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
                Kind::Word if prefix_word(self.word(at)).is_some() => {
                    return Err(self.not_in_brackets());
                }
                Kind::Word if binary_word(self.word(at)).is_some() => {
                    return Err(self.not_in_brackets());
                }
                Kind::Assign => return Err(self.unexpected("an operator")),
                _ => {}
            }
            self.at += 1;
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// A binary operator, a closing parenthesis, or the end.
    fn operator(&mut self) -> Result<Expect, ParseError> {
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
    fn binary(&mut self, at: At) -> Result<Option<(Binary, u8)>, ParseError> {
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
    fn bits_or_logic(&mut self, at: At) -> Result<(Binary, u8), ParseError> {
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
    fn arithmetic_ahead(&self, mut at: At) -> bool {
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
    fn behind_name(&self, mut at: At) -> At {
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
    fn reduce(&mut self, minimum: u8) -> Result<(), ParseError> {
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

    fn apply_prefix(
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

    fn apply_binary(
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
    fn push_binary(&mut self, binary: Binary, a: u32, b: u32) -> Result<u32, ParseError> {
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
    fn close(&mut self) -> Result<(), ParseError> {
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
    fn colon(&mut self) -> Result<(), ParseError> {
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

    /// The node of a value that is needed as a formula.
    fn formula(&mut self, value: Value) -> Result<u32, ParseError> {
        match value.class {
            Class::Term { inner, .. } => match self.constant(inner) {
                Some(truth) => self.push(Tree::Constant(truth)),
                None => self.push(Tree::Atom(inner.0, inner.1)),
            },
            Class::Logical {
                ambiguous: Some(at),
                ..
            } => {
                let (sign, double) = match self.kind(at) {
                    Kind::And => ("&", "&&"),
                    Kind::Or => ("|", "||"),
                    _ => ("^", "xor"),
                };
                Err(ParseError::new(
                    self.tokens[at].span(),
                    format!("`{sign}` with a constant may be meant for bits or for truth values"),
                    Some(format!(
                        "write `{double}` for truth values, `(a {sign} 1) != 0` for bits"
                    )),
                ))
            }
            _ => Ok(value.node),
        }
    }

    /// The constant that a term is.
    fn constant(&self, (first, last): (At, At)) -> Option<bool> {
        match self.word(first) {
            _ if first != last => None,
            "true" | "tt" | "1" => Some(true),
            "false" | "ff" | "0" => Some(false),
            _ => None,
        }
    }

    fn is_expression(&self, class: Class) -> bool {
        match class {
            Class::Term { .. } => true,
            Class::Logical { expression, .. } => expression,
            Class::Temporal => false,
        }
    }

    /// Refuses a formula where a value is needed.
    fn check_expression(&self, value: Value) -> Result<(), ParseError> {
        if self.is_expression(value.class) {
            return Ok(());
        }
        let span = self.tokens[value.first].span().start..self.tokens[value.last].span().end;
        let (message, help) = match value.class {
            Class::Temporal => (
                "a temporal formula has no value to compute with",
                "use `<->` to compare truth values, and parentheses if this should be an operand of \
                 a temporal operator",
            ),
            _ => (
                "this cannot be part of an expression",
                "only names, numbers, `&&`, `||`, `!` and arithmetic can; use `<->` to compare truth \
                 values",
            ),
        };
        Err(ParseError::new(span, message, Some(help.to_string())))
    }

    fn push(&mut self, node: Tree) -> Result<u32, ParseError> {
        if self.tree.len() >= MAX_NODES {
            return Err(ParseError::new(
                self.tokens[self.at].span(),
                format!("the formula has more than {MAX_NODES} operators and atoms"),
                None,
            ));
        }
        self.tree.push(node);
        Ok(self.tree.len() as u32 - 1)
    }
}

/// From the tree to the arena.
impl Parser<'_> {
    fn build(&self, formulas: &mut Formulas, root: u32) -> (Formula, Vec<ParsedAtom>) {
        let needed = self.needed(root);
        let mut built = vec![Formula::TRUE; self.tree.len()];
        let atoms = self.atoms(formulas, &needed, &mut built);
        for (i, &node) in self.tree.iter().enumerate() {
            if !needed[i] {
                continue;
            }
            let of = |part: u32| built[part as usize];
            built[i] = match node {
                Tree::Constant(true) => Formula::TRUE,
                Tree::Constant(false) => Formula::FALSE,
                Tree::Atom(..) | Tree::Quoted(_) => built[i],
                Tree::Prefix(prefix, a) => match prefix {
                    Prefix::Next => formulas.next(of(a)),
                    Prefix::Always => formulas.always(of(a)),
                    Prefix::Eventually => formulas.eventually(of(a)),
                    Prefix::Not | Prefix::Minus => formulas.not(of(a)),
                },
                Tree::Binary(binary, a, b) => match binary {
                    Binary::Implies => formulas.implies(of(a), of(b)),
                    Binary::Equiv => formulas.equiv(of(a), of(b)),
                    Binary::Xor => formulas.xor(of(a), of(b)),
                    Binary::Until => formulas.until(of(a), of(b)),
                    Binary::Release => formulas.release(of(a), of(b)),
                    Binary::WeakUntil => formulas.weak_until(of(a), of(b)),
                    Binary::StrongRelease => formulas.strong_release(of(a), of(b)),
                    Binary::Or => {
                        formulas.or(self.chain(i as u32, Binary::Or).iter().map(|&p| of(p)))
                    }
                    Binary::And | Binary::Compute(_) => {
                        formulas.and(self.chain(i as u32, Binary::And).iter().map(|&p| of(p)))
                    }
                },
            };
        }
        (built[root as usize], atoms)
    }

    /// Builds the atoms, in the order of the text, and gives each once, where it stands first.
    fn atoms(
        &self,
        formulas: &mut Formulas,
        needed: &[bool],
        built: &mut [Formula],
    ) -> Vec<ParsedAtom> {
        let mut places: Vec<(At, usize)> = Vec::new();
        for (i, &node) in self.tree.iter().enumerate() {
            match node {
                Tree::Atom(first, _) | Tree::Quoted(first) if needed[i] => places.push((first, i)),
                _ => {}
            }
        }
        places.sort_unstable();
        let mut atoms: Vec<ParsedAtom> = Vec::new();
        let mut seen = HashSet::new();
        for (_, i) in places {
            let mut atom = self.atom(self.tree[i]);
            built[i] = formulas.atom(&atom.name);
            if let Node::Atom(number) = *formulas.node(built[i])
                && seen.insert(number)
            {
                atom.number = number;
                atoms.push(atom);
            }
        }
        atoms
    }

    /// Which nodes are built: those under the root, without conjunctions inside conjunctions and
    /// disjunctions inside disjunctions, which are built as one.
    fn needed(&self, root: u32) -> Vec<bool> {
        let mut reached = vec![false; self.tree.len()];
        let mut inner = vec![false; self.tree.len()];
        reached[root as usize] = true;
        for i in (0..=root as usize).rev() {
            match self.tree[i] {
                _ if !reached[i] => {}
                Tree::Prefix(_, a) => reached[a as usize] = true,
                Tree::Binary(binary, a, b) => {
                    for part in [a as usize, b as usize] {
                        reached[part] = true;
                        let same = matches!(self.tree[part], Tree::Binary(x, ..) if x == binary);
                        inner[part] = same && matches!(binary, Binary::And | Binary::Or);
                    }
                }
                _ => {}
            }
        }
        reached.iter().zip(inner).map(|(&r, i)| r && !i).collect()
    }

    /// The operands of a conjunction or disjunction whose operands may be of the same kind.
    fn chain(&self, root: u32, binary: Binary) -> Vec<u32> {
        let mut parts = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            match self.tree[node as usize] {
                Tree::Binary(x, a, b) if x == binary => open.extend([b, a]),
                _ => parts.push(node),
            }
        }
        parts
    }

    fn atom(&self, node: Tree) -> ParsedAtom {
        let (span, text, name) = match node {
            Tree::Quoted(at) => {
                let span = self.tokens[at].span();
                let text = unquote(&self.text[span.start + 1..span.end - 1]);
                let name = expression(&text).map_or_else(|| text.clone(), |(name, _)| name);
                (span, text, name)
            }
            Tree::Atom(first, last) => {
                let span = self.tokens[first].span().start..self.tokens[last].span().end;
                let text = self.text[span.clone()].to_string();
                (span, text, self.name((first, last)))
            }
            _ => (0..0, String::new(), String::new()),
        };
        ParsedAtom {
            number: 0,
            name,
            text,
            span,
        }
    }

    /// The tokens of an atom with single spaces around binary operators and none elsewhere.
    fn name(&self, (first, last): (At, At)) -> String {
        let mut name = String::new();
        for at in first..=last {
            let word = |at| matches!(self.kind(at), Kind::Word | Kind::Number);
            let spaced = at > first && self.spaced(at);
            if spaced || (at > first && word(at) && word(at - 1)) {
                name.push(' ');
            }
            name.push_str(self.word(at));
            if spaced || (self.kind(at) == Kind::Comma) {
                name.push(' ');
            }
        }
        name
    }

    /// Whether the token at a place of an atom is a binary operator.
    fn spaced(&self, at: At) -> bool {
        match self.kind(at) {
            Kind::Word | Kind::Number | Kind::Char | Kind::Quoted | Kind::Not | Kind::Tilde => {
                false
            }
            Kind::LParen | Kind::RParen | Kind::LBracket | Kind::RBracket => false,
            Kind::Dot | Kind::At | Kind::Question | Kind::Comma => false,
            Kind::Colon => !self.is_remote(at),
            _ => matches!(
                self.kind(at.wrapping_sub(1)),
                Kind::Word | Kind::Number | Kind::Char | Kind::RParen | Kind::RBracket
            ),
        }
    }
}

/// Messages and what they are made of.
impl Parser<'_> {
    fn kind(&self, at: At) -> Kind {
        self.tokens.get(at).map_or(Kind::End, |token| token.kind)
    }

    /// The text of a token.
    fn word(&self, at: At) -> &str {
        self.tokens.get(at).map_or("", |t| &self.text[t.span()])
    }

    fn describe(&self, at: At) -> String {
        match self.kind(at) {
            Kind::End => "the end of the formula".to_string(),
            _ => format!("`{}`", shorten(self.word(at))),
        }
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let help = match expected {
            "a formula" => self.help_operand(),
            _ => self.help_operator(),
        };
        self.unexpected_with(expected, help)
    }

    fn unexpected_with(&self, expected: &str, help: Option<String>) -> ParseError {
        let found = self.describe(self.at);
        let message = format!("expected {expected}, found {found}");
        let token = self.tokens[self.at.min(self.tokens.len() - 1)];
        ParseError::new(token.span(), message, help)
    }

    /// What may help if there is no operand where one should be.
    fn help_operand(&self) -> Option<String> {
        let at = self.at;
        let word = self.word(at);
        let before = |n: usize| self.kind(at.wrapping_sub(n));
        match self.kind(at) {
            Kind::Word => Some(format!(
                "`{word}` is an operator; an atom of that name is written in quotes: `\"{word}\"`"
            )),
            Kind::End if at == 0 => {
                Some("a formula is, for example, `[] (request -> <> answer)`".to_string())
            }
            Kind::Gt if before(1) == Kind::Minus => Some("write `->` without a space".to_string()),
            Kind::Minus if before(1) == Kind::Lt => Some("write `<->` without spaces".to_string()),
            Kind::Implies if before(1) == Kind::Lt => {
                Some("write `<->` without spaces".to_string())
            }
            Kind::RBracket if before(1) == Kind::LBracket => None,
            Kind::Assign if before(1) == Kind::Eq => Some("`==` compares".to_string()),
            Kind::LBracket => Some("always is `[]`; group with parentheses".to_string()),
            Kind::Eq | Kind::Ne | Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge
                if before(1) == Kind::Word && prefix_word(self.word(at - 1)).is_some() =>
            {
                let name = self.word(at - 1);
                Some(format!(
                    "`{name}` is an operator; put an atom with a variable of that name in quotes: \
                     `\"{name} {word} ...\"`"
                ))
            }
            Kind::AndAnd | Kind::And | Kind::OrOr | Kind::Or | Kind::Implies | Kind::Equiv => {
                Some(format!("`{word}` needs a formula on both sides"))
            }
            _ => None,
        }
    }

    /// What may help if there is no operator where one should be.
    fn help_operator(&self) -> Option<String> {
        let at = self.at;
        let text = self.word(at);
        let previous = self.word(at.wrapping_sub(1));
        let help = match (self.kind(at), text.to_ascii_lowercase().as_str()) {
            (Kind::Assign, _) => "`=` assigns; write `==` to compare",
            (Kind::Word, "and") => "write `&&`",
            (Kind::Word, "or") => "write `||`",
            (Kind::Word, "iff") => "write `<->`",
            (Kind::Word, "u" | "w" | "v" | "r" | "m" | "until" | "release" | "xor" | "implies") => {
                "operators are written `U`, `W`, `V` or `R`, `M`, `until`, `release`, `xor`, `implies`"
            }
            (Kind::Eventually, _) => "`<>` means eventually; write `!=` for different values",
            (Kind::Always, _) => "`[]` means always; an index cannot be empty",
            (Kind::Not, _) => "a formula cannot send; write `!=` for different values",
            (Kind::Question, _) => "only a channel can be polled: `q?[m]`",
            _ if previous.eq_ignore_ascii_case("not") => "write `!` for not",
            _ if matches!(previous, "g" | "f" | "x") => {
                "operators are capital letters: `G`, `F`, `X`"
            }
            (Kind::Word | Kind::Number | Kind::Quoted | Kind::LParen, _) => {
                "put an operator such as `&&`, `||`, `->` or `U` between the two"
            }
            _ => return None,
        };
        Some(help.to_string())
    }

    fn unclosed(&self, open: At) -> ParseError {
        let (sign, close) = match self.kind(open) {
            Kind::LParen => ("(", ")"),
            _ => ("[", "]"),
        };
        let found = self.describe(self.at);
        ParseError::new(
            self.tokens[open].span(),
            format!("this `{sign}` is not closed: expected `{close}`, found {found}"),
            None,
        )
    }

    fn not_in_brackets(&self) -> ParseError {
        let found = self.describe(self.at);
        ParseError::new(
            self.tokens[self.at].span(),
            format!("{found} cannot be used inside an atom"),
            Some("only expressions of the modelling language stand inside brackets".to_string()),
        )
    }

    fn no_function(&self, at: At) -> ParseError {
        let name = self.word(at);
        let help = match name.to_ascii_lowercase().as_str() {
            "not" => "write `!` for not".to_string(),
            "g" | "f" | "x" => "operators are capital letters: `G`, `F`, `X`".to_string(),
            "and" => "write `a && b`".to_string(),
            "or" => "write `a || b`".to_string(),
            _ if lexer::looks_like_operator(name) => {
                format!("write `{} {}(...)`", &name[..1], &name[1..])
            }
            _ => format!(
                "the functions are {}; put an operator between `{}` and `(` if it is an atom",
                FUNCTIONS.map(|f| format!("`{f}`")).join(", "),
                shorten(name)
            ),
        };
        let message = format!("`{}` is not a function", shorten(name));
        ParseError::new(self.tokens[at].span(), message, Some(help))
    }

    /// A name such as `Fready`, when nothing behind it shows that it is a name of a model.
    fn warn_operator(&mut self, at: At) {
        let behind = self.kind(at + 1);
        if matches!(
            behind,
            Kind::LBracket | Kind::Dot | Kind::At | Kind::Question | Kind::LParen
        ) || (behind == Kind::Colon && self.is_remote(at + 1))
            || self.warnings.len() >= 10
        {
            return;
        }
        let word = self.word(at);
        let (operator, rest) = word.split_at(1);
        let message = format!(
            "`{}` is read as the name of an atom; write `{operator} {}` for the operator",
            shorten(word),
            shorten(rest)
        );
        let span = self.tokens[at].span();
        if self.warnings.iter().all(|w| w.message != message) {
            self.warnings.push(ParseWarning { span, message });
        }
    }
}

const FUNCTIONS: [&str; 8] = [
    "len",
    "full",
    "nfull",
    "empty",
    "nempty",
    "enabled",
    "pc_value",
    "get_priority",
];

fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

fn term(first: At, last: At, arithmetic: bool) -> Class {
    Class::Term {
        inner: (first, last),
        arithmetic,
    }
}

fn is_temporal(prefix: Prefix) -> bool {
    matches!(prefix, Prefix::Next | Prefix::Always | Prefix::Eventually)
}

fn prefix_word(word: &str) -> Option<Prefix> {
    Some(match word {
        "X" | "next" => Prefix::Next,
        "G" | "always" => Prefix::Always,
        "F" | "eventually" => Prefix::Eventually,
        "not" => Prefix::Not,
        _ => return None,
    })
}

fn binary_word(word: &str) -> Option<(Binary, u8)> {
    Some(match word {
        "implies" => (Binary::Implies, 0),
        "equivalent" => (Binary::Equiv, 0),
        "xor" => (Binary::Xor, 1),
        "U" | "until" | "stronguntil" => (Binary::Until, 4),
        "W" | "weakuntil" => (Binary::WeakUntil, 4),
        "V" | "R" | "release" => (Binary::Release, 4),
        "M" => (Binary::StrongRelease, 4),
        _ => return None,
    })
}

/// The name between quotes.
fn unquote(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        name.push(match c {
            '\\' => chars.next().unwrap_or('\\'),
            c => c,
        });
    }
    name
}

/// A name that is short enough for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A message with the marked line of the text.
fn render(
    kind: &str,
    message: &str,
    help: Option<&str>,
    span: &Range<usize>,
    text: &str,
) -> String {
    /// Characters of the line that are shown on each side of a place.
    const AROUND: usize = 60;
    let start = floor_boundary(text, span.start);
    let end = floor_boundary(text, span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let before: Vec<char> = text[line_start..start].chars().collect();
    let marked: Vec<char> = text[start..end.min(line_end)]
        .chars()
        .take(AROUND)
        .collect();
    let behind: Vec<char> = text[start..line_end].chars().take(2 * AROUND).collect();
    let cut = before.len().saturating_sub(AROUND);
    let dots = if cut > 0 { "..." } else { "" };
    let shown = |c: &char| if c.is_control() { ' ' } else { *c };
    let line: String = before[cut..].iter().chain(&behind).map(shown).collect();
    let column = dots.len() + before.len() - cut;
    let more = match text[start..line_end].chars().nth(2 * AROUND) {
        Some(_) => "...",
        None => "",
    };
    let mut out = format!(
        "{kind}: {message}\n  | {dots}{}{more}\n  | {}{}\n",
        line.trim_end(),
        " ".repeat(column),
        "^".repeat(marked.len().max(1))
    );
    if let Some(help) = help {
        out.push_str(&format!("  = help: {help}\n"));
    }
    out
}

/// The last place at or before `at` where a character starts.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
