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

/// An ultimately periodic word whose letters are told by their numbers: one of many letters, few of which differ.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'a> {
    /// The letters.
    pub letters: &'a [Letter],
    /// What comes once.
    pub prefix: &'a [u32],
    /// What comes again and again; not empty.
    pub cycle: &'a [u32],
}

impl<'a> Numbered<'a> {
    /// The letter with a number.
    pub fn letter(&self, number: u32) -> &'a Letter {
        &self.letters[number as usize]
    }
}

/// What formulas are evaluated on: positions with letters, the last of which are a cycle.
trait Positions {
    fn prefix(&self) -> usize;
    fn positions(&self) -> usize;
    fn atom(&self, position: usize, atom: u32) -> bool;

    fn successor(&self, position: usize) -> usize {
        match position + 1 < self.positions() {
            true => position + 1,
            false => self.prefix(),
        }
    }
}

impl Positions for Word {
    fn prefix(&self) -> usize {
        self.prefix.len()
    }
    fn positions(&self) -> usize {
        self.positions()
    }
    fn atom(&self, position: usize, atom: u32) -> bool {
        self.atom(position, atom)
    }
}

/// The cycle of a word by itself.
struct Cycle<'a>(Numbered<'a>);

impl Positions for Cycle<'_> {
    fn prefix(&self) -> usize {
        0
    }
    fn positions(&self) -> usize {
        self.0.cycle.len()
    }
    fn atom(&self, position: usize, atom: u32) -> bool {
        self.0.letter(self.0.cycle[position]).contains(atom)
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
    evaluate(formulas, f, word)
}

/// Whether a word is a model of the formula. Takes one byte for each subformula and letter of the cycle: the letters of the
/// prefix are read from the last to the first, and only the truth at the last one that was read is kept.
pub fn holds_numbered(formulas: &Formulas, f: Formula, word: &Numbered<'_>) -> bool {
    let values = evaluate(formulas, f, &Cycle(*word));
    let all = values.formulas();
    let mut rows = vec![0; f.index() + 1];
    (0..).zip(all).for_each(|(row, g)| rows[g.index()] = row);
    let mut next: Vec<bool> = all.iter().map(|&g| values.at(g, 0) == Some(true)).collect();
    let mut truth = next.clone();
    for &number in word.prefix.iter().rev() {
        let letter = word.letter(number);
        for (row, &g) in all.iter().enumerate() {
            let now = |h: Formula| truth[rows[h.index()]];
            let later = |h: Formula| next[rows[h.index()]];
            truth[row] = match formulas.node(g) {
                Node::True => true,
                Node::False => false,
                Node::Atom(atom) => letter.contains(*atom),
                Node::Not(a) => !now(*a),
                Node::And(parts) => parts.iter().all(|&p| now(p)),
                Node::Or(parts) => parts.iter().any(|&p| now(p)),
                Node::Implies(a, b) => !now(*a) || now(*b),
                Node::Equiv(a, b) => now(*a) == now(*b),
                Node::Xor(a, b) => now(*a) != now(*b),
                Node::Next(a) => later(*a),
                Node::Eventually(a) => now(*a) || later(g),
                Node::Always(a) => now(*a) && later(g),
                Node::Until(a, b) | Node::WeakUntil(a, b) => now(*b) || now(*a) && later(g),
                Node::Release(a, b) | Node::StrongRelease(a, b) => now(*b) && (now(*a) || later(g)),
            };
        }
        std::mem::swap(&mut truth, &mut next);
    }
    next.last() == Some(&true)
}

fn evaluate(formulas: &Formulas, f: Formula, word: &impl Positions) -> Values {
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
fn fixpoint(word: &impl Positions, start: bool, law: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let positions = word.positions();
    let cycle = word.prefix()..positions;
    let first = cycle.rev().fold(start, |next, i| law(i, next));
    let mut truth = vec![first; positions];
    let mut next = first;
    for i in (0..positions).rev() {
        next = law(i, next);
        truth[i] = next;
    }
    truth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::{Limits, buchi};

    const FORMULAS: [&str; 8] = [
        "[]<>a && <>[]!b",
        "a U (b U a)",
        "(a W b) -> X X b",
        "(a V b) || (b M a)",
        "[](a -> X(!a U b))",
        "<>(a <-> X b)",
        "!(a U X a) && true",
        "[](a xor X X a)",
    ];

    /// All words of so many letters with two atoms.
    fn words(length: u32) -> impl Iterator<Item = Vec<u32>> {
        (0..4u32.pow(length)).map(move |code| (0..length).map(|at| code >> (2 * at) & 3).collect())
    }

    #[test]
    fn numbered_words_are_words() {
        let letters: Vec<Letter> = (0..4u32)
            .map(|code| (0..2).filter(|atom| code >> atom & 1 == 1).collect())
            .collect();
        let spell = |numbers: &[u32]| {
            numbers
                .iter()
                .map(|&n| letters[n as usize].clone())
                .collect()
        };
        for text in FORMULAS {
            let mut formulas = Formulas::new();
            let f = crate::parse(&mut formulas, text).unwrap();
            let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
            for (before, length) in [(0, 1), (0, 3), (1, 2), (3, 1), (3, 2)] {
                for prefix in words(before) {
                    for cycle in words(length) {
                        let word = Word {
                            prefix: spell(&prefix),
                            cycle: spell(&cycle),
                        };
                        let numbered = Numbered {
                            letters: &letters,
                            prefix: &prefix,
                            cycle: &cycle,
                        };
                        let expected = holds(&formulas, f, &word);
                        assert_eq!(holds_numbered(&formulas, f, &numbered), expected, "{text}");
                        assert_eq!(automaton.accepts_numbered(&numbered), expected, "{text}");
                    }
                }
            }
        }
    }
}
