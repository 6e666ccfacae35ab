//! A random lasso.

use lariat_graph::{Draw, Expansion};
use lariat_stats::Dice;
use lariat_store::hash_words;

use super::memo::{self, Memo, Met};
use super::nivasch::Stack;
use super::path::Path;
use super::{Ending, Keys, LassoSampling, Recorded, Uniform, Walk, WalkOptions, dice};
use crate::toolkit::budget::{Budget, Clock};

/// The graph is asked about lassos with at most so many states.
const MAX_RETESTED: usize = 1024;
/// Edges are remembered only if a walker may use so many bytes.
const MEMO_MEMORY: u64 = 32 << 20;
/// The clock is looked at once in so many steps with narrow states, and more often with wide ones.
pub(super) const STRIDE: u64 = 1024;
/// So many words of a state take as long as a step, about.
const WORDS_PER_STEP: usize = 64;

/// Makes walks through a graph.
pub struct Walker<'g, G> {
    pub(super) graph: &'g mut G,
    pub(super) options: WalkOptions,
    pub(super) keys: Keys,
    /// The initial states, and their faults.
    pub(super) initial: Expansion,
    pub(super) path: Path,
    /// The edges of a small graph.
    memo: Option<Memo>,
    /// The numbers of the states of a walk, if it is made with these.
    numbers: Vec<u32>,
    stack: Stack,
    pub(super) out: Expansion,
    /// The indices of the steps to choose from.
    choices: Vec<usize>,
    weights: Vec<f64>,
    hashes: Vec<Option<u64>>,
    /// The present state of a walk without a table.
    state: Vec<u32>,
    memory: u64,
    /// The words of an initial state, for how much work a step is.
    width: usize,
    /// The longest walk since the path was emptied for good.
    longest: usize,
    /// The labels of the present walk, if they are wanted.
    pub(super) record: Option<Recorded>,
    budget: Option<(Budget, Clock)>,
    pub(super) until_check: u64,
}

/// The budget has ended, or the search was cancelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupted;

/// What a walk knows of its way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    /// The key of the dice.
    pub(super) key: u64,
    /// The number of states up to and including the source of the last accepting edge; 0 if there is none.
    pub(super) accepting: u64,
    /// The edges that were drawn.
    pub(super) steps: u64,
    /// The logarithms of the probability of this way in a plain walk and in a biased one, or the weight in other walks.
    pub(super) plain: f64,
    pub(super) biased: f64,
}

/// What a step has led to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stepped {
    /// A new state, at the end of the path.
    On,
    /// The walk is over.
    Over(Ending),
}

impl<'g, G: Draw> Walker<'g, G> {
    /// A walker with an empty path. `memory` is the most that the path may hold.
    pub fn new(graph: &'g mut G, options: WalkOptions, memory: Option<u64>) -> Self {
        let mut initial = Expansion::new();
        graph.initial(&mut initial);
        let out = Expansion::with_marks(graph.acceptance().words());
        let memory = memory.unwrap_or(u64::MAX);
        let remembers = options.remember
            && options.sampling == LassoSampling::Lasso
            && options.uniform != Uniform::States
            && options.table_states > memo::MAX_STATES
            && memory >= MEMO_MEMORY;
        let width = match initial.is_empty() {
            true => 0,
            false => initial.edge(0).0.len(),
        };
        Walker {
            graph,
            width,
            keys: Keys::new(options.seed),
            options,
            initial,
            path: Path::default(),
            memo: remembers.then(Memo::default),
            numbers: Vec::new(),
            stack: Stack::default(),
            out,
            choices: Vec::new(),
            weights: Vec::new(),
            hashes: Vec::new(),
            state: Vec::new(),
            memory,
            longest: 0,
            record: None,
            budget: None,
            until_check: STRIDE,
        }
    }

    /// Makes walks end when the budget does.
    pub(super) fn set_budget(&mut self, budget: Budget, clock: Clock) {
        self.budget = Some((budget, clock));
    }

    /// The bytes that the walker holds.
    pub(super) fn memory_bytes(&self) -> u64 {
        let memo = self.memo.as_ref().map_or(0, Memo::memory_bytes);
        self.path.memory_bytes()
            + self.stack.memory_bytes()
            + (self.out.memory_bytes() + self.initial.memory_bytes()) as u64
            + memo
    }

