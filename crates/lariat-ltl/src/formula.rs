//! Formulas of linear temporal logic, hash-consed in an arena.
//!
//! A [`Formula`] is a number in a [`Formulas`]. Equal formulas have equal numbers, and the parts of
//! a formula always have smaller numbers than the formula itself. A pass over a formula is therefore
//! a loop over numbers in ascending order, never a recursion, and no formula is too deep.
//!
//! The constructors only do what keeps the arena canonical: conjunctions and disjunctions are flat,
//! sorted and without duplicates, constants are absorbed, double negations vanish. Everything more
//! clever is a rewriting of its own.

use std::collections::HashMap;

/// A formula of a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

impl Formula {
    /// The formula that is always true.
    pub const TRUE: Formula = Formula(0);
    /// The formula that is never true.
    pub const FALSE: Formula = Formula(1);

    /// Its number: those of its parts are smaller.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The formula with a number that [`Formula::index`] gave.
    pub(crate) fn from_index(index: usize) -> Self {
        Formula(index as u32)
    }
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true.
    True,
    /// Never true.
    False,
    /// An atomic proposition, by its number in [`Formulas::atoms`].
    Atom(u32),
    /// It does not hold.
    Not(Formula),
    /// All hold: at least two, sorted, none of them a conjunction.
    And(Box<[Formula]>),
    /// Some hold: at least two, sorted, none of them a disjunction.
    Or(Box<[Formula]>),
    /// If the first then the second.
    Implies(Formula, Formula),
    /// Both or none.
    Equiv(Formula, Formula),
    /// Exactly one.
    Xor(Formula, Formula),
    /// `X`: in the next state.
    Next(Formula),
    /// `F`, `<>`: now or later.
    Eventually(Formula),
    /// `G`, `[]`: now and for ever.
    Always(Formula),
    /// `U`: the second now or later, and the first until then.
    Until(Formula, Formula),
    /// `R`, `V`: the second up to and including the moment at which the first holds; for ever if
    /// that never comes.
    Release(Formula, Formula),
    /// `W`: the first until the second; for ever if that never comes.
    WeakUntil(Formula, Formula),
    /// `M`: as `R`, and the first does hold at some moment.
    StrongRelease(Formula, Formula),
}

/// The parts of a node: a slice that needs no allocation.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    /// Those of an n-ary node.
    Many(&'a [Formula]),
    /// Those of other nodes, with their number.
    Few([Formula; 2], usize),
}

impl std::ops::Deref for Parts<'_> {
    type Target = [Formula];

    fn deref(&self) -> &[Formula] {
        match self {
            Parts::Many(parts) => parts,
            Parts::Few(parts, len) => &parts[..*len],
        }
    }
}

impl Node {
    /// The operands, from left to right.
    ///
    /// ```
    /// let mut formulas = lariat_ltl::Formulas::new();
    /// let (a, b) = (formulas.atom("a"), formulas.atom("b"));
    /// let until = formulas.until(b, a);
    /// assert_eq!(*formulas.node(until).parts(), [b, a]);
    /// ```
    pub fn parts(&self) -> Parts<'_> {
        match self {
            Node::True | Node::False | Node::Atom(_) => Parts::Many(&[]),
            Node::And(parts) | Node::Or(parts) => Parts::Many(parts),
            Node::Not(a) | Node::Next(a) | Node::Eventually(a) | Node::Always(a) => {
                Parts::Few([*a, *a], 1)
            }
            Node::Implies(a, b)
            | Node::Equiv(a, b)
            | Node::Xor(a, b)
            | Node::Until(a, b)
            | Node::Release(a, b)
            | Node::WeakUntil(a, b)
            | Node::StrongRelease(a, b) => Parts::Few([*a, *b], 2),
        }
    }
}

/// An arena of formulas and the names of their atoms.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Formula>,
    atoms: Vec<String>,
    atom_numbers: HashMap<String, u32>,
}

impl Default for Formulas {
    fn default() -> Self {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            atoms: Vec::new(),
            atom_numbers: HashMap::new(),
        };
        formulas.intern(Node::True);
        formulas.intern(Node::False);
        formulas
    }
}

impl Formulas {
    /// An arena with nothing but the constants.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a formula is made of.
    pub fn node(&self, f: Formula) -> &Node {
        &self.nodes[f.index()]
    }

    /// The number of formulas; all have numbers below.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The names of the atoms, by number.
    pub fn atoms(&self) -> &[String] {
        &self.atoms
    }

