//! From the intermediate representation to Cranelift's.
//!
//! An [`Emitter`] generates one function. Every error of the model (a failed assertion, a division by zero, an atomic
//! sequence that does not end) makes the function return [`BAIL`]: the interpreter then expands the whole state and
//! reports the error. Compiled code therefore contains no error handling.
//!
//! Narrow variables are read and written with narrow instructions. That needs a little-endian machine, and an
//! invariant of the layout: the bits of a variable's storage above its width are zero.
//!
//! [`BAIL`]: crate::runtime::BAIL

mod channel;
mod edge;
mod expr;
mod inside;
mod location;
mod step;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use lariat_ir::model::{Location, ProcessId, ProcessType, Transition};
use lariat_ir::types::Scalar;

use crate::facts::{Facts, Shape};
use crate::runtime::{BAIL, Helper, field};

/// A construct that is not compiled, but left to the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotCompiled;

/// A number of 32 bits that is known at compile time or at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Val {
    Const(i32),
    Dyn(Value),
}

/// A truth value that is known at compile time or at run time (then a byte, 0 or 1).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Truth {
    Const(bool),
    Dyn(Value),
}

/// A bit position in a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shift {
    Const(u32),
    Dyn(Value),
}

/// The address of a scalar: a byte, and a bit in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located {
    base: Value,
    byte: i32,
    shift: Shift,
}

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All steps of a process from a state; each gets its own copy.
    Expand,
    /// The next step of the process that has control, in place if there is only one.
    Sequence,
    /// All receives that take the message on offer.
    Offer,
    /// Counts the steps of a process, up to the wanted one, which is taken in a copy of the state.
    Draw,
    /// The same for receives that take the message on offer.
    DrawOffer,
    /// The rest of the step of a sender of a rendezvous after its message was received; one for each transition, not
    /// for each location.
    Finish,
}

/// Valid memory, aligned or not.
const MEMORY: MemFlagsData = MemFlagsData::new().with_notrap();

/// Generates one function.
pub(crate) struct Emitter<'a, 'f, 'm> {
    b: FunctionBuilder<'a>,
    facts: &'f Facts<'m>,
    call_conv: CallConv,
    /// The context, a parameter of all functions.
    context: Value,
    /// The state that is read and written now.
    state: Value,
    /// Byte offset of the process in a state, relative to the base and the present displacement.
    frame: Option<Value>,
    frame_at: Option<Value>,
    frame_byte: i32,
    pid: Option<Value>,
    process: ProcessId,
    /// Whether the step is enabled by a timeout; `None` means that it is not.
    timeout: Option<Value>,
    /// The number of the wanted step, in a function that draws.
    wanted: Option<Value>,
    bail: Block,
    kind: Kind,
}

impl<'a, 'f, 'm> Emitter<'a, 'f, 'm> {
    /// Begins a function of a process: its parameters are the context, the state, the byte offset of the process in
    /// it, and its number.
    pub(crate) fn of_process(
        mut b: FunctionBuilder<'a>,
        facts: &'f Facts<'m>,
        call_conv: CallConv,
        process: ProcessId,
        kind: Kind,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let &[context, state, frame, pid] = b.block_params(entry) else {
            unreachable!("functions of a process have four parameters")
        };
        let bail = b.create_block();
        let mut emitter = Emitter {
            b,
            facts,
            call_conv,
            context,
            state,
            frame: Some(frame),
            frame_at: None,
            frame_byte: 0,
            pid: Some(pid),
            process,
            timeout: None,
            wanted: None,
            bail,
            kind,
        };
        emitter.look_at(state);
        if facts.uses_timeout && kind != Kind::Sequence {
            let timeout = emitter.context_field(types::I32, field::TIMEOUT);
            emitter.timeout = Some(timeout);
        }
        if matches!(kind, Kind::Draw | Kind::DrawOffer) {
            let wanted = emitter.context_field(types::I32, field::WANTED);
            emitter.wanted = Some(wanted);
        }
        emitter
    }

