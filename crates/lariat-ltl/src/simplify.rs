//! Smaller formulas with the same models.
//!
//! [`nnf`] pushes negations down to the atoms. [`simplify`] does that and then applies rewriting
//! rules until none applies:
//!
//! - the laws of each operator, such as `F (a U b) = F b` and `a U (a && b) = b M a`;
//! - rules for *eventual* formulas, which hold at all moments before one at which they hold, and
//!   *universal* formulas, which hold at all moments after one (Etessami and Holzmann, "Optimizing
//!   Büchi automata", CONCUR 2000); a formula that is both, such as `G F a`, holds always or never and
//!   can leave the operators around it;
//! - rules that need an implication between two parts, which is looked for in their syntax (Somenzi
//!   and Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000);
//! - joining parts: `G F a || G F b = G F (a || b)`, `(a U b) || (a U c) = a U (b || c)`.
//!
//! Many rules are listed by Duret-Lutz in the documentation of Spot's `tl` library. `F`, `G`, `W` and
//! `M` stay operators of their own, because translations to automata profit from them.
//!
//! # Duality
//!
//! Rules are written only for `||`, `F`, `U`, `W` and `X`. The others are the negations of these: a
//! formula `a R b` is negated, `!a U !b`, rewritten, and negated back. So each rule holds for both
//! sides and has to be right only once.
//!
//! # Bounds
//!
//! A formula is rewritten from the inside out with an explicit stack, and the result for each
//! subformula is remembered. The number of rule applications and of steps in looking for
//! implications is bounded in proportion to the size of the formula; beyond that, parts stay as they
//! are.

mod implication;
mod rules;

use crate::formula::{Formula, Formulas, Node};
use implication::Implications;

/// The formula with negations only in front of atoms and without `->`, `<->` and `xor`.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "!(a U []b)").unwrap();
/// let g = lariat_ltl::parse(&mut formulas, "!a R <>!b").unwrap();
/// assert_eq!(lariat_ltl::simplify::nnf(&mut formulas, f), g);
/// ```
pub fn nnf(formulas: &mut Formulas, f: Formula) -> Formula {
    let all = formulas.subformulas(f);
    // Which of a subformula and its negation are needed, then what they are.
    let mut needed = vec![[false; 2]; f.index() + 1];
    needed[f.index()][0] = true;
    for &g in all.iter().rev() {
        let [positive, negative] = needed[g.index()];
        let node = formulas.node(g);
        for (i, part) in node.parts().iter().enumerate() {
            let [same, opposite] = match node {
                Node::Not(_) => [false, true],
                Node::Implies(..) => [i == 1, i == 0],
                Node::Equiv(..) | Node::Xor(..) => [true, true],
                _ => [true, false],
            };
            needed[part.index()][0] |= (positive && same) || (negative && opposite);
            needed[part.index()][1] |= (negative && same) || (positive && opposite);
        }
    }
    let mut done = vec![[Formula::TRUE; 2]; f.index() + 1];
    for &g in &all {
        for negated in [false, true] {
            if needed[g.index()][usize::from(negated)] {
                let of = |part: &Formula, negated: bool| done[part.index()][usize::from(negated)];
                let new = nnf_node(formulas, g, negated, of);
                done[g.index()][usize::from(negated)] = new;
            }
        }
    }
    done[f.index()][0]
}

