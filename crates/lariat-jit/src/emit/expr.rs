//! Expressions and places.
//!
//! Constants are folded. The second operand of `And` and `Or` is evaluated without a jump if it cannot fail, since a
//! mispredicted jump costs more than a few instructions.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use lariat_ir::expr::{Binary, ChannelQuery, Expr, Owner, Place, Unary};

use super::{Emitter, Located, NotCompiled, Truth, Val};
use crate::runtime::{Helper, field};

impl Emitter<'_, '_, '_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Expr) -> Result<Val, NotCompiled> {
        match e {
            Expr::Const(value) => Ok(Val::Const(*value)),
            Expr::Load(place) => self.load_place(place),
            Expr::Unary(Unary::Not, _) => self.truth_as_value(e),
            Expr::Unary(op, a) => Ok(match self.value(a)? {
                Val::Const(a) => Val::Const(op.apply(a)),
                Val::Dyn(a) => Val::Dyn(match op {
                    Unary::Complement => self.b.ins().bnot(a),
                    _ => self.b.ins().ineg(a),
                }),
            }),
            Expr::Binary(op, a, b) => match comparison(*op) {
                Some(_) => self.truth_as_value(e),
                None if matches!(op, Binary::And | Binary::Or) => self.truth_as_value(e),
                None => {
                    let a = self.value(a)?;
                    let b = self.value(b)?;
                    Ok(self.arithmetic(*op, a, b))
                }
            },
            Expr::Cond(parts) => self.cond(parts),
            Expr::Channel(query, channel) => self.query(*query, channel),
            Expr::Poll {
                channel,
                pattern,
                anywhere,
            } => self.poll(channel, pattern, *anywhere),
            Expr::Pid => Ok(self.pid.map_or(Val::Const(0), Val::Dyn)),
            Expr::ProcessCount => Ok(Val::Dyn(
                self.context_field(types::I32, field::PROCESS_COUNT),
            )),
            Expr::Timeout => Ok(self.timeout.map_or(Val::Const(0), Val::Dyn)),
            Expr::NonProgress => {
                let state = self.state;
                let result = self.call(Helper::NonProgress, &[state], Some(types::I32));
                result.map(Val::Dyn).ok_or(NotCompiled)
            }
            Expr::At {
                process,
                pid,
                location,
            } => self.at(*process, pid.as_deref(), *location),
            Expr::Enabled(_) | Expr::LocationNumber(_) | Expr::Priority(_) => Err(NotCompiled),
        }
    }

    fn truth_as_value(&mut self, e: &Expr) -> Result<Val, NotCompiled> {
        Ok(match self.truth(e)? {
            Truth::Const(truth) => Val::Const(i32::from(truth)),
            Truth::Dyn(truth) => Val::Dyn(self.b.ins().uextend(types::I32, truth)),
        })
    }

    /// Whether the value of an expression is not zero.
    pub(super) fn truth(&mut self, e: &Expr) -> Result<Truth, NotCompiled> {
        match e {
            Expr::Unary(Unary::Not, a) => Ok(match self.truth(a)? {
                Truth::Const(a) => Truth::Const(!a),
                Truth::Dyn(a) => Truth::Dyn(self.b.ins().bxor_imm_s(a, 1)),
            }),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => self.both(*op, a, b),
            Expr::Binary(op, a, b) => match comparison(*op) {
                Some(code) => {
                    let a = self.value(a)?;
                    let b = self.value(b)?;
                    Ok(self.compare(code, *op, a, b))
                }
                None => self.is_nonzero(e),
            },
            _ => self.is_nonzero(e),
        }
    }

    fn is_nonzero(&mut self, e: &Expr) -> Result<Truth, NotCompiled> {
        Ok(match self.value(e)? {
            Val::Const(value) => Truth::Const(value != 0),
            Val::Dyn(value) => Truth::Dyn(self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0)),
        })
    }

    /// Jumps to one of two blocks.
    pub(super) fn condition(&mut self, e: &Expr, yes: Block, no: Block) -> Result<(), NotCompiled> {
        match e {
            Expr::Unary(Unary::Not, a) => self.condition(a, no, yes),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) if can_fail(b) => {
                let second = self.b.create_block();
                match op {
                    Binary::And => self.condition(a, second, no)?,
                    _ => self.condition(a, yes, second)?,
                }
                self.b.switch_to_block(second);
                self.condition(b, yes, no)
            }
            _ => {
                let truth = self.truth(e)?;
                self.branch(truth, yes, no);
                Ok(())
            }
        }
    }

    /// `a && b` or `a || b`
    fn both(&mut self, op: Binary, a: &Expr, b: &Expr) -> Result<Truth, NotCompiled> {
        let decides = op == Binary::Or;
        let a = match self.truth(a)? {
            Truth::Const(a) if a == decides => return Ok(Truth::Const(a)),
            Truth::Const(_) => return self.truth(b),
            Truth::Dyn(a) => a,
        };
        if !can_fail(b) {
            return Ok(match self.truth(b)? {
                Truth::Const(b) if b == decides => Truth::Const(b),
                Truth::Const(_) => Truth::Dyn(a),
                Truth::Dyn(b) if decides => Truth::Dyn(self.b.ins().bor(a, b)),
                Truth::Dyn(b) => Truth::Dyn(self.b.ins().band(a, b)),
            });
        }
        let (second, join) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, types::I8);
        let first = [a.into()];
        if decides {
            self.b.ins().brif(a, join, &first, second, &[]);
        } else {
            self.b.ins().brif(a, second, &[], join, &first);
        }
        self.b.switch_to_block(second);
        let b = match self.truth(b)? {
            Truth::Const(b) => self.b.ins().iconst(types::I8, i64::from(b)),
            Truth::Dyn(b) => b,
        };
        self.jump_with(join, b);
        self.b.switch_to_block(join);
        Ok(Truth::Dyn(result))
    }

    fn compare(&mut self, code: IntCC, op: Binary, a: Val, b: Val) -> Truth {
        match (a, b) {
            (Val::Const(a), Val::Const(b)) => Truth::Const(op.apply(a, b) == Some(1)),
            (Val::Dyn(a), Val::Const(b)) => {
                Truth::Dyn(self.b.ins().icmp_imm_s(code, a, i64::from(b)))
            }
            (a, Val::Dyn(b)) => {
                let a = self.value_of(a);
                Truth::Dyn(self.b.ins().icmp(code, a, b))
            }
        }
    }

    fn arithmetic(&mut self, op: Binary, a: Val, b: Val) -> Val {
        if let (Val::Const(a), Val::Const(b)) = (a, b) {
            return match op.apply(a, b) {
                Some(value) => Val::Const(value),
                None => {
                    self.always_bail();
                    Val::Const(0)
                }
            };
        }
        if let Binary::Divide | Binary::Remainder = op {
            return Val::Dyn(self.divide(op, a, b));
        }
        // Shift counts are taken modulo 32, as in the interpreter.
        let a = self.value_of(a);
        if let Val::Const(b) = b {
            let b = i64::from(b);
            let ins = self.b.ins();
            return Val::Dyn(match op {
                Binary::Add => ins.iadd_imm_s(a, b),
                Binary::Subtract => ins.iadd_imm_s(a, -b),
                Binary::Multiply => ins.imul_imm_s(a, b),
                Binary::BitAnd => ins.band_imm_s(a, b),
                Binary::BitOr => ins.bor_imm_s(a, b),
                Binary::BitXor => ins.bxor_imm_s(a, b),
                Binary::ShiftLeft => ins.ishl_imm_s(a, b & 31),
                _ => ins.sshr_imm_s(a, b & 31),
            });
        }
        let b = self.value_of(b);
        let ins = self.b.ins();
        Val::Dyn(match op {
            Binary::Add => ins.iadd(a, b),
            Binary::Subtract => ins.isub(a, b),
            Binary::Multiply => ins.imul(a, b),
            Binary::BitAnd => ins.band(a, b),
            Binary::BitOr => ins.bor(a, b),
            Binary::BitXor => ins.bxor(a, b),
            Binary::ShiftLeft => ins.ishl(a, b),
            _ => ins.sshr(a, b),
        })
    }

    /// A division: by zero it is an error, and by minus one the machine may trap.
    fn divide(&mut self, op: Binary, a: Val, b: Val) -> Value {
        let a = self.value_of(a);
        let minus_one = match b {
            Val::Const(0) => {
                self.always_bail();
                return a;
            }
            Val::Const(b) => {
                if b == -1 {
                    return match op {
                        Binary::Divide => self.b.ins().ineg(a),
                        _ => self.iconst(0),
                    };
                }
                None
            }
            Val::Dyn(b) => {
                self.bail_unless(b);
                Some(self.b.ins().icmp_imm_s(IntCC::Equal, b, -1))
            }
        };
        let b = self.value_of(b);
        let Some(minus_one) = minus_one else {
            return match op {
                Binary::Divide => self.b.ins().sdiv(a, b),
                _ => self.b.ins().srem(a, b),
            };
        };
        let one = self.iconst(1);
        let safe = self.b.ins().select(minus_one, one, b);
        if op == Binary::Remainder {
            return self.b.ins().srem(a, safe);
        }
        let quotient = self.b.ins().sdiv(a, safe);
        let negated = self.b.ins().ineg(a);
        self.b.ins().select(minus_one, negated, quotient)
    }

    fn cond(&mut self, parts: &[Expr; 3]) -> Result<Val, NotCompiled> {
        let [condition, yes, no] = parts;
        let (first, second, join) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let result = self.b.append_block_param(join, types::I32);
        self.condition(condition, first, second)?;
        for (block, e) in [(first, yes), (second, no)] {
            self.b.switch_to_block(block);
            let value = self.value(e)?;
            let value = self.value_of(value);
            self.jump_with(join, value);
        }
        self.b.switch_to_block(join);
        Ok(Val::Dyn(result))
    }

    fn query(&mut self, query: ChannelQuery, channel: &Expr) -> Result<Val, NotCompiled> {
        let channel = self.channel(channel)?;
        let join = self.b.create_block();
        let result = self.b.append_block_param(join, types::I32);
        self.each_type(&channel, |this, ty| {
            let capacity = i64::from(this.facts.model.channels[ty].capacity);
            let length = this.length(&channel, ty);
            let full = |code: IntCC, this: &mut Self| match capacity {
                // A channel without a buffer is never full.
                0 => this.iconst(i32::from(code == IntCC::NotEqual)),
                _ => {
                    let truth = this.b.ins().icmp_imm_s(code, length, capacity);
                    this.b.ins().uextend(types::I32, truth)
                }
            };
            let value = match query {
                ChannelQuery::Length => length,
                ChannelQuery::Full => full(IntCC::Equal, this),
                ChannelQuery::NotFull => full(IntCC::NotEqual, this),
                ChannelQuery::Empty | ChannelQuery::NotEmpty => {
                    let code = match query {
                        ChannelQuery::Empty => IntCC::Equal,
                        _ => IntCC::NotEqual,
                    };
                    let truth = this.b.ins().icmp_imm_s(code, length, 0);
                    this.b.ins().uextend(types::I32, truth)
                }
            };
            this.jump_with(join, value);
            Ok(())
        })?;
        self.b.switch_to_block(join);
        Ok(Val::Dyn(result))
    }

    /// The address of a process in the present state.
    fn remote(&mut self, process: usize, pid: Option<&Expr>) -> Result<Remote, NotCompiled> {
        let number = match pid {
            None => Some(None),
            Some(Expr::Const(pid)) => Some(Some(*pid)),
            Some(_) => None,
        };
        if let Some(place) = number.and_then(|pid| self.facts.place_of(process, pid)) {
            return Ok(place.map_or(Remote::Nowhere, |at| Remote::Known(at as i32)));
        }
        self.find_process(process, pid).map(Remote::Dyn)
    }

    /// Byte offset of a process in a state, or a negative number if it does not exist.
    fn find_process(&mut self, process: usize, pid: Option<&Expr>) -> Result<Value, NotCompiled> {
        let pid = match pid {
            Some(pid) => {
                let pid = self.value(pid)?;
                let pid = self.value_of(pid);
                self.b.ins().sextend(types::I64, pid)
            }
            None => self.b.ins().iconst(types::I64, i64::MIN),
        };
        let process = self.iconst(process as i32);
        let state = self.state;
        let arguments = [state, process, pid];
        let found = self.call(Helper::FindProcess, &arguments, Some(types::I64));
        found.ok_or(NotCompiled)
    }

    fn at(
        &mut self,
        process: usize,
        pid: Option<&Expr>,
        location: u32,
    ) -> Result<Val, NotCompiled> {
        let shape = self.facts.process_shapes[process];
        let wanted = i64::from((shape.tag | location) as i32);
        let frame = match self.remote(process, pid)? {
            Remote::Nowhere => return Ok(Val::Const(0)),
            Remote::Known(byte) => {
                let count = self.load_count(shape, self.state, byte);
                let equal = self.b.ins().icmp_imm_s(IntCC::Equal, count, wanted);
                return Ok(Val::Dyn(self.b.ins().uextend(types::I32, equal)));
            }
            Remote::Dyn(frame) => frame,
        };
        let (there, join) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, types::I32);
        let exists = (self.b.ins()).icmp_imm_s(IntCC::SignedGreaterThanOrEqual, frame, 0);
        let zero = self.iconst(0);
        self.b.ins().brif(exists, there, &[], join, &[zero.into()]);
        self.b.switch_to_block(there);
        let base = self.b.ins().iadd(self.state, frame);
        let count = self.load_count(shape, base, 0);
        let equal = self.b.ins().icmp_imm_s(IntCC::Equal, count, wanted);
        let equal = self.b.ins().uextend(types::I32, equal);
        self.jump_with(join, equal);
        self.b.switch_to_block(join);
        Ok(Val::Dyn(result))
    }

    fn load_place(&mut self, place: &Place) -> Result<Val, NotCompiled> {
        if let Some(value) = self.facts.constant(place) {
            return Ok(Val::Const(value));
        }
        if let Owner::Remote { process, pid } = &place.owner {
            let body = self.facts.process_shapes[*process].body;
            let frame = match self.remote(*process, pid.as_deref())? {
                Remote::Nowhere => return Ok(Val::Const(0)),
                Remote::Known(byte) => {
                    let at = self.locate_in(self.state, byte + body, place)?;
                    return Ok(Val::Dyn(self.load(at, place.scalar)));
                }
                Remote::Dyn(frame) => frame,
            };
            let (there, join) = (self.b.create_block(), self.b.create_block());
            let result = self.b.append_block_param(join, types::I32);
            let exists = (self.b.ins()).icmp_imm_s(IntCC::SignedGreaterThanOrEqual, frame, 0);
            let zero = self.iconst(0);
            self.b.ins().brif(exists, there, &[], join, &[zero.into()]);
            self.b.switch_to_block(there);
            let base = self.b.ins().iadd(self.state, frame);
            let at = self.locate_in(base, body, place)?;
            let value = self.load(at, place.scalar);
            self.jump_with(join, value);
            self.b.switch_to_block(join);
            return Ok(Val::Dyn(result));
        }
        Ok(match self.locate(place)? {
            Some(at) => Val::Dyn(self.load(at, place.scalar)),
            None => Val::Const(0),
        })
    }

    /// The address of a local variable of this process or of a global one; `None` if the place has no owner.
    fn locate(&mut self, place: &Place) -> Result<Option<Located>, NotCompiled> {
        match (&place.owner, self.frame_at) {
            (Owner::Global, _) => self.locate_in(self.state, 0, place).map(Some),
            (Owner::Local, Some(frame)) => {
                let byte = self.frame_byte + self.shape().body;
                self.locate_in(frame, byte, place).map(Some)
            }
            (Owner::Local, None) => Ok(None),
            (Owner::Remote { .. }, _) => Err(NotCompiled),
        }
    }

    fn locate_in(&mut self, base: Value, byte: i32, place: &Place) -> Result<Located, NotCompiled> {
        let mut bits = place.offset;
        let mut indices = Vec::new();
        for index in &place.indices {
            match self.value(&index.value)? {
                Val::Const(value) if value >= 0 && (value as u32) < index.length => {
                    bits += value as u32 * index.stride;
                }
                Val::Const(_) => self.always_bail(),
                Val::Dyn(value) => {
                    let length = i64::from(index.length);
                    let inside = (self.b.ins()).icmp_imm_s(IntCC::UnsignedLessThan, value, length);
                    self.bail_unless(inside);
                    indices.push((value, index.stride));
                }
            }
        }
        Ok(self.locate_bits(base, byte, bits, &indices))
    }

    /// Assigns to a local variable of this process or to a global one.
    pub(super) fn assign(&mut self, place: &Place, value: Val) -> Result<(), NotCompiled> {
        self.bail_unless_fits(value, place.scalar);
        self.assign_fitting(place, value)
    }

    /// The same, for a value that is known to fit.
    pub(super) fn assign_fitting(&mut self, place: &Place, value: Val) -> Result<(), NotCompiled> {
        if let Some(at) = self.locate(place)? {
            self.store(at, place.scalar, value);
        }
        Ok(())
    }
}

/// The position of another process.
enum Remote {
    /// It does not exist.
    Nowhere,
    /// At this byte of every state.
    Known(i32),
    /// At this byte; negative if it does not exist.
    Dyn(Value),
}

fn comparison(op: Binary) -> Option<IntCC> {
    Some(match op {
        Binary::Less => IntCC::SignedLessThan,
        Binary::LessEqual => IntCC::SignedLessThanOrEqual,
        Binary::Greater => IntCC::SignedGreaterThan,
        Binary::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        Binary::Equal => IntCC::Equal,
        Binary::NotEqual => IntCC::NotEqual,
        _ => return None,
    })
}

/// Whether the evaluation can fail, or is so expensive that a jump is better.
pub(super) fn can_fail(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= match e {
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                !matches!(**b, Expr::Const(b) if b != 0)
            }
            Expr::Load(place) => {
                let constant = |e: &Expr| matches!(e, Expr::Const(_));
                matches!(place.owner, Owner::Remote { .. })
                    || !place.indices.iter().all(|i| constant(&i.value))
            }
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Timeout => false,
            _ => true,
        }
    });
    found
}
