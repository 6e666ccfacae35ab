//! From the tree of the parser to the arena of formulas; the names of atoms.

use std::collections::HashSet;

use super::lexer::Kind;
use super::*;
use crate::formula::Node;

impl Parser<'_> {
    pub(super) fn build(&self, formulas: &mut Formulas, root: u32) -> (Formula, Vec<ParsedAtom>) {
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
    pub(super) fn atoms(
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
    pub(super) fn needed(&self, root: u32) -> Vec<bool> {
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
    pub(super) fn chain(&self, root: u32, binary: Binary) -> Vec<u32> {
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

    pub(super) fn atom(&self, node: Tree) -> ParsedAtom {
        let (span, text, name) = match node {
            Tree::Quoted(at) => {
                let span = self.tokens[at].span();
                let text = unquote(&self.text[span.start + 1..span.end - 1]);
                let name = expression(&text).map_or_else(|| text.clone(), |(name, _)| name);
                (span, text, name)
            }
            Tree::Atom(first, last) => {
                let span = self.tokens[first].span().start..self.tokens[last].span().end;
                let name = self.name((first, last));
                // Without the quote, so that the whole does not look like one quoted name.
                let opening = usize::from(first < last && self.kind(first) == Kind::Quoted);
                let span = span.start + opening..span.end;
                let quoted = (first..=last).any(|at| self.kind(at) == Kind::Quoted);
                let text = match quoted {
                    true => name.clone(),
                    false => self.text[span.clone()].to_string(),
                };
                (span, text, name)
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
    pub(super) fn name(&self, (first, last): (At, At)) -> String {
        let mut name = String::new();
        for at in first..=last {
            let word = |at| matches!(self.kind(at), Kind::Word | Kind::Number | Kind::Quoted);
            let spaced = at > first && self.spaced(at);
            if spaced || (at > first && word(at) && word(at - 1)) {
                name.push(' ');
            }
            name.push_str(self.word(at).trim_matches('"'));
            if spaced || (self.kind(at) == Kind::Comma) {
                name.push(' ');
            }
        }
        name
    }

    /// Whether the token at a place of an atom is a binary operator.
    pub(super) fn spaced(&self, at: At) -> bool {
        match self.kind(at) {
            Kind::Word | Kind::Number | Kind::Char | Kind::Quoted | Kind::Not | Kind::Tilde => {
                false
            }
            Kind::LParen | Kind::RParen | Kind::LBracket | Kind::RBracket => false,
            Kind::Dot | Kind::At | Kind::Question | Kind::Comma => false,
            Kind::Colon => !self.is_remote(at),
            _ => matches!(
                self.kind(at.wrapping_sub(1)),
                Kind::Word
                    | Kind::Number
                    | Kind::Char
                    | Kind::Quoted
                    | Kind::RParen
                    | Kind::RBracket
            ),
        }
    }
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
