//! The rewriting rules, for `||`, `F`, `U`, `W` and `X`; the others follow by duality.
//!
//! In the comments e is an eventual formula, u a universal one and q one that is both.

use std::collections::BTreeMap;

use super::Simplifier;
use crate::formula::{Formula, Node};

/// How many operands are compared pairwise.
const PAIRS: usize = 48;

/// How many operands are looked at, and how deep, to make use of a known truth value.
const ASSUME: u32 = 200;
const DEPTH: u32 = 8;
/// Up to which number of formulas in the arena known truth values are used at all.
const ARENA: usize = 20_000;

/// Operands of a disjunction that can be joined.
#[derive(Default)]
struct Groups {
    /// `a` of `F a`, where `a` is not universal.
    eventually: Vec<Formula>,
    /// `a` of `G F a`.
    infinitely: Vec<Formula>,
    /// `a` of `G a`.
    always: Vec<Formula>,
    /// `a` of `X a`.
    next: Vec<Formula>,
    /// By `a` of `a U b` and `a W b`: the `b`, and whether one is weak.
    until: BTreeMap<Formula, (Vec<Formula>, bool)>,
    /// By `b` of `a R b` and `a M b`: the `a`, and whether one is weak.
    release: BTreeMap<Formula, (Vec<Formula>, bool)>,
    /// All else.
    other: Vec<Formula>,
}

