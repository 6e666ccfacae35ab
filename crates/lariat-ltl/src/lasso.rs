//! The truth of a formula on an ultimately periodic word, straight from the definition.
//!
//! A word u·vω has only |u| + |v| different suffixes, so the truth of a formula is one bit for each
//! of these positions. The bits of a formula follow from those of its parts. For the temporal
//! operators they are the least (`F`, `U`, `M`) or greatest (`G`, `R`, `W`) solution of the
//! expansion law, for example `a U b = b || (a && X (a U b))`, and two rounds backwards over the word
//! find it: the first settles the first position of the cycle, the second the rest (Markey and
//! Schnoebelen, "Model checking a path", CONCUR 2003). The time is the size of the formula times
//! the length of the word.
//!
//! Nothing here uses rewriting or automata, so that these can be tested against it.

use crate::formula::{Formula, Formulas, Node};

/// The set of the atoms that hold at one moment, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter(Vec<u64>);

impl Letter {
    /// The letter in which no atom holds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether an atom holds.
    pub fn contains(&self, atom: u32) -> bool {
        let word = self.0.get(atom as usize / 64);
        word.is_some_and(|word| word >> (atom % 64) & 1 == 1)
    }

    /// Makes an atom hold.
    pub fn insert(&mut self, atom: u32) {
        let index = atom as usize / 64;
        if index >= self.0.len() {
            self.0.resize(index + 1, 0);
        }
        self.0[index] |= 1 << (atom % 64);
    }

    /// Makes an atom not hold.
    pub fn remove(&mut self, atom: u32) {
        if let Some(word) = self.0.get_mut(atom as usize / 64) {
            *word &= !(1 << (atom % 64));
        }
        // Equal sets have equal representations.
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// The atoms that hold, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|&atom| self.contains(atom))
    }
}

impl FromIterator<u32> for Letter {
    fn from_iter<T: IntoIterator<Item = u32>>(atoms: T) -> Self {
        let mut letter = Letter::new();
        for atom in atoms {
            letter.insert(atom);
        }
        letter
    }
}

/// An ultimately periodic word: the prefix once, then the cycle for ever.
///
/// An empty cycle stands for one letter without atoms, so that every word is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word {
    /// What comes once.
    pub prefix: Vec<Letter>,
    /// What comes again and again.
    pub cycle: Vec<Letter>,
}

impl Word {
    /// The number of different positions, at least 1.
    pub fn positions(&self) -> usize {
        self.prefix.len() + self.cycle.len().max(1)
    }

    /// The letter at one of the positions; behind the last the cycle goes on.
    pub fn letter(&self, position: usize) -> Option<&Letter> {
        match position.checked_sub(self.prefix.len()) {
            None => self.prefix.get(position),
            Some(_) if self.cycle.is_empty() => None,
            Some(i) => self.cycle.get(i % self.cycle.len()),
        }
    }

    /// The position behind a position.
    pub fn successor(&self, position: usize) -> usize {
        if position + 1 < self.positions() {
            position + 1
        } else {
            self.prefix.len()
        }
    }

    /// Whether an atom holds at a position.
    pub fn atom(&self, position: usize, atom: u32) -> bool {
        self.letter(position).is_some_and(|l| l.contains(atom))
    }
}

/// The truth of a formula and of all its subformulas at all positions of a word.
#[derive(Clone, Debug)]
pub struct Values {
    positions: usize,
    /// The subformulas, ascending.
    formulas: Vec<Formula>,
    /// For each subformula the truth at each position.
    truth: Vec<bool>,
}

impl Values {
    /// Whether a subformula holds at a position; none if it was not evaluated.
    pub fn at(&self, f: Formula, position: usize) -> Option<bool> {
        let row = self.formulas.binary_search(&f).ok()?;
        (position < self.positions).then(|| self.truth[row * self.positions + position])
    }

