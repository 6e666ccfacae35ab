//! From syntax tree to IR: names are resolved, types checked, control flow is built.
//!
//! The work is done in three rounds. First all global declarations: symbolic
//! constants, records, variables. Then the control structure of every body
//! ([`flow`]), which also declares local variables. At last every statement becomes an action, when
//! all variables and labels are known, so that processes can refer to each other.

mod decl;
mod expr;
mod flow;
mod monitor;
mod process;
mod property;
mod scope;
mod stmt;
mod warn;

use std::collections::HashMap;
use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, Severity, did_you_mean};
use lariat_ir::expr as ir;
use lariat_ir::layout::Layout;
use lariat_ir::model::{ChannelType, Enumeration, Model, Start, Transition};
use lariat_ir::source::{SourceMap, Span};
use lariat_ir::state::MAX_TYPES;
use lariat_ir::types::{Scalar, Type};

use crate::ast::{Decl, Expr, Ident, Initializer, Program, Unit};
pub(crate) use flow::Kind;
use flow::{Flow, FlowBuilder};
use scope::Scope;

/// What the user can choose about the meaning of a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerOptions {
    /// A message sent to a full channel is lost instead of waiting.
    pub lossy: bool,
}

/// Turns a syntax tree into a model. Diagnostics are appended; without a model at least one of
/// them is an error.
pub fn lower(
    program: &Program,
    sources: SourceMap,
    options: LowerOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Lowered, SourceMap> {
    let mut lowering = Lowering::new(program, options);
    lowering.model.sources = sources;
    lowering.run();
    let failed = diagnostics
        .iter()
        .chain(&lowering.diagnostics)
        .any(|d| d.severity == Severity::Error);
    diagnostics.append(&mut lowering.diagnostics);
    if failed {
        return Err(lowering.model.sources);
    }
    lowering.model.layout = Layout::of(&lowering.model).map(Arc::new);
    Ok(Lowered {
        names: Names {
            constants: lowering.constants,
            globals: lowering.globals,
            variables: lowering.variables,
            records: lowering.records,
            processes: lowering
                .bodies
                .iter()
                .enumerate()
                .map(|(i, b)| {
                    let labels = b.flow.label_names().map(|l| {
                        let element = b.flow.labelled(l).unwrap_or(0);
                        (l.to_string(), element as u32)
                    });
                    (b.name.clone(), (i, labels.collect()))
                })
                .collect(),
        },
        model: lowering.model,
    })
}

/// A lowered model, and the names by which expressions can still refer to it.
#[derive(Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    /// Its names.
    pub names: Names,
}

/// The names of a model.
#[derive(Clone, Debug, Default)]
pub struct Names {
    constants: HashMap<String, (u32, i32)>,
    globals: HashMap<String, usize>,
    variables: Vec<Variable>,
    records: HashMap<String, usize>,
    processes: HashMap<String, (usize, HashMap<String, u32>)>,
}

impl Lowered {
    /// Lowers an expression over the global variables, remote references and labels of the model,
    /// as `--invariant` takes one.
    pub fn expression(&mut self, e: &Expr) -> Result<ir::Expr, Vec<Diagnostic>> {
        let program = Program::default();
        let mut lowering = Lowering::new(&program, LowerOptions::default());
        lowering.model = std::mem::take(&mut self.model);
        lowering.constants = self.names.constants.clone();
        lowering.globals = self.names.globals.clone();
        lowering.variables = self.names.variables.clone();
        lowering.records = self.names.records.clone();
        lowering.known = self.names.processes.clone();
        let result = lowering.condition(e);
        self.model = lowering.model;
        // An expression can ask for more variables than the model has, as `_last` does.
        self.model.layout = Layout::of(&self.model).map(Arc::new);
        if lowering.diagnostics.is_empty() {
            Ok(result)
        } else {
            Err(lowering.diagnostics)
        }
    }
}

/// A name that is short enough for a message.
fn shown(name: &Ident) -> String {
    name.name.chars().take(60).collect()
}

/// A declared variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    /// The process that it belongs to, or `None` if it is global.
    owner: Option<usize>,
    /// Its index and its bit offset in the frame.
    index: usize,
    offset: u32,
    span: Span,
    /// Its value, if that is constant from the beginning.
    initial: Option<i64>,
    /// The type of the channel that it is declared with.
    channel: Option<usize>,
    /// Whether its value is used anywhere.
    read: bool,
    /// Whether the user may see a warning about it.
    warn: bool,
}

