//! Nested depth-first search.
//!
//! Looks for a cycle with an accepting edge, in the form of Schwoon and Esparza ("A note on
//! on-the-fly verification algorithms", TACAS 2005), which finds many cycles without the nested
//! search; here the marks lie on edges instead of states. A state is white until the blue search
//! visits it, cyan while it is on the stack of the blue search, and blue afterwards; a red search
//! turns blue states red.
//!
//! - When the blue search at `s` sees an edge to a cyan state `t`, the stack from `t` to `s` and
//!   this edge are a cycle. It is accepted if one of these edges is accepting. Each frame knows
//!   the position of the last accepting edge below it, so this is one comparison.
//! - When the blue search comes back over an accepting edge from `s` to `t`, or sees such an edge
//!   to a state that is blue already, a red search starts at `t`. It succeeds when it reaches a
//!   cyan state `c`: `c` leads to `s` along the stack, and then to `t` and back to `c`.
//!
//! Why a red state need not be visited again: `t` is blue, so none of its descendants is white
//! until a cyan state intervenes. A red search that met no cyan state has therefore seen all
//! descendants of `t`, and they are blue for ever. So no cyan state can be reached from a red
//! state, now or later. Why no accepted cycle is missed: let an accepting edge from `s` to `t` be
//! on it. The search looks at this edge while `s` is cyan; `t` is not white then. If `t` is cyan,
//! the first rule applies. Otherwise the path on the cycle from `t` to `s` has no red state, since
//! that would lead to the cyan `s`; so the red search either follows it up to `s` or meets another
//! cyan state before.
//!
//! If each component of the graph is wholly accepting or wholly rejecting (*weak*), the cycles
//! that the stack closes are enough: a component with a cycle has an edge to a cyan state of the
//! same component (Černá and Pelánek, "Relating hierarchy of temporal properties to model
//! checking", MFCS 2003). The same holds if every cycle is accepted.
//!
//! Each state is expanded at most twice. Per state it costs 4 bytes for the colour. It copes with
//! one acceptance set; for more, or for pairs, there is [`scc_search`](crate::scc_search).

use crate::budget::{Options, Stop};
use crate::column::Column;
use crate::edge_stack::{EdgeStack, NO_STATE};
use crate::lasso::{Lasso, LassoOutcome};
use crate::observer::Observer;
use crate::outcome::Path;
use crate::run::Run;
use lariat_graph::{AcceptingGraph, Expansion};
use lariat_store::FlatStore;

/// Looks for an accepted cycle in a graph with at most one acceptance set and no pairs. `weak`
/// promises that each strongly connected component has only accepting edges inside, or none.
///
/// # Panics
///
/// If the graph has a condition that this search does not know: several sets, or pairs.
pub fn nested_depth_first<G: AcceptingGraph, O: Observer>(
    graph: &mut G,
    options: &Options,
    weak: bool,
    observer: &mut O,
) -> LassoOutcome {
    let acceptance = graph.acceptance();
    assert!(
        acceptance.sets <= 1 && acceptance.pairs == 0,
        "nested depth-first search knows a single acceptance set"
    );
    let run = Run::new(options, observer);
    let mut store = FlatStore::new(run.memory());
    run.limit_states(&mut store);
    let mut search = NestedDepthFirst {
        graph,
        store,
        colours: Column::new(run.memory()),
        stack: EdgeStack::new(run.memory(), acceptance.words()),
        last_accepting: Column::new(run.memory()),
        red_stack: EdgeStack::new(run.memory(), 0),
        run,
        expansion: Expansion::with_marks(acceptance.words()),
        all_accept: acceptance.sets == 0,
        has_red_search: !weak && acceptance.sets > 0,
    };
    let result = search.explore();
    search.run.finish_lasso(result, |path| path)
}

struct NestedDepthFirst<'a, G, O> {
    graph: &'a mut G,
    store: FlatStore,
    /// What is known about each stored state; see [`Colour`].
    colours: Column<u32>,
    stack: EdgeStack,
    /// For each frame: one more than the position of the last frame below it whose edge on the
    /// path is accepting, or 0.
    last_accepting: Column<u32>,
    red_stack: EdgeStack,
    run: Run<'a, O, Path>,
    expansion: Expansion,
    /// Whether every cycle is accepted.
    all_accept: bool,
    has_red_search: bool,
}

#[derive(Clone, Copy)]
enum Colour {
    White,
    Blue,
    Red,
    /// On the stack, at this position.
    Cyan(u32),
}

impl Colour {
    fn decode(code: u32) -> Self {
        match code {
            0 => Colour::White,
            1 => Colour::Blue,
            2 => Colour::Red,
            cyan => Colour::Cyan(cyan - 3),
        }
    }

    /// `None` if the position is too large.
    fn encode(self) -> Option<u32> {
        match self {
            Colour::White => Some(0),
            Colour::Blue => Some(1),
            Colour::Red => Some(2),
            Colour::Cyan(position) => position.checked_add(3),
        }
    }
}

