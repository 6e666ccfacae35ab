//! Random walks that decide what a run does in the limit.

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

/// The clock is looked at once in so many steps.
const PAUSE: u64 = 1 << 14;

/// When a walk knows what its run does in the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stopping {
    /// When it enters a bottom component of the product, of which those behind the bottom components
    /// of the chain are looked up in its rows. There is no error.
    Exact,
    /// When it is in a component that it has gone through so often that it would have left it if it
    /// were not a bottom one, with the rule of Daca, Henzinger, Křetínský and Petrov (TACAS 2016).
    /// That does not ask for the edges of a state, and is there to be compared.
    Candidate {
        /// The probability that a walk is wrong.
        delta: f64,
        /// No edge has a smaller probability.
        p_min: f64,
    },
}

/// What a [`ChainSampler`] may use, and how its walks end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// When a walk ends.
    pub stopping: Stopping,
    /// The states of the product in bottom components of the chain that are remembered, and those
    /// that a walk remembers when it needs to, at most 100 bytes each. A walk that needs more ends without
    /// an answer.
    pub states: usize,
    /// What the deterministic automaton may use.
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
    /// The formula is true or false of the run, whatever comes.
    Decided,
    /// It is in a bottom component, or believes so.
    Component,
    /// It took as many steps as it may.
    Length,
    /// It met more states than it may remember.
    Memory,
}

/// What a walk found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkResult {
    /// Whether its run violates the formula; nothing if it was cut off. A walk that was cut off
    /// counts neither way: an interval for the probability has to allow for both.
    pub violates: Option<bool>,
    /// The steps that it took.
    pub steps: u64,
    /// The states of the component in the product; 0 if it did not end in one.
    pub component: usize,
    /// Why it ended.
    pub end: End,
}

/// Makes random walks on a chain, and finds out whether their runs violate a property.
///
/// A walk is known by a seed and a number, and is the same whoever makes it and whatever was done
/// before. A clone can make other walks at the same time; the chain and the property are shared.
#[derive(Clone, Debug)]
pub struct ChainSampler {
    pub(crate) product: Product,
    pub(crate) options: Options,
    /// From states of the product to the numbers of visits.
    pub(crate) table: Table,
    /// The states of the product that the walk has met, each once, in their order.
    pub(crate) visits: Vec<Visit>,
    bottom: Arc<Bottom>,
    settled: Settled,
    candidate: Option<Candidate>,
    /// Whether visits are kept although nothing but a lasso needs them.
    pub(crate) keeps_visits: bool,
    /// When a walk is given up.
    cancel: Cancel,
}

/// Where a walk ended, for those who want to know how it got there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The state of the chain.
    pub state: u32,
    /// The state of the automaton before it, if it is in a component.
    pub automaton: u32,
    /// The last visit that was kept: of the state itself if it is in a component, else of the one
    /// before it.
    pub visit: Option<u32>,
    /// The first visit of the component that is believed to be a bottom one.
    pub candidate: Option<u32>,
}

impl ChainSampler {
    /// A sampler for a property of this chain.
    ///
    /// # Errors
    ///
    /// If the bounds do not even allow the first states of the deterministic automaton.
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

    /// Makes walks end without an answer when the search is cancelled.
    pub fn stop_on(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Makes the walk with a number, of at most `max_length` steps.
    ///
    /// # Errors
    ///
    /// If the deterministic automaton outgrows its bounds. How far it has grown depends on the walks
    /// that were made, so this is not a property of one walk, and no other walk should be made.
    pub fn walk(&mut self, seed: u64, number: u64, max_length: u64) -> Result<WalkResult, Refused> {
        self.take(seed, number, max_length)
            .map(|(result, _)| result)
    }

    /// The states of the deterministic automaton that have been needed so far.
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
                place.visit = Some(self.meet(key, place.visit)?);
                if self.visits.len() > self.options.states {
                    return Ok((ended(None, 0, End::Memory), place));
                }
            }
            let answer = match self.candidate {
                None if !self.bottom.contains(place.state) => Answer::Transient,
                None => self.settled.ask(&mut self.product, key)?,
                Some(_) => self.believed(&mut place),
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

    /// Looks every now and then whether somebody still waits.
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
    fn meet(&mut self, key: (u32, u32), from: Option<u32>) -> Result<u32, Refused> {
        let new = self.visits.len() as u32;
        let known = self.table.get_or_insert(key, new);
        if known.is_none() {
            let visit = self.product.visit(key.0, key.1, from.unwrap_or(new))?;
            self.visits.push(visit);
        }
        if let Some(candidate) = &mut self.candidate {
            match known {
                Some(state) => candidate.meet_again(state),
                None => candidate.meet(),
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

    /// What the walk believes about the component that it is in.
    fn believed(&self, place: &mut Place) -> Answer {
        let start = self.candidate.as_ref().and_then(Candidate::believed);
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
