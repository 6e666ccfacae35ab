//! Machine code: when it is compiled, and its ownership.
//!
//! A function is compiled when processes have been at its location a few times, so that a model costs only what a
//! search needs of it; until then the interpreter takes the steps. All clones of a state space share the code.
#![allow(unsafe_code)]

use std::fmt;
use std::mem::{ManuallyDrop, transmute};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use lariat_ir::expr::Expr;
use lariat_ir::interpret::Cancel;
use lariat_ir::layout;
use lariat_ir::model::{Action, Location, Model};
use lariat_ir::well_formed::Malformed;

use crate::emit::{Emitter, Kind, NotCompiled};
use crate::facts::{Facts, Known, finishes};
use crate::runtime::{ConditionFn, NO_FUNCTION, StepFn, slow_function};

/// Why a model cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// There is no compiler for this machine or for this kind of model; the interpreter can be used instead.
    Compiler(String),
    /// The model is malformed, and no executor can be used.
    Malformed(Malformed),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unsupported::Compiler(reason) => write!(f, "the model cannot be compiled: {reason}"),
            Unsupported::Malformed(error) => error.fmt(f),
        }
    }
}

impl From<Malformed> for Unsupported {
    fn from(error: Malformed) -> Self {
        Unsupported::Malformed(error)
    }
}

impl std::error::Error for Unsupported {}

/// Compiling a function takes as long as a few hundred steps of the interpreter.
const DEFAULT_COMPILE_AFTER: u32 = 60;

/// How many kinds of functions a location has: all but [`Kind::Finish`], which comes last.
const KINDS: usize = Kind::Finish as usize;

/// The compiled functions of a model.
pub(crate) struct Code<'m> {
    facts: Facts<'m>,
    /// For each kind of function, one for each location; null if it is not compiled yet.
    tables: [Box<[AtomicPtr<u8>]>; KINDS],
    /// For each transition, the rest of a sender's step after its message was received; null likewise.
    finishers: Box<[AtomicPtr<u8>]>,
    /// For each transition, whether there is such a rest.
    finishes: Box<[bool]>,
    /// The first number of the transitions of each process type.
    transitions: Box<[u32]>,
    /// For each function, how often it was requested before it was compiled.
    uses: [Box<[AtomicU32]>; KINDS],
    /// A function is compiled when it was requested more often than this.
    compile_after: AtomicU32,
    /// For each location, whether it turned out that there is no machine code for it.
    not_compiled: Box<[AtomicBool]>,
    /// For each location, whether it has an accept label.
    accepting: Box<[bool]>,
    /// For each location, the rendezvous channels from which a process there can receive, as bits; channels without a
    /// bit of their own share the last.
    accepts: Box<[u64]>,
    /// For each location, whether a process there can only wait for a rendezvous partner.
    idle: Box<[bool]>,
    /// For each location at which no statement can block, the number of steps; 0 for all others.
    certain: Box<[u32]>,
    /// For each channel of a fixed layout, the processes that can ever receive from it.
    receivers: Option<Box<[Box<[u32]>]>>,
    /// Type and number of each location.
    locations: Box<[(usize, u32)]>,
    compiler: Mutex<Compiler>,
}

