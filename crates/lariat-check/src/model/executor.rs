//! The executors of a model: the reference interpreter, machine code, or both in lockstep.

use lariat_ir::interpret::{Cancel, Step};
use lariat_ir::space::{ModelSpace, STUTTER};
use lariat_jit::{CompiledSpace, Lockstep};
use lariat_stats::Dice;

use crate::system::{Exec, Executor, Reference};

/// Forwards the methods of [`Executor`] to those of the same name.
macro_rules! executor {
    ($space:ty, $exec:expr) => {
        impl Executor for $space {
            fn name(&self) -> &'static str {
                $exec.name()
            }
            fn stop_on(&mut self, cancel: Cancel) {
                self.stop_on(cancel);
            }
            fn limit_memory(&mut self, bytes: usize) {
                self.limit_memory(bytes);
            }
            fn reached(&self) -> &[Vec<bool>] {
                self.reached()
            }
            fn lacks_marks(&self) -> bool {
                self.lacks_marks()
            }
        }
    };
}

executor!(ModelSpace<'_>, Exec::Interpreter);
executor!(CompiledSpace<'_>, Exec::Jit);

impl Executor for Lockstep<ModelSpace<'_>, CompiledSpace<'_>> {
    fn name(&self) -> &'static str {
        Exec::Both.name()
    }

    fn stop_on(&mut self, cancel: Cancel) {
        self.first_mut().stop_on(cancel.clone());
        self.second_mut().stop_on(cancel);
    }

    fn limit_memory(&mut self, bytes: usize) {
        self.first_mut().limit_memory(bytes);
        self.second_mut().limit_memory(bytes);
    }

    fn reached(&self) -> &[Vec<bool>] {
        self.first().reached()
    }

    fn interpreted_locations(&self) -> Option<u64> {
        Some(self.second().interpreted_locations())
    }

    fn lacks_marks(&self) -> bool {
        self.first().lacks_marks()
    }

    fn difference(&self) -> Option<String> {
        Lockstep::difference(self).map(|difference| difference.to_string())
    }
}

impl Reference for ModelSpace<'_> {
    type Step = Step;

    fn steps_of_edge(&mut self, state: &[u32], label: u32) -> Option<Vec<Step>> {
        match label {
            STUTTER => Some(Vec::new()),
            label => self.steps_of_edge(state, label),
        }
    }

    fn steps_of_drawn_edge(&mut self, state: &[u32], dice: &mut Dice) -> Option<Vec<Step>> {
        self.steps_of_drawn_edge(state, dice)
    }
}
