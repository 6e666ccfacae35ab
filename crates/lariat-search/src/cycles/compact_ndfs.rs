//! Depth-first search and nested depth-first search with a store of fingerprints or of bits.
//!
//! The rules are those of `ndfs.rs`. The store knows only hashes, called fingerprints here, so the stacks keep the words of their states
//! (`word_stack.rs`). Different states with the same fingerprint share a colour; therefore the colours only tell what
//! need not be visited again: *visited* and *red*. Whether a state is cyan, that is, on the stack of the blue search,
//! is never a colour: an index of the stack finds the positions with the same hash, and then the words are compared.
//! So a cycle that is reported exists, whatever the hash function does; a false match can only hide one. As no colour is
//! ever removed, and a state is entered only if this sets a colour, the search ends. A store of bits keeps nothing but colours, so a state is
//! stored, and counted, when it is entered.
//!
//! A state is expanded when it is entered, and again when the search has returned to it and follows another edge,
//! because the words of the targets are not kept: one more expansion at most for each state that is entered.

use crate::cycles::ndfs::{Rules, is_accepting, lasso};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::omitting::Omitting;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::positions::Positions;
use crate::toolkit::stack::Next;
use crate::toolkit::stores::StoreKind;
use crate::toolkit::word_stack::WordStack;
use crate::toolkit::workers::Workers;
use lariat_graph::{Fault, StateSpace};
use lariat_store::{Account, Exactness, Memory, StateRef};

/// A state with this fingerprint was entered by the blue search.
const VISITED: u8 = 1;
/// A state with this fingerprint was entered by a red search.
const RED: u8 = 2;

/// Visits all reachable states depth first; with rules for cycles, searches for an accepted one. `None` if the store is exact.
pub(crate) fn search<S: StateSpace + Send, O: Observer>(
    space: &mut S,
    options: &Options,
    rules: Option<Rules>,
    observer: &mut O,
) -> Option<SearchOutcome> {
    if options.store.exactness() == Exactness::Exact {
        return None;
    }
    let pool = Workers::new(options, 1);
    let colour_bits = if rules.is_some_and(|rules| rules.nested) {
        2
    } else {
        1
    };
    match options.store {
        StoreKind::Compact(compaction) => {
            let store = pool.compact_store(compaction, colour_bits);
            Some(search_with(&pool, &store, space, rules, observer))
        }
        StoreKind::Bitstate(bitstate) => {
            let store = pool.bitstate_store(bitstate, colour_bits);
            Some(search_with(&pool, &store, space, rules, observer))
        }
        StoreKind::Keep(_) | StoreKind::Forget(_) => None,
    }
}

fn search_with<S: StateSpace + Send, T: Omitting, O: Observer>(
    pool: &Workers,
    store: &T,
    space: &mut S,
    rules: Option<Rules>,
    observer: &mut O,
) -> SearchOutcome {
    let mut members = [CompactSearch::new(space, store, rules, pool.memory())];
    let (totals, results) = pool.run(&mut members, observer, |search, counters| {
        search.explore(counters)
    });
    let lasso = results.into_iter().flatten().flatten().next();
    let mut outcome = totals.lasso_outcome(pool, Ok(lasso), |path| path);
    outcome.statistics.omission = Some(store.omission());
    outcome
}

struct CompactSearch<'s, S, T: Omitting> {
    explorer: Explorer<'s, S, T>,
    stack: WordStack,
    red_stack: WordStack,
    /// The stack, and its height, whose top state was expanded last.
    expanded: (Which, u64),
    /// The frames to which an accepting edge leads; only if red searches are needed.
    accepting: Column<u32>,
    /// The positions of all states on the stack; only if cycles are searched for.
    positions: Positions,
    rules: Option<Rules>,
    /// The words of a state.
    words: Vec<u32>,
    /// The account of `words`.
    account: Account,
}

#[derive(Clone, Copy, PartialEq)]
enum Which {
    Blue,
    Red,
}