/// One node in negation normal form, where `of` gives that of its parts and their negations.
fn nnf_node(
    formulas: &mut Formulas,
    f: Formula,
    negated: bool,
    of: impl Fn(&Formula, bool) -> Formula,
) -> Formula {
    let node = formulas.node(f).clone();
    match (&node, negated) {
        (Node::True, _) => constant(!negated),
        (Node::False, _) => constant(negated),
        (Node::Atom(_), false) => f,
        (Node::Atom(_), true) => formulas.not(f),
        (Node::Not(a), _) => of(a, !negated),
        (Node::And(parts), false) | (Node::Or(parts), true) => {
            formulas.and(parts.iter().map(|p| of(p, negated)))
        }
        (Node::Or(parts), false) | (Node::And(parts), true) => {
            formulas.or(parts.iter().map(|p| of(p, negated)))
        }
        (Node::Implies(a, b), false) => formulas.or([of(a, true), of(b, false)]),
        (Node::Implies(a, b), true) => formulas.and([of(a, false), of(b, true)]),
        (Node::Equiv(a, b), _) | (Node::Xor(a, b), _) => {
            let same = matches!(node, Node::Equiv(..)) != negated;
            let first = formulas.and([of(a, false), of(b, !same)]);
            let second = formulas.and([of(a, true), of(b, same)]);
            formulas.or([first, second])
        }
        (Node::Next(a), _) => formulas.next(of(a, negated)),
        (Node::Eventually(a), false) | (Node::Always(a), true) => {
            formulas.eventually(of(a, negated))
        }
        (Node::Always(a), false) | (Node::Eventually(a), true) => formulas.always(of(a, negated)),
        (Node::Until(a, b), false) | (Node::Release(a, b), true) => {
            formulas.until(of(a, negated), of(b, negated))
        }
        (Node::Release(a, b), false) | (Node::Until(a, b), true) => {
            formulas.release(of(a, negated), of(b, negated))
        }
        (Node::WeakUntil(a, b), false) | (Node::StrongRelease(a, b), true) => {
            formulas.weak_until(of(a, negated), of(b, negated))
        }
        (Node::StrongRelease(a, b), false) | (Node::WeakUntil(a, b), true) => {
            formulas.strong_release(of(a, negated), of(b, negated))
        }
    }
}

/// A smaller formula with the same models, in negation normal form.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "!(<>(a U b) && X[]<>c) U []<>c").unwrap();
/// let g = lariat_ltl::simplify::simplify(&mut formulas, f);
/// assert_eq!(lariat_ltl::print::spin(&formulas, g), "[]<>c");
/// ```
pub fn simplify(formulas: &mut Formulas, f: Formula) -> Formula {
    let f = nnf(formulas, f);
    let size = formulas.subformulas(f).len() as u64;
    let mut simplifier = Simplifier {
        budget: size.saturating_mul(20).saturating_add(1_000),
        implications: Implications::new(size),
        formulas,
        results: Vec::new(),
        negations: Vec::new(),
        traits: Vec::new(),
    };
    simplifier.run(f)
}

/// The formula without `M` and `xor`, which SPIN cannot read; all else stays as it is.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "a M (b xor c)").unwrap();
/// let g = lariat_ltl::simplify::for_spin(&mut formulas, f);
/// assert_eq!(lariat_ltl::print::spin(&formulas, g), "!(b <-> c) U (a && !(b <-> c))");
/// ```
pub fn for_spin(formulas: &mut Formulas, f: Formula) -> Formula {
    let mut new = vec![Formula::TRUE; f.index() + 1];
    for g in formulas.subformulas(f) {
        let parts = formulas.node(g).parts();
        let parts: Vec<Formula> = parts.iter().map(|p| new[p.index()]).collect();
        new[g.index()] = match (formulas.node(g), &parts[..]) {
            (Node::StrongRelease(..), &[a, b]) => {
                let both = formulas.and([a, b]);
                formulas.until(b, both)
            }
            (Node::Xor(..), &[a, b]) => {
                let same = formulas.equiv(a, b);
                formulas.not(same)
            }
            _ => formulas.with_parts(g, &parts),
        };
    }
    new[f.index()]
}

/// What is known about a formula in negation normal form from its syntax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Its truth depends on one moment only.
    pub boolean: bool,
    /// When it holds, it held at all moments before.
    pub eventual: bool,
    /// When it holds, it holds at all moments after.
    pub universal: bool,
}

impl Traits {
    /// Whether it holds always or never.
    fn constant(self) -> bool {
        self.eventual && self.universal
    }