/// A body that becomes a process.
struct Body<'a> {
    name: String,
    unit: &'a Unit,
    span: Span,
    flow: Flow<'a>,
    /// The step of each element, not yet connected.
    steps: Vec<Transition>,
    parameters: Vec<usize>,
    /// The names of the parameters.
    scope: Scope,
}

struct Lowering<'a> {
    program: &'a Program,
    options: LowerOptions,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// Symbolic constants with their set and value.
    constants: HashMap<String, (u32, i32)>,
    /// Names of the sets of symbolic constants.
    sets: HashMap<String, u32>,
    records: HashMap<String, usize>,
    /// The initial values of the fields of each record.
    field_initials: Vec<Vec<Option<&'a Initializer>>>,
    variables: Vec<Variable>,
    globals: HashMap<String, usize>,
    bodies: Vec<Body<'a>>,
    /// Process types by name, with their labels; filled from the bodies, or for a single
    /// expression from a model that is lowered already.
    known: HashMap<String, (usize, HashMap<String, u32>)>,
    /// The process whose text is being lowered.
    current: Option<usize>,
    scope: Scope,
    priorities: bool,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program, options: LowerOptions) -> Self {
        Lowering {
            program,
            options,
            model: Model::default(),
            diagnostics: Vec::new(),
            constants: HashMap::new(),
            sets: HashMap::new(),
            records: HashMap::new(),
            field_initials: Vec::new(),
            variables: Vec::new(),
            globals: HashMap::new(),
            bodies: Vec::new(),
            known: HashMap::new(),
            current: None,
            scope: Scope::default(),
            priorities: false,
        }
    }

    fn run(&mut self) {
        self.declare_constants();
        for unit in &self.program.units {
            match unit {
                Unit::Typedef(typedef) => self.declare_record(typedef),
                Unit::Decl(decl) => self.declare_globals(decl),
                _ => {}
            }
        }
        self.collect_names();
        for unit in &self.program.units {
            self.build_body(unit);
        }
        for index in 0..self.bodies.len() {
            self.lower_process(index);
        }
        self.lower_monitor();
        let properties = self.draft_properties();
        for index in 0..self.bodies.len() {
            self.connect(index);
        }
        self.finish_properties(properties);
        self.start_processes();
        if self.priorities {
            self.add_priorities();
        }
        self.warn();
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Diagnostic::error(span, message))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.diagnostics.push(diagnostic);
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// Reports a name that does not exist, with the nearest that does.
    fn unknown(&mut self, what: &str, name: &Ident, candidates: Vec<String>) {
        let message = format!("{what} `{}` is not declared", shown(name));
        self.unknown_part(message, name, candidates);
    }

    /// Reports a name that does not exist in something, with the nearest that does.
    fn unknown_part(&mut self, message: String, name: &Ident, candidates: Vec<String>) {
        self.unknown_or(message, name, candidates, None);
    }

    /// Reports a name that does not exist, with the nearest that does or, if none is near, with this help.
    fn unknown_or(
        &mut self,
        message: String,
        name: &Ident,
        candidates: Vec<String>,
        help: Option<String>,
    ) {
        let mut diagnostic = Diagnostic::error(name.span, message).label("not found");
        let candidates = candidates.iter().map(String::as_str);
        let near = did_you_mean(&name.name, candidates);
        if let Some(help) = near.map(|near| format!("did you mean `{near}`?")).or(help) {
            diagnostic = diagnostic.help(help);
        }
        // The same mistake is not worth a second message.
        let twice = |d: &Diagnostic| d.message == diagnostic.message;
        if !self.diagnostics.iter().any(twice) {
            self.report(diagnostic);
        }
    }

    /// Symbolic constants. In each declaration the last name has the smallest value.
    fn declare_constants(&mut self) {
        self.model.enumerations.push(Enumeration {
            name: "mtype".into(),
            values: Vec::new(),
        });
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for unit in &self.program.units {
            let Unit::Mtype(decl) = unit else { continue };
            let set = match &decl.subtype {
                None => 0,
                Some(name) => *self.sets.entry(name.name.clone()).or_insert_with(|| {
                    self.model.enumerations.push(Enumeration {
                        name: name.name.clone(),
                        values: Vec::new(),
                    });
                    self.model.enumerations.len() as u32 - 1
                }),
            };
            for name in decl.names.iter().rev() {
                if let Some(first) = seen.insert(&name.name, name.span) {
                    let message = format!("`{}` is declared twice", name.name);
                    self.report(
                        Diagnostic::error(name.span, message).related(first, "first declared here"),
                    );
                    continue;
                }
                let values = &mut self.model.enumerations[set as usize].values;
                values.push(name.name.clone());
                let value = values.len() as i32;
                self.constants.insert(name.name.clone(), (set, value));
            }
        }
    }

    /// The numbers of all processes, so that they can be named before they are lowered.
    fn collect_names(&mut self) {
        let mut number = 0;
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut init: Option<Span> = None;
        for unit in &self.program.units {
            match unit {
                Unit::Proctype(p) => {
                    if let Some(first) = seen.insert(&p.name.name, p.name.span) {
                        let message = format!("proctype `{}` is declared twice", p.name.name);
                        self.report(
                            Diagnostic::error(p.name.span, message)
                                .related(first, "first declared here"),
                        );
                    }
                    self.known
                        .insert(p.name.name.clone(), (number, HashMap::new()));
                    number += 1;
                }
                Unit::Init(i) => {
                    if let Some(first) = init.replace(i.span) {
                        // SPIN starts them both.
                        self.report(
                            Diagnostic::warning(
                                i.span,
                                "this is a second `init`; both are started",
                            )
                            .related(first, "the first is here"),
                        );
                    }
                    number += 1;
                }
                _ => {}
            }
        }
        if number > MAX_TYPES {
            self.error(Span::default(), "the model has too many proctypes");
        }
    }

    fn build_body(&mut self, unit: &'a Unit) {
        let (name, block, span, params): (_, _, _, &'a [Decl]) = match unit {
            Unit::Proctype(p) => (p.name.name.clone(), &p.body, p.span, &p.params),
            Unit::Init(i) => (":init:".into(), &i.body, i.span, &[]),
            _ => return,
        };
        let index = self.bodies.len();
        self.model
            .processes
            .push(process::empty(name.clone(), span));
        self.current = Some(index);
        let mut scope = Scope::default();
        let mut parameters = Vec::new();
        for decl in params {
            let first = self.variables.len();
            scope = self.declare_parameters(decl, &scope);
            parameters.extend(first..self.variables.len());
        }
        // The body is a block inside that of the parameters.
        let inner = scope.open_block(u32::MAX);
        let flow = FlowBuilder::build(self, block, inner, true);
        self.current = None;
        self.bodies.push(Body {
            name,
            unit,
            span,
            flow,
            steps: Vec::new(),
            parameters,
            scope,
        });
    }

    fn start_processes(&mut self) {
        for index in 0..self.bodies.len() {
            let (count, priority) = match self.bodies[index].unit {
                Unit::Proctype(p) => {
                    let count = match &p.active {
                        None => 0,
                        Some(None) => 1,
                        Some(Some(e)) => self.count(e, "the number of instances", 0, 1 << 16),
                    };
                    (count, p.priority.as_ref())
                }
                Unit::Init(i) => (1, i.priority.as_ref()),
                _ => (0, None),
            };
            let priority = self.priority(priority);
            for _ in 0..count {
                self.model.start.push(Start {
                    process: index,
                    priority,
                });
            }
        }
        if self.model.start.is_empty()
            && self
                .diagnostics
                .iter()
                .all(|d| d.severity != Severity::Error)
        {
            self.error(Span::default(), "the model has no process to start with")
                .help = Some("add `init { ... }` or write `active` before a proctype".into());
        }
    }

    fn priority(&mut self, e: Option<&Expr>) -> u8 {
        match e {
            None => 1,
            Some(e) => {
                self.priorities = true;
                self.count(e, "a priority", 1, 255) as u8
            }
        }
    }

    /// Gives every process a variable that holds its priority.
    fn add_priorities(&mut self) {
        self.model.priorities = true;
        let scalar = Scalar::unsigned(8);
        for index in 0..self.model.processes.len() {
            let ty = Type::Scalar(scalar);
            let frame = &mut self.model.processes[index].frame;
            let Ok(variable) = frame.add(&self.model.records, "_priority", ty, true) else {
                continue;
            };
            let offset = frame.variables[variable].offset;
            self.model.processes[index].priority = Some(ir::Place {
                owner: ir::Owner::Local,
                variable,
                offset,
                indices: Vec::new(),
                scalar,
            });
        }
    }

    /// The channel type with this capacity and these fields.
    fn channel_type(&mut self, capacity: u32, fields: Vec<Scalar>, span: Span) -> usize {
        let ty = ChannelType::new(capacity, fields);
        if ty.words() > lariat_ir::state::MAX_WORDS {
            self.error(span, "the channel is too large for any state");
            return 0;
        }
        if let Some(known) = self.model.channels.iter().position(|t| *t == ty) {
            return known;
        }
        if self.model.channels.len() >= MAX_TYPES {
            self.error(span, "the model has too many kinds of channels");
            return 0;
        }
        self.model.channels.push(ty);
        self.model.channels.len() - 1
    }
}