impl<'m> Code<'m> {
    /// The model must be well-formed: compiled functions rely on what it says.
    pub(crate) fn new(model: &'m Model, assertions: bool) -> Result<Self, Unsupported> {
        let facts = Facts::new(model, assertions);
        let reachable = reachable(&facts);
        let entry = |is_reachable: &bool| match is_reachable {
            true => AtomicPtr::default(),
            false => AtomicPtr::new(NO_FUNCTION as *mut u8),
        };
        let table = || reachable.iter().map(entry).collect();
        let uses = || (0..facts.locations).map(|_| AtomicU32::new(0)).collect();
        let locations = (model.processes.iter().enumerate())
            .flat_map(|(ty, process)| (0..process.locations.len() as u32).map(move |l| (ty, l)))
            .collect();
        if model.synchronous {
            return Err(Unsupported::Compiler("all processes move together".into()));
        }
        let mut transitions = (Vec::new(), 0u32);
        for process in &model.processes {
            transitions.0.push(transitions.1);
            transitions.1 += process.transitions.len() as u32;
        }
        Ok(Code {
            tables: std::array::from_fn(|_| table()),
            uses: std::array::from_fn(|_| uses()),
            compile_after: AtomicU32::new(DEFAULT_COMPILE_AFTER),
            not_compiled: reachable.iter().map(|_| AtomicBool::new(false)).collect(),
            accepting: (model.processes.iter())
                .flat_map(|p| p.locations.iter().map(|l| l.accept))
                .collect(),
            receivers: receivers(&facts),
            idle: idle(&facts, &reachable),
            certain: certain(&facts, &reachable),
            accepts: accepts(&facts),
            finishes: (model.processes.iter())
                .flat_map(|p| p.transitions.iter().map(move |t| finishes(p, t)))
                .collect(),
            finishers: (0..transitions.1).map(|_| AtomicPtr::default()).collect(),
            transitions: transitions.0.into(),
            locations,
            compiler: Mutex::new(Compiler::new()?),
            facts,
        })
    }

    pub(crate) fn facts(&self) -> &Facts<'m> {
        &self.facts
    }

    /// Whether a location has an accept label.
    pub(crate) fn is_accepting(&self, location: usize) -> bool {
        self.accepting[location]
    }

    /// Whether a process at a location may be able to receive from a rendezvous channel.
    pub(crate) fn accepts(&self, location: usize, channel: u32) -> bool {
        self.accepts[location] >> channel.min(63) & 1 == 1
    }

    /// Whether a process at a location has no steps of its own.
    ///
    /// # Safety
    ///
    /// The location is less than [`Facts::locations`].
    #[inline]
    pub(crate) unsafe fn is_idle(&self, location: usize) -> bool {
        debug_assert!(location < self.idle.len());
        // SAFETY: there is an entry for each location.
        unsafe { *self.idle.get_unchecked(location) }
    }

    /// The number of steps of a process at a location, if it does not depend on the state; otherwise 0.
    #[inline]
    pub(crate) fn certain_steps(&self, location: usize) -> u32 {
        self.certain[location]
    }

    /// The processes that can receive from a rendezvous channel, if that is known.
    pub(crate) fn receivers(&self, channel: u32) -> Option<&[u32]> {
        let all = self.receivers.as_ref()?;
        all.get(channel as usize).map(|receivers| &**receivers)
    }

    /// The type and the location of a number.
    pub(crate) fn location(&self, number: usize) -> (usize, u32) {
        self.locations[number]
    }

    /// Whether a process has effects to execute after its message was received.
    pub(crate) fn finishes(&self, process: usize, transition: u32) -> bool {
        self.finishes[(self.transitions[process] + transition) as usize]
    }

    /// The function for the rest of a sender's step after its message was received.
    pub(crate) fn finisher(&self, process: usize, transition: u32) -> StepFn {
        let entry = &self.finishers[(self.transitions[process] + transition) as usize];
        let mut known = entry.load(Ordering::Acquire);
        if known.is_null() {
            let mut compiler = self.compiler();
            let pointer = compiler.finisher(&self.facts, process, transition);
            let slow = |NotCompiled| slow_function(Kind::Finish) as *const u8;
            known = pointer.unwrap_or_else(slow).cast_mut();
            entry.store(known, Ordering::Release);
        }
        // SAFETY: the entry was stored above, now or earlier: a function that was compiled with this
        // signature and lives as long as the compiler in `self`, or one of the runtime.
        unsafe { transmute::<*mut u8, StepFn>(known) }
    }

    /// The function of a location.
    ///
    /// # Safety
    ///
    /// The kind is not [`Kind::Finish`], and the location is less than [`Facts::locations`].
    #[inline]
    pub(crate) unsafe fn function(&self, kind: Kind, location: usize) -> StepFn {
        debug_assert!((kind as usize) < KINDS && location < self.facts.locations);
        // SAFETY: there is a table for each kind but one, which this is not.
        let table = unsafe { self.tables.get_unchecked(kind as usize) };
        // SAFETY: each table has an entry for each location.
        let entry = unsafe { table.get_unchecked(location) };
        let known = entry.load(Ordering::Acquire);
        if known.is_null() {
            return self.compile(kind, location);
        }
        // SAFETY: an entry that is not null was stored by `compile`: a function that was compiled with
        // this signature and lives as long as the compiler in `self`, or one of the runtime.
        unsafe { transmute::<*mut u8, StepFn>(known) }
    }

    /// No function is compiled after the search is cancelled.
    pub(crate) fn stop_on(&self, cancel: Cancel) {
        self.compiler().cancel = cancel;
    }

    /// Sets how many bytes the functions may take together; for what is beyond, there is the interpreter.
    pub(crate) fn limit_memory(&self, bytes: usize) {
        self.compiler().most_bytes = bytes;
    }

    /// The bytes that the functions take.
    pub(crate) fn bytes(&self) -> usize {
        self.compiler().bytes
    }

    /// A panic of the compiler leaves it as it was (`Compiler::compile`).
    fn compiler(&self) -> MutexGuard<'_, Compiler> {
        self.compiler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how often a function is requested before it is compiled.
    pub(crate) fn compile_after(&self, uses: u32) {
        self.compile_after.store(uses, Ordering::Relaxed);
    }

    /// How many locations were asked for that there is no machine code for.
    pub(crate) fn not_compiled(&self) -> u64 {
        let without = |location: &&AtomicBool| location.load(Ordering::Relaxed);
        self.not_compiled.iter().filter(without).count() as u64
    }

    #[cold]
    fn compile(&self, kind: Kind, location: usize) -> StepFn {
        let uses = self.uses[kind as usize][location].fetch_add(1, Ordering::Relaxed);
        // An offer has no slow function for one location; the state bails out instead.
        let offers = matches!(kind, Kind::Offer | Kind::DrawOffer);
        if !offers && uses < self.compile_after.load(Ordering::Relaxed) {
            return slow_function(kind);
        }
        let mut compiler = self.compiler();
        let entry = &self.tables[kind as usize][location];
        if compiler.cancel.is_over() {
            // To compile may take longer than the search has: its next look at the clock is the last.
            return slow_function(kind);
        }
        if entry.load(Ordering::Acquire).is_null() {
            let (process, number) = self.locations[location];
            let pointer = compiler.step(&self.facts, kind, process, number);
            let pointer = pointer.unwrap_or_else(|NotCompiled| {
                self.not_compiled[location].store(true, Ordering::Relaxed);
                slow_function(kind) as *const u8
            });
            entry.store(pointer.cast_mut(), Ordering::Release);
        }
        drop(compiler);
        // SAFETY: the indices were checked above.
        unsafe { self.function(kind, location) }
    }

    /// A function for a condition, if there can be one.
    pub(crate) fn condition(&self, e: &Expr) -> Option<ConditionFn> {
        let mut compiler = self.compiler();
        let pointer = compiler.condition(&self.facts, e).ok()?;
        // SAFETY: it was compiled with this signature and lives as long as `self`.
        Some(unsafe { transmute::<*const u8, ConditionFn>(pointer) })
    }
}