    /// The traits of a node from those of its parts.
    pub(crate) fn of(node: &Node, of: impl Fn(Formula) -> Traits) -> Traits {
        let all = |test: &dyn Fn(Traits) -> bool| node.parts().iter().all(|&p| test(of(p)));
        let boolean = all(&|t| t.boolean);
        let eventual = all(&|t| t.eventual);
        let universal = all(&|t| t.universal);
        match *node {
            Node::True | Node::False => Traits {
                boolean: true,
                eventual: true,
                universal: true,
            },
            Node::Atom(_) => Traits {
                boolean: true,
                ..Traits::default()
            },
            Node::Not(a) => Traits {
                boolean,
                eventual: of(a).universal,
                universal: of(a).eventual,
            },
            Node::And(_) | Node::Or(_) => Traits {
                boolean,
                eventual,
                universal,
            },
            Node::Implies(..) | Node::Equiv(..) | Node::Xor(..) => Traits {
                boolean,
                eventual: eventual && universal,
                universal: eventual && universal,
            },
            Node::Next(_) => Traits {
                boolean: false,
                eventual,
                universal,
            },
            Node::Eventually(_) => Traits {
                boolean: false,
                eventual: true,
                universal,
            },
            Node::Always(_) => Traits {
                boolean: false,
                eventual,
                universal: true,
            },
            Node::Until(_, b) => Traits {
                boolean: false,
                eventual: of(b).eventual,
                universal,
            },
            Node::Release(_, b) => Traits {
                boolean: false,
                eventual,
                universal: of(b).universal,
            },
            Node::WeakUntil(..) | Node::StrongRelease(..) => Traits {
                boolean: false,
                eventual,
                universal,
            },
        }
    }
}

/// The state of one simplification; all formulas in it are in negation normal form.
struct Simplifier<'a> {
    formulas: &'a mut Formulas,
    /// The result for each formula, by number.
    results: Vec<Option<Formula>>,
    negations: Vec<Option<Formula>>,
    traits: Vec<Traits>,
    implications: Implications,
    /// How many rules may still be applied.
    budget: u64,
}

impl Simplifier<'_> {
    /// Simplifies from the inside out: first the parts, then the node made of the results, again
    /// and again as long as a rule applies to it.
    fn run(&mut self, f: Formula) -> Formula {
        // Each entry is a formula whose result is that of the second one.
        let mut stack = vec![(f, f)];
        while let Some(&(start, f)) = stack.last() {
            if let Some(result) = self.result(f) {
                self.set_result(start, result);
                stack.pop();
                continue;
            }
            let parts: Vec<Formula> = self.formulas.node(f).parts().to_vec();
            let height = stack.len();
            for &part in &parts {
                if self.result(part).is_none() {
                    stack.push((part, part));
                }
            }
            if stack.len() > height {
                continue;
            }
            let results: Vec<Formula> = parts.iter().filter_map(|&p| self.result(p)).collect();
            let mut new = self.formulas.with_parts(f, &results);
            if new == f && self.budget > 0 {
                new = self.step(f);
            }
            if new == f {
                self.set_result(f, f);
            } else {
                self.budget = self.budget.saturating_sub(1);
                if let Some(top) = stack.last_mut() {
                    top.1 = new;
                }
            }
        }
        self.result(f).unwrap_or(f)
    }

    fn result(&self, f: Formula) -> Option<Formula> {
        self.results.get(f.index()).copied().flatten()
    }

    fn set_result(&mut self, f: Formula, result: Formula) {
        set(&mut self.results, f, result);
    }

    /// One rule at the root, if any applies.
    fn step(&mut self, f: Formula) -> Formula {
        match self.formulas.node(f) {
            Node::And(_) | Node::Always(_) | Node::Release(..) | Node::StrongRelease(..) => {
                let negation = self.not(f);
                let new = self.rewrite(negation);
                if new == negation { f } else { self.not(new) }
            }
            _ => self.rewrite(f),
        }
    }

    /// The negation, in negation normal form.
    fn not(&mut self, f: Formula) -> Formula {
        let mut stack = vec![f];
        while let Some(&g) = stack.last() {
            if self.negation(g).is_some() {
                stack.pop();
                continue;
            }
            let height = stack.len();
            let parts = self.formulas.node(g).parts();
            let known = |p: &Formula| self.negations.get(p.index()).copied().flatten().is_some();
            stack.extend(parts.iter().filter(|p| !known(p)));
            if stack.len() > height && !matches!(self.formulas.node(g), Node::Not(_)) {
                continue;
            }
            stack.truncate(height - 1);
            let negations = &self.negations;
            let of = |p: &Formula, negated: bool| match negations.get(p.index()) {
                Some(Some(negation)) if negated => *negation,
                _ => *p,
            };
            let new = nnf_node(self.formulas, g, true, of);
            set(&mut self.negations, g, new);
            set(&mut self.negations, new, g);
        }
        self.negation(f).unwrap_or(f)
    }

    fn negation(&self, f: Formula) -> Option<Formula> {
        self.negations.get(f.index()).copied().flatten()
    }

    fn traits(&mut self, f: Formula) -> Traits {
        while self.traits.len() <= f.index() {
            let next = Formula::from_index(self.traits.len());
            let known = &self.traits;
            let new = Traits::of(self.formulas.node(next), |p| known[p.index()]);
            self.traits.push(new);
        }
        self.traits[f.index()]
    }

    /// Whether one formula implies another, as far as their syntax shows.
    fn implies(&mut self, a: Formula, b: Formula) -> bool {
        self.traits(a.max(b));
        self.implications.holds(self.formulas, &self.traits, a, b)
    }

    /// Whether the negation of a formula implies another: one of the two holds at any moment.
    fn covers(&mut self, a: Formula, b: Formula) -> bool {
        let negation = self.not(a);
        self.implies(negation, b)
    }
}