    /// The atom with a name.
    pub fn atom(&mut self, name: &str) -> Formula {
        let number = match self.atom_numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = u32::try_from(self.atoms.len()).expect("fewer than 2^32 atoms");
                self.atoms.push(name.to_string());
                self.atom_numbers.insert(name.to_string(), number);
                number
            }
        };
        self.intern(Node::Atom(number))
    }

    /// The atom with a number.
    pub fn atom_number(&mut self, number: u32) -> Formula {
        self.intern(Node::Atom(number))
    }

    /// `!f`
    pub fn not(&mut self, f: Formula) -> Formula {
        match *self.node(f) {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Not(g) => g,
            _ => self.intern(Node::Not(f)),
        }
    }

    /// The conjunction of all.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        match self.flat(parts, Formula::TRUE, Formula::FALSE) {
            Ok(parts) => self.intern(Node::And(parts)),
            Err(f) => f,
        }
    }

    /// The disjunction of all.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        match self.flat(parts, Formula::FALSE, Formula::TRUE) {
            Ok(parts) => self.intern(Node::Or(parts)),
            Err(f) => f,
        }
    }

    /// `a -> b`
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::Implies(a, b))
    }

    /// `a <-> b`
    pub fn equiv(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::Equiv(a, b))
    }

    /// `a xor b`
    pub fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::Xor(a, b))
    }

    /// `X f`
    pub fn next(&mut self, f: Formula) -> Formula {
        self.intern(Node::Next(f))
    }

    /// `F f`
    pub fn eventually(&mut self, f: Formula) -> Formula {
        self.intern(Node::Eventually(f))
    }

    /// `G f`
    pub fn always(&mut self, f: Formula) -> Formula {
        self.intern(Node::Always(f))
    }

    /// `a U b`
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::Until(a, b))
    }

    /// `a R b`
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::Release(a, b))
    }

    /// `a W b`
    pub fn weak_until(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::WeakUntil(a, b))
    }

    /// `a M b`
    pub fn strong_release(&mut self, a: Formula, b: Formula) -> Formula {
        self.intern(Node::StrongRelease(a, b))
    }

    /// The formula of the same kind as `f` with other parts, in the order of [`Node::parts`].
    ///
    /// A part too many is ignored; with a part too few the result is `f` itself.
    pub fn with_parts(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        match (self.node(f), parts) {
            (Node::And(_), _) => self.and(parts.iter().copied()),
            (Node::Or(_), _) => self.or(parts.iter().copied()),
            (Node::Not(_), &[a, ..]) => self.not(a),
            (Node::Next(_), &[a, ..]) => self.next(a),
            (Node::Eventually(_), &[a, ..]) => self.eventually(a),
            (Node::Always(_), &[a, ..]) => self.always(a),
            (Node::Implies(..), &[a, b, ..]) => self.implies(a, b),
            (Node::Equiv(..), &[a, b, ..]) => self.equiv(a, b),
            (Node::Xor(..), &[a, b, ..]) => self.xor(a, b),
            (Node::Until(..), &[a, b, ..]) => self.until(a, b),
            (Node::Release(..), &[a, b, ..]) => self.release(a, b),
            (Node::WeakUntil(..), &[a, b, ..]) => self.weak_until(a, b),
            (Node::StrongRelease(..), &[a, b, ..]) => self.strong_release(a, b),
            _ => f,
        }
    }

    /// `f` and all its subformulas in ascending order: the parts of a formula before the formula.
    pub fn subformulas(&self, f: Formula) -> Vec<Formula> {
        let mut seen = vec![false; f.index() + 1];
        seen[f.index()] = true;
        for number in (0..=f.index()).rev() {
            if seen[number] {
                for part in self.nodes[number].parts().iter() {
                    seen[part.index()] = true;
                }
            }
        }
        let numbers = (0..=f.0).filter(|&n| seen[n as usize]);
        numbers.map(Formula).collect()
    }

    /// The formula in which atoms with a known value are replaced by it.
    pub fn with_values(&mut self, f: Formula, value: impl Fn(u32) -> Option<bool>) -> Formula {
        let all = self.subformulas(f);
        let mut replaced = vec![f; f.index() + 1];
        for &g in &all {
            let node = self.node(g).clone();
            replaced[g.index()] = match node {
                Node::Atom(atom) => match value(atom) {
                    Some(true) => Formula::TRUE,
                    Some(false) => Formula::FALSE,
                    None => g,
                },
                node => {
                    let parts: Vec<Formula> = node
                        .parts()
                        .iter()
                        .map(|part| replaced[part.index()])
                        .collect();
                    self.with_parts(g, &parts)
                }
            };
        }
        replaced[f.index()]
    }

    /// The numbers of the atoms in `f`, ascending.
    pub fn atoms_of(&self, f: Formula) -> Vec<u32> {
        let all = self.subformulas(f).into_iter();
        let mut atoms: Vec<u32> = all
            .filter_map(|g| match self.node(g) {
                Node::Atom(number) => Some(*number),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// The number of nodes of `f` written as a tree, where an n-ary operator counts as n - 1
    /// binary ones; `u64::MAX` if it is more than that.
    pub fn size(&self, f: Formula) -> u64 {
        let mut sizes = vec![0u64; f.index() + 1];
        for g in self.subformulas(f) {
            let node = self.node(g);
            let own = match node {
                Node::And(parts) | Node::Or(parts) => parts.len() as u64 - 1,
                _ => 1,
            };
            let parts = node.parts();
            let sum = |sum: u64, part: &Formula| sum.saturating_add(sizes[part.index()]);
            sizes[g.index()] = parts.iter().fold(own, sum);
        }
        sizes[f.index()]
    }

    /// The parts of a conjunction or disjunction, or what it comes down to.
    fn flat(
        &mut self,
        parts: impl IntoIterator<Item = Formula>,
        neutral: Formula,
        absorbing: Formula,
    ) -> Result<Box<[Formula]>, Formula> {
        let mut all = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if neutral == Formula::TRUE => all.extend_from_slice(inner),
                Node::Or(inner) if neutral == Formula::FALSE => all.extend_from_slice(inner),
                _ if part == neutral => {}
                _ if part == absorbing => return Err(absorbing),
                _ => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        // Of a formula and its negation only one can hold.
        let opposite = all
            .iter()
            .any(|&f| matches!(*self.node(f), Node::Not(g) if all.binary_search(&g).is_ok()));
        match all.len() {
            0 => Err(neutral),
            1 => Err(all[0]),
            _ if opposite => Err(absorbing),
            _ => Ok(all.into()),
        }
    }

    fn intern(&mut self, node: Node) -> Formula {
        if let Some(&f) = self.numbers.get(&node) {
            return f;
        }
        let f = Formula(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        self.nodes.push(node.clone());
        self.numbers.insert(node, f);
        f
    }
}