    /// Makes the walk with a number; nothing if the budget has ended before it has.
    pub(super) fn walk(&mut self, number: u64) -> Option<Walk> {
        let walk = match self.options.sampling {
            LassoSampling::Splitting(_) => self.walk_and_split(number),
            _ => match self.walk_small(number) {
                Some(walk) => walk,
                None => self.walk_once(number),
            },
        };
        // A step that was not made because time is over is no reason to cut a walk.
        walk.ok()
            .filter(|walk| !walk.is_unknown() || !self.is_over())
    }

    /// Whether the budget has ended.
    fn is_over(&self) -> bool {
        let budget = self.budget.as_ref();
        budget.is_some_and(|(budget, clock)| budget.check(clock).is_err())
    }

    /// Makes a walk through a graph that may be small; nothing if it is not, or if nobody remembers its edges.
    fn walk_small(&mut self, number: u64) -> Option<Result<Walk, Interrupted>> {
        let mut memo = self.memo.take().filter(|_| self.record.is_none())?;
        let walk = self.walk_with(&mut memo, number);
        match walk {
            Ok(walk) => {
                self.memo = Some(memo);
                Some(walk)
            }
            Err(memo::Full) => None,
        }
    }

    fn walk_with(
        &mut self,
        memo: &mut Memo,
        number: u64,
    ) -> Result<Result<Walk, Interrupted>, memo::Full> {
        let mut way = Way::default();
        let index = match self.choose_start(number, &mut way) {
            Ok(index) => index,
            Err(ending) => return Ok(Ok(self.finish(ending, &way, true))),
        };
        let keeps_numbers = self.options.retest && self.options.cycles;
        self.numbers.clear();
        let mut at = memo.begin(index, &self.initial)?;
        let ending = loop {
            let met = memo.meet(at, way.steps, way.key);
            if let Met::Back(back) = met {
                break self.close_with(memo, back, &way);
            }
            if way.steps >= self.options.max_length {
                break Ending::Cut;
            }
            if self.pause().is_err() {
                return Ok(Err(Interrupted));
            }
            if keeps_numbers {
                self.numbers.push(at);
            }
            match met {
                Met::Edge(target, accepting) => {
                    way.steps += 1;
                    if accepting {
                        way.accepting = way.steps;
                    }
                    at = target;
                }
                _ => match self.step_with(memo, at, &mut way)? {
                    Ok(target) => at = target,
                    Err(ending) => break ending,
                },
            }
        };
        Ok(Ok(self.finish(ending, &way, true)))
    }

    /// Takes a step whose edge is not remembered.
    fn step_with(
        &mut self,
        memo: &mut Memo,
        at: u32,
        way: &mut Way,
    ) -> Result<Result<u32, Ending>, memo::Full> {
        if memo.is_unknown(at) {
            let cycles = self.options.cycles;
            let accepting = |out: &Expansion, index| cycles && is_accepting(out, index);
            let uniform = self.options.uniform;
            memo.learn(at, self.graph, uniform, &mut self.out, accepting)?;
        }
        self.out.clear();
        let mut dice = memo.dice(at, way.key);
        self.draw(memo.state(at), &mut dice);
        if let Some(ending) = self.judge(way) {
            return Ok(Err(ending));
        }
        Ok(Ok(memo.number(self.out.edge(0).0)?))
    }

    /// A walk with numbers has come back to where it was after so many steps.
    fn close_with(&mut self, memo: &Memo, back: u64, way: &Way) -> Ending {
        if way.accepting > back {
            return Ending::Accepting;
        }
        if !self.numbers.is_empty() && self.numbers.len() <= MAX_RETESTED {
            let states: Vec<&[u32]> = self.numbers.iter().map(|&n| memo.state(n)).collect();
            if self.graph.is_accepted_by_other_run(&states, back as usize) {
                return Ending::Accepting;
            }
        }
        Ending::Rejecting
    }

    /// Draws an edge of a state as a plain walk does.
    #[inline]
    fn draw(&mut self, state: &[u32], dice: &mut Dice) {
        match self.options.uniform {
            Uniform::Steps => self.graph.draw(state, dice, &mut self.out),
            Uniform::Transitions => {
                self.graph.successors(state, &mut self.out);
                let choices = self.out.choices();
                self.out.keep(dice.index(choices));
            }
            Uniform::States => {
                self.graph.successors(state, &mut self.out);
                self.keep_state(dice);
            }
        }
    }

