//! A random lasso.

use lariat_graph::{Draw, Expansion};
use lariat_stats::Dice;
use lariat_store::hash_words;

use super::memo::{self, Memo, Visited};
use super::nivasch::Stack;
use super::path::Path;
use super::{Ending, Keys, LassoSampling, Recorded, Uniform, Walk, WalkOptions, dice};
use crate::toolkit::budget::{Budget, Clock};

/// The largest number of states of a lasso that the graph is asked about.
const MAX_RETESTED: usize = 1024;
/// Edges are cached only if a walker may use so many bytes.
const MEMO_MEMORY: u64 = 32 << 20;
/// The number of steps between two checks of the clock with narrow states; fewer with wide ones.
pub(super) const STRIDE: u64 = 1024;
/// The number of words of a state that take about the time of a step.
const WORDS_PER_STEP: usize = 64;

/// Makes walks through a graph.
pub struct Walker<'g, G> {
    pub(super) graph: &'g mut G,
    pub(super) options: WalkOptions,
    pub(super) keys: Keys,
    /// The initial states, and their faults.
    pub(super) initial: Expansion,
    pub(super) path: Path,
    /// The cached edges of a small graph.
    memo: Option<Memo>,
    /// The numbers of the states of a walk, if it is made with the cache.
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
    /// The words of an initial state, as a measure of the work of a step.
    width: usize,
    /// The longest walk since the path was freed.
    longest: usize,
    /// The labels of the present walk, if they are recorded.
    pub(super) record: Option<Recorded>,
    budget: Option<(Budget, Clock)>,
    pub(super) until_check: u64,
}

/// The budget has ended, or the search was cancelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupted;

/// The state of a walk besides its path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WalkState {
    /// The key of the dice.
    pub(super) key: u64,
    /// The number of states up to and including the source of the last accepting edge; 0 if there is none.
    pub(super) accepting: u64,
    /// The number of edges.
    pub(super) steps: u64,
    /// The logarithms of the probability of this walk in a plain walk and in a biased one, or the weight in other
    /// walks.
    pub(super) plain: f64,
    pub(super) biased: f64,
}

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stepped {
    /// A new state, at the end of the path.
    On,
    /// The walk is over.
    Over(Ending),
}

impl<'g, G: Draw> Walker<'g, G> {
    /// A walker with an empty path. `memory` is the limit of the path.
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

    /// Makes the walk with a number; `None` if the budget ended before the walk did.
    pub(super) fn walk(&mut self, number: u64) -> Option<Walk> {
        let walk = match self.options.sampling {
            LassoSampling::Splitting(_) => self.walk_and_split(number),
            _ => match self.walk_small(number) {
                Some(walk) => walk,
                None => self.walk_once(number),
            },
        };
        // A step that was not taken because the time is over does not cut a walk.
        walk.ok()
            .filter(|walk| !walk.is_unknown() || !self.is_over())
    }

    /// Whether the budget has ended.
    fn is_over(&self) -> bool {
        let budget = self.budget.as_ref();
        budget.is_some_and(|(budget, clock)| budget.check(clock).is_err())
    }

