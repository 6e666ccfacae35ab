//! Drawing one edge of a state.
//!
//! A random walk needs one successor, and an atomic sequence can have more ways through it than
//! could be listed. So nothing is listed but the steps that are possible now: one of them is
//! drawn, all equally likely, and as long as its process keeps control, one of that process's steps
//! is drawn again. An edge that is drawn like that has the product of these chances. Where sequences do
//! not branch, all edges are equally likely.
//!
//! A loop that chooses a number ([`Select`]) is an exception. If one of its two steps is drawn and both
//! are possible, it is decided once more which of them: the loop is left with one chance in as many as
//! there are numbers from the present one to the last, so that all of these are equally likely in the
//! end. That a step of the loop comes next, and not one of another process, is as likely as before, and
//! what others do while the process counts does not matter, because each decision stands for itself.

use lariat_graph::{DRAWN, Expansion};
use lariat_stats::Dice;

use super::{ModelSpace, STUTTER, Taken};
use crate::fault::{Fault, FaultKind};
use crate::interpret::{CycleWatch, STOP_INTERVAL, Step};
use crate::model::Select;

/// A sequence that is drawn gives up after so many steps inside it. With a choice on its way it may
/// still come to an end, so that is no fault, but it takes too long to wait for.
pub const MAX_DRAWN_STEPS: u64 = 1_000_000;

/// How the draw of an edge has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    /// With an edge, or with a fault in the place of one.
    Step,
    /// No process can move; there is an edge if the state is followed by itself.
    Nothing,
    /// The sequence is too long, or the search is cancelled.
    GaveUp,
}

/// Who chooses the steps of an edge.
pub(super) enum Chooser<'d> {
    /// Dice.
    Dice(&'d mut Dice),
    /// Takes the step with this number first; after it there must be no choice.
    First(Option<usize>),
}

/// A state with more steps than this has too many edges to be listed.
const MAX_LISTED: usize = 1 << 10;