impl<'s, S: StateSpace, T: Omitting> CompactSearch<'s, S, T> {
    fn new(space: &'s mut S, store: &'s T, rules: Option<Rules>, memory: &Memory) -> Self {
        let mark_words = rules.map_or(0, |rules| rules.words);
        CompactSearch {
            explorer: Explorer::new(space, store, memory, mark_words),
            stack: WordStack::new(memory, mark_words),
            red_stack: WordStack::new(memory, 0),
            expanded: (Which::Blue, 0),
            accepting: Column::new(memory),
            positions: Positions::new(memory),
            rules,
            words: Vec::new(),
            account: memory.account(),
        }
    }

    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(0, None)?;
        let mut found = self.enter(StateRef::NONE, counters)?;
        while found.is_none() {
            found = match self.stack.frames.next() {
                Next::Edge(target) => self.follow(target, counters)?,
                Next::Forgotten { first, .. } => {
                    self.expand_top(Which::Blue, counters)?;
                    self.explorer.settle_from(first)?;
                    self.hand_in(first)?
                }
                Next::Exhausted if self.stack.height() == 1 => return Ok(None),
                Next::Exhausted => self.back(counters)?,
            };
        }
        Ok(found)
    }

    /// Whether red searches are needed.
    fn is_nested(&self) -> bool {
        self.rules.is_some_and(|rules| rules.nested)
    }

    /// The last edge that was taken leads to a state with this fingerprint.
    fn follow(
        &mut self,
        target: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let colour = self.explorer.colour(target);
        let accepting = self.is_nested()
            && self.stack.height() > 1
            && is_accepting(self.stack.frames.taken_marks());
        if colour & VISITED == 0 {
            self.read_target(Which::Blue, counters)?;
            self.visit(target, accepting, counters)
        } else if accepting && colour & RED == 0 {
            self.read_target(Which::Blue, counters)?;
            self.red_search(target, counters)
        } else {
            Ok(None)
        }
    }

    /// Enters the state in `words`, which has this fingerprint.
    fn visit(
        &mut self,
        fingerprint: StateRef,
        accepting: bool,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        counters.checkpoint(height, None)?;
        if accepting {
            let position = u32::try_from(height).map_err(|_| Stop::States)?;
            self.accepting.push(position)?;
        }
        if self.explorer.enter(fingerprint, VISITED)? {
            counters.entered_again(1);
        }
        let key = key(self.explorer.store(), &self.words);
        self.enter(key, counters)
    }

    /// Pushes and expands the state in `words`.
    fn enter(
        &mut self,
        key: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let is_state = key != StateRef::NONE;
        self.explorer
            .expand_words(is_state.then_some(&self.words[..]));
        let path = |fault: &Fault| self.stack.frames.path(fault.label);
        counters.expanded(self.explorer.expansion(), path, |_, _| false)?;
        self.stack.push(key, &self.words)?;
        if self.rules.is_some() {
            let frames = &self.stack.frames;
            self.positions
                .push(key, |position| frames.state(u64::from(position)))?;
        }
        self.expanded = (Which::Blue, self.stack.height());
        self.explorer.settle(counters)?;
        self.hand_in(0)
    }

    /// Makes the last expansion that of the top state of a stack.
    fn expand_top(&mut self, which: Which, counters: &mut Counters<Path>) -> Result<(), Stop> {
        let stack = match which {
            Which::Blue => &self.stack,
            Which::Red => &self.red_stack,
        };
        if self.expanded == (which, stack.height()) {
            return Ok(());
        }
        counters.checkpoint(self.stack.height(), None)?;
        stack.read_top(&mut self.words);
        let is_state = stack.frames.top() != Some(StateRef::NONE);
        self.expanded = (which, stack.height());
        self.explorer
            .expand_words(is_state.then_some(&self.words[..]));
        counters.expanded_again(self.explorer.expansion())
    }

    /// Reads the words of the target of the last edge that was taken.
    fn read_target(&mut self, which: Which, counters: &mut Counters<Path>) -> Result<(), Stop> {
        self.expand_top(which, counters)?;
        let frames = match which {
            Which::Blue => &self.stack.frames,
            Which::Red => &self.red_stack.frames,
        };
        let (target, _) = self.explorer.expansion().edge(frames.taken_index());
        self.words.clear();
        self.account.grow(&mut self.words, target.len())?;
        self.words.extend_from_slice(target);
        Ok(())
    }

    /// Looks at the edges of the top state from an index on, whose targets were just settled: closes a cycle, or lets
    /// those wait that have to be followed.
    fn hand_in(&mut self, first: usize) -> Result<Option<Lasso>, Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        if let Some(rules) = self.rules {
            for (target, index) in settled.iter().zip(first..) {
                if target.colour & VISITED == 0 {
                    continue;
                }
                let Some(position) = self.position(expansion.edge(index).0) else {
                    continue;
                };
                let closes = rules.all_accept
                    || is_accepting(expansion.marks(index))
                    || position < self.accepting.last().unwrap_or(0);
                if closes {
                    self.stack
                        .frames
                        .push_edges(expansion, index, &[*target], |_, _| true)?;
                    self.stack.frames.next();
                    return Ok(lasso(&self.stack.frames, u64::from(position), &[]));
                }
            }
        }
        let red = self.is_nested() && self.stack.height() > 1;
        self.stack
            .frames
            .push_edges(expansion, first, settled, |index, target| {
                let is_blue = target.colour == VISITED;
                target.colour & VISITED == 0
                    || red && is_blue && is_accepting(expansion.marks(index))
            })?;
        Ok(None)
    }

    /// The position on the stack of the state with these words: it is cyan.
    fn position(&self, words: &[u32]) -> Option<u32> {
        let key = key(self.explorer.store(), words);
        let stack = &self.stack;
        self.positions.find_where(key, |position| {
            let position = u64::from(position);
            stack.frames.state(position) == key && stack.has(position, words)
        })
    }

    /// Leaves the top state; if an accepting edge leads to it, a red search starts there.
    fn back(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        self.stack.read_top(&mut self.words);
        let Some(key) = self.stack.pop() else {
            return Ok(None);
        };
        if self.rules.is_some() {
            self.positions.pop(key);
        }
        let position = self.stack.height();
        if u64::from(self.accepting.last().unwrap_or(0)) != position {
            return Ok(None);
        }
        self.accepting.pop();
        let (fingerprint, _) = self.explorer.store().reference(&self.words);
        if self.explorer.colour(fingerprint) & RED != 0 {
            return Ok(None);
        }
        self.red_search(fingerprint, counters)
    }

    /// Searches for a path from the state in `words`, the target of the last accepting edge, to a cyan one, through
    /// states that are not red.
    fn red_search(
        &mut self,
        start: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        self.red_stack.clear();
        let mut found = self.visit_red(start, counters)?;
        while found.is_none() && self.red_stack.height() > 0 {
            found = match self.red_stack.frames.next() {
                Next::Edge(target) if self.explorer.colour(target) == VISITED => {
                    self.read_target(Which::Red, counters)?;
                    self.visit_red(target, counters)?
                }
                Next::Edge(_) => None,
                Next::Forgotten { first, .. } => self.hand_in_red(first, counters)?,
                Next::Exhausted => {
                    self.red_stack.pop();
                    None
                }
            };
        }
        let Some(cyan) = found else { return Ok(None) };
        let frames = &self.red_stack.frames;
        let back: Vec<u32> = frames.labels(0..frames.height()).collect();
        Ok(lasso(&self.stack.frames, u64::from(cyan), &back))
    }

    /// A red search enters the state in `words`, which has this fingerprint.
    fn visit_red(
        &mut self,
        fingerprint: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<u32>, Stop> {
        self.explorer.recolour(fingerprint, 0, RED);
        self.red_stack.push(fingerprint, &self.words)?;
        self.expanded = (Which::Red, 0);
        self.hand_in_red(0, counters)
    }

    /// Looks at the edges of the top of the red stack from an index on. If one leads to a cyan state, it is taken, and
    /// the position of that state is returned.
    fn hand_in_red(
        &mut self,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<Option<u32>, Stop> {
        self.expand_top(Which::Red, counters)?;
        let settling = self.explorer.settle_from(first);
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        // A state that has the fingerprint of another one may have successors that were never met.
        let new = settled.iter().filter(|target| target.is_new).count();
        counters.count(new as u64, 0);
        settling?;
        for (target, index) in settled.iter().zip(first..) {
            if target.colour & VISITED == 0 {
                continue;
            }
            if let Some(cyan) = self.position(expansion.edge(index).0) {
                self.red_stack
                    .frames
                    .push_edges(expansion, index, &[*target], |_, _| true)?;
                self.red_stack.frames.next();
                return Ok(Some(cyan));
            }
        }
        self.red_stack
            .frames
            .push_edges(expansion, first, settled, |_, target| {
                target.colour == VISITED
            })?;
        Ok(None)
    }
}

/// What the index of the stack knows of a state: bits of its hash that its fingerprint does not have.
fn key<T: Omitting>(store: &T, words: &[u32]) -> StateRef {
    let (_, hash) = store.reference(words);
    // The largest number is that of no state.
    StateRef::new(hash.min(u64::MAX - 1))
}