fn accepts(facts: &Facts) -> Box<[u64]> {
    let mut accepts = Vec::new();
    for process in &facts.model.processes {
        for location in &process.locations {
            let bits = location.transitions.iter().map(|&t| {
                match &process.transitions[t as usize].action {
                    Action::Receive { channel, .. } => match facts.channel(channel) {
                        Known::Fixed(number) => 1 << number.min(63),
                        Known::OneOf(_) => u64::MAX,
                    },
                    Action::Indivisible { .. } => u64::MAX,
                    _ => 0,
                }
            });
            accepts.push(bits.fold(0, |all, bits| all | bits));
        }
    }
    accepts.into()
}

/// For each location, whether a process may be there. In a fixed layout an unreachable location is invalid: there a
/// process could end or create a process, and the layout has no space for that.
fn reachable(facts: &Facts) -> Vec<bool> {
    let processes = facts.model.processes.iter();
    processes
        .flat_map(|process| match facts.placed {
            Some(_) => layout::reachable(process),
            None => vec![true; process.locations.len()],
        })
        .collect()
}

fn idle(facts: &Facts, reachable: &[bool]) -> Box<[bool]> {
    let waits = |action: &Action| match action {
        Action::Receive { channel, peek, .. } => match facts.channel(channel) {
            Known::Fixed(number) => {
                let (_, ty) = facts.fixed[number];
                facts.model.channels[ty].capacity == 0 && !peek
            }
            Known::OneOf(_) => false,
        },
        _ => false,
    };
    let mut idle = Vec::new();
    for process in &facts.model.processes {
        let transition = |t: &u32| &process.transitions[*t as usize].action;
        let locations = process.locations.iter();
        idle.extend(locations.map(|l| l.transitions.iter().map(transition).all(waits)));
    }
    // The function of an unreachable location has to be called.
    for (idle, is_reachable) in idle.iter_mut().zip(reachable) {
        *idle &= is_reachable;
    }
    idle.into()
}

