//! Indivisible sequences (`d_step`): a whole program in one step.
//!
//! Each location inside becomes a block, and the first enabled transition is always taken. If the sequence has a
//! loop, its steps are counted, and after a number of steps the runtime checks for repetition.

use std::collections::{HashMap, HashSet};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use lariat_ir::model::{Action, LocationId};

use super::{Emitter, NotCompiled};
use crate::runtime::{Helper, UNCHECKED_STEPS};

impl Emitter<'_, '_, '_> {
    /// The transitions of an indivisible sequence.
    pub(super) fn inside(&self, entry: LocationId) -> Vec<u32> {
        let mut transitions = Vec::new();
        let mut seen = HashSet::from([entry]);
        let mut open = vec![entry];
        while let Some(location) = open.pop() {
            if !self.location(location).inside {
                continue;
            }
            for &index in &self.location(location).transitions {
                transitions.push(index);
                let target = self.transition(index).target;
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
        transitions
    }

    /// Executes an indivisible sequence on the present state.
    pub(super) fn run_indivisible(&mut self, entry: LocationId) -> Result<(), NotCompiled> {
        let after = self.b.create_block();
        let steps = self.b.declare_var(types::I32);
        let zero = self.iconst(0);
        self.b.def_var(steps, zero);
        let mut sequence = Sequence {
            after,
            blocks: HashMap::new(),
            open: Vec::new(),
            steps: self.has_loop(entry).then_some(steps),
        };
        let first = self.block_of(entry, &mut sequence);
        self.b.ins().jump(first, &[]);
        while let Some((location, block)) = sequence.open.pop() {
            self.b.switch_to_block(block);
            self.step_inside(location, &mut sequence)?;
        }
        self.b.switch_to_block(after);
        Ok(())
    }

    fn block_of(&mut self, location: LocationId, sequence: &mut Sequence) -> Block {
        if !self.location(location).inside {
            return sequence.after;
        }
        let known = sequence.blocks.get(&location).copied();
        known.unwrap_or_else(|| {
            let block = self.b.create_block();
            sequence.blocks.insert(location, block);
            sequence.open.push((location, block));
            block
        })
    }

    /// Takes the first enabled step at a location.
    fn step_inside(&mut self, at: LocationId, sequence: &mut Sequence) -> Result<(), NotCompiled> {
        if let Some(steps) = sequence.steps {
            self.count_step(steps);
        }
        for &index in &self.location(at).transitions {
            let (yes, no) = (self.b.create_block(), self.b.create_block());
            self.ready(index, yes, no)?;
            self.b.switch_to_block(yes);
            self.move_to(at);
            self.perform(index, false)?;
            let target = self.transition(index).target;
            self.move_to(target);
            let next = self.block_of(target, sequence);
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(no);
            if matches!(self.transition(index).action, Action::Else) {
                break;
            }
        }
        // The sequence is blocked.
        self.b.ins().jump(self.bail, &[]);
        Ok(())
    }

    fn count_step(&mut self, steps: Variable) {
        let count = self.b.use_var(steps);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.def_var(steps, count);
        let (long, go_on) = (self.b.create_block(), self.b.create_block());
        let limit = i64::from(UNCHECKED_STEPS);
        let many = (self.b.ins()).icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, count, limit);
        self.b.ins().brif(many, long, &[], go_on, &[]);
        self.b.switch_to_block(long);
        let state = self.state;
        self.call_for_count(Helper::MayContinue, &[state, count]);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    /// Whether an indivisible sequence can return to one of its locations.
    fn has_loop(&self, entry: LocationId) -> bool {
        // Locations without predecessors are removed until none is left.
        let transitions = self.inside(entry);
        let mut ways: HashMap<LocationId, u32> = HashMap::new();
        for &index in &transitions {
            *ways.entry(self.transition(index).target).or_default() += 1;
        }
        if ways.contains_key(&entry) {
            return true;
        }
        let mut left: HashSet<LocationId> = ways.keys().copied().collect();
        let mut free = vec![entry];
        while let Some(location) = free.pop() {
            left.remove(&location);
            if !self.location(location).inside {
                continue;
            }
            for &index in &self.location(location).transitions {
                let target = self.transition(index).target;
                let count = ways.entry(target).or_default();
                *count = count.saturating_sub(1);
                if *count == 0 {
                    free.push(target);
                }
            }
        }
        !left.is_empty()
    }
}

/// An indivisible sequence during its compilation.
struct Sequence {
    after: Block,
    blocks: HashMap<LocationId, Block>,
    /// Blocks that are not generated yet.
    open: Vec<(LocationId, Block)>,
    /// The number of steps, if they are counted.
    steps: Option<Variable>,
}
