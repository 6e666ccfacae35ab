//! The graph of a model: states are decoded, actions tried, and their results encoded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lariat_graph::{Acceptance, Edge, Expansion};
use lariat_ir::interpret::Cancel;
use lariat_ir::space::{Fairness, STUTTER};

use super::executor::ErasedGraph;
use super::marks::Marks;
use super::{Typed, Wanted, fair_actors};
use crate::encode::{append, decode};
use crate::model::Model;

/// The clock is read once in so many actions of a state.
const CLOCK_INTERVAL: usize = 1024;

/// The graph of a model, for one worker of a search.
pub(super) struct TypedGraph<'v, M: Model> {
    typed: &'v Typed<'v, M>,
    wanted: &'v Wanted,
    /// For each check whether it has reported a state, if one state for each is enough.
    reported: Option<Arc<[AtomicBool]>>,
    marks: Marks,
    cancel: Cancel,
    most_words: usize,
    /// The present state with its words: a product looks at a state before it asks for its edges.
    state: Option<M::State>,
    words: Vec<u32>,
    actions: Vec<M::Action>,
}

impl<'v, M: Model> TypedGraph<'v, M> {
    pub(super) fn new(typed: &'v Typed<'v, M>, wanted: &'v Wanted) -> Self {
        let fairness = match wanted {
            Wanted::Faults { .. } => Fairness::None,
            Wanted::Runs { fairness, .. } => *fairness,
        };
        TypedGraph {
            typed,
            wanted,
            reported: None,
            marks: Marks::new(fairness, fair_actors(typed.model, fairness)),
            cancel: Cancel::default(),
            most_words: usize::MAX,
            state: None,
            words: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Decodes a state, unless it is the present one.
    fn load(&mut self, words: &[u32]) {
        if self.state.is_some() && self.words == words {
            return;
        }
        self.state = decode(words);
        self.words.clear();
        self.words.extend_from_slice(words);
        if self.state.is_none() {
            self.complain(|| {
                "the words of a state cannot be decoded: an implementation of `Encode` is wrong"
                    .into()
            });
        }
    }

    fn complain(&self, message: impl FnOnce() -> String) {
        self.typed.problem.get_or_init(message);
    }

    /// Adds the edges of the present state.
    fn expand(&mut self, out: &mut Expansion) {
        let Some(state) = &self.state else {
            out.set_incomplete();
            return;
        };
        let model = self.typed.model;
        let first = out.len();
        self.actions.clear();
        model.actions(state, &mut self.actions);
        self.marks.begin();
        let mut complete = true;
        let parts = out.parts();
        let start = parts.words.len();
        for (index, action) in self.actions.iter().enumerate() {
            let is_cancelled =
                index % CLOCK_INTERVAL == CLOCK_INTERVAL - 1 && self.cancel.is_over();
            if is_cancelled || parts.words.len() - start > self.most_words {
                complete = false;
                break;
            }
            let Some(next) = model.next(state, action) else {
                continue;
            };
            append(&next, parts.words);
            parts.edges.push(Edge {
                end: parts.words.len(),
                label: index as u32,
            });
            if self.marks.is_needed() {
                self.marks.push(model.actor(action));
            }
        }
        out.fill_marks();
        if !complete {
            out.set_incomplete();
        }
        let is_end = out.len() == first && complete;
        self.finish(first, is_end, out);
    }

    /// Adds what depends on all edges of the present state.
    fn finish(&mut self, first: usize, is_end: bool, out: &mut Expansion) {
        if let (Wanted::Runs { stutter: true, .. }, true) = (self.wanted, is_end) {
            out.push(&self.words, STUTTER);
            self.marks.begin();
            self.marks.push(None);
        }
        if self.marks.is_needed() {
            self.check_actors();
            self.marks.mark(first, out);
        }
        self.report(is_end, out);
    }

    /// Complains about actors that fairness does not know.
    fn check_actors(&self) {
        if let Some(actor) = self.marks.unknown_actor() {
            let actors = self.typed.model.actors();
            self.complain(|| format!("`Model::actor` answers {actor}, and `Model::actors` says that there are {actors}"));
        }
    }

    /// Adds the faults of the present state.
    fn report(&self, is_end: bool, out: &mut Expansion) {
        let (Wanted::Faults { checks, .. }, Some(state)) = (self.wanted, &self.state) else {
            return;
        };
        let mut is_over = self.reported.is_some();
        for &number in checks {
            let check = &self.typed.checks[number];
            if self.is_reported(number) {
                continue;
            }
            if !check.reports(self.typed.model, state, is_end) {
                is_over = false;
                continue;
            }
            out.push_fault(check.fault(number).on_edge(None));
            if let Some(reported) = &self.reported {
                reported[number].store(true, Ordering::Relaxed);
            }
        }
        if is_over {
            out.set_incomplete();
        }
    }

    #[inline]
    fn is_reported(&self, number: usize) -> bool {
        let reported = self.reported.as_ref();
        reported.is_some_and(|reported| reported[number].load(Ordering::Relaxed))
    }
}

impl<'v, M: Model> ErasedGraph for TypedGraph<'v, M> {
    fn clone_box<'b>(&self) -> Box<dyn ErasedGraph + 'b>
    where
        Self: 'b,
    {
        Box::new(TypedGraph {
            reported: self.reported.clone(),
            cancel: self.cancel.clone(),
            most_words: self.most_words,
            ..TypedGraph::new(self.typed, self.wanted)
        })
    }

    fn report_once(&mut self) {
        let checks = self.typed.checks.len();
        self.reported = Some((0..checks).map(|_| AtomicBool::new(false)).collect());
    }

    fn initial(&mut self, out: &mut Expansion) {
        // What was reported to another search, or while states were sampled for a store, does not count.
        for reported in self.reported.iter().flat_map(|all| all.iter()) {
            reported.store(false, Ordering::Relaxed);
        }
        let parts = out.parts();
        for (index, state) in self.typed.model.init().iter().enumerate() {
            append(state, parts.words);
            parts.edges.push(Edge {
                end: parts.words.len(),
                label: index as u32,
            });
        }
        out.fill_marks();
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.load(state);
        self.expand(out);
    }

    fn acceptance(&self) -> Acceptance {
        self.marks.acceptance()
    }

    fn set_state(&mut self, state: &[u32]) {
        self.load(state);
    }

    fn holds(&mut self, atom: u32) -> Option<bool> {
        let Wanted::Runs { conditions, .. } = self.wanted else {
            return None;
        };
        let number = *conditions.get(atom as usize)?;
        let condition = self.typed.conditions.get(number)?;
        Some(condition.holds(self.typed.model, self.state.as_ref()?))
    }

    fn stop_on(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    fn limit_memory(&mut self, bytes: usize) {
        self.most_words = bytes / size_of::<u32>();
    }
}