impl ModelSpace<'_> {
    /// Puts all edges of a state into `out`, in the order in which dice number them, and answers how many there
    /// are; nothing if a sequence has a choice on its way, or if numbers are chosen there.
    pub(super) fn list_edges(&mut self, words: &[u32], out: &mut Expansion) -> Option<usize> {
        for first in 0..MAX_LISTED {
            let all = self.begin_draw(words, out);
            if first >= all {
                return Some(out.len());
            }
            let mut chooser = Chooser::First(Some(first));
            if self.draw_steps(&mut chooser, out, None) != Drawn::Step {
                return None;
            }
        }
        None
    }

    /// The steps of the edge that these dice draw in `state`, or of the way to the fault that they
    /// find in its place. There are none if no process can move and the state is followed by itself;
    /// if there is no edge at all, or only one that is too long, there is no answer.
    pub fn steps_of_drawn_edge(&mut self, state: &[u32], dice: &mut Dice) -> Option<Vec<Step>> {
        let mut path = Vec::new();
        let mut out = Expansion::new();
        if !self.admits(state, &mut out) {
            return None;
        }
        match self.draw_edge(state, dice, &mut out, Some(&mut path)) {
            Drawn::Step => Some(path),
            Drawn::Nothing => self.marks.stutters().then_some(path),
            Drawn::GaveUp => None,
        }
    }

    /// Draws an edge of a state and puts it into `out`, and its steps into `path`.
    pub(super) fn draw_edge(
        &mut self,
        words: &[u32],
        dice: &mut Dice,
        out: &mut Expansion,
        path: Option<&mut Vec<Step>>,
    ) -> Drawn {
        if self.begin_draw(words, out) == 0 {
            return Drawn::Nothing;
        }
        let drawn = self.draw_steps(&mut Chooser::Dice(dice), out, path);
        if drawn == Drawn::GaveUp {
            out.set_incomplete();
        }
        drawn
    }

    /// Finds the steps that there are to draw from, and answers how many. If there are none, the state may be
    /// at fault, or followed by itself.
    fn begin_draw(&mut self, words: &[u32], out: &mut Expansion) -> usize {
        self.current.load(self.interpreter.model(), words);
        self.steps.clear();
        self.interpreter.steps(&self.current, None, &mut self.steps);
        self.marks
            .leave(&self.interpreter, &self.current, &self.steps);
        if self.steps.is_empty() {
            if self.checks.end_states {
                self.check_end_state(out);
            }
            if self.marks.stutters() {
                out.push_marked(words, STUTTER, self.marks.of_edge());
            }
        }
        self.steps.len()
    }

    /// The next of `self.steps`; nothing if there is a choice and no dice to make it.
    fn choose(&self, chooser: &mut Chooser) -> Option<usize> {
        match chooser {
            Chooser::Dice(dice) => {
                let choice = dice.index(self.steps.len());
                Some(self.draw_number(choice, dice).unwrap_or(choice))
            }
            Chooser::First(first) => match first.take() {
                Some(first) => {
                    let is_number = self.select_at(self.steps[first]).is_some();
                    (!is_number).then_some(first)
                }
                None => (self.steps.len() == 1).then_some(0),
            },
        }
    }

    /// Draws one of `self.steps`, and then the next step of the process that keeps control, until
    /// none does.
    fn draw_steps(
        &mut self,
        chooser: &mut Chooser,
        out: &mut Expansion,
        mut path: Option<&mut Vec<Step>>,
    ) -> Drawn {
        // A sequence that comes back to a state goes round for ever if it had no choice in between.
        let mut watch = CycleWatch::default();
        let mut inside = 0;
        loop {
            let Some(choice) = self.choose(chooser) else {
                return Drawn::GaveUp;
            };
            let step = self.steps[choice];
            if let Some(path) = &mut path {
                path.push(step);
            }
            if self.steps.len() > 1 {
                watch = CycleWatch::default();
                if let Some(fault) = self.nondeterminism(0, choice) {
                    out.push_fault(fault.on_edge(Some(DRAWN)));
                }
            }
            let control = match self.take(step, DRAWN, out) {
                Taken::Control(control) => control,
                Taken::Failed => return Drawn::Step,
                Taken::GaveUp => return Drawn::GaveUp,
            };
            let Some(pid) = control else { break };
            inside += 1;
            out.count_internal_steps(1);
            if inside > MAX_DRAWN_STEPS
                || inside.is_multiple_of(STOP_INTERVAL) && self.interpreter.cancel.is_over()
            {
                return Drawn::GaveUp;
            }
            if watch.is_endless(self.current.words()) {
                let fault = Fault {
                    kind: FaultKind::EndlessSequence,
                    origin: self.origin(step),
                };
                out.push_fault(fault.on_edge(Some(DRAWN)));
                return Drawn::Step;
            }
            self.steps.clear();
            self.interpreter
                .steps(&self.current, Some(pid), &mut self.steps);
            if self.steps.is_empty() {
                // It is blocked: control is lost, and the edge ends here.
                self.interpreter.forget(&mut self.current);
                break;
            }
        }
        out.push_marked(self.current.words(), DRAWN, self.marks.of_edge());
        Drawn::Step
    }

    /// If the step that was drawn belongs to a loop that chooses a number, draws between its two steps
    /// in such a way that all numbers are equally likely. Nothing if it does not, or if there is no
    /// choice.
    fn draw_number(&self, choice: usize, dice: &mut Dice) -> Option<usize> {
        let step = self.steps[choice];
        let (select, leave, round) = self.select_at(step)?;
        let left = (self.interpreter).numbers_left(&self.current, step, select)?;
        match dice.below(left + 1) {
            0 => Some(leave),
            _ => Some(round),
        }
    }

    /// The loop that chooses a number to which a step belongs, and which of `self.steps` are its two, if
    /// both are possible.
    fn select_at(&self, step: Step) -> Option<(&Select, usize, usize)> {
        let model = self.interpreter.model();
        // Where all move together, a step is not that of one process.
        if model.synchronous {
            return None;
        }
        let pid = step.pid as usize;
        let process = &model.processes[self.current.process_type(pid)];
        let location = &process.locations[self.current.location(pid) as usize];
        let select = location.select.as_deref()?;
        if step.transition != select.leave && step.transition != select.round {
            return None;
        }
        let find = |transition: u32| {
            let mut steps = self.steps.iter();
            steps.position(|s| s.pid == step.pid && s.transition == transition)
        };
        Some((select, find(select.leave)?, find(select.round)?))
    }
}