    /// Begins a function that evaluates a condition without a process: its parameters are the context and the state.
    pub(crate) fn of_state(
        mut b: FunctionBuilder<'a>,
        facts: &'f Facts<'m>,
        call_conv: CallConv,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let &[context, state] = b.block_params(entry) else {
            unreachable!("functions of a state have two parameters")
        };
        let bail = b.create_block();
        Emitter {
            b,
            facts,
            call_conv,
            context,
            state,
            frame: None,
            frame_at: None,
            frame_byte: 0,
            pid: None,
            process: 0,
            timeout: None,
            wanted: None,
            bail,
            kind: Kind::Expand,
        }
    }

    /// Ends the function.
    fn finish_function(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        self.b.switch_to_block(self.bail);
        self.b.set_cold_block(self.bail);
        let bail = self.iconst(BAIL);
        self.b.ins().return_(&[bail]);
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Makes `state` the state that is read and written.
    fn look_at(&mut self, state: Value) {
        self.state = state;
        match self.facts.single(self.process) {
            Some(at) if self.frame.is_some() => {
                self.frame_at = Some(state);
                self.frame_byte = at as i32;
            }
            _ => self.frame_at = self.frame.map(|frame| self.b.ins().iadd(state, frame)),
        }
    }

    /// The layout of the block of the process.
    fn shape(&self) -> Shape {
        self.facts.process_shapes[self.process]
    }

    /// Reads the location or the length of a block.
    fn load_count(&mut self, shape: Shape, base: Value, byte: i32) -> Value {
        let byte = byte + shape.count;
        match shape.bits {
            0 => self.iconst(0),
            8 => self.b.ins().uload8(types::I32, MEMORY, base, byte),
            16 => self.b.ins().uload16(types::I32, MEMORY, base, byte),
            _ => self.b.ins().load(types::I32, MEMORY, base, byte),
        }
    }

    /// Writes it, with the other bits of its word.
    fn store_count(&mut self, shape: Shape, value: Value, base: Value, byte: i32) {
        let byte = byte + shape.count;
        match shape.bits {
            0 => {}
            8 => {
                self.b.ins().istore8(MEMORY, value, base, byte);
            }
            16 => {
                self.b.ins().istore16(MEMORY, value, base, byte);
            }
            _ => {
                self.b.ins().store(MEMORY, value, base, byte);
            }
        }
    }

    fn process_type(&self) -> &'m ProcessType {
        &self.facts.model.processes[self.process]
    }