    /// Makes a walk and remembers its way.
    pub(super) fn record(mut self, number: u64) -> Option<Recorded> {
        self.record = Some(Recorded {
            walk: Walk {
                ending: Ending::Cut,
                steps: 0,
                value: 0.0,
                unknown: 0.0,
                is_cut_early: false,
                counts: false,
            },
            initial: None,
            labels: Vec::new(),
            back: None,
            keys: Vec::new(),
        });
        let walk = self.walk(number)?;
        let record = self.record.take()?;
        Some(Recorded { walk, ..record })
    }

    fn walk_once(&mut self, number: u64) -> Result<Walk, Interrupted> {
        let is_plain = match self.options.sampling {
            LassoSampling::Biased(_) => number.is_multiple_of(2),
            _ => true,
        };
        let mut way = Way::default();
        let ending = match self.start(number, &mut way) {
            Stepped::Over(ending) => ending,
            Stepped::On => loop {
                self.pause()?;
                if self.is_too_long(way.steps) {
                    if self.options.sampling == LassoSampling::Lasso
                        && way.steps < self.options.max_length
                    {
                        break self.walk_on(&mut way)?;
                    }
                    break Ending::Cut;
                }
                if let Stepped::Over(ending) = self.step(&mut way, is_plain) {
                    break ending;
                }
            },
        };
        Ok(self.finish(ending, &way, is_plain))
    }

    /// Draws the key of a walk and the initial state in which it begins, unless there is none.
    #[inline]
    fn choose_start(&self, number: u64, way: &mut Way) -> Result<usize, Ending> {
        let mut dice = self.keys.of_walk(number);
        let index = dice.index(self.initial.len());
        way.key = dice.next_u64();
        if let Some(fault) = self.initial.faults().first() {
            return Err(Ending::Fault(fault.code));
        }
        match self.initial.is_empty() {
            true => Err(Ending::Dead),
            false => Ok(index),
        }
    }

    /// Begins a walk in a random initial state.
    pub(super) fn start(&mut self, number: u64, way: &mut Way) -> Stepped {
        self.path.clear(self.longest);
        self.longest -= self.longest / 8;
        let index = match self.choose_start(number, way) {
            Ok(index) => index,
            Err(ending) => return Stepped::Over(ending),
        };
        self.path.push(self.initial.edge(index).0);
        if let Some(record) = &mut self.record {
            record.initial = Some(index as u32);
            record.keys.push((0, way.key));
        }
        Stepped::On
    }

    /// The walk with its value.
    fn finish(&mut self, ending: Ending, way: &Way, is_plain: bool) -> Walk {
        self.longest = self.longest.max(self.path.len());
        let mut walk = Walk {
            ending,
            steps: way.steps,
            value: 0.0,
            unknown: 0.0,
            is_cut_early: way.steps < self.options.max_length,
            counts: is_plain,
        };
        if walk.is_unknown() {
            walk.unknown = match self.options.sampling {
                LassoSampling::Biased(_) => 2.0,
                _ => 1.0,
            };
        }
        walk.is_cut_early &= walk.is_unknown();
        if walk.is_violation() {
            walk.value = match self.options.sampling {
                // Half of the walks are plain: the weight is that of the mixture, never above two.
                LassoSampling::Biased(_) => 2.0 / (1.0 + (way.biased - way.plain).exp()),
                _ => way.plain.exp(),
            };
        }
        walk
    }

    /// Looks at the clock when enough work was done since the last look: steps, or words of the present state.
    #[inline]
    pub(super) fn pause(&mut self) -> Result<(), Interrupted> {
        let work = 1 + self.width / WORDS_PER_STEP;
        self.until_check = self.until_check.saturating_sub(work as u64);
        if self.until_check == 0 {
            self.until_check = STRIDE;
            if self.is_over() {
                return Err(Interrupted);
            }
        }
        Ok(())
    }