/// The numbers of steps of locations whose statements are always enabled.
fn certain(facts: &Facts, reachable: &[bool]) -> Box<[u32]> {
    let always = |action: &Action| match action {
        Action::Guarded { condition, .. } => matches!(condition, Expr::Const(c) if *c != 0),
        _ => false,
    };
    let mut certain = Vec::new();
    for process in &facts.model.processes {
        let is_free = process.provided.is_none()
            && !process.deterministic
            && !facts.model.priorities
            && !facts.has_committed;
        let of_location = |location: &Location| {
            let transitions = location.transitions.iter();
            let transitions = transitions.map(|&t| &process.transitions[t as usize]);
            let mut ranks = transitions.clone().map(|t| t.rank);
            let first = ranks.next();
            let is_certain = is_free
                && ranks.all(|rank| Some(rank) == first)
                && transitions.clone().all(|t| always(&t.action));
            if is_certain {
                transitions.count() as u32
            } else {
                0
            }
        };
        certain.extend(process.locations.iter().map(of_location));
    }
    for (steps, is_reachable) in certain.iter_mut().zip(reachable) {
        *steps *= u32::from(*is_reachable);
    }
    certain.into()
}

fn receivers(facts: &Facts) -> Option<Box<[Box<[u32]>]>> {
    let (placed, _) = facts.placed.as_ref()?;
    let receives = |ty: usize, channel: usize| {
        let mut transitions = facts.model.processes[ty].transitions.iter();
        transitions.any(|t| match &t.action {
            Action::Receive { channel: e, .. } => match facts.channel(e) {
                Known::Fixed(number) => number == channel,
                Known::OneOf(_) => true,
            },
            _ => false,
        })
    };
    let of_channel = |channel: usize| {
        let processes = (0..).zip(placed);
        let receivers = processes.filter(|(_, p)| receives(p.ty, channel));
        receivers.map(|(pid, _)| pid).collect()
    };
    Some((0..facts.fixed.len()).map(of_channel).collect())
}

/// Cranelift, and the memory of its code.
struct Compiler {
    module: ManuallyDrop<JITModule>,
    context: Context,
    builder: FunctionBuilderContext,
    call_conv: CallConv,
    cancel: Cancel,
    /// The bytes of the functions so far, in whole pages, and how many there may be.
    bytes: usize,
    most_bytes: usize,
}

/// Each function begins on a page of its own, since it can be called before the next one is written.
const PAGE: usize = 4096;
/// The most bytes of code, unless there is another limit.
const DEFAULT_MOST_BYTES: usize = 1 << 30;

