//! What kind of property a formula is, as far as its syntax shows.
//!
//! The classes are those of the hierarchy of Manna and Pnueli ("A hierarchy of temporal properties",
//! PODC 1990; Chang, Manna and Pnueli, "Characterization of temporal property classes", ICALP 1992).
//! The grammar for each class follows Černá and Pelánek, "Relating hierarchy of temporal properties
//! to model checking", MFCS 2003, extended to `W` and `M`. A formula that passes the test for a
//! class describes a property of that class; one that does not may still be equivalent to one that
//! does. Simplify a formula first to classify it better.
//!
//! The class decides how hard a formula is to check: safety needs only reachability, guarantee,
//! obligation and persistence have weak automata, the others need the search for accepting cycles.

use crate::formula::{Formula, Formulas, Node};

/// The smallest class that the syntax of a formula shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Both safety and guarantee: a bounded number of moments decides.
    Bounded,
    /// Every violation shows after finitely many moments: nothing bad happens.
    Safety,
    /// Every model shows after finitely many moments: something good happens.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Something good happens again and again.
    Recurrence,
    /// From some moment on nothing bad happens.
    Persistence,
    /// A Boolean combination of recurrence and persistence: every formula is one.
    Reactivity,
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Class::Bounded => "bounded",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        })
    }
}

/// The classes that the syntax of a formula shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Classes {
    /// See [`Class::Safety`].
    pub safety: bool,
    /// See [`Class::Guarantee`].
    pub guarantee: bool,
    /// See [`Class::Obligation`].
    pub obligation: bool,
    /// See [`Class::Recurrence`].
    pub recurrence: bool,
    /// See [`Class::Persistence`].
    pub persistence: bool,
}

impl Classes {
    const ALL: Classes = Classes {
        safety: true,
        guarantee: true,
        obligation: true,
        recurrence: true,
        persistence: true,
    };

    /// The smallest of them.
    pub fn smallest(self) -> Class {
        match self {
            _ if self.safety && self.guarantee => Class::Bounded,
            _ if self.safety => Class::Safety,
            _ if self.guarantee => Class::Guarantee,
            _ if self.obligation => Class::Obligation,
            _ if self.recurrence => Class::Recurrence,
            _ if self.persistence => Class::Persistence,
            _ => Class::Reactivity,
        }
    }

    /// Those of the negation.
    fn negated(self) -> Classes {
        Classes {
            safety: self.guarantee,
            guarantee: self.safety,
            obligation: self.obligation,
            recurrence: self.persistence,
            persistence: self.recurrence,
        }
    }

    /// Those of a conjunction or disjunction.
    fn and(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
            recurrence: self.recurrence && other.recurrence,
            persistence: self.persistence && other.persistence,
        }
    }

    /// With the classes that contain others of the set.
    fn closed(self) -> Classes {
        let obligation = self.obligation || self.safety || self.guarantee;
        Classes {
            obligation,
            recurrence: self.recurrence || obligation,
            persistence: self.persistence || obligation,
            ..self
        }
    }

    /// Those of a node, from those of its parts.
    fn of(node: &Node, of: impl Fn(Formula) -> Classes) -> Classes {
        let all = node.parts().iter().fold(Classes::ALL, |c, &p| c.and(of(p)));
        match *node {
            Node::True | Node::False | Node::Atom(_) | Node::And(_) | Node::Or(_) => all,
            Node::Next(_) => all,
            Node::Not(a) => of(a).negated(),
            Node::Implies(a, b) => of(a).negated().and(of(b)),
            // Both operands occur with and without negation.
            Node::Equiv(..) | Node::Xor(..) => all.and(all.negated()),
            Node::Eventually(a) => Classes::until(Classes::ALL, of(a)),
            Node::Always(a) => Classes::until(Classes::ALL, of(a).negated()).negated(),
            Node::Until(a, b) => Classes::until(of(a), of(b)),
            Node::Release(a, b) => Classes::until(of(a).negated(), of(b).negated()).negated(),
            Node::WeakUntil(a, b) => Classes::weak_until(of(a), of(b)),
            Node::StrongRelease(a, b) => {
                Classes::weak_until(of(a).negated(), of(b).negated()).negated()
            }
        }
        .closed()
    }

    /// Those of `a U b`.
    fn until(a: Classes, b: Classes) -> Classes {
        Classes {
            safety: false,
            guarantee: a.guarantee && b.guarantee,
            obligation: a.obligation && b.guarantee,
            recurrence: a.recurrence && b.guarantee,
            persistence: a.persistence && b.persistence,
        }
    }

    /// Those of `a W b`.
    fn weak_until(a: Classes, b: Classes) -> Classes {
        Classes {
            safety: a.safety && b.safety,
            guarantee: false,
            obligation: a.safety && b.obligation,
            recurrence: a.recurrence && b.recurrence,
            persistence: a.safety && b.persistence,
        }
    }
}

/// The smallest class that the syntax of the formula shows.
///
/// ```
/// use lariat_ltl::classify::{Class, class};
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "[] (p -> <> q)").unwrap();
/// assert_eq!(class(&formulas, f), Class::Recurrence);
/// ```
pub fn class(formulas: &Formulas, f: Formula) -> Class {
    classes(formulas, f).smallest()
}