    /// Whether the walk must not go on with a table.
    #[inline]
    pub(super) fn is_too_long(&self, steps: u64) -> bool {
        if steps >= self.options.max_length {
            return true;
        }
        let states = self.path.len();
        let is_plain = self.options.sampling == LassoSampling::Lasso;
        is_plain && states >= self.options.table_states || self.path.used_bytes() > self.memory / 2
    }

    /// Takes one step from the end of the path.
    #[inline]
    pub(super) fn step(&mut self, way: &mut Way, is_plain: bool) -> Stepped {
        self.out.clear();
        let (state, hash) = self.path.last();
        let mut dice = dice(way.key, hash);
        match (self.options.sampling, self.options.uniform) {
            (LassoSampling::MultiLasso, _) => {
                self.graph.successors(state, &mut self.out);
                self.keep_open(way, &mut dice);
            }
            (LassoSampling::Biased(factor), _) => {
                self.graph.successors(state, &mut self.out);
                self.keep_weighted(factor, is_plain, way, &mut dice);
            }
            (_, Uniform::Steps) => self.graph.draw(state, &mut dice, &mut self.out),
            (_, Uniform::Transitions) => {
                self.graph.successors(state, &mut self.out);
                let choices = self.out.choices();
                self.out.keep(dice.index(choices));
            }
            (_, Uniform::States) => {
                self.graph.successors(state, &mut self.out);
                self.keep_state(&mut dice);
            }
        }
        if let Some(ending) = self.judge(way) {
            return Stepped::Over(ending);
        }
        let (target, _) = self.out.edge(0);
        match self.path.push(target) {
            None => Stepped::On,
            Some(back) => Stepped::Over(self.close(back, way)),
        }
    }

    /// Looks at what was drawn: an edge is counted, everything else is an end.
    #[inline]
    fn judge(&mut self, way: &mut Way) -> Option<Ending> {
        let faults = self.out.faults();
        let of_state = faults.iter().find(|fault| fault.label.is_none());
        let fault = of_state.or(faults.first());
        let label = match fault {
            Some(fault) => fault.label,
            None => (!self.out.is_empty()).then(|| self.out.edge(0).1),
        };
        if let Some(label) = label {
            way.steps += 1;
            if let Some(record) = &mut self.record {
                record.labels.push(label);
            }
        }
        if let Some(fault) = fault {
            return Some(Ending::Fault(fault.code));
        }
        if self.out.is_incomplete() {
            return Some(Ending::Cut);
        }
        if self.out.is_empty() {
            return Some(Ending::Dead);
        }
        if self.is_accepting(0) {
            way.accepting = way.steps;
        }
        None
    }

    /// Whether the edge with an index is accepting. Without an acceptance set, all are.
    #[inline]
    pub(super) fn is_accepting(&self, index: usize) -> bool {
        self.options.cycles && is_accepting(&self.out, index)
    }

    /// The walk has come back to a state with a number.
    fn close(&mut self, back: usize, way: &Way) -> Ending {
        if let Some(record) = &mut self.record {
            record.back = Some(back);
        }
        if way.accepting > back as u64 || self.is_accepted_otherwise(back) {
            Ending::Accepting
        } else {
            Ending::Rejecting
        }
    }

    /// Whether the graph knows another way to accept the lasso.
    fn is_accepted_otherwise(&mut self, back: usize) -> bool {
        if !self.options.retest || !self.options.cycles || self.path.len() > MAX_RETESTED {
            return false;
        }
        let states: Vec<&[u32]> = (0..self.path.len()).map(|n| self.path.state(n)).collect();
        self.graph.is_accepted_by_other_run(&states, back)
    }

    /// Goes on without a table. A cycle is noticed when the walk has gone round it for the second time, at the
    /// latest, so a lasso that is not too long is noticed within twice as many steps as it may have.
    fn walk_on(&mut self, way: &mut Way) -> Result<Ending, Interrupted> {
        self.stack.clear();
        let limit = self.options.max_length.saturating_mul(2);
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend_from_slice(self.path.last().0);
        let ending = loop {
            let (met, hash) = self.stack.meet(&state, way.steps);
            if let Some(met) = met {
                if let Some(record) = &mut self.record {
                    record.back = Some(met as usize);
                }
                break match way.accepting > met {
                    true => Ending::Accepting,
                    false => Ending::Rejecting,
                };
            }
            if way.steps >= limit || self.stack.memory_bytes() > self.memory {
                break Ending::Cut;
            }
            self.pause()?;
            self.out.clear();
            let mut dice = dice(way.key, hash);
            self.draw(&state, &mut dice);
            if let Some(ending) = self.judge(way) {
                break ending;
            }
            state.clear();
            state.extend_from_slice(self.out.edge(0).0);
        };
        self.state = state;
        Ok(ending)
    }

