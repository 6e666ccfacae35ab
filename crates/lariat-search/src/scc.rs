//! Search for an accepting strongly connected component.
//!
//! A depth-first search merges the states on its path into components as soon as it sees an edge
//! back (Couvreur, "On-the-fly verification of linear temporal logic", FM 1999; the stack of roots
//! is that of Gabow, "Path-based depth-first search for strong and biconnected components", IPL
//! 74, 2000; a comparison with Tarjan's algorithm is in Renault, Duret-Lutz, Kordon and Poitrenaud,
//! "Three SCC-based emptiness checks for generalized Büchi automata", LPAR 2013). Each partial
//! component knows the union of the marks of its edges. The search ends with the first one whose
//! marks satisfy the acceptance: it has a cycle through all of its edges. This happens long before
//! the component is complete, and often before a nested search would find anything.
//!
//! Any number of sets costs no more visits than one. Pairs are treated when a component is
//! complete: if it has all sets but lacks grants for some of its requests, the edges with these
//! requests are taken out and the rest is judged again; see `components.rs`.
//!
//! Each state is expanded once. Per state it costs 4 bytes for its number and 4 while its
//! component is not complete.
//!
//! The lasso: the component is expanded again and written down, and a cycle goes through all marks
//! that are needed by short ways (`cycle.rs`). A breadth-first search over the stored states leads
//! to it; if there is no budget left for that, the stack of the search does. Writing the component
//! down takes memory, 16 bytes and the marks for an edge; without it there is no lasso to return,
//! and the search ends with [`Stop::Memory`].

use crate::budget::{Options, Stop};
use crate::column::Column;
use crate::components::{Component, Components, accepting_components};
use crate::cycle::Walker;
use crate::edge_stack::{EdgeStack, NO_STATE};
use crate::fragment::Fragment;
use crate::lasso::{Lasso, LassoOutcome};
use crate::observer::Observer;
use crate::outcome::Path;
use crate::run::Run;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion};
use lariat_store::{FlatStore, Full, Memory};

/// Looks for a cycle that is accepted by any acceptance.
pub fn scc_search<G: AcceptingGraph, O: Observer>(
    graph: &mut G,
    options: &Options,
    observer: &mut O,
) -> LassoOutcome {
    let acceptance = graph.acceptance();
    let run = Run::new(options, observer);
    let mut store = FlatStore::new(run.memory());
    run.limit_states(&mut store);
    let mut search = SccSearch {
        graph,
        acceptance,
        store,
        numbers: Column::new(run.memory()),
        live: Column::new(run.memory()),
        stack: EdgeStack::new(run.memory(), acceptance.words()),
        roots: Roots::new(run.memory(), acceptance.words()),
        run,
        expansion: Expansion::with_marks(acceptance.words()),
        depth: 0,
    };
    let result = search.explore();
    search.run.finish_lasso(result, |path| path)
}

struct SccSearch<'a, G, O> {
    graph: &'a mut G,
    acceptance: Acceptance,
    store: FlatStore,
    /// For each stored state: [`UNVISITED`], [`DEAD`], or its place on `live`, counted from 1.
    numbers: Column<u32>,
    /// The states of components that are not complete.
    live: Column<u32>,
    stack: EdgeStack,
    roots: Roots,
    run: Run<'a, O, Path>,
    expansion: Expansion,
    /// How deep the search was when it last visited a state, for the observer.
    depth: u64,
}

const UNVISITED: u32 = 0;
/// The state belongs to a component that is complete and has no accepted cycle.
const DEAD: u32 = u32::MAX;

/// Why the search ends if a state has other edges when it is expanded again, which a graph must
/// not do.
const BROKEN_PROMISE: Stop = Stop::Interrupted;

