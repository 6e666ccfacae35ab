//! From syntax tree to IR: names are resolved, values checked, automata are built.
//!
//! The work is done in two rounds. First all declarations: variables, channels, processes with their
//! states, so that processes can refer to each other. Then every transition becomes an action.
//! Initial values, lengths of arrays and constants are computed here, once and for all; so an
//! expression whose operands are constants is a constant in the IR. See `expr.rs`.

mod channel;
mod decl;
mod expr;
mod fold;
mod process;
mod property;
mod warn;

use std::collections::HashMap;
use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, Severity, did_you_mean};
use lariat_ir::expr as ir;
use lariat_ir::layout::Layout;
use lariat_ir::model::{Model, Start};
use lariat_ir::source::{SourceMap, Span};
use lariat_ir::state::{MAX_TYPES, MAX_WORDS};

use crate::ast::{Expr, Ident, Mode, NumberType, System};
use crate::parser::MAX_SIMILAR;
use crate::token::shorten;
use lariat_ir::diagnostic::Sink;

/// If nothing is similar to a wrong name, so many right ones are listed.
const MAX_LISTED: usize = 6;

/// Turns a syntax tree into a model. Diagnostics are appended; without a model at least one of
/// them is an error.
pub fn lower(
    system: &System,
    sources: SourceMap,
    options: LowerOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Lowered, SourceMap> {
    let mut lowering = Lowering {
        wrap: options.wrap,
        model: Model {
            sources,
            ..Model::default()
        },
        ..Lowering::default()
    };
    lowering.run(system);
    let failed = diagnostics
        .iter()
        .chain(&lowering.sink.diagnostics)
        .any(|d| d.severity == Severity::Error);
    diagnostics.append(&mut lowering.sink.diagnostics);
    if failed {
        return Err(lowering.model.sources);
    }
    lowering.model.layout = Layout::of(&lowering.model).map(Arc::new);
    Ok(Lowered {
        model: lowering.model,
        names: lowering.names,
    })
}

/// How a system is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerOptions {
    /// A value that does not fit is cut, instead of being an error of the model.
    pub wrap: bool,
}

/// A lowered model, and the names by which expressions can still refer to it.
#[derive(Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    names: Names,
}

impl Lowered {
    /// Lowers an expression over the global variables, `P.state` and `P->variable`, as properties
    /// and invariants take one.
    pub fn expression(&self, e: &Expr) -> Result<ir::Expr, Vec<Diagnostic>> {
        let mut lowering = Lowering {
            names: self.names.clone(),
            frozen: true,
            ..Lowering::default()
        };
        let result = lowering.expr(e);
        if lowering.sink.errors == 0 {
            Ok(result)
        } else {
            Err(lowering.sink.diagnostics)
        }
    }
}

/// The names of a system.
#[derive(Clone, Debug, Default)]
struct Names {
    globals: HashMap<String, Global>,
    /// All variables and constants, of all processes.
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    processes: Vec<Process>,
}

/// What a global name means, by its index in one of the lists.
#[derive(Clone, Copy, Debug)]
enum Global {
    Variable(usize),
    Channel(usize),
    Process(usize),
}

/// A declared variable or constant.
#[derive(Clone, Debug)]
struct Variable {
    name: Ident,
    ty: NumberType,
    /// The length of an array.
    length: Option<u32>,
    constant: bool,
    /// The initial values; those that are missing are zero.
    initial: Vec<i32>,
    /// The process that it belongs to.
    owner: Option<usize>,
    /// Its index and its bit offset in its frame. A constant has a place only if it is an array
    /// that is read with an index that is not known in advance.
    place: Option<(usize, u32)>,
}

/// A declared channel, and what is known of its use.
#[derive(Clone, Debug)]
struct Channel {
    name: Ident,
    fields: Option<Vec<NumberType>>,
    capacity: u32,
    /// The number of values, and the first use that shows it.
    arity: Option<(usize, Span)>,
    senders: Users,
    receivers: Users,
}

/// The processes that do something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Users {
    #[default]
    None,
    One(usize),
    Several,
}

impl Users {
    /// Adds a process.
    fn add(&mut self, process: usize) {
        *self = match *self {
            Users::None => Users::One(process),
            Users::One(other) if other == process => Users::One(process),
            _ => Users::Several,
        };
    }
}

/// A declared process.
#[derive(Clone, Debug)]
struct Process {
    name: Ident,
    /// Its number in the model; the property process has none.
    number: Option<usize>,
    variables: HashMap<String, usize>,
    states: HashMap<String, u32>,
}

