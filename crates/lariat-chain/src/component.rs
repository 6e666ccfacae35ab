//! Which states of the product lie in bottom strongly connected components.
//!
//! The rows of a chain can be enumerated, so bottom components are computed, not guessed from a walk, in two steps.
//! The bottom components of the chain alone are computed once, in linear time (Tarjan 1972). A bottom component of
//! the product consists of pairs of the states of one of these with states of the automaton. So a walk goes on,
//! without any bookkeeping, until it enters a bottom component of the chain; then the part of the product that is
//! reachable from there is divided into components (Gabow, "Path-based depth-first search for strong and biconnected
//! components", Information Processing Letters 74, 2000), and the results are kept for all later walks.
//!
//! A component is a bottom one if no edge leaves it, however unlikely. So there is no error, and since a result is a
//! fact about the product, a walk does not depend on earlier walks.

use crate::chain::Chain;
use crate::product::Product;
use crate::table::Table;
use lariat_ltl::automaton::determinise::Refused;
use lariat_ltl::automaton::scc::{Components, tarjan};

/// The states in bottom components of a chain, as bits.
#[derive(Debug)]
pub(crate) struct Bottom(Vec<u64>);

impl Bottom {
    /// No states: for a rule that does not use them.
    pub fn none() -> Self {
        Bottom(Vec::new())
    }

    pub fn of(chain: &Chain) -> Self {
        let edges = |state: u32, index: usize| chain.targets(state).get(index).copied();
        let (component, count) = tarjan(chain.states(), chain.initial_states(), edges);
        let mut is_bottom = vec![true; count];
        for (state, &own) in component.iter().enumerate() {
            let leaves = |&target: &u32| component[target as usize] != own;
            if own != Components::UNREACHABLE && chain.targets(state as u32).iter().any(leaves) {
                is_bottom[own as usize] = false;
            }
        }
        let mut bits = vec![0; chain.states().div_ceil(64)];
        for (state, &own) in component.iter().enumerate() {
            if is_bottom.get(own as usize) == Some(&true) {
                bits[state / 64] |= 1 << (state % 64);
            }
        }
        Bottom(bits)
    }

    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        let word = self.0.get(state as usize / 64);
        word.is_some_and(|word| word >> (state % 64) & 1 == 1)
    }
}

/// What is known about a state of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is in a bottom component.
    Bottom(Judged),
    /// It is in no bottom component.
    Transient,
    /// More states are reachable from it than the limit allows.
    Unknown,
}

/// A bottom component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// The least priority in it.
    pub priority: u32,
    /// Its states.
    pub states: usize,
}

/// The states of the product that have been decided, with all states reachable from them.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// Maps states of the product to numbers of bottom components, to [`TRANSIENT`], or, while they are on the stack,
    /// to [`OPEN`] and more.
    known: Table,
    components: Vec<Judged>,
    /// The states whose components are not complete, in the order of discovery.
    stack: Vec<Open>,
    /// The path of the search: states on the stack with the index of their next edge.
    path: Vec<(u32, u32)>,
    /// The components on the path: their first states, and whether an edge leads out of them.
    starts: Vec<(u32, bool)>,
    limit: usize,
}

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Open {
    key: (u32, u32),
    next: u32,
    priority: u32,
}

const TRANSIENT: u32 = (1 << 31) - 1;
const OPEN: u32 = 1 << 31;

impl Settled {
    /// At most `limit` states are kept.
    pub fn new(limit: usize) -> Self {
        Settled {
            known: Table::new(),
            components: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            starts: Vec::new(),
            limit: limit.min(TRANSIENT as usize),
        }
    }

    /// Decides a state of the product: a state of the chain and that of the automaton before it.
    #[inline]
    pub fn ask(&mut self, product: &mut Product, key: (u32, u32)) -> Result<Answer, Refused> {
        match self.known.get(key) {
            Some(TRANSIENT) => Ok(Answer::Transient),
            Some(number) => Ok(Answer::Bottom(self.components[number as usize])),
            None => self.find(product, key),
        }
    }

    #[cold]
    fn find(&mut self, product: &mut Product, key: (u32, u32)) -> Result<Answer, Refused> {
        let others = self.known.len();
        let mut complete = self.explore(product, key);
        if complete == Ok(false) && others > 0 {
            // Decided states lead only to decided states. So whether the new ones fit in beside them depends on
            // earlier queries, but whether they fit in alone does not.
            self.forget();
            complete = self.explore(product, key);
        }
        match complete {
            Ok(true) => self.ask(product, key),
            Ok(false) => {
                self.forget();
                Ok(Answer::Unknown)
            }
            Err(error) => {
                self.forget();
                Err(error)
            }
        }
    }

    fn forget(&mut self) {
        self.known.clear();
        self.components.clear();
        self.stack.clear();
        self.path.clear();
        self.starts.clear();
    }

    /// Divides the reachable states into components; `false` if there are too many.
    fn explore(&mut self, product: &mut Product, key: (u32, u32)) -> Result<bool, Refused> {
        if self.known.len() >= self.limit {
            return Ok(false);
        }
        self.push(product, key)?;
        while let Some((number, index)) = self.path.last_mut() {
            let open = self.stack[*number as usize];
            let Some(&target) = product.chain.targets(open.key.0).get(*index as usize) else {
                self.leave();
                continue;
            };
            *index += 1;
            // A final state of the automaton needs no component, and no edge leads back from it.
            if product.verdict(open.next).is_some() {
                self.leak();
                continue;
            }
            match self.known.get((target, open.next)) {
                None if self.known.len() >= self.limit => return Ok(false),
                None => self.push(product, (target, open.next))?,
                Some(number) if number >= OPEN => self.merge(number - OPEN),
                Some(_) => self.leak(),
            }
        }
        Ok(true)
    }

    fn push(&mut self, product: &mut Product, key: (u32, u32)) -> Result<(), Refused> {
        let number = self.stack.len() as u32;
        let visit = product.visit(key.0, key.1, number)?;
        self.known.set(key, OPEN + number);
        self.stack.push(Open {
            key,
            next: visit.next,
            priority: visit.priority,
        });
        self.path.push((number, 0));
        self.starts.push((number, false));
        Ok(())
    }

    /// Records that an edge leaves the last component.
    fn leak(&mut self) {
        if let Some((_, leaks)) = self.starts.last_mut() {
            *leaks = true;
        }
    }

    /// Merges all components since the target of an edge to a state on the stack.
    fn merge(&mut self, number: u32) {
        while let Some(&(start, leaks)) = self.starts.last()
            && start > number
        {
            self.starts.pop();
            if leaks {
                self.leak();
            }
        }
    }

    /// Removes the last state of the path, whose edges have all been explored, and completes its component if it is
    /// the first state of it.
    fn leave(&mut self) {
        let Some((number, _)) = self.path.pop() else {
            return;
        };
        let Some(&(start, leaks)) = self.starts.last() else {
            return;
        };
        if start != number {
            return;
        }
        self.starts.pop();
        let states = &self.stack[start as usize..];
        let answer = match leaks {
            true => TRANSIENT,
            false => self.components.len() as u32,
        };
        for open in states {
            self.known.set(open.key, answer);
        }
        if !leaks {
            self.components.push(Judged {
                priority: states.iter().map(|open| open.priority).min().unwrap_or(0),
                states: states.len(),
            });
        }
        self.stack.truncate(start as usize);
        // The edge to this component leaves the component of its source.
        self.leak();
    }
}