fn constant(truth: bool) -> Formula {
    if truth { Formula::TRUE } else { Formula::FALSE }
}

fn set(table: &mut Vec<Option<Formula>>, f: Formula, value: Formula) {
    if table.len() <= f.index() {
        table.resize(f.index() + 1, None);
    }
    table[f.index()] = Some(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::values;
    use crate::random::{Operators, formula, word};
    use lariat_stats::stream;

    fn simplifier(formulas: &mut Formulas) -> Simplifier<'_> {
        Simplifier {
            budget: 1_000,
            implications: Implications::new(1_000),
            formulas,
            results: Vec::new(),
            negations: Vec::new(),
            traits: Vec::new(),
        }
    }

    /// Implications, negations, eventual and universal formulas are what they claim to be.
    #[test]
    fn facts_are_true_on_random_words() {
        let seed = 0x5eed_0006;
        println!("seed {seed}");
        let mut found = [0; 3];
        for i in 0..20_000 {
            let mut rng = stream(seed, "facts", i);
            let mut below = |n: u32| rng.below(u64::from(n)) as u32;
            let mut formulas = Formulas::new();
            formulas.atom("p0");
            formulas.atom("p1");
            let mut draw = |formulas: &mut Formulas| {
                let size = 1 + below(7);
                let f = formula(formulas, size, 2, Operators::All, &mut below);
                nnf(formulas, f)
            };
            let (f, g) = (draw(&mut formulas), draw(&mut formulas));
            let mut simplifier = simplifier(&mut formulas);
            let not = simplifier.not(f);
            let implied = simplifier.implies(f, g);
            let traits = simplifier.traits(f);
            found[0] += u32::from(implied && f != Formula::FALSE && g != Formula::TRUE && f != g);
            found[1] += u32::from(traits.eventual);
            found[2] += u32::from(traits.universal);
            for _ in 0..10 {
                let word = word(2, 3, &mut below);
                let [left, right, opposite] = [f, g, not].map(|f| {
                    let table = values(&formulas, f, &word);
                    table.row(f).unwrap_or_default().to_vec()
                });
                let text = crate::print::spin(&formulas, f);
                for position in 0..word.positions() {
                    let next = word.successor(position);
                    assert_ne!(left[position], opposite[position], "{text}, number {i}");
                    assert!(
                        !implied || !left[position] || right[position],
                        "{text}, number {i}"
                    );
                    assert!(!traits.eventual || !left[next] || left[position], "{text}");
                    assert!(!traits.universal || !left[position] || left[next], "{text}");
                }
            }
        }
        assert!(found.iter().all(|&n| n > 500), "{found:?}");
    }
}