impl<G: AcceptingGraph, O: Observer> SccSearch<'_, G, O> {
    fn explore(&mut self) -> Result<Option<Lasso>, Stop> {
        self.run.checkpoint(0, None)?;
        self.graph.initial(&mut self.expansion);
        self.enter(NO_STATE)?;
        loop {
            let found = match self.stack.next_edge() {
                Some(target) => self.follow(target)?,
                None if self.stack.height() == 1 => return Ok(None),
                None => self.back()?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    /// The edge that was just taken leads to `target`.
    fn follow(&mut self, target: u32) -> Result<Option<Lasso>, Stop> {
        match self.numbers.get(target) {
            UNVISITED => self.visit(target)?,
            DEAD => {}
            number => {
                let marks = self.roots.merge(number, self.stack.taken_marks());
                if self.acceptance.accepts(marks) {
                    return self.found(self.roots.top());
                }
            }
        }
        Ok(None)
    }

    /// Expands a state that was not visited yet.
    fn visit(&mut self, state: u32) -> Result<(), Stop> {
        let height = self.stack.height();
        self.run.reached_depth(height);
        self.depth = height;
        self.run.checkpoint(height, None)?;
        self.live.push(state)?;
        let number = u32::try_from(self.live.len()).ok();
        let number = number.filter(|&n| n != DEAD).ok_or(Stop::States)?;
        self.numbers.set(state, number);
        self.roots.push(number, self.stack.taken_marks())?;
        self.expansion.clear();
        self.graph
            .successors(self.store.get(state), &mut self.expansion);
        self.enter(state)
    }

    /// Books the expansion of a state, numbers its successors, and puts them on the stack.
    fn enter(&mut self, state: u32) -> Result<(), Stop> {
        let stack = &self.stack;
        let path = |fault: &lariat_graph::Fault| stack.path(fault.label);
        self.run.expanded(&self.expansion, path, |_, _| false)?;
        self.stack.push_expansion(
            state,
            &self.expansion,
            &mut self.store,
            &mut self.numbers,
            &mut self.run,
        )
    }

    /// Leaves the top state; if it is the root of its component, that is complete.
    fn back(&mut self) -> Result<Option<Lasso>, Stop> {
        let Some(state) = self.stack.top() else {
            return Ok(None);
        };
        let root = self.numbers.get(state);
        if self.roots.top() == root {
            if self.may_accept_a_part()
                && let found @ Some(_) = self.refine(root)?
            {
                return Ok(found);
            }
            self.roots.pop();
            while self.live.len() >= u64::from(root) {
                let Some(member) = self.live.pop() else { break };
                self.numbers.set(member, DEAD);
            }
        }
        self.stack.pop();
        Ok(None)
    }

    /// Whether the component on top has all sets, but was not accepted because of its requests.
    fn may_accept_a_part(&mut self) -> bool {
        let acceptance = self.acceptance;
        let marks = self.roots.marks();
        acceptance.has_all_sets(marks) && acceptance.open_pairs(marks).next().is_some()
    }

    /// Looks for an accepting part of the complete component with this root.
    fn refine(&mut self, root: u32) -> Result<Option<Lasso>, Stop> {
        let fragment = self.write_down(root)?;
        let components = self.components(&fragment)?;
        let Some(component) = components.first() else {
            return Ok(None);
        };
        let way = self.way_to(root);
        self.stack.clear();
        let lasso = self.lasso(root, way, &fragment, &components, component)?;
        lasso.ok_or(BROKEN_PROMISE).map(Some)
    }

    /// The component with this root is accepting.
    fn found(&mut self, root: u32) -> Result<Option<Lasso>, Stop> {
        let way = self.way_to(root);
        self.stack.clear();
        self.run.ignore_time(true);
        let fragment = self.write_down(root)?;
        // Edges that were not looked at yet may make further requests, so this need not be the
        // whole component.
        let components = self.components(&fragment)?;
        let component = components.first().ok_or(BROKEN_PROMISE)?;
        let lasso = self.lasso(root, way, &fragment, &components, component)?;
        lasso.ok_or(BROKEN_PROMISE).map(Some)
    }

    /// The labels of the stack up to the root of a component.
    fn way_to(&self, root: u32) -> Vec<u32> {
        let root = self.live.get(root - 1);
        let position = self.stack.position(root).unwrap_or(0);
        self.stack.labels(0..position).collect()
    }

    /// Expands the states of the component with this root again and writes it down.
    fn write_down(&mut self, root: u32) -> Result<Fragment, Stop> {
        let mut fragment = Fragment::new(self.run.memory(), self.acceptance.words());
        for index in u64::from(root) - 1..self.live.len() {
            self.expand_again(self.live.get(index))?;
            fragment.push_state()?;
            for (edge, (target, label)) in self.expansion.edges().enumerate() {
                let Some(target) = self.store.find(target) else {
                    continue;
                };
                if let Some(target) = local(self.numbers.get(target), root) {
                    fragment.push_edge(target, label, self.expansion.marks(edge))?;
                }
            }
        }
        Ok(fragment)
    }

    fn expand_again(&mut self, state: u32) -> Result<(), Stop> {
        self.run.checkpoint(self.depth, None)?;
        self.expansion.clear();
        self.graph
            .successors(self.store.get(state), &mut self.expansion);
        self.run.expanded_again(&self.expansion)
    }

    fn components(&mut self, fragment: &Fragment) -> Result<Components, Stop> {
        let memory = self.run.memory().clone();
        let tick = &mut || self.run.checkpoint(self.depth, None);
        let states = 0..fragment.len();
        accepting_components(fragment, self.acceptance, states, &memory, tick)
    }

    /// A lasso into an accepting component, if the graph keeps its promises. `way` leads to the
    /// root with the number `root`, the first state of the fragment, and is used if there is not
    /// enough left of the budget for finding a shorter one.
    fn lasso(
        &mut self,
        root: u32,
        way: Vec<u32>,
        fragment: &Fragment,
        components: &Components,
        component: Component,
    ) -> Result<Option<Lasso>, Stop> {
        let is_inside = |number: u32| {
            local(number, root).filter(|&state| components.contains(component, state))
        };
        self.run.ignore_time(false);
        let shortest = self.shortest_way(is_inside);
        self.run.ignore_time(true);
        let memory = self.run.memory().clone();
        let tick = &mut || self.run.checkpoint(self.depth, None);
        let mut walker = Walker::new(fragment, self.acceptance, &memory)?;
        let (way, start) = match shortest {
            Ok(Some(found)) => found,
            _ => {
                let Some(edges) = walker.way_into(components, component, 0, tick)? else {
                    return Ok(None);
                };
                let start = edges.last().map_or(0, |&edge| fragment.edge(edge).target);
                let rest = edges.iter().map(|&edge| fragment.edge(edge).label);
                (way.into_iter().chain(rest).collect(), start)
            }
        };
        let cycle = walker.accepted_cycle(components, component, start, u64::MAX, tick)?;
        let Some((&initial, prefix)) = way.split_first() else {
            return Ok(None);
        };
        Ok(cycle.map(|edges| Lasso {
            initial,
            prefix: prefix.to_vec(),
            cycle: edges
                .iter()
                .map(|&edge| fragment.edge(edge).label)
                .collect(),
        }))
    }

    /// The shortest way through stored states to one whose number is accepted by `goal`: its
    /// labels, that of the initial state first, and what `goal` says about the state.
    fn shortest_way(
        &mut self,
        goal: impl Fn(u32) -> Option<u32>,
    ) -> Result<Option<(Vec<u32>, u32)>, Stop> {
        let memory = self.run.memory().clone();
        let mut ways = Ways {
            links: Column::filled(&memory, u64::from(self.store.len()), UNSEEN)?,
            queue: Column::new(&memory),
        };
        self.expansion.clear();
        self.graph.initial(&mut self.expansion);
        self.run.expanded_again(&self.expansion)?;
        let mut next = 0;
        let mut parent = NO_STATE;
        loop {
            for (index, (target, label)) in self.expansion.edges().enumerate() {
                let Some(target) = self.store.find(target) else {
                    continue;
                };
                let label = if parent == NO_STATE {
                    index as u32
                } else {
                    label
                };
                if ways.reach(target, [parent, label])?
                    && let Some(local) = goal(self.numbers.get(target))
                {
                    return Ok(Some((ways.labels(target), local)));
                }
            }
            if next == ways.queue.len() {
                return Ok(None);
            }
            parent = ways.queue.get(next);
            next += 1;
            self.expand_again(parent)?;
        }
    }
}

/// The index of a state in the fragment of the component with this root, by its number.
fn local(number: u32, root: u32) -> Option<u32> {
    number.checked_sub(root).filter(|_| number != DEAD)
}

/// How stored states were reached by a breadth-first search.
struct Ways {
    /// Parent and label.
    links: Column<[u32; 2]>,
    queue: Column<u32>,
}

const UNSEEN: [u32; 2] = [u32::MAX, u32::MAX];

impl Ways {
    /// Whether the state was reached for the first time.
    fn reach(&mut self, state: u32, link: [u32; 2]) -> Result<bool, Full> {
        let is_new = self.links.get(state) == UNSEEN;
        if is_new {
            self.links.set(state, link);
            self.queue.push(state)?;
        }
        Ok(is_new)
    }

    /// The labels on the way to a state.
    fn labels(&self, mut state: u32) -> Vec<u32> {
        let mut labels = Vec::new();
        while state != NO_STATE {
            let [parent, label] = self.links.get(state);
            labels.push(label);
            state = parent;
        }
        labels.reverse();
        labels
    }
}

/// The roots of the partial components on the path, with what their edges are marked with.
struct Roots {
    /// The number of each root.
    numbers: Column<u32>,
    /// For each root the marks of the edge to it, and then those of its component.
    marks: Column<u64>,
    words: usize,
    scratch: Vec<u64>,
}

impl Roots {
    fn new(memory: &Memory, words: usize) -> Self {
        Roots {
            numbers: Column::new(memory),
            marks: Column::new(memory),
            words,
            scratch: vec![0; words],
        }
    }

    /// A state that is a component by itself, reached by an edge with these marks.
    fn push(&mut self, number: u32, marks: &[u64]) -> Result<(), Full> {
        for &word in marks {
            self.marks.push(word)?;
        }
        for _ in 0..self.words {
            self.marks.push(0)?;
        }
        self.numbers.push(number)
    }

    /// The number of the topmost root.
    fn top(&self) -> u32 {
        self.numbers.last().unwrap_or(DEAD)
    }

    fn pop(&mut self) {
        self.numbers.pop();
        self.marks
            .truncate(self.marks.len() - 2 * self.words as u64);
    }

    /// The marks of the topmost component.
    fn marks(&mut self) -> &[u64] {
        let start = self.marks.len() - self.words as u64;
        for (word, index) in self.scratch.iter_mut().zip(start..) {
            *word = self.marks.get(index);
        }
        &self.scratch
    }

    /// An edge with `marks` from the topmost component leads back to the state with this number:
    /// all above it is one component now, whose marks are returned.
    fn merge(&mut self, number: u32, marks: &[u64]) -> &[u64] {
        self.scratch.copy_from_slice(marks);
        while self.top() > number {
            let start = self.marks.len() - 2 * self.words as u64;
            for (word, index) in self.scratch.iter_mut().zip(start..) {
                *word |= self.marks.get(index) | self.marks.get(index + self.words as u64);
            }
            self.pop();
        }
        let start = self.marks.len() - self.words as u64;
        for (word, index) in self.scratch.iter_mut().zip(start..) {
            let kept = self.marks.get_mut(index);
            *kept |= *word;
            *word = *kept;
        }
        &self.scratch
    }
}
