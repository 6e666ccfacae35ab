//! From a nondeterministic Büchi automaton to a deterministic parity automaton, made on demand.
//!
//! On a Markov chain the probability of a property is a question about a product with a
//! deterministic automaton: a nondeterministic one would have to guess, and guesses have no
//! probability. Büchi automata lose by becoming deterministic, so the result has a parity
//! condition.
//!
//! The states are compact Safra trees (Safra, "On the complexity of ω-automata", FOCS 1988), with
//! the nodes named by their age (Piterman, "From nondeterministic Büchi and Streett automata to
//! deterministic parity automata", LICS 2006) and the priorities on the edges (Schewe, "Tighter
//! bounds for the determinisation of Büchi automata", FoSSaCS 2009). Each node of a tree is a set of
//! states of the nondeterministic automaton. The root has all states in which a run can be; a child
//! has those of its parent's whose run took an accepting edge since the child was made. A state
//! belongs to the oldest child that can have it. When the children of a node have all of its states,
//! each of its runs took an accepting edge: the node flashes, and its descendants are dropped.
//!
//! A word is accepted exactly if some node, from some moment on, is never removed and flashes again
//! and again. Nodes are numbered from the oldest, 0, which is the root. In a step, the smallest number
//! of a node that flashes or is removed decides:
//!
//! | event | priority |
//! |---|---|
//! | node k is removed | 2k + 1 |
//! | node k flashes | 2k + 2 |
//! | nothing | the largest, odd |
//!
//! A word is accepted if the **least priority that comes infinitely often is even**.
//!
//! Two states are known for what they are: the tree without nodes accepts nothing, and a tree whose
//! root has a state that accepts every word accepts everything. Both are final.

mod tree;

use super::{Automaton, Label, trim};
use crate::lasso::Letter;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tree::{Fate, Node, insert, is_empty, meets, members, packed, settle, share};

/// What a determinisation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// States of the deterministic automaton.
    pub states: usize,
    /// Bytes for its states and steps, about.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            states: 1 << 20,
            bytes: 1 << 28,
        }
    }
}

/// Why a deterministic automaton cannot be made, or not further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The automaton has more than one acceptance set; [`super::degeneralise`] makes one of them.
    Sets(u32),
    /// More states than the bound.
    States(usize),
    /// More bytes than the bound.
    Bytes(usize),
    /// A state or a letter with a number that does not exist.
    Unknown,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::Sets(sets) => write!(
                f,
                "an automaton with {sets} acceptance sets cannot be made deterministic"
            ),
            Refused::States(limit) => write!(
                f,
                "the deterministic automaton of the formula has more than {limit} states"
            ),
            Refused::Bytes(limit) => write!(
                f,
                "the deterministic automaton of the formula needs more than {limit} bytes"
            ),
            Refused::Unknown => write!(f, "there is no such state or letter"),
        }
    }
}

impl std::error::Error for Refused {}

/// A deterministic parity automaton over given letters, whose states are made when they are needed.
///
/// ```
/// use lariat_ltl::automaton::determinise::{Bounds, Determinised};
/// use lariat_ltl::automaton::Letter;
///
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "<>[] a").unwrap();
/// let automaton = lariat_ltl::buchi(&mut formulas, f, &Default::default()).unwrap();
/// let letters = vec![Letter::new(), Letter::from_iter([0])];
/// let mut parity = Determinised::new(&automaton, letters, Bounds::default()).unwrap();
/// let mut state = parity.initial();
/// let mut priority = 0;
/// for _ in 0..10 {
///     (state, priority) = parity.step(state, 1).unwrap();
/// }
/// assert_eq!(parity.step(state, 1), Ok((state, priority)));
/// assert_eq!(priority % 2, 0, "`a` for ever is accepted");
/// assert_eq!(parity.step(state, 0).unwrap().1 % 2, 1, "once more without `a` is not welcome");
/// ```
#[derive(Clone, Debug)]
pub struct Determinised {
    /// Trimmed: every state accepts some word.
    automaton: Automaton,
    letters: Vec<Letter>,
    bounds: Bounds,
    /// The states that accept every word, as far as that is easy to see.
    universal: Vec<u64>,
    /// The words of a set of states.
    width: usize,
    trees: Vec<Arc<[u64]>>,
    numbers: HashMap<Arc<[u64]>, u32>,
    /// For each state and letter the step, once it is known.
    steps: Vec<Step>,
    bytes: usize,
    initial: u32,
}