    fn location(&self, location: u32) -> &'m Location {
        &self.process_type().locations[location as usize]
    }

    fn transition(&self, index: u32) -> &'m Transition {
        &self.process_type().transitions[index as usize]
    }

    fn iconst(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value as u32))
    }

    fn value_of(&mut self, value: Val) -> Value {
        match value {
            Val::Const(value) => self.iconst(value),
            Val::Dyn(value) => value,
        }
    }

    /// Continues in a block without predecessors, after an unconditional jump.
    fn dead_end(&mut self) {
        let block = self.b.create_block();
        self.b.switch_to_block(block);
    }

    fn always_bail(&mut self) {
        self.b.ins().jump(self.bail, &[]);
        self.dead_end();
    }

    /// Continues only if a byte is not zero.
    fn bail_unless(&mut self, condition: Value) {
        let go_on = self.b.create_block();
        self.b.ins().brif(condition, go_on, &[], self.bail, &[]);
        self.b.switch_to_block(go_on);
    }

    fn bail_if_negative(&mut self, value: Value) {
        let fine = (self.b.ins()).icmp_imm_s(IntCC::SignedGreaterThanOrEqual, value, 0);
        self.bail_unless(fine);
    }

    fn branch(&mut self, truth: Truth, yes: Block, no: Block) {
        match truth {
            Truth::Const(true) => self.b.ins().jump(yes, &[]),
            Truth::Const(false) => self.b.ins().jump(no, &[]),
            Truth::Dyn(value) => self.b.ins().brif(value, yes, &[], no, &[]),
        };
    }

    fn jump_with(&mut self, block: Block, value: Value) {
        self.b.ins().jump(block, &[BlockArg::Value(value)]);
    }

    fn context_field(&mut self, ty: Type, offset: i32) -> Value {
        self.b.ins().load(ty, MEMORY, self.context, offset)
    }

    fn set_context_field(&mut self, offset: i32, value: Value) {
        self.b.ins().store(MEMORY, value, self.context, offset);
    }

    fn signature(&mut self, parameters: &[Type], result: Option<Type>) -> SigRef {
        let mut signature = Signature::new(self.call_conv);
        let parameters = parameters.iter().map(|&ty| AbiParam::new(ty));
        signature.params.extend(parameters);
        signature.returns.extend(result.map(AbiParam::new));
        self.b.import_signature(signature)
    }

    /// Calls a function of the runtime; the context is always the first argument.
    fn call(&mut self, helper: Helper, arguments: &[Value], result: Option<Type>) -> Option<Value> {
        let mut all = vec![self.context];
        all.extend_from_slice(arguments);
        let parameters: Vec<Type> = (all.iter())
            .map(|&value| self.b.func.dfg.value_type(value))
            .collect();
        let signature = self.signature(&parameters, result);
        let address = self.b.ins().iconst(types::I64, helper.address() as i64);
        let call = self.b.ins().call_indirect(signature, address, &all);
        self.b.inst_results(call).first().copied()
    }

    /// Calls a function that returns a number of edges, or bails out.
    fn call_for_count(&mut self, helper: Helper, arguments: &[Value]) -> Value {
        let count = self.call(helper, arguments, Some(types::I32));
        let count = count.unwrap_or(self.context);
        self.bail_if_negative(count);
        count
    }

    /// The address of a scalar: `bits` and multiples of strides after a byte.
    fn locate_bits(
        &mut self,
        base: Value,
        byte: i32,
        bits: u32,
        indices: &[(Value, u32)],
    ) -> Located {
        if indices.iter().all(|(_, stride)| stride.is_multiple_of(8)) {
            let mut base = base;
            for &(index, stride) in indices {
                let index = self.b.ins().uextend(types::I64, index);
                let distance = self.multiply(index, stride / 8);
                base = self.b.ins().iadd(base, distance);
            }
            return Located {
                base,
                byte: byte + (bits / 8) as i32,
                shift: Shift::Const(bits % 8),
            };
        }
        let mut bit = self.iconst(bits as i32);
        for &(index, stride) in indices {
            let distance = self.multiply(index, stride);
            bit = self.b.ins().iadd(bit, distance);
        }
        let shift = self.b.ins().band_imm_s(bit, 7);
        let bytes = self.b.ins().ushr_imm_s(bit, 3);
        let bytes = self.b.ins().uextend(types::I64, bytes);
        Located {
            base: self.b.ins().iadd(base, bytes),
            byte,
            shift: Shift::Dyn(shift),
        }
    }

    fn multiply(&mut self, value: Value, factor: u32) -> Value {
        if factor.is_power_of_two() {
            let shift = factor.trailing_zeros();
            return match shift {
                0 => value,
                _ => self.b.ins().ishl_imm_s(value, i64::from(shift)),
            };
        }
        self.b.ins().imul_imm_s(value, i64::from(factor))
    }

    /// Reads a scalar.
    fn load(&mut self, at: Located, scalar: Scalar) -> Value {
        let bits = u32::from(scalar.bits);
        let storage = scalar.storage_bits();
        let Located { base, byte, shift } = at;
        if storage == bits && scalar.signed {
            match storage {
                8 => return self.b.ins().sload8(types::I32, MEMORY, base, byte),
                16 => return self.b.ins().sload16(types::I32, MEMORY, base, byte),
                _ => {}
            }
        }
        let raw = match storage {
            32 => self.b.ins().load(types::I32, MEMORY, base, byte),
            16 => self.b.ins().uload16(types::I32, MEMORY, base, byte),
            _ => self.b.ins().uload8(types::I32, MEMORY, base, byte),
        };
        let raw = match shift {
            _ if storage >= 8 => raw,
            Shift::Const(0) => raw,
            Shift::Const(shift) => self.b.ins().ushr_imm_s(raw, i64::from(shift)),
            Shift::Dyn(shift) => self.b.ins().ushr(raw, shift),
        };
        if scalar.signed && bits < 32 {
            let unused = i64::from(32 - bits);
            let up = self.b.ins().ishl_imm_s(raw, unused);
            return self.b.ins().sshr_imm_s(up, unused);
        }
        if storage < 8 {
            return self.b.ins().band_imm_s(raw, i64::from(mask(bits)));
        }
        raw
    }

    /// The bits of a value that a scalar stores, as an unsigned number.
    fn cut(&mut self, value: Val, scalar: Scalar) -> Val {
        let bits = u32::from(scalar.bits);
        match value {
            Val::Const(value) => Val::Const((value as u32 & mask(bits)) as i32),
            Val::Dyn(_) if bits == 32 => value,
            Val::Dyn(value) => Val::Dyn(self.b.ins().band_imm_s(value, i64::from(mask(bits)))),
        }
    }

    /// Bails out if a value does not fit into a scalar: the interpreter reports it.
    fn bail_unless_fits(&mut self, value: Val, scalar: Scalar) {
        match value {
            _ if !scalar.checked => {}
            Val::Const(value) if scalar.refuses(value) => self.always_bail(),
            Val::Const(_) => {}
            Val::Dyn(dynamic) => {
                let cut = self.truncate(value, scalar);
                let cut = self.value_of(cut);
                let fits = self.b.ins().icmp(IntCC::Equal, cut, dynamic);
                self.bail_unless(fits);
            }
        }
    }

    /// The value after its assignment to a scalar.
    fn truncate(&mut self, value: Val, scalar: Scalar) -> Val {
        match value {
            Val::Const(value) => Val::Const(scalar.truncate(value)),
            Val::Dyn(_) if scalar.bits == 32 => value,
            Val::Dyn(value) if scalar.signed => {
                let unused = i64::from(32 - scalar.bits);
                let up = self.b.ins().ishl_imm_s(value, unused);
                Val::Dyn(self.b.ins().sshr_imm_s(up, unused))
            }
            Val::Dyn(_) => self.cut(value, scalar),
        }
    }

    /// Writes a scalar.
    fn store(&mut self, at: Located, scalar: Scalar, value: Val) {
        let bits = u32::from(scalar.bits);
        let storage = scalar.storage_bits();
        let Located { base, byte, shift } = at;
        if storage >= 8 {
            let value = match bits == storage {
                true => value,
                false => self.cut(value, scalar),
            };
            let value = self.value_of(value);
            match storage {
                32 => self.b.ins().store(MEMORY, value, base, byte),
                16 => self.b.ins().istore16(MEMORY, value, base, byte),
                _ => self.b.ins().istore8(MEMORY, value, base, byte),
            };
            return;
        }
        let cut = self.cut(value, scalar);
        let old = self.b.ins().uload8(types::I32, MEMORY, base, byte);
        let (kept, new) = match shift {
            Shift::Const(shift) => {
                let others = !(mask(bits) << shift) & 0xff;
                let kept = self.b.ins().band_imm_s(old, i64::from(others));
                let new = match cut {
                    Val::Const(value) => self.iconst(value << shift),
                    Val::Dyn(value) => self.b.ins().ishl_imm_s(value, i64::from(shift)),
                };
                (kept, new)
            }
            Shift::Dyn(shift) => {
                let ones = self.iconst(mask(bits) as i32);
                let ones = self.b.ins().ishl(ones, shift);
                let kept = self.b.ins().band_not(old, ones);
                let cut = self.value_of(cut);
                (kept, self.b.ins().ishl(cut, shift))
            }
        };
        let whole = self.b.ins().bor(kept, new);
        self.b.ins().istore8(MEMORY, whole, base, byte);
    }
}

fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}
