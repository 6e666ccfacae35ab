//! Random walks that decide the behaviour of a run in the limit.

use crate::candidate::Candidate;
use crate::chain::Chain;
use crate::component::{Answer, Bottom, Judged, Settled};
use crate::product::{Product, Visit};
use crate::property::Property;
use crate::table::Table;
use lariat_ir::interpret::Cancel;
use lariat_ltl::automaton::determinise::{Bounds, Refused};
use lariat_stats::{Rng, stream};
use std::sync::Arc;

/// The number of steps between two looks at the clock.
const PAUSE: u64 = 1 << 14;

/// When a walk has decided its run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stopping {
    /// When it enters a bottom component of the product. Those components are computed from the rows of the chain, so
    /// there is no error.
    Exact,
    /// When it has been in a component so long that it would have left one that is not a bottom component, by the
    /// rule of Daca, Henzinger, Křetínský and Petrov (TACAS 2016). The rule does not enumerate the edges of a state;
    /// it is here for comparison.
    Candidate {
        /// The probability that a walk is wrong.
        delta: f64,
        /// A lower bound of the probabilities of edges.
        p_min: f64,
    },
}

/// The limits of a [`ChainSampler`], and how its walks end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// When a walk ends.
    pub stopping: Stopping,
    /// The largest number of states of the product in bottom components of the chain that are kept, and of states
    /// that one walk keeps if necessary, at most 100 bytes each. A walk that needs more ends without a result.
    pub states: usize,
    /// The limits of the deterministic automaton.
    pub automaton: Bounds,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            stopping: Stopping::Exact,
            states: 1 << 22,
            automaton: Bounds::default(),
        }
    }
}

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every continuation satisfies the formula, or every one violates it.
    Decided,
    /// It is in a bottom component, or is assumed to be.
    Component,
    /// It reached the limit of steps.
    Length,
    /// It reached the limit of states.
    Memory,
}

/// The result of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkResult {
    /// Whether its run violates the formula; `None` if it was cut. An interval for the probability has to count a cut
    /// walk as both.
    pub violates: Option<bool>,
    /// The number of steps.
    pub steps: u64,
    /// The states of the component in the product; 0 if it did not end in one.
    pub component: usize,
    /// Why it ended.
    pub end: End,
}

/// Makes random walks on a chain, and decides whether their runs violate a property.
///
/// A walk is a function of the seed and its number; it does not depend on earlier walks or on the number of workers.
/// A clone can make other walks at the same time; the chain and the property are shared.
#[derive(Clone, Debug)]
pub struct ChainSampler {
    pub(crate) product: Product,
    pub(crate) options: Options,
    /// Maps states of the product to the numbers of visits.
    pub(crate) table: Table,
    /// The states of the product that the walk visited, each once, in order.
    pub(crate) visits: Vec<Visit>,
    bottom: Arc<Bottom>,
    settled: Settled,
    candidate: Option<Candidate>,
    /// Whether visits are kept for a lasso although the stopping rule does not need them.
    pub(crate) keeps_visits: bool,
    /// Cancels a walk.
    cancel: Cancel,
}

/// The end of a walk, from which its path can be traced back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The state of the chain.
    pub state: u32,
    /// The state of the automaton before it, if it is in a component.
    pub automaton: u32,
    /// The last visit that was kept: that of the state itself if it is in a component, else of its predecessor.
    pub visit: Option<u32>,
    /// The first visit of the component that is assumed to be a bottom one.
    pub candidate: Option<u32>,
}

impl ChainSampler {
    /// A sampler for a property of this chain.
    ///
    /// # Errors
    ///
    /// If the limits do not allow the first states of the deterministic automaton.
    pub fn new(chain: &Chain, property: Arc<Property>, options: Options) -> Result<Self, Refused> {
        let candidate = match options.stopping {
            Stopping::Exact => None,
            Stopping::Candidate { delta, p_min } => Some(Candidate::new(delta, p_min)),
        };
        Ok(ChainSampler {
            product: Product::new(chain, property, options.automaton)?,
            options,
            table: Table::new(),
            visits: Vec::new(),
            bottom: Arc::new(match candidate {
                None => Bottom::of(chain),
                Some(_) => Bottom::none(),
            }),
            settled: Settled::new(options.states),
            candidate,
            keeps_visits: false,
            cancel: Cancel::default(),
        })
    }