/// Where a letter leads, and the priority on the way; [`Step::UNKNOWN`] until it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    target: u32,
    priority: u32,
}

impl Step {
    const UNKNOWN: Step = Step {
        target: u32::MAX,
        priority: 0,
    };
}

/// The state of the tree without nodes.
const REJECTING: u32 = 0;
/// The state that stands for all trees that accept everything.
const ACCEPTING: u32 = 1;

impl Determinised {
    /// The deterministic automaton for `automaton`, which has at most one acceptance set, on words
    /// of `letters`, which are known by their index from then on.
    pub fn new(
        automaton: &Automaton,
        letters: Vec<Letter>,
        bounds: Bounds,
    ) -> Result<Self, Refused> {
        if automaton.sets > 1 {
            return Err(Refused::Sets(automaton.sets));
        }
        let mut automaton = automaton.clone();
        trim::useful_states(&mut automaton);
        automaton.saturate();
        let universal = universal_states(&mut automaton);
        let mut parity = Determinised {
            width: automaton.states.len().div_ceil(64).max(1),
            automaton,
            letters,
            bounds,
            universal,
            trees: Vec::new(),
            numbers: HashMap::new(),
            steps: Vec::new(),
            bytes: 0,
            initial: REJECTING,
        };
        parity.universal.resize(parity.width, 0);
        parity.number(Vec::new())?;
        parity.number(vec![u64::MAX])?;
        parity.initial = parity.first_tree()?;
        Ok(parity)
    }

    /// The state in which every word begins.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of states that have been made.
    pub fn states(&self) -> usize {
        self.trees.len()
    }

    /// The bytes that states and steps take, about.
    pub fn memory_bytes(&self) -> usize {
        self.bytes
    }

    /// The letters, by number.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// No priority is greater: that of a step in which nothing happens.
    pub fn largest_priority(&self) -> u32 {
        2 * self.automaton.states.len() as u32 + 3
    }

    /// Whether a state accepts every word (`true`) or none (`false`), if it is one of the two states
    /// for which that is known.
    #[inline]
    pub fn verdict(&self, state: u32) -> Option<bool> {
        match state {
            REJECTING => Some(false),
            ACCEPTING => Some(true),
            _ => None,
        }
    }

    /// Where a letter leads from a state, and the priority on the way.
    ///
    /// # Errors
    ///
    /// If the automaton would outgrow its bounds, or if there is no such state or letter.
    #[inline]
    pub fn step(&mut self, state: u32, letter: u32) -> Result<(u32, u32), Refused> {
        let (row, column) = (state as usize, letter as usize);
        if column < self.letters.len()
            && let Some(step) = self.steps.get(row * self.letters.len() + column)
            && *step != Step::UNKNOWN
        {
            return Ok((step.target, step.priority));
        }
        self.make_step(row, column)
    }

    fn make_step(&mut self, state: usize, letter: usize) -> Result<(u32, u32), Refused> {
        if state >= self.trees.len() || letter >= self.letters.len() {
            return Err(Refused::Unknown);
        }
        let (target, priority) = match self.verdict(state as u32) {
            Some(accepts) => (state as u32, u32::from(!accepts)),
            None => self.successor(state, letter)?,
        };
        self.steps[state * self.letters.len() + letter] = Step { target, priority };
        Ok((target, priority))
    }

    fn first_tree(&mut self) -> Result<u32, Refused> {
        let mut root = vec![0; self.width];
        for &state in &self.automaton.initial {
            // An automaton that accepts nothing still has an initial state.
            if !self.automaton.edges(state).is_empty() {
                insert(&mut root, state);
            }
        }
        if is_empty(&root) {
            return Ok(REJECTING);
        }
        if meets(&root, &self.universal) {
            return Ok(ACCEPTING);
        }
        let mut tree = vec![0];
        tree.extend(root);
        self.number(tree)
    }

