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
//! quoted `"x > 1"`. Any other name is possible in quotes: `"G"`, `"the door is open"`. A word that
//! is an operator in other places is a name where no operand follows it: `s == M`, `G && p`. A quoted
//! name can be part of an expression: `s == "M"`.
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

mod build;
mod lexer;
mod messages;
mod operand;
mod operator;

use std::ops::Range;

use crate::formula::{Formula, Formulas};
use lexer::{Kind, Token};
pub use messages::{ParseError, ParseWarning};

/// The largest number of operators and atoms in a formula.
pub const MAX_NODES: usize = 1_000_000;

/// The longest text of a formula, in bytes.
pub const MAX_TEXT: usize = 1 << 26;

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

    fn kind(&self, at: At) -> Kind {
        self.tokens.get(at).map_or(Kind::End, |token| token.kind)
    }

    /// The text of a token.
    fn word(&self, at: At) -> &str {
        self.tokens.get(at).map_or("", |t| &self.text[t.span()])
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

/// Whether a word is an operator in some positions.
pub(crate) fn is_operator(word: &str) -> bool {
    prefix_word(word).is_some() || binary_word(word).is_some()
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