    /// Makes walks end without a result when the search is cancelled.
    pub fn stop_on(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Makes the walk with a number, of at most `max_length` steps.
    ///
    /// # Errors
    ///
    /// If the deterministic automaton exceeds its limits. Its size depends on the walks so far, so this is not a
    /// property of one walk, and no other walk should be made.
    pub fn walk(&mut self, seed: u64, number: u64, max_length: u64) -> Result<WalkResult, Refused> {
        self.take(seed, number, max_length)
            .map(|(result, _)| result)
    }

    /// The number of states of the deterministic automaton that have been constructed.
    pub fn automaton_states(&self) -> usize {
        self.product.automaton_states()
    }

    pub(crate) fn take(
        &mut self,
        seed: u64,
        number: u64,
        max_length: u64,
    ) -> Result<(WalkResult, Place), Refused> {
        let mut rng = stream(seed, "chain walk", number);
        self.clear();
        let initial = self.product.chain.initial_states();
        let first = match initial {
            [one] => *one,
            many => rng.choose(many).copied().unwrap_or(0),
        };
        let mut place = Place {
            state: first,
            automaton: 0,
            visit: None,
            candidate: None,
        };
        let mut automaton = self.product.start();
        let mut steps = 0;
        loop {
            let ended = |violates, component, end| WalkResult {
                violates,
                steps,
                component,
                end,
            };
            if let Some(violates) = self.product.verdict(automaton) {
                return Ok((ended(Some(violates), 0, End::Decided), place));
            }
            let key = (place.state, automaton);
            if self.keeps_visits || self.candidate.is_some() {
                place.visit = Some(self.enter(key, place.visit)?);
                if self.visits.len() > self.options.states {
                    return Ok((ended(None, 0, End::Memory), place));
                }
            }
            let answer = match self.candidate {
                None if !self.bottom.contains(place.state) => Answer::Transient,
                None => self.settled.ask(&mut self.product, key)?,
                Some(_) => self.accepted(&mut place),
            };
            match answer {
                Answer::Bottom(Judged { priority, states }) => {
                    place.automaton = automaton;
                    let violates = Some(self.product.violates(priority));
                    return Ok((ended(violates, states, End::Component), place));
                }
                Answer::Unknown => return Ok((ended(None, 0, End::Memory), place)),
                Answer::Transient if steps >= max_length || self.is_over(steps) => {
                    return Ok((ended(None, 0, End::Length), place));
                }
                Answer::Transient => steps += 1,
            }
            automaton = self.product.visit(place.state, automaton, 0)?.next;
            place.state = self.draw(place.state, &mut rng);
            if let (Some(candidate), Some(visit)) = (&mut self.candidate, place.visit) {
                candidate.leave(visit);
            }
        }
    }

    /// Checks now and then whether the search is cancelled.
    fn is_over(&self, steps: u64) -> bool {
        steps % PAUSE == PAUSE - 1 && self.cancel.is_over()
    }

    fn clear(&mut self) {
        self.table.clear();
        self.visits.clear();
        if let Some(candidate) = &mut self.candidate {
            candidate.clear();
        }
    }

    /// The number of the visit of a state of the product.
    fn enter(&mut self, key: (u32, u32), from: Option<u32>) -> Result<u32, Refused> {
        let new = self.visits.len() as u32;
        let known = self.table.get_or_insert(key, new);
        if known.is_none() {
            let visit = self.product.visit(key.0, key.1, from.unwrap_or(new))?;
            self.visits.push(visit);
        }
        if let Some(candidate) = &mut self.candidate {
            match known {
                Some(state) => candidate.enter_again(state),
                None => candidate.enter(),
            }
        }
        Ok(known.unwrap_or(new))
    }

    #[inline]
    fn draw(&self, state: u32, rng: &mut Rng) -> u32 {
        let chain = &self.product.chain;
        let targets = chain.targets(state);
        let index = match targets {
            [_] => 0,
            _ => chain.choose(state, rng.unit()),
        };
        // Every state of a chain has a successor.
        targets.get(index).copied().unwrap_or(state)
    }

    /// The rule's result for the component of the walk.
    fn accepted(&self, place: &mut Place) -> Answer {
        let start = self.candidate.as_ref().and_then(Candidate::accepted);
        let Some(start) = start else {
            return Answer::Transient;
        };
        place.candidate = Some(start);
        let states = &self.visits[start as usize..];
        Answer::Bottom(Judged {
            priority: states.iter().map(|v| v.priority).min().unwrap_or(0),
            states: states.len(),
        })
    }
}