    /// The number of a tree, new if it has not been seen.
    fn number(&mut self, tree: Vec<u64>) -> Result<u32, Refused> {
        if let Some(&number) = self.numbers.get(&tree[..]) {
            return Ok(number);
        }
        let row = self.letters.len() * size_of::<Step>();
        let bytes = self.bytes + tree.len() * 8 + row + BYTES_FOR_A_STATE;
        if self.trees.len() >= self.bounds.states.min(u32::MAX as usize) {
            return Err(Refused::States(self.bounds.states));
        }
        if bytes > self.bounds.bytes {
            return Err(Refused::Bytes(self.bounds.bytes));
        }
        let number = self.trees.len() as u32;
        let tree: Arc<[u64]> = tree.into();
        self.trees.push(tree.clone());
        self.numbers.insert(tree, number);
        let steps = self.trees.len() * self.letters.len();
        self.steps.resize(steps, Step::UNKNOWN);
        self.bytes = bytes;
        Ok(number)
    }

    /// The tree behind a letter, and the priority.
    fn successor(&mut self, state: usize, letter: usize) -> Result<(u32, u32), Refused> {
        let tree = self.trees[state].clone();
        let mut nodes = self.moved(&tree, &self.letters[letter]);
        let old = tree.len() / (self.width + 1);
        share(&mut nodes);
        if nodes.first().is_none_or(|root| is_empty(&root.states)) {
            return Ok((REJECTING, 1));
        }
        if meets(&nodes[0].states, &self.universal) {
            return Ok((ACCEPTING, 0));
        }
        settle(&mut nodes);
        let event = nodes[..old].iter().position(|n| n.fate != Fate::Stays);
        let priority = match event {
            Some(k) if nodes[k].fate == Fate::Flashes => 2 * k as u32 + 2,
            Some(k) => 2 * k as u32 + 1,
            None => self.largest_priority(),
        };
        let target = self.number(packed(&nodes))?;
        Ok((target, priority))
    }

    /// The nodes of a tree with the successors of their states, and behind them a new child for each
    /// with what its accepting edges lead to.
    fn moved(&self, tree: &[u64], letter: &Letter) -> Vec<Node> {
        let all = self.automaton.all_marks();
        let mut edges: HashMap<u32, Vec<(u32, bool)>> = HashMap::new();
        let mut children = Vec::new();
        let mut nodes = Vec::new();
        for (number, node) in tree.chunks_exact(self.width + 1).enumerate() {
            let mut reached = vec![0; self.width];
            let mut accepted = vec![0; self.width];
            for state in members(&node[1..]) {
                // The root comes first and has all states, so each label is evaluated once.
                let taken = edges.entry(state).or_insert_with(|| {
                    let edges = self.automaton.edges(state).iter();
                    let possible = edges.filter(|e| self.is_possible(e.label, letter));
                    possible.map(|e| (e.target, e.marks == all)).collect()
                });
                for &mut (target, accepting) in taken {
                    insert(&mut reached, target);
                    if accepting {
                        insert(&mut accepted, target);
                    }
                }
            }
            nodes.push(Node::new(node[0] as usize, reached));
            children.push(Node::new(number, accepted));
        }
        nodes.append(&mut children);
        nodes
    }

    fn is_possible(&self, label: Label, letter: &Letter) -> bool {
        let value = |atom| Ok::<bool, ()>(letter.contains(atom));
        self.automaton.labels.eval(label, value) == Ok(true)
    }
}

/// What a state takes beside its tree and its steps: entries of a list and of a hash table.
const BYTES_FOR_A_STATE: usize = 96;

/// The largest set of states that have, for each letter, an accepting edge that stays in the set:
/// from these every word is accepted.
fn universal_states(automaton: &mut Automaton) -> Vec<u64> {
    let all = automaton.all_marks();
    let mut universal = vec![0; automaton.states.len().div_ceil(64)];
    (0..automaton.states.len() as u32).for_each(|state| insert(&mut universal, state));
    loop {
        let before = universal.clone();
        for (state, edges) in automaton.states.iter().enumerate() {
            let inside = edges.iter().filter(|e| {
                let target = e.target as usize;
                e.marks == all && universal[target / 64] >> (target % 64) & 1 == 1
            });
            let labels = &mut automaton.labels;
            let letters = inside.fold(Label::FALSE, |any, e| labels.or(any, e.label));
            if letters != Label::TRUE {
                universal[state / 64] &= !(1 << (state % 64));
            }
        }
        if universal == before {
            return universal;
        }
    }
}