#[derive(Default)]
struct Lowering {
    model: Model,
    names: Names,
    sink: Sink,
    /// The process whose names can be seen, by its index in the list of names.
    scope: Option<usize>,
    /// Whether expressions are evaluated by that process.
    own: bool,
    /// Whether variables stand for their initial values.
    initials: bool,
    /// Whether nothing can be added to the model.
    frozen: bool,
    /// Whether values are cut to their range.
    wrap: bool,
}

impl Lowering {
    fn run(&mut self, system: &System) {
        self.declare_globals(system);
        self.declare_processes(system);
        self.model.synchronous = system.mode == Mode::Sync;
        for (index, process) in system.processes.iter().enumerate() {
            if self.names.processes[index].number.is_some() {
                self.lower_process(index, process, system.mode);
            }
        }
        for (index, process) in system.processes.iter().enumerate() {
            if self.names.processes[index].number.is_none() {
                self.lower_property(index, process);
            }
        }
        self.make_channels();
        self.initialize();
        self.start(system);
        self.warn(system);
    }

    /// One process of each type, and the limits that all together must obey.
    fn start(&mut self, system: &System) {
        self.model.start = (0..self.model.processes.len())
            .map(|process| Start {
                process,
                priority: 1,
            })
            .collect();
        if self.model.start.is_empty() {
            self.error(
                system.span,
                "the system has no process besides the property",
            );
        }
        if self.model.processes.len() > MAX_TYPES {
            let message = format!("the system has more than {MAX_TYPES} processes");
            self.error(system.span, message);
        }
        let processes = self.model.processes.iter().map(|p| p.frame.words() + 1);
        let channels = self.model.fixed_channels.iter();
        let channels = channels.map(|c| self.model.channels.get(c.ty).map_or(0, |t| t.words() + 1));
        let words = self.model.globals.words() + processes.sum::<usize>() + channels.sum::<usize>();
        if words > MAX_WORDS && self.sink.errors == 0 {
            self.error(
                system.span,
                "the variables and channels are too large for any state",
            );
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// Reports something once, however often it occurs.
    fn report_once(&mut self, diagnostic: Diagnostic) {
        let twice = |d: &Diagnostic| d.message == diagnostic.message;
        if !self.sink.diagnostics.iter().any(twice) {
            self.report(diagnostic);
        }
    }

    /// Reports a name that does not exist, with the nearest that does, or all if they are few.
    fn unknown(
        &mut self,
        message: String,
        name: &Ident,
        mut known: Vec<String>,
        help: Option<String>,
    ) {
        let mut diagnostic = Diagnostic::error(name.span, message).label("not found");
        let meant = similar(&name.name, known.iter().map(String::as_str));
        diagnostic.help = match (help, meant) {
            (Some(help), _) => Some(help),
            (None, Some(meant)) => Some(format!("did you mean `{meant}`?")),
            (None, None) if (1..=MAX_LISTED).contains(&known.len()) => {
                known.sort();
                Some(format!("known here: `{}`", known.join("`, `")))
            }
            (None, None) => None,
        };
        self.report_once(diagnostic);
    }

    /// The index of a process, by its name.
    fn process(&mut self, name: &Ident) -> Option<usize> {
        if let Some(Global::Process(index)) = self.names.globals.get(&name.name) {
            return Some(*index);
        }
        let help = match self.names.globals.get(&name.name) {
            Some(Global::Variable(_)) => Some(format!(
                "`{}` is a variable; only processes have states and variables of their own",
                name.name
            )),
            Some(Global::Channel(_)) => Some(format!("`{}` is a channel", name.name)),
            _ => None,
        };
        let known = self.names.processes.iter().map(|p| p.name.name.clone());
        let known = known.collect();
        let message = format!("process `{}` is not declared", shorten(&name.name));
        self.unknown(message, name, known, help);
        None
    }

    /// The number of a state of a process.
    fn state(&mut self, process: usize, name: &Ident) -> Option<u32> {
        let owner = &self.names.processes[process];
        if let Some(state) = owner.states.get(&name.name) {
            return Some(*state);
        }
        let message = format!(
            "process `{}` has no state `{}`",
            owner.name.name,
            shorten(&name.name)
        );
        let help = owner.variables.contains_key(&name.name).then(|| {
            format!(
                "`{}` is a variable; its value is written `{}->{}`",
                name.name, owner.name.name, name.name
            )
        });
        let known = owner.states.keys().cloned().collect();
        self.unknown(message, name, known, help);
        None
    }
}

/// The candidate that is nearest to a name.
fn similar<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Computing the distance takes quadratic time; a name that long is hardly misspelt.
    if name.len() > MAX_SIMILAR {
        return None;
    }
    // One letter is as near to another as any.
    let comparable =
        |c: &&str| c.len() <= MAX_SIMILAR && (name.len() > 1 || c.eq_ignore_ascii_case(name));
    did_you_mean(name, candidates.filter(comparable))
}