impl<G: AcceptingGraph, O: Observer> NestedDepthFirst<'_, G, O> {
    fn explore(&mut self) -> Result<Option<Lasso>, Stop> {
        self.run.checkpoint(0, None)?;
        self.graph.initial(&mut self.expansion);
        self.enter(NO_STATE, 0)?;
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
        let accepting = self
            .stack
            .taken_marks()
            .first()
            .is_some_and(|&m| m & 1 == 1);
        match self.colour(target) {
            Colour::White => self.visit(target, accepting)?,
            Colour::Cyan(position) => {
                let last = self.last_accepting.last().unwrap_or(0);
                if self.all_accept || accepting || last > position {
                    return Ok(Some(self.lasso(position, &[])));
                }
            }
            Colour::Blue if accepting && self.has_red_search => return self.red_search(target),
            Colour::Blue | Colour::Red => {}
        }
        Ok(None)
    }

    /// Leaves the top state.
    fn back(&mut self) -> Result<Option<Lasso>, Stop> {
        let Some(state) = self.stack.pop() else {
            return Ok(None);
        };
        self.set_colour(state, Colour::Blue)?;
        let position = self.stack.height();
        let last = self.last_accepting.pop().unwrap_or(0);
        if self.has_red_search && u64::from(last) == position {
            return self.red_search(state);
        }
        Ok(None)
    }

    /// Expands a white state; the edge to it may be accepting.
    fn visit(&mut self, state: u32, accepting: bool) -> Result<(), Stop> {
        let height = self.stack.height();
        self.run.reached_depth(height);
        self.run.checkpoint(height, None)?;
        let position = u32::try_from(height).map_err(|_| Stop::States)?;
        self.set_colour(state, Colour::Cyan(position))?;
        self.expansion.clear();
        self.graph
            .successors(self.store.get(state), &mut self.expansion);
        let last = match accepting {
            true => position,
            false => self.last_accepting.last().unwrap_or(0),
        };
        self.enter(state, last)
    }

    /// Books the expansion of a state, numbers its successors, and puts them on the stack.
    fn enter(&mut self, state: u32, last_accepting: u32) -> Result<(), Stop> {
        let stack = &self.stack;
        let path = |fault: &lariat_graph::Fault| stack.path(fault.label);
        self.run.expanded(&self.expansion, path, |_, _| false)?;
        self.last_accepting.push(last_accepting)?;
        self.stack.push_expansion(
            state,
            &self.expansion,
            &mut self.store,
            &mut self.colours,
            &mut self.run,
        )
    }

    /// Looks for a way from a blue state, the target of the accepting edge that was taken last, to
    /// a cyan one, through blue states.
    fn red_search(&mut self, start: u32) -> Result<Option<Lasso>, Stop> {
        if !matches!(self.colour(start), Colour::Blue) {
            return Ok(None);
        }
        self.red_stack.clear();
        if let found @ Some(_) = self.visit_red(start)? {
            return Ok(found);
        }
        while self.red_stack.height() > 0 {
            let Some(target) = self.red_stack.next_edge() else {
                self.red_stack.pop();
                continue;
            };
            if matches!(self.colour(target), Colour::Blue)
                && let found @ Some(_) = self.visit_red(target)?
            {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn visit_red(&mut self, state: u32) -> Result<Option<Lasso>, Stop> {
        self.run.checkpoint(self.stack.height(), None)?;
        self.set_colour(state, Colour::Red)?;
        self.expansion.clear();
        self.graph
            .successors(self.store.get(state), &mut self.expansion);
        self.run.expanded_again(&self.expansion)?;
        self.red_stack.push(state)?;
        for index in (0..self.expansion.len()).rev() {
            let (target, label) = self.expansion.edge(index);
            // All successors of a blue state are stored.
            let Some(target) = self.store.find(target) else {
                continue;
            };
            match self.colour(target) {
                Colour::Cyan(position) => {
                    let below = self.red_stack.height() - 1;
                    let mut way: Vec<u32> = self.red_stack.labels(0..below).collect();
                    way.push(label);
                    return Ok(Some(self.lasso(position, &way)));
                }
                Colour::Blue => self.red_stack.push_edge(target, label, &[])?,
                Colour::White | Colour::Red => {}
            }
        }
        Ok(None)
    }

    /// The cycle that starts at a position of the stack, goes on along the edges taken, and comes
    /// back by further edges.
    fn lasso(&self, position: u32, back: &[u32]) -> Lasso {
        let start = u64::from(position);
        let cycle = self.stack.labels(start..self.stack.height());
        Lasso {
            initial: self.stack.labels(0..1).next().unwrap_or(0),
            prefix: self.stack.labels(1..start).collect(),
            cycle: cycle.chain(back.iter().copied()).collect(),
        }
    }

    fn colour(&self, state: u32) -> Colour {
        Colour::decode(self.colours.get(state))
    }

    fn set_colour(&mut self, state: u32, colour: Colour) -> Result<(), Stop> {
        let code = colour.encode().ok_or(Stop::States)?;
        self.colours.set(state, code);
        Ok(())
    }
}