    /// Makes a walk with cached edges; `None` if the graph is not small, or if edges are not cached.
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
        let mut walk_state = WalkState::default();
        let index = match self.choose_start(number, &mut walk_state) {
            Ok(index) => index,
            Err(ending) => return Ok(Ok(self.finish(ending, &walk_state, true))),
        };
        let keeps_numbers = self.options.retest && self.options.cycles;
        self.numbers.clear();
        let mut at = memo.begin(index, &self.initial)?;
        let ending = loop {
            let visited = memo.visit(at, walk_state.steps, walk_state.key);
            if let Visited::Back(back) = visited {
                break self.close_with(memo, back, &walk_state);
            }
            if walk_state.steps >= self.options.max_length {
                break Ending::Cut;
            }
            if self.pause().is_err() {
                return Ok(Err(Interrupted));
            }
            if keeps_numbers {
                self.numbers.push(at);
            }
            match visited {
                Visited::Edge(target, accepting) => {
                    walk_state.steps += 1;
                    if accepting {
                        walk_state.accepting = walk_state.steps;
                    }
                    at = target;
                }
                _ => match self.step_with(memo, at, &mut walk_state)? {
                    Ok(target) => at = target,
                    Err(ending) => break ending,
                },
            }
        };
        Ok(Ok(self.finish(ending, &walk_state, true)))
    }

    /// Takes a step whose edge is not cached.
    fn step_with(
        &mut self,
        memo: &mut Memo,
        at: u32,
        walk_state: &mut WalkState,
    ) -> Result<Result<u32, Ending>, memo::Full> {
        if memo.is_unknown(at) {
            let cycles = self.options.cycles;
            let accepting = |out: &Expansion, index| cycles && is_accepting(out, index);
            let uniform = self.options.uniform;
            memo.learn(at, self.graph, uniform, &mut self.out, accepting)?;
        }
        self.out.clear();
        let mut dice = memo.dice(at, walk_state.key);
        self.draw(memo.state(at), &mut dice);
        if let Some(ending) = self.judge(walk_state) {
            return Ok(Err(ending));
        }
        Ok(Ok(memo.number(self.out.edge(0).0)?))
    }

    /// A walk with cached edges has returned to its state after so many steps.
    fn close_with(&mut self, memo: &Memo, back: u64, walk_state: &WalkState) -> Ending {
        if walk_state.accepting > back {
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

    /// Draws an edge of a state as in a plain walk.
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

    /// Makes a walk and records its path.
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
        let mut walk_state = WalkState::default();
        let ending = match self.start(number, &mut walk_state) {
            Stepped::Over(ending) => ending,
            Stepped::On => loop {
                self.pause()?;
                if self.is_too_long(walk_state.steps) {
                    if self.options.sampling == LassoSampling::Lasso
                        && walk_state.steps < self.options.max_length
                    {
                        break self.walk_on(&mut walk_state)?;
                    }
                    break Ending::Cut;
                }
                if let Stepped::Over(ending) = self.step(&mut walk_state, is_plain) {
                    break ending;
                }
            },
        };
        Ok(self.finish(ending, &walk_state, is_plain))
    }

    /// Draws the key of a walk and its initial state, unless there is none.
    #[inline]
    fn choose_start(&self, number: u64, walk_state: &mut WalkState) -> Result<usize, Ending> {
        let mut dice = self.keys.of_walk(number);
        let index = dice.index(self.initial.len());
        walk_state.key = dice.next_u64();
        if let Some(fault) = self.initial.faults().first() {
            return Err(Ending::Fault(fault.code));
        }
        match self.initial.is_empty() {
            true => Err(Ending::Dead),
            false => Ok(index),
        }
    }

    /// Starts a walk in a random initial state.
    pub(super) fn start(&mut self, number: u64, walk_state: &mut WalkState) -> Stepped {
        self.path.clear(self.longest);
        self.longest -= self.longest / 8;
        let index = match self.choose_start(number, walk_state) {
            Ok(index) => index,
            Err(ending) => return Stepped::Over(ending),
        };
        self.path.push(self.initial.edge(index).0);
        if let Some(record) = &mut self.record {
            record.initial = Some(index as u32);
            record.keys.push((0, walk_state.key));
        }
        Stepped::On
    }

    /// The walk with its value.
    fn finish(&mut self, ending: Ending, walk_state: &WalkState, is_plain: bool) -> Walk {
        self.longest = self.longest.max(self.path.len());
        let mut walk = Walk {
            ending,
            steps: walk_state.steps,
            value: 0.0,
            unknown: 0.0,
            is_cut_early: walk_state.steps < self.options.max_length,
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
                // Half of the walks are plain: the weight is that of the mixture, at most two.
                LassoSampling::Biased(_) => {
                    2.0 / (1.0 + (walk_state.biased - walk_state.plain).exp())
                }
                _ => walk_state.plain.exp(),
            };
        }
        walk
    }

    /// Checks the clock after a certain amount of work: steps, or words of the present state.
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

    /// Whether the walk must continue without a table.
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
    pub(super) fn step(&mut self, walk_state: &mut WalkState, is_plain: bool) -> Stepped {
        self.out.clear();
        let (state, hash) = self.path.last();
        let mut dice = dice(walk_state.key, hash);
        match (self.options.sampling, self.options.uniform) {
            (LassoSampling::MultiLasso, _) => {
                self.graph.successors(state, &mut self.out);
                self.keep_open(walk_state, &mut dice);
            }
            (LassoSampling::Biased(factor), _) => {
                self.graph.successors(state, &mut self.out);
                self.keep_weighted(factor, is_plain, walk_state, &mut dice);
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
        if let Some(ending) = self.judge(walk_state) {
            return Stepped::Over(ending);
        }
        let (target, _) = self.out.edge(0);
        match self.path.push(target) {
            None => Stepped::On,
            Some(back) => Stepped::Over(self.close(back, walk_state)),
        }
    }

    /// Evaluates the drawn step: an edge is counted, everything else ends the walk.
    #[inline]
    fn judge(&mut self, walk_state: &mut WalkState) -> Option<Ending> {
        let faults = self.out.faults();
        let of_state = faults.iter().find(|fault| fault.label.is_none());
        let fault = of_state.or(faults.first());
        let label = match fault {
            Some(fault) => fault.label,
            None => (!self.out.is_empty()).then(|| self.out.edge(0).1),
        };
        if let Some(label) = label {
            walk_state.steps += 1;
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
            walk_state.accepting = walk_state.steps;
        }
        None
    }

    /// Whether the edge with an index is accepting. Without an acceptance set, all are.
    #[inline]
    pub(super) fn is_accepting(&self, index: usize) -> bool {
        self.options.cycles && is_accepting(&self.out, index)
    }

    /// The walk has returned to the state with a number.
    fn close(&mut self, back: usize, walk_state: &WalkState) -> Ending {
        if let Some(record) = &mut self.record {
            record.back = Some(back);
        }
        if walk_state.accepting > back as u64 || self.is_accepted_by_other_run(back) {
            Ending::Accepting
        } else {
            Ending::Rejecting
        }
    }

    /// Whether another run of the property automaton accepts the lasso.
    fn is_accepted_by_other_run(&mut self, back: usize) -> bool {
        if !self.options.retest || !self.options.cycles || self.path.len() > MAX_RETESTED {
            return false;
        }
        let states: Vec<&[u32]> = (0..self.path.len()).map(|n| self.path.state(n)).collect();
        self.graph.is_accepted_by_other_run(&states, back)
    }

    /// Continues without a table. A cycle is detected at the latest in its second round, so a lasso within the limit
    /// is detected within twice as many steps.
    fn walk_on(&mut self, walk_state: &mut WalkState) -> Result<Ending, Interrupted> {
        self.stack.clear();
        let limit = self.options.max_length.saturating_mul(2);
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend_from_slice(self.path.last().0);
        let ending = loop {
            let (visited, hash) = self.stack.visit(&state, walk_state.steps);
            if let Some(visited) = visited {
                if let Some(record) = &mut self.record {
                    record.back = Some(visited as usize);
                }
                break match walk_state.accepting > visited {
                    true => Ending::Accepting,
                    false => Ending::Rejecting,
                };
            }
            if walk_state.steps >= limit || self.stack.memory_bytes() > self.memory {
                break Ending::Cut;
            }
            self.pause()?;
            self.out.clear();
            let mut dice = dice(walk_state.key, hash);
            self.draw(&state, &mut dice);
            if let Some(ending) = self.judge(walk_state) {
                break ending;
            }
            state.clear();
            state.extend_from_slice(self.out.edge(0).0);
        };
        self.state = state;
        Ok(ending)
    }

    /// Keeps a step such that the different targets are equally likely.
    fn keep_state(&mut self, dice: &mut Dice) {
        self.hashes.clear();
        self.choices.clear();
        for index in 0..self.out.choices() {
            let is_edge = index < self.out.len() && !self.edge_is_at_fault(index);
            let hash = is_edge.then(|| hash_words(self.out.edge(index).0));
            let mut known = self.hashes.iter();
            match known.position(|other| is_edge && *other == hash) {
                // Of edges to the same state, an accepting one is kept.
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

    /// Whether the walk ends here, for every choice.
    fn state_is_at_fault(&self) -> bool {
        self.out.faults().iter().any(|fault| fault.label.is_none())
    }

    /// Whether the walk ends with an edge, for every target.
    fn edge_is_at_fault(&self, index: usize) -> bool {
        let label = Some(self.out.edge(index).1);
        self.out.faults().iter().any(|fault| fault.label == label)
    }

    /// Keeps one of the choices, all equally likely.
    fn keep_choice(&mut self, dice: &mut Dice) {
        let chosen = self.choices.get(dice.index(self.choices.len()));
        self.out.keep(chosen.copied().unwrap_or(usize::MAX));
    }

    /// Multi-lasso: keeps a step that leads to a new state or closes an accepting lasso. If there is none, all are
    /// equally likely, and the walk ends.
    fn keep_open(&mut self, walk_state: &mut WalkState, dice: &mut Dice) {
        if self.state_is_at_fault() {
            return;
        }
        self.choices.clear();
        let all = self.out.choices();
        for index in 0..all {
            if self.is_open(index, walk_state) {
                self.choices.push(index);
            }
        }
        if self.choices.is_empty() {
            self.out.keep(dice.index(all));
            return;
        }
        walk_state.plain += (self.choices.len() as f64 / all as f64).ln();
        self.keep_choice(dice);
    }

    /// Whether a step leads to a new state, to a fault, or closes an accepting lasso.
    fn is_open(&self, index: usize, walk_state: &WalkState) -> bool {
        if index >= self.out.len() || self.edge_is_at_fault(index) {
            return true;
        }
        let accepting = match self.is_accepting(index) {
            true => walk_state.steps + 1,
            false => walk_state.accepting,
        };
        let back = self.path.find(self.out.edge(index).0);
        back.is_none_or(|back| accepting > back as u64)
    }

    /// Keeps a step by weight: the smaller the distance of its target, the larger.
    fn keep_weighted(
        &mut self,
        factor: f64,
        is_plain: bool,
        walk_state: &mut WalkState,
        dice: &mut Dice,
    ) {
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
        walk_state.plain -= (all as f64).ln();
        walk_state.biased += (self.weights[chosen] / sum).ln();
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