    /// The truth of a subformula at all positions.
    pub fn row(&self, f: Formula) -> Option<&[bool]> {
        let row = self.formulas.binary_search(&f).ok()?;
        Some(&self.truth[row * self.positions..][..self.positions])
    }

    /// The subformulas, parts before what they are part of.
    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }
}

/// Whether the word is a model of the formula.
///
/// ```
/// use lariat_ltl::lasso::{Word, holds};
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "[]<>a && <>[]!b").unwrap();
/// let letter = |atoms: &[u32]| atoms.iter().copied().collect();
/// let word = Word { prefix: vec![letter(&[1])], cycle: vec![letter(&[]), letter(&[0])] };
/// assert!(holds(&formulas, f, &word));
/// ```
pub fn holds(formulas: &Formulas, f: Formula, word: &Word) -> bool {
    values(formulas, f, word).at(f, 0) == Some(true)
}

/// The truth of all subformulas at all positions of the word.
pub fn values(formulas: &Formulas, f: Formula, word: &Word) -> Values {
    let all = formulas.subformulas(f);
    let positions = word.positions();
    let mut values = Values {
        positions,
        truth: Vec::with_capacity(all.len() * positions),
        formulas: Vec::with_capacity(all.len()),
    };
    let mut rows = vec![0u32; f.index() + 1];
    for (row, &g) in all.iter().enumerate() {
        rows[g.index()] = row as u32;
        let at = |h: Formula, i: usize| values.truth[rows[h.index()] as usize * positions + i];
        let each = |truth: &dyn Fn(usize) -> bool| (0..positions).map(truth).collect();
        let new: Vec<bool> = match formulas.node(g) {
            Node::True => vec![true; positions],
            Node::False => vec![false; positions],
            Node::Atom(atom) => each(&|i| word.atom(i, *atom)),
            Node::Not(a) => each(&|i| !at(*a, i)),
            Node::And(parts) => each(&|i| parts.iter().all(|&p| at(p, i))),
            Node::Or(parts) => each(&|i| parts.iter().any(|&p| at(p, i))),
            Node::Implies(a, b) => each(&|i| !at(*a, i) || at(*b, i)),
            Node::Equiv(a, b) => each(&|i| at(*a, i) == at(*b, i)),
            Node::Xor(a, b) => each(&|i| at(*a, i) != at(*b, i)),
            Node::Next(a) => each(&|i| at(*a, word.successor(i))),
            Node::Eventually(a) => fixpoint(word, false, |i, next| at(*a, i) || next),
            Node::Always(a) => fixpoint(word, true, |i, next| at(*a, i) && next),
            Node::Until(a, b) => fixpoint(word, false, |i, next| at(*b, i) || (at(*a, i) && next)),
            Node::WeakUntil(a, b) => {
                fixpoint(word, true, |i, next| at(*b, i) || (at(*a, i) && next))
            }
            Node::Release(a, b) => fixpoint(word, true, |i, next| at(*b, i) && (at(*a, i) || next)),
            Node::StrongRelease(a, b) => {
                fixpoint(word, false, |i, next| at(*b, i) && (at(*a, i) || next))
            }
        };
        values.truth.extend(new);
        values.formulas.push(g);
    }
    values
}

/// The solution of `x(i) = law(i, x(i + 1))` that is least if `start` is false, else greatest.
///
/// The law is monotone. Starting with `start` behind the end of the word, one round gives the first
/// position of the cycle its final value: on the cycle the law is a composition of functions of one
/// bit, and a monotone function of one bit reaches its extreme fixpoint in one step.
fn fixpoint(word: &Word, start: bool, law: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let positions = word.positions();
    let cycle = word.prefix.len()..positions;
    let first = cycle.rev().fold(start, |next, i| law(i, next));
    let mut truth = vec![first; positions];
    let mut next = first;
    for i in (0..positions).rev() {
        next = law(i, next);
        truth[i] = next;
    }
    truth
}
