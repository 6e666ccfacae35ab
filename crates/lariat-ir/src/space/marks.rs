//! Acceptance marks: which infinite runs of a model count.
//!
//! Fairness is a matter of acceptance, not of more states. A process is enabled in a state if it
//! takes part in a step that is possible there, and it moves on an edge if it takes part in one of
//! the edge's steps. Both are judged where no process is inside an atomic sequence, since only there is
//! a state.

use lariat_graph::Acceptance;

use crate::interpret::{Interpreter, Step};
use crate::model::Model;
use crate::state::State;

/// Which runs count as runs of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which every process that stays enabled for ever moves again and again.
    Weak,
    /// Those in which every process that is enabled again and again moves again and again.
    Strong,
}

impl Fairness {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Fairness::None, Fairness::Weak, Fairness::Strong];
        all.into_iter().find(|f| f.word() == word)
    }
}

/// How the space is prepared for a search for infinite runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Liveness {
    /// A state in which no process can move is followed by itself.
    pub stutter: bool,
    /// Mark the edges from states in which a process stands at an accept label.
    pub accept_labels: bool,
    /// Mark edges so that only fair runs are accepted.
    pub fairness: Fairness,
}

/// For how many processes there are marks at first, if a model can create more than it starts with.
pub const FAIR_PROCESSES: usize = 256;

/// The acceptance marks of the edges of a state.
///
/// The first set is that of the accept labels, if they count. For weak fairness a set per process
/// follows: the edges on which it moves, and those from states in which it cannot. For strong
/// fairness there is a pair per process: a request where it is enabled, a grant where it moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    liveness: Liveness,
    /// How many processes fairness looks after.
    processes: usize,
    /// Whether all move in every step.
    together: bool,
    /// The marks of every edge of the state.
    base: Vec<u64>,
    /// The processes that have moved on the present sequence.
    pub(super) movers: Vec<u64>,
    /// The marks of the present edge.
    edge: Vec<u64>,
    /// Whether a process has moved that has no marks.
    lacks: bool,
}

impl Marks {
    /// With marks for so many processes, if the model can create more than it starts with.
    pub(super) fn new(liveness: Liveness, model: &Model, created: usize) -> Self {
        let processes = match liveness.fairness {
            Fairness::None => 0,
            _ if model.creates_processes() => created.max(model.start.len()),
            _ => model.start.len(),
        };
        let mut marks = Marks {
            liveness,
            processes,
            together: model.synchronous,
            ..Marks::default()
        };
        marks.movers = vec![0; processes.div_ceil(64)];
        marks.base = vec![0; marks.acceptance().words()];
        marks
    }

    /// Whether a state in which no process can move is followed by itself.
    pub(super) fn stutters(&self) -> bool {
        self.liveness.stutter
    }

    /// Whether a process has moved that has no marks.
    pub(super) fn lacks(&self) -> bool {
        self.lacks
    }

    /// What the marks mean.
    pub(super) fn acceptance(&self) -> Acceptance {
        let accept = u32::from(self.liveness.accept_labels);
        let processes = self.processes as u32;
        match self.liveness.fairness {
            Fairness::Strong => Acceptance {
                sets: accept,
                pairs: processes,
            },
            _ => Acceptance {
                sets: accept + processes,
                pairs: 0,
            },
        }
    }

    /// Begins with the edges of a state in which these steps are possible.
    pub(super) fn leave(&mut self, interpreter: &Interpreter, state: &State, steps: &[Step]) {
        if self.base.is_empty() {
            return;
        }
        self.base.fill(0);
        self.movers.fill(0);
        if self.liveness.accept_labels && interpreter.is_accepting(state) {
            self.base[0] |= 1;
        }
        let first = usize::from(self.liveness.accept_labels);
        let enabled = |pid: usize| {
            self.together && !steps.is_empty()
                || steps.iter().any(|s| {
                    s.pid as usize == pid
                        || s.partner
                            .is_some_and(|(partner, _)| partner as usize == pid)
                })
        };
        match self.liveness.fairness {
            Fairness::None => {}
            Fairness::Weak => (0..self.processes)
                .filter(|&pid| !enabled(pid))
                .for_each(|pid| set_bit(&mut self.base, first + pid)),
            Fairness::Strong => (0..self.processes)
                .filter(|&pid| enabled(pid))
                .for_each(|pid| set_bit(&mut self.base, first + pid)),
        }
    }

    /// Notes who moves; answers whether there are marks for them.
    pub(super) fn moves(&mut self, step: Step) -> bool {
        if self.processes == 0 {
            return true;
        }
        if self.together {
            (0..self.processes).for_each(|pid| set_bit(&mut self.movers, pid));
            return true;
        }
        let partner = step.partner.map(|(pid, _)| pid);
        let mut all = true;
        for pid in [Some(step.pid), partner].into_iter().flatten() {
            if (pid as usize) < self.processes {
                set_bit(&mut self.movers, pid as usize);
            } else {
                all = false;
            }
        }
        self.lacks |= !all;
        all
    }

    /// The marks of the edge that ends now.
    pub(super) fn of_edge(&mut self) -> &[u64] {
        if self.processes == 0 {
            return &self.base;
        }
        let accept = usize::from(self.liveness.accept_labels);
        let first = match self.liveness.fairness {
            Fairness::Strong => accept + self.processes,
            _ => accept,
        };
        self.edge.clone_from(&self.base);
        for pid in 0..self.processes {
            if self.movers[pid / 64] >> (pid % 64) & 1 == 1 {
                set_bit(&mut self.edge, first + pid);
            }
        }
        &self.edge
    }
}

fn set_bit(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}