/// All classes that the syntax of the formula shows.
pub fn classes(formulas: &Formulas, f: Formula) -> Classes {
    let mut known = vec![Classes::default(); f.index() + 1];
    for g in formulas.subformulas(f) {
        known[g.index()] = Classes::of(formulas.node(g), |p| known[p.index()]);
    }
    known[f.index()]
}

/// Whether the formula is a safety property by its syntax.
pub fn is_safety(formulas: &Formulas, f: Formula) -> bool {
    classes(formulas, f).safety
}

/// Whether the formula is a guarantee property by its syntax.
pub fn is_guarantee(formulas: &Formulas, f: Formula) -> bool {
    classes(formulas, f).guarantee
}

/// Whether the formula is an obligation property by its syntax.
pub fn is_obligation(formulas: &Formulas, f: Formula) -> bool {
    classes(formulas, f).obligation
}

/// Whether the formula is a recurrence property by its syntax.
pub fn is_recurrence(formulas: &Formulas, f: Formula) -> bool {
    classes(formulas, f).recurrence
}

/// Whether the formula is a persistence property by its syntax.
pub fn is_persistence(formulas: &Formulas, f: Formula) -> bool {
    classes(formulas, f).persistence
}

/// Whether the formula has no `X`, so that its truth does not change when letters of a word are
/// repeated: partial-order reduction may then drop steps that change no atom.
pub fn is_next_free(formulas: &Formulas, f: Formula) -> bool {
    let all = formulas.subformulas(f);
    !all.iter()
        .any(|&g| matches!(formulas.node(g), Node::Next(_)))
}

/// A formula without `X` that agrees with `f` on all words in which no letter is repeated, except
/// for ever at the end.
///
/// So `f` is stutter-invariant if and only if it is equivalent to this formula (Peled and Wilke,
/// "Stutter-invariant temporal properties are expressible without the next-time operator", IPL
/// 1997). `X g` becomes: either no atom ever changes and `g` holds now, or there is an atom that
/// changes before or together with all others, and `g` holds at that moment (Etessami, "A note on a
/// question of Peled and Wilke regarding stutter-invariant LTL", IPL 2000). With n atoms each `X`
/// adds O(n²) subformulas; written as a tree the formula is exponential in the nesting of `X`.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "X a").unwrap();
/// let g = lariat_ltl::classify::stutter_free_form(&mut formulas, f);
/// assert!(lariat_ltl::classify::is_next_free(&formulas, g));
/// ```
pub fn stutter_free_form(formulas: &mut Formulas, f: Formula) -> Formula {
    if is_next_free(formulas, f) {
        return f;
    }
    let atoms = formulas.atoms_of(f);
    let changes = Changes::new(formulas, &atoms);
    let mut new = vec![Formula::TRUE; f.index() + 1];
    for g in formulas.subformulas(f) {
        let parts: Vec<Formula> = formulas
            .node(g)
            .parts()
            .iter()
            .map(|p| new[p.index()])
            .collect();
        new[g.index()] = match (formulas.node(g), &parts[..]) {
            (Node::Next(_), &[part]) => changes.at_next_change(formulas, part),
            _ => formulas.with_parts(g, &parts),
        };
    }
    new[f.index()]
}

/// What can be said without `X` about the next moment at which an atom changes.
struct Changes {
    /// No atom ever changes.
    never: Formula,
    /// For each atom and its negation: that literal, its negation, and that all other atoms keep
    /// their values as long as the literal holds, which is not for ever.
    literals: Vec<(Formula, Formula, Formula)>,
}

impl Changes {
    fn new(formulas: &mut Formulas, atoms: &[u32]) -> Self {
        let mut never = Vec::new();
        let mut literals = Vec::new();
        for &number in atoms {
            let atom = formulas.atom_number(number);
            let negation = formulas.not(atom);
            let always = formulas.always(atom);
            let always_not = formulas.always(negation);
            never.push(formulas.or([always, always_not]));
            for (literal, opposite) in [(atom, negation), (negation, atom)] {
                let mut keep = Vec::new();
                for &other in atoms.iter().filter(|&&other| other != number) {
                    let other = formulas.atom_number(other);
                    let not_other = formulas.not(other);
                    let keeps = formulas.until(other, opposite);
                    let keeps_not = formulas.until(not_other, opposite);
                    keep.push(formulas.or([keeps, keeps_not]));
                }
                literals.push((literal, opposite, formulas.and(keep)));
            }
        }
        Changes {
            never: formulas.and(never),
            literals,
        }
    }

    /// The formula that stands for `X f`.
    fn at_next_change(&self, formulas: &mut Formulas, f: Formula) -> Formula {
        let mut all = vec![formulas.and([self.never, f])];
        for &(literal, opposite, keep) in &self.literals {
            let then = formulas.and([opposite, f]);
            let change = formulas.until(literal, then);
            all.push(formulas.and([literal, change, keep]));
        }
        formulas.or(all)
    }
}