impl Simplifier<'_> {
    /// The formula after one rule; the formula itself if none applies.
    pub(super) fn rewrite(&mut self, f: Formula) -> Formula {
        match *self.formulas.node(f) {
            Node::Next(a) => self.next_rules(f, a),
            Node::Eventually(a) => self.eventually_rules(f, a),
            Node::Until(a, b) => self.until_rules(f, a, b, false),
            Node::WeakUntil(a, b) => self.until_rules(f, a, b, true),
            Node::Or(ref parts) => {
                let parts = parts.to_vec();
                self.or_rules(f, &parts)
            }
            _ => f,
        }
    }

    fn next_rules(&mut self, f: Formula, a: Formula) -> Formula {
        // X q = q
        if self.traits(a).constant() {
            return a;
        }
        // X (a && q) = X a && q, X (a || q) = X a || q
        let node = self.formulas.node(a).clone();
        if let Node::And(parts) | Node::Or(parts) = &node {
            let (constant, rest) = self.split(parts, |t| t.constant());
            if !constant.is_empty() {
                let rest = self.formulas.with_parts(a, &rest);
                let next = self.formulas.next(rest);
                let all: Vec<Formula> = constant.into_iter().chain([next]).collect();
                return self.formulas.with_parts(a, &all);
            }
        }
        f
    }

    fn eventually_rules(&mut self, f: Formula, a: Formula) -> Formula {
        // F e = e
        if self.traits(a).eventual {
            return a;
        }
        match self.formulas.node(a).clone() {
            // F X a = X F a
            Node::Next(b) => {
                let b = self.formulas.eventually(b);
                self.formulas.next(b)
            }
            // F (a U b) = F b
            Node::Until(_, b) => self.formulas.eventually(b),
            // F (a M b) = F (a && b)
            Node::StrongRelease(b, c) => {
                let both = self.formulas.and([b, c]);
                self.formulas.eventually(both)
            }
            // F (a W b) = F b || F G a
            Node::WeakUntil(b, c) => {
                let c = self.formulas.eventually(c);
                let b = self.formulas.always(b);
                let b = self.formulas.eventually(b);
                self.formulas.or([b, c])
            }
            // F (a R b) = F (a && b) || F G b
            Node::Release(b, c) if self.traits(c).boolean => {
                let both = self.formulas.and([b, c]);
                let both = self.formulas.eventually(both);
                let c = self.formulas.always(c);
                let c = self.formulas.eventually(c);
                self.formulas.or([both, c])
            }
            // F (a || e || u) = F a || e || F u
            Node::Or(parts) => {
                let (eventual, rest) = self.split(&parts, |t| t.eventual);
                let (universal, rest) = self.split(&rest, |t| t.universal);
                if eventual.is_empty() && universal.is_empty() {
                    return f;
                }
                let mut all = eventual;
                for u in universal {
                    all.push(self.formulas.eventually(u));
                }
                let rest = self.formulas.or(rest);
                all.push(self.formulas.eventually(rest));
                self.formulas.or(all)
            }
            // F (u && u') = F u && F u', F (a && q) = F a && q
            Node::And(parts) => {
                let (universal, rest) = self.split(&parts, |t| t.universal);
                if rest.is_empty() {
                    let each: Vec<Formula> = universal
                        .into_iter()
                        .map(|u| self.formulas.eventually(u))
                        .collect();
                    return self.formulas.and(each);
                }
                let (constant, rest) = self.split(&parts, |t| t.constant());
                if constant.is_empty() {
                    return f;
                }
                let rest = self.formulas.and(rest);
                let rest = self.formulas.eventually(rest);
                self.formulas.and(constant.into_iter().chain([rest]))
            }
            Node::Always(b) => self.eventually_always_rules(f, b),
            _ => f,
        }
    }

    /// F G (a || e || u) = F G a || G e || F u
    fn eventually_always_rules(&mut self, f: Formula, a: Formula) -> Formula {
        let Node::Or(parts) = self.formulas.node(a).clone() else {
            return f;
        };
        let (eventual, rest) = self.split(&parts, |t| t.eventual);
        let (universal, rest) = self.split(&rest, |t| t.universal);
        if eventual.is_empty() && universal.is_empty() {
            return f;
        }
        let rest = self.formulas.or(rest);
        let rest = self.formulas.always(rest);
        let mut all = vec![self.formulas.eventually(rest)];
        for e in eventual {
            all.push(self.formulas.always(e));
        }
        for u in universal {
            all.push(self.formulas.eventually(u));
        }
        self.formulas.or(all)
    }

    /// `a U b`, or `a W b` if `weak`.
    fn until_rules(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        if b == Formula::TRUE || b == Formula::FALSE && !weak || a == Formula::FALSE || a == b {
            return b;
        }
        // 1 U b = F b, 1 W b = 1
        if a == Formula::TRUE {
            return self.covered(b, weak);
        }
        // a W 0 = G a
        if b == Formula::FALSE {
            return self.formulas.always(a);
        }
        let eventual = self.traits(b).eventual;
        if eventual && !weak {
            // a U e = e
            return b;
        } else if eventual {
            // a W e = G a || e
            let a = self.formulas.always(a);
            return self.formulas.or([a, b]);
        }
        if weak && self.traits(a).universal {
            // u W b = u || b
            return self.formulas.or([a, b]);
        }
        if self.implies(a, b) {
            return b;
        }
        if self.covers(a, b) {
            return self.covered(b, weak);
        }
        let rules = [
            Self::until_next,
            Self::until_right_or,
            Self::until_right_and,
            Self::until_right_until,
            Self::until_left_until,
            Self::until_left_parts,
            Self::until_right_parts,
        ];
        for rule in rules {
            let new = rule(self, f, a, b, weak);
            if new != f {
                return new;
            }
        }
        f
    }

    /// `a U b` or `a W b` if one of the two always holds: `F b` or true.
    fn covered(&mut self, b: Formula, weak: bool) -> Formula {
        if weak {
            Formula::TRUE
        } else {
            self.formulas.eventually(b)
        }
    }

    fn until(&mut self, a: Formula, b: Formula, weak: bool) -> Formula {
        if weak {
            self.formulas.weak_until(a, b)
        } else {
            self.formulas.until(a, b)
        }
    }

    /// Rules for `X` on the left.
    fn until_next(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let Node::Next(c) = *self.formulas.node(a) else {
            return f;
        };
        // X c U X d = X (c U d)
        if let Node::Next(d) = *self.formulas.node(b) {
            let inner = self.until(c, d, weak);
            return self.formulas.next(inner);
        }
        // X c U b = b || X (b M c), X c W b = b || X (b R c)
        if self.traits(b).boolean {
            let inner = if weak {
                self.formulas.release(b, c)
            } else {
                self.formulas.strong_release(b, c)
            };
            let next = self.formulas.next(inner);
            return self.formulas.or([b, next]);
        }
        f
    }

    /// Rules for `||` on the right.
    fn until_right_or(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        // a U (b || G a) = a W b
        let always = self.formulas.always(a);
        let parts = self.or_parts(b);
        if parts.contains(&always) {
            let rest = self.formulas.or(parts.into_iter().filter(|&p| p != always));
            return self.formulas.weak_until(a, rest);
        }
        // a U (b || e) = (a U b) || e
        if parts.len() > 1 {
            let (mut eventual, rest) = self.split(&parts, |t| t.eventual);
            if !eventual.is_empty() {
                let rest = self.formulas.or(rest);
                eventual.push(self.until(a, rest, weak));
                return self.formulas.or(eventual);
            }
        }
        f
    }

    /// Rules for `&&` on the right.
    fn until_right_and(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let Node::And(parts) = self.formulas.node(b).clone() else {
            return f;
        };
        // a U (b && q) = (a U b) && q
        if !weak {
            let (mut constant, rest) = self.split(&parts, |t| t.constant());
            if !constant.is_empty() {
                let rest = self.formulas.and(rest);
                constant.push(self.formulas.until(a, rest));
                return self.formulas.and(constant);
            }
        }
        // a U (a && b) = b M a, a W (a && b) = b R a
        let left = self.and_parts(a);
        if left.iter().all(|p| parts.binary_search(p).is_ok()) {
            let rest = parts.iter().copied();
            let rest = self.formulas.and(rest.filter(|p| !left.contains(p)));
            return if weak {
                self.formulas.release(rest, a)
            } else {
                self.formulas.strong_release(rest, a)
            };
        }
        f
    }

    /// An operator seen as `U` or `W`: its operands and whether it is weak. The second operand of
    /// `a R b = b W (a && b)` comes in two parts.
    fn as_until(&self, f: Formula) -> Option<(Formula, [Formula; 2], bool)> {
        Some(match *self.formulas.node(f) {
            Node::Until(a, b) => (a, [b, b], false),
            Node::WeakUntil(a, b) => (a, [b, b], true),
            Node::StrongRelease(a, b) => (b, [a, b], false),
            Node::Release(a, b) => (b, [a, b], true),
            _ => return None,
        })
    }

    /// Rules for another until in the right operand.
    fn until_right_until(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let parts = self.or_parts(b);
        let mut new = Vec::with_capacity(parts.len());
        let mut changed = false;
        for &part in &parts {
            let Some((c, d, inner_weak)) = self.as_until(part) else {
                new.push(part);
                continue;
            };
            // a U (c U d) = c U d if a implies c; not if only the outer one is weak
            if parts.len() == 1 && (inner_weak || !weak) && self.implies(a, c) {
                return part;
            }
            // a U (b || (c U d)) = a U (b || d) if c implies a; not if only the inner one is weak
            if (weak || !inner_weak) && self.implies(c, a) {
                new.push(self.formulas.and(d));
                changed = true;
            } else {
                new.push(part);
            }
        }
        if !changed {
            return f;
        }
        let new = self.formulas.or(new);
        self.until(a, new, weak)
    }

    /// Rules for another until as the left operand.
    fn until_left_until(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let Some((c, d, inner_weak)) = self.as_until(a) else {
            return f;
        };
        // (c U d) U b = (c U d) || b if d implies b; not if only the inner one is weak
        if (weak || !inner_weak) && (self.implies(d[0], b) || self.implies(d[1], b)) {
            return self.formulas.or([a, b]);
        }
        // (c U d) U b = d U b if c implies b
        if self.implies(c, b) {
            let d = self.formulas.and(d);
            return self.until(d, b, weak);
        }
        f
    }

    /// Parts of the left operand that do not matter, because the right one does not hold yet.
    fn until_left_parts(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let node = self.formulas.node(a).clone();
        let parts: Vec<Formula> = match &node {
            Node::Or(parts) | Node::And(parts) if parts.len() <= PAIRS => parts.to_vec(),
            _ => return f,
        };
        let mut rest = Vec::with_capacity(parts.len());
        for &part in &parts {
            // (a || c) U b = a U b if c implies b; (a && c) U b = a U b if !c implies b
            let drop = match node {
                Node::Or(_) => self.implies(part, b),
                _ => self.covers(part, b),
            };
            if !drop {
                rest.push(part);
            }
        }
        if rest.len() == parts.len() {
            return f;
        }
        let rest = self.formulas.with_parts(a, &rest);
        self.until(rest, b, weak)
    }

    /// Parts of the right operand that do not matter, because they imply the rest.
    fn until_right_parts(&mut self, f: Formula, a: Formula, b: Formula, weak: bool) -> Formula {
        let Node::Or(parts) = self.formulas.node(b).clone() else {
            return f;
        };
        if parts.len() > PAIRS {
            return f;
        }
        for (i, &part) in parts.iter().enumerate() {
            if self.traits(part).boolean {
                continue;
            }
            // a U (b || c) = a U b if c implies a U b
            let rest = parts.iter().enumerate().filter(|&(j, _)| j != i);
            let rest: Vec<Formula> = rest.map(|(_, &p)| p).collect();
            let rest = self.formulas.or(rest);
            let new = self.until(a, rest, weak);
            if self.implies(part, new) {
                return new;
            }
        }
        f
    }

    fn or_rules(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        let new = self.join(parts);
        if new != f {
            return new;
        }
        if parts.len() > PAIRS {
            return f;
        }
        for rule in [
            Self::absorb,
            Self::shorten,
            Self::assume_now,
            Self::assume_always,
        ] {
            let new = rule(self, f, parts);
            if new != f {
                return new;
            }
        }
        f
    }

    /// Joins operands with the same operator.
    fn join(&mut self, parts: &[Formula]) -> Formula {
        let mut groups = Groups::default();
        for &part in parts {
            let universal = self.traits(part).universal;
            match *self.formulas.node(part) {
                // F u stays by itself: F (a || u) is split.
                Node::Eventually(a) if !universal => groups.eventually.push(a),
                Node::Always(a) => match *self.formulas.node(a) {
                    Node::Eventually(b) => groups.infinitely.push(b),
                    _ => groups.always.push(a),
                },
                Node::Next(a) if self.is_unrolled_eventually(a, parts) => groups.other.push(a),
                Node::Next(a) => groups.next.push(a),
                Node::Until(a, b) => groups.until.entry(a).or_default().0.push(b),
                Node::WeakUntil(a, b) => {
                    let entry = groups.until.entry(a).or_default();
                    entry.0.push(b);
                    entry.1 = true;
                }
                Node::StrongRelease(a, b) => groups.release.entry(b).or_default().0.push(a),
                Node::Release(a, b) => {
                    let entry = groups.release.entry(b).or_default();
                    entry.0.push(a);
                    entry.1 = true;
                }
                Node::And(_) => {
                    let whole = self.unrolled_until(part, parts);
                    groups.other.push(whole.unwrap_or(part));
                }
                _ => groups.other.push(part),
            }
        }
        self.joined(groups)
    }

    fn joined(&mut self, groups: Groups) -> Formula {
        let mut all = groups.other;
        let mut until = groups.until;
        let mut release = groups.release;
        for a in groups.always {
            // G a || (a U b) = a W b, G b || (a M b) = a R b
            if let Some(entry) = until.get_mut(&a) {
                entry.1 = true;
            } else if let Some(entry) = release.get_mut(&a) {
                entry.1 = true;
            } else {
                all.push(self.formulas.always(a));
            }
        }
        for (a, (rights, weak)) in until {
            let b = self.formulas.or(rights);
            all.push(self.until(a, b, weak));
        }
        for (b, (lefts, weak)) in release {
            let a = self.formulas.or(lefts);
            all.push(if weak {
                self.formulas.release(a, b)
            } else {
                self.formulas.strong_release(a, b)
            });
        }
        if !groups.eventually.is_empty() {
            let body = self.formulas.or(groups.eventually);
            all.push(self.formulas.eventually(body));
        }
        if !groups.infinitely.is_empty() {
            let body = self.formulas.or(groups.infinitely);
            let body = self.formulas.eventually(body);
            all.push(self.formulas.always(body));
        }
        if !groups.next.is_empty() {
            let body = self.formulas.or(groups.next);
            all.push(self.formulas.next(body));
        }
        self.formulas.or(all)
    }

    /// Whether a is F b with b || X F b = F b, where X a and b are parts of a disjunction.
    fn is_unrolled_eventually(&self, a: Formula, parts: &[Formula]) -> bool {
        match *self.formulas.node(a) {
            Node::Eventually(b) => {
                let all = self.or_parts(b);
                all.iter().all(|p| parts.binary_search(p).is_ok())
            }
            _ => false,
        }
    }

    /// b || (a && X (a U b)) = a U b, from one part and all parts of the disjunction.
    fn unrolled_until(&self, part: Formula, parts: &[Formula]) -> Option<Formula> {
        let Node::And(inner) = self.formulas.node(part) else {
            return None;
        };
        inner.iter().find_map(|&x| {
            let Node::Next(whole) = *self.formulas.node(x) else {
                return None;
            };
            let (Node::Until(a, b) | Node::WeakUntil(a, b)) = *self.formulas.node(whole) else {
                return None;
            };
            let left = self.and_parts(a);
            let same = left.len() + 1 == inner.len()
                && left.iter().all(|p| inner.binary_search(p).is_ok());
            let right = self.or_parts(b);
            let there = right.iter().all(|p| parts.binary_search(p).is_ok());
            (same && there).then_some(whole)
        })
    }

    /// Drops operands that imply another, and finds two that cover all.
    fn absorb(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        let mut dropped = vec![false; parts.len()];
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                if dropped[i] || dropped[j] {
                    continue;
                }
                if self.implies(parts[i], parts[j]) {
                    dropped[i] = true;
                } else if self.implies(parts[j], parts[i]) {
                    dropped[j] = true;
                } else if self.covers(parts[i], parts[j]) {
                    return Formula::TRUE;
                }
            }
        }
        if !dropped.contains(&true) {
            return f;
        }
        let rest = parts.iter().zip(dropped).filter(|(_, d)| !d);
        let rest: Vec<Formula> = rest.map(|(&p, _)| p).collect();
        self.formulas.or(rest)
    }

    /// Drops parts of conjunctions that another operand makes superfluous.
    fn shorten(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        for (i, &part) in parts.iter().enumerate() {
            let Node::And(inner) = self.formulas.node(part).clone() else {
                continue;
            };
            if inner.len() > PAIRS {
                continue;
            }
            for &c in &inner {
                let negation = self.not(c);
                let mut others = parts.iter().enumerate().filter(|&(j, _)| j != i);
                // a || (b && c) = a || b if !a implies c,
                // (a && !c) || (a && b && c) = (a && !c) || (a && b)
                if others.any(|(_, &other)| {
                    self.covers(other, c) || self.resolves(other, negation, &inner)
                }) {
                    let rest = inner.iter().copied().filter(|&p| p != c);
                    let rest = self.formulas.and(rest);
                    let others = parts.iter().copied().filter(|&p| p != part);
                    return self.formulas.or(others.chain([rest]));
                }
            }
        }
        f
    }

    /// Whether a conjunction consists of one formula and some of the parts of another conjunction.
    fn resolves(&self, conjunction: Formula, one: Formula, others: &[Formula]) -> bool {
        match self.formulas.node(conjunction) {
            Node::And(parts) => {
                parts.binary_search(&one).is_ok()
                    && parts
                        .iter()
                        .all(|p| *p == one || others.binary_search(p).is_ok())
            }
            _ => false,
        }
    }

    /// a || g = a || g', where in g' occurrences of a outside temporal operators are false.
    fn assume_now(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        if self.formulas.len() > ARENA {
            return f;
        }
        let mut new = Vec::with_capacity(parts.len());
        for &part in parts {
            let mut fuel = ASSUME;
            new.push(match self.formulas.node(part) {
                Node::And(_) => self.assume(part, parts, DEPTH, &mut fuel),
                _ => part,
            });
        }
        if new == parts {
            f
        } else {
            self.formulas.or(new)
        }
    }

    /// The formula where operands of `&&` and `||` that are among `facts` are false and those whose
    /// negations are among them are true, down to some depth.
    fn assume(&mut self, f: Formula, facts: &[Formula], depth: u32, fuel: &mut u32) -> Formula {
        let node = self.formulas.node(f).clone();
        let (Node::And(parts) | Node::Or(parts)) = &node else {
            return f;
        };
        let mut new = Vec::with_capacity(parts.len());
        for &part in parts {
            *fuel = fuel.saturating_sub(1);
            let negation = self.not(part);
            new.push(if facts.binary_search(&part).is_ok() {
                Formula::FALSE
            } else if facts.binary_search(&negation).is_ok() {
                Formula::TRUE
            } else if depth == 0 || *fuel == 0 {
                part
            } else {
                self.assume(part, facts, depth - 1, fuel)
            });
        }
        self.formulas.with_parts(f, &new)
    }

    /// F a || g = F a || g', where in g' all occurrences of a are false.
    fn assume_always(&mut self, f: Formula, parts: &[Formula]) -> Formula {
        let eventually = parts.iter().find_map(|&p| match *self.formulas.node(p) {
            Node::Eventually(a) => Some((p, a)),
            _ => None,
        });
        let Some((whole, a)) = eventually else {
            return f;
        };
        // Finding the subformulas takes time in proportion to the size of the arena.
        if self.formulas.len() > ARENA {
            return f;
        }
        let mut facts = self.or_parts(a);
        facts.push(a);
        facts.sort_unstable();
        let mut new = Vec::with_capacity(parts.len());
        for &part in parts {
            new.push(match part == whole {
                true => part,
                false => self.assume_everywhere(part, &facts),
            });
        }
        if new == parts {
            f
        } else {
            self.formulas.or(new)
        }
    }

    fn assume_everywhere(&mut self, f: Formula, facts: &[Formula]) -> Formula {
        let mut new: BTreeMap<Formula, Formula> = BTreeMap::new();
        for g in self.formulas.subformulas(f) {
            let negation = self.not(g);
            let value = if facts.binary_search(&g).is_ok() {
                Formula::FALSE
            } else if facts.binary_search(&negation).is_ok() {
                Formula::TRUE
            } else {
                let parts = self.formulas.node(g).parts();
                let parts: Vec<Formula> = parts.iter().map(|p| new[p]).collect();
                self.formulas.with_parts(g, &parts)
            };
            new.insert(g, value);
        }
        new[&f]
    }

    fn or_parts(&self, f: Formula) -> Vec<Formula> {
        match self.formulas.node(f) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    fn and_parts(&self, f: Formula) -> Vec<Formula> {
        match self.formulas.node(f) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    /// The operands with a trait and those without.
    fn split(
        &mut self,
        parts: &[Formula],
        test: impl Fn(super::Traits) -> bool,
    ) -> (Vec<Formula>, Vec<Formula>) {
        parts.iter().partition(|&&p| test(self.traits(p)))
    }
}