    /// Keeps a step whose target is equally likely among the different targets.
    fn keep_state(&mut self, dice: &mut Dice) {
        self.hashes.clear();
        self.choices.clear();
        for index in 0..self.out.choices() {
            let is_edge = index < self.out.len() && !self.edge_is_at_fault(index);
            let hash = is_edge.then(|| hash_words(self.out.edge(index).0));
            let mut known = self.hashes.iter();
            match known.position(|other| is_edge && *other == hash) {
                // Of edges to the same state, one that is accepting is the best to take.
                Some(same) if self.is_accepting(self.choices[same]) => {}
                Some(same) => self.choices[same] = index,
                None => {
                    self.hashes.push(hash);
                    self.choices.push(index);
                }
            }
        }
        self.keep_choice(dice);
    }

    /// Whether the walk ends here, whatever is chosen.
    fn state_is_at_fault(&self) -> bool {
        self.out.faults().iter().any(|fault| fault.label.is_none())
    }

    /// Whether the walk ends with an edge, whatever it leads to.
    fn edge_is_at_fault(&self, index: usize) -> bool {
        let label = Some(self.out.edge(index).1);
        self.out.faults().iter().any(|fault| fault.label == label)
    }

    /// Keeps one of the choices, all equally likely.
    fn keep_choice(&mut self, dice: &mut Dice) {
        let chosen = self.choices.get(dice.index(self.choices.len()));
        self.out.keep(chosen.copied().unwrap_or(usize::MAX));
    }

    /// Multi-lasso: keeps a step that leads to a new state or closes an accepting lasso. If there is none, all
    /// are as good, and the walk ends.
    fn keep_open(&mut self, way: &mut Way, dice: &mut Dice) {
        if self.state_is_at_fault() {
            return;
        }
        self.choices.clear();
        let all = self.out.choices();
        for index in 0..all {
            if self.is_open(index, way) {
                self.choices.push(index);
            }
        }
        if self.choices.is_empty() {
            self.out.keep(dice.index(all));
            return;
        }
        way.plain += (self.choices.len() as f64 / all as f64).ln();
        self.keep_choice(dice);
    }

    /// Whether a step leads to a new state, to a fault, or closes an accepting lasso.
    fn is_open(&self, index: usize, way: &Way) -> bool {
        if index >= self.out.len() || self.edge_is_at_fault(index) {
            return true;
        }
        let accepting = match self.is_accepting(index) {
            true => way.steps + 1,
            false => way.accepting,
        };
        let back = self.path.find(self.out.edge(index).0);
        back.is_none_or(|back| accepting > back as u64)
    }

    /// Keeps a step by weight: the fewer steps its target's automaton has to go, the better.
    fn keep_weighted(&mut self, factor: f64, is_plain: bool, way: &mut Way, dice: &mut Dice) {
        let all = self.out.choices();
        if all == 0 || self.state_is_at_fault() {
            return;
        }
        self.weights.clear();
        for index in 0..all {
            let distance = match index < self.out.len() {
                true => self.graph.distance(self.out.edge(index).0),
                false => 0,
            };
            self.weights.push((-factor * f64::from(distance)).exp());
        }
        let sum: f64 = self.weights.iter().sum();
        let chosen = match is_plain {
            true => dice.index(all),
            false => {
                let mut rest = dice.unit() * sum;
                let position = self.weights.iter().position(|weight| {
                    rest -= weight;
                    rest < 0.0
                });
                position.unwrap_or(all - 1)
            }
        };
        way.plain -= (all as f64).ln();
        way.biased += (self.weights[chosen] / sum).ln();
        self.out.keep(chosen);
    }
}

/// Whether an edge is accepting. Without an acceptance set, all are.
#[inline]
fn is_accepting(out: &Expansion, index: usize) -> bool {
    match out.marks(index) {
        [] => true,
        marks => marks[0] & 1 == 1,
    }
}