impl Compiler {
    fn new() -> Result<Self, Unsupported> {
        let unsupported = |reason: &dyn fmt::Display| Unsupported::Compiler(reason.to_string());
        if cfg!(target_endian = "big") || cfg!(not(target_pointer_width = "64")) {
            return Err(unsupported(
                &"states are read with little-endian narrow loads",
            ));
        }
        let verify = if cfg!(debug_assertions) {
            "true"
        } else {
            "false"
        };
        let mut flags = settings::builder();
        let choices = [
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("opt_level", "none"),
            ("enable_verifier", verify),
            ("unwind_info", "false"),
            ("enable_alias_analysis", "false"),
            ("regalloc_algorithm", "backtracking"),
        ];
        for (name, value) in choices {
            flags.set(name, value).map_err(|e| unsupported(&e))?;
        }
        let isa = cranelift_native::builder()
            .map_err(|e| unsupported(&e))?
            .finish(settings::Flags::new(flags))
            .map_err(|e| unsupported(&e))?;
        let builder = JITBuilder::with_isa(isa, default_libcall_names());
        let module = JITModule::new(builder);
        Ok(Compiler {
            context: module.make_context(),
            call_conv: module.isa().default_call_conv(),
            builder: FunctionBuilderContext::new(),
            module: ManuallyDrop::new(module),
            cancel: Cancel::default(),
            bytes: 0,
            most_bytes: DEFAULT_MOST_BYTES,
        })
    }

    /// Compiles a function of a location.
    fn step(
        &mut self,
        facts: &Facts,
        kind: Kind,
        process: usize,
        location: u32,
    ) -> Result<*const u8, NotCompiled> {
        let parameters = [types::I64, types::I64, types::I64, types::I32];
        self.compile(&parameters, |b, call_conv, config| {
            Emitter::of_process(b, facts, call_conv, process, kind)
                .location_function(location, config)
        })
    }

    /// Compiles the rest of a sender's step after its message was received.
    fn finisher(
        &mut self,
        facts: &Facts,
        process: usize,
        transition: u32,
    ) -> Result<*const u8, NotCompiled> {
        let parameters = [types::I64, types::I64, types::I64, types::I32];
        self.compile(&parameters, |b, call_conv, config| {
            Emitter::of_process(b, facts, call_conv, process, Kind::Finish)
                .finish_sender(transition, config)
        })
    }

    /// Compiles a function of a condition.
    fn condition(&mut self, facts: &Facts, e: &Expr) -> Result<*const u8, NotCompiled> {
        let parameters = [types::I64, types::I64];
        self.compile(&parameters, |b, call_conv, config| {
            Emitter::of_state(b, facts, call_conv).condition_function(e, config)
        })
    }

    fn compile(
        &mut self,
        parameters: &[types::Type],
        emit: impl FnOnce(FunctionBuilder, CallConv, TargetFrontendConfig) -> Result<(), NotCompiled>,
    ) -> Result<*const u8, NotCompiled> {
        if self.bytes >= self.most_bytes {
            return Err(NotCompiled);
        }
        // A defect of the compiler must not end the search: the interpreter takes the steps.
        let compiled = catch_unwind(AssertUnwindSafe(|| self.try_compile(parameters, emit)));
        let compiled = compiled.unwrap_or(Err(NotCompiled));
        if compiled.is_err() {
            // A partly generated function must not affect the next one.
            self.builder = FunctionBuilderContext::new();
            self.context = self.module.make_context();
        }
        compiled
    }

    fn try_compile(
        &mut self,
        parameters: &[types::Type],
        emit: impl FnOnce(FunctionBuilder, CallConv, TargetFrontendConfig) -> Result<(), NotCompiled>,
    ) -> Result<*const u8, NotCompiled> {
        let mut signature = Signature::new(self.call_conv);
        let parameters = parameters.iter().map(|&ty| AbiParam::new(ty));
        signature.params.extend(parameters);
        signature.returns.push(AbiParam::new(types::I32));
        self.context.clear();
        self.context.func.signature = signature;
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        emit(builder, self.call_conv, self.module.target_config())?;
        let signature = &self.context.func.signature;
        let id = self.module.declare_anonymous_function(signature);
        let id = id.map_err(|_| NotCompiled)?;
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(|_| NotCompiled)?;
        let code = self.context.compiled_code();
        let size = code.map_or(0, |code| code.code_info().total_size as usize);
        self.bytes += size.next_multiple_of(PAGE);
        self.module
            .finalize_definitions()
            .map_err(|_| NotCompiled)?;
        Ok(self.module.get_finalized_function(id))
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // SAFETY: the compiler is part of the code, which is dropped with the last runtime that has it, and only
        // runtimes call or keep its functions. The module is not used again.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl fmt::Debug for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}

// Threads share the code of a model.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Code<'static>>();
};
