//! Random Promela programs that use the whole language and stay small.
//!
//! Small means: few processes, and finite data. Every assigned value is a constant, the copy of another variable, or
//! an expression modulo a small number, so that each variable takes few values in all loops. Processes are created a
//! bounded number of times. Valid means: no division by zero, no index out of range (indices are masked or constant),
//! no overflow, no shift by a large amount; those run-time errors have hand-written models.
//!
//! The program is determined by the drawn numbers alone: the same seed and number give the same text.

mod expressions;
mod properties;
pub mod small;
mod statements;
pub mod tree;

use crate::prng::Prng;
use tree::{Node, Shape};

/// The types of single values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u8),
    Mtype,
    Pid,
    /// A channel with the signature of this number.
    Chan(usize),
    /// A structure of this number.
    Structure(usize),
}

/// What a channel can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Signature {
    capacity: usize,
    fields: Vec<Type>,
}

/// A name that can be used at this point of the program.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Type,
    /// The number of elements, a power of two; 0 for a plain variable.
    elements: usize,
    /// Assigned only by its own loop.
    fixed: bool,
}

/// A process type.
#[derive(Clone, Debug)]
struct Process {
    name: String,
    parameters: Vec<(String, Type)>,
    /// The number of active instances.
    active: usize,
}

/// The position of a statement, which determines what is allowed there.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    depth: usize,
    in_loop: bool,
    in_atomic: bool,
    in_d_step: bool,
    in_inline: bool,
    in_unless: bool,
    in_init: bool,
}

/// The features of a program: drawn once for each program, so that programs differ.
#[derive(Clone, Copy, Debug)]
struct Features {
    priorities: bool,
    random_assertions: bool,
    blocking: bool,
    wild_constants: bool,
    remote: bool,
}

/// A generator in the middle of a program.
struct Generator {
    prng: Prng,
    features: Features,
    signatures: Vec<Signature>,
    structures: Vec<Vec<(String, Type, usize)>>,
    messages: usize,
    scope: Vec<Variable>,
    processes: Vec<Process>,
    inlines: Vec<String>,
    /// Labels that a `goto` of this process needs.
    wanted_labels: Vec<String>,
    /// Remaining statements of this process.
    budget: usize,
    next_name: usize,
    /// The process that never ends and can be referred to from outside, with one of its variables and a label.
    remote: Option<(String, String)>,
}

/// The program of a number. Numbers of one seed are independent of each other.
pub fn program(seed: u64, number: u64) -> Node {
    generator(seed, number).program()
}

/// The same program with properties for liveness checks.
pub fn program_with_properties(seed: u64, number: u64) -> Node {
    let mut generator = generator(seed, number);
    let mut program = generator.program();
    generator.add_properties(&mut program);
    program
}

fn generator(seed: u64, number: u64) -> Generator {
    let mut prng = Prng::new(seed, number);
    let features = Features {
        priorities: prng.chance(7),
        random_assertions: prng.chance(30),
        blocking: prng.chance(50),
        wild_constants: prng.chance(25),
        remote: prng.chance(8),
    };
    Generator {
        prng,
        features,
        signatures: Vec::new(),
        structures: Vec::new(),
        messages: 0,
        scope: Vec::new(),
        processes: Vec::new(),
        inlines: Vec::new(),
        wanted_labels: Vec::new(),
        budget: 0,
        next_name: 0,
        remote: None,
    }
}

impl Generator {
    fn program(&mut self) -> Node {
        let mut items = Vec::new();
        self.declare_types(&mut items);
        self.declare_globals(&mut items);
        self.declare_processes();
        if self.prng.chance(25) {
            items.push(self.inline_definition());
        }
        for index in 0..self.processes.len() {
            items.push(self.process(index));
        }
        if self.processes.iter().any(|p| p.active == 0) || self.prng.chance(15) {
            items.push(self.init());
        }
        Node::new(Shape::Root, "", items)
    }

    /// A name that is used nowhere else.
    fn fresh(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }

    fn declare_types(&mut self, items: &mut Vec<Node>) {
        if self.prng.chance(45) {
            self.messages = self.prng.range(2, 4);
            let names: Vec<String> = (0..self.messages).map(|i| format!("M{i}")).collect();
            items.push(Node::leaf(format!("mtype = {{ {} }};", names.join(", "))));
        }
        let structures = self.prng.weighted(&[(60, 0), (30, 1), (10, 2)]);
        for index in 0..structures {
            let mut fields = Vec::new();
            for field in 0..self.prng.range(1, 3) {
                let nested = index > 0 && self.prng.chance(40);
                let kind = if nested {
                    Type::Structure(0)
                } else {
                    self.value_type()
                };
                let array = self.prng.chance(25) && !matches!(kind, Type::Unsigned(_));
                let elements = if array { 2 } else { 0 };
                fields.push((format!("f{field}"), kind, elements));
            }
            let parts: Vec<String> = fields
                .iter()
                .map(|(name, kind, n)| self.declaration(*kind, name, *n))
                .collect();
            items.push(Node::leaf(format!(
                "typedef T{index} {{ {} }};",
                parts.join("; ")
            )));
            self.structures.push(fields);
        }
    }

    /// A type for a value that is not a channel.
    fn value_type(&mut self) -> Type {
        let bits = self.prng.range(1, 5) as u8;
        let message = if self.messages > 0 { 12 } else { 0 };
        // With priorities SPIN takes the last bits of a process's state for padding.
        let bit_fields = if self.features.priorities { 0 } else { 1 };
        let types = [
            (12 * bit_fields, Type::Bit),
            (10 * bit_fields, Type::Bool),
            (34, Type::Byte),
            (10, Type::Short),
            (14, Type::Int),
            (10 * bit_fields, Type::Unsigned(bits)),
            (message, Type::Mtype),
            (3, Type::Pid),
        ];
        self.prng.weighted(&types)
    }

    /// The text that declares a name, without an initial value.
    fn declaration(&self, kind: Type, name: &str, elements: usize) -> String {
        let index = if elements > 0 {
            format!("[{elements}]")
        } else {
            String::new()
        };
        match kind {
            Type::Unsigned(bits) => format!("unsigned {name}{index} : {bits}"),
            _ => format!("{} {name}{index}", type_name(kind)),
        }
    }

    fn declare_globals(&mut self, items: &mut Vec<Node>) {
        for _ in 0..self.prng.range(1, 3) {
            let kind = self.value_type();
            // An array of unsigned fields is not stored as such by SPIN and is rejected.
            let array = self.prng.chance(20) && !matches!(kind, Type::Unsigned(_));
            let elements = if array {
                *self.prng.pick(&[2, 2, 4])
            } else {
                0
            };
            let node = self.declare_variable("g", kind, elements);
            items.push(Node::leaf(format!("{};", node.text)));
        }
        for index in 0..self.structures.len() {
            let elements = if self.prng.chance(30) { 2 } else { 0 };
            let name = self.fresh("s");
            items.push(Node::leaf(format!(
                "{};",
                self.declaration(Type::Structure(index), &name, elements)
            )));
            self.scope.push(Variable {
                name,
                kind: Type::Structure(index),
                elements,
                fixed: false,
            });
        }
        for _ in 0..self.prng.weighted(&[(15, 0), (45, 1), (30, 2), (10, 3)]) {
            let signature = self.signature();
            let elements = if self.prng.chance(15) { 2 } else { 0 };
            let node = self.declare_channel("c", signature, elements);
            items.push(Node::leaf(format!("{};", node.text)));
        }
    }

    /// A new or known signature.
    fn signature(&mut self) -> usize {
        if !self.signatures.is_empty() && self.prng.chance(30) {
            return self.prng.below(self.signatures.len());
        }
        let rendezvous = if self.features.priorities { 0 } else { 40 };
        let capacity = self
            .prng
            .weighted(&[(rendezvous, 0), (40, 1), (25, 2), (5, 3)]);
        let mut fields: Vec<Type> = Vec::new();
        for _ in 0..self.prng.weighted(&[(60, 1), (30, 2), (10, 3)]) {
            let other = self.signatures.len();
            let channel = other > 0 && self.prng.chance(8);
            fields.push(if channel {
                Type::Chan(self.prng.below(other))
            } else {
                self.message_type()
            });
        }
        self.signatures.push(Signature { capacity, fields });
        self.signatures.len() - 1
    }

    /// A type for a field of a message: as for values, without bit fields.
    fn message_type(&mut self) -> Type {
        match self.value_type() {
            Type::Unsigned(_) => Type::Byte,
            kind => kind,
        }
    }

    fn declare_channel(&mut self, prefix: &str, signature: usize, elements: usize) -> Node {
        let name = self.fresh(prefix);
        let kind = Type::Chan(signature);
        let text = self.declaration(kind, &name, elements);
        self.scope.push(Variable {
            name,
            kind,
            elements,
            fixed: false,
        });
        let Signature { capacity, fields } = &self.signatures[signature];
        let fields: Vec<String> = fields.iter().map(|field| type_name(*field)).collect();
        Node::leaf(format!(
            "{text} = [{capacity}] of {{ {} }}",
            fields.join(", ")
        ))
    }

    /// Declares a value, often with an initial value.
    fn declare_variable(&mut self, prefix: &str, kind: Type, elements: usize) -> Node {
        let name = self.fresh(prefix);
        let mut text = self.declaration(kind, &name, elements);
        if self.prng.chance(45) {
            let initial = self.initial(kind);
            text = format!("{text} = {initial}");
        }
        self.scope.push(Variable {
            name,
            kind,
            elements,
            fixed: false,
        });
        Node::leaf(text)
    }

    /// A constant to start with.
    fn initial(&mut self, kind: Type) -> String {
        match kind {
            Type::Mtype => format!("M{}", self.prng.below(self.messages)),
            Type::Bit | Type::Bool => self.prng.below(2).to_string(),
            _ if self.features.wild_constants && self.prng.chance(20) => self.wild_constant(),
            Type::Short | Type::Int if self.prng.chance(20) => {
                format!("-{}", self.prng.range(1, 3))
            }
            _ => self.prng.below(4).to_string(),
        }
    }

    fn declare_processes(&mut self) {
        let number = self.prng.weighted(&[(10, 1), (60, 2), (25, 3), (5, 4)]);
        for index in 0..number {
            let active = self.prng.weighted(&[(30, 0), (60, 1), (10, 2)]);
            // Only `run` passes values.
            let mut parameters = Vec::new();
            if active == 0 {
                for _ in 0..self.prng.range(0, 2) {
                    let channel = !self.signatures.is_empty() && self.prng.chance(35);
                    let kind = if channel {
                        Type::Chan(self.prng.below(self.signatures.len()))
                    } else {
                        self.message_type()
                    };
                    parameters.push((self.fresh("p"), kind));
                }
            }
            self.processes.push(Process {
                name: format!("P{index}"),
                parameters,
                active,
            });
        }
        if let [only] = self.processes.as_mut_slice()
            && only.active > 0
        {
            only.active = 2;
        }
    }

    fn process(&mut self, index: usize) -> Node {
        let Process {
            name,
            parameters,
            active,
        } = self.processes[index].clone();
        let globals = self.scope.len();
        let mut head = match active {
            0 => String::new(),
            1 => "active ".to_owned(),
            n => format!("active [{n}] "),
        };
        let list: Vec<String> = parameters
            .iter()
            .map(|(name, kind)| self.declaration(*kind, name, 0))
            .collect();
        head += &format!("proctype {name}({})", list.join("; "));
        if self.features.priorities && self.prng.chance(60) && active > 0 {
            head += &format!(" priority {}", self.prng.range(1, 3));
        }
        if self.prng.chance(5) {
            let condition = self.truth(1);
            head += &format!(" provided ({condition})");
        }
        for (name, kind) in parameters {
            self.scope.push(Variable {
                name,
                kind,
                elements: 0,
                fixed: false,
            });
        }
        let mut body = self.body(active, &name);
        body.iter_mut().for_each(remove_first_labels);
        self.scope.truncate(globals);
        Node::new(Shape::Braces, head, body)
    }

    /// Local declarations and statements of a process. The first active one may become a process that never ends and
    /// that others refer to.
    fn body(&mut self, active: usize, name: &str) -> Vec<Node> {
        let mut statements = self.local_declarations();
        self.budget = if active > 1 {
            self.prng.range(3, 7)
        } else {
            self.prng.range(5, 12)
        };
        let immortal = self.features.remote && self.remote.is_none() && active == 1 && name == "P0";
        if immortal {
            let mut declaration = self.declare_variable("r", Type::Byte, 0);
            let variable = self
                .scope
                .last()
                .map(|v| v.name.clone())
                .unwrap_or_default();
            declaration.text = format!("byte {variable}");
            statements.push(declaration);
            self.budget = self.budget.min(5);
            let mut forever = self.selection(
                "do",
                Place {
                    depth: 1,
                    ..Place::default()
                },
            );
            forever.label = Some("end_r".to_owned());
            statements.push(forever);
            self.remote = Some((name.to_owned(), variable));
            // The loop must not be left; there is no `break` in it, and a `goto` has no other target.
            self.wanted_labels.clear();
            return statements;
        }
        let mut code = Vec::new();
        if self.prng.chance(40) {
            // A process with a long loop has more states than a straight one.
            code.push(self.selection("do", Place::default()));
        } else {
            code.push(Node::leaf(self.assignment()));
        }
        while self.budget > 0 {
            self.statement(Place::default(), &mut code);
        }
        self.place_labels(&mut code);
        statements.extend(code);
        statements
    }

    fn local_declarations(&mut self) -> Vec<Node> {
        let mut declarations = Vec::new();
        for _ in 0..self.prng.weighted(&[(35, 0), (45, 1), (20, 2)]) {
            let kind = self.value_type();
            let array = self.prng.chance(12) && !matches!(kind, Type::Unsigned(_));
            declarations.push(self.declare_variable("l", kind, if array { 2 } else { 0 }));
        }
        if !self.structures.is_empty() && self.prng.chance(15) {
            let index = self.prng.below(self.structures.len());
            let name = self.fresh("l");
            declarations.push(Node::leaf(self.declaration(
                Type::Structure(index),
                &name,
                0,
            )));
            self.scope.push(Variable {
                name,
                kind: Type::Structure(index),
                elements: 0,
                fixed: false,
            });
        }
        if self.prng.chance(8) {
            let signature = self.signature();
            declarations.push(self.declare_channel("k", signature, 0));
        }
        declarations
    }

    /// `init`: starts the processes that do not start by themselves, once or twice each, and does something else.
    fn init(&mut self) -> Node {
        let globals = self.scope.len();
        let mut body = self.local_declarations();
        let mut runs = Vec::new();
        for index in 0..self.processes.len() {
            if self.processes[index].active == 0 {
                for _ in 0..self.prng.weighted(&[(80, 1), (20, 2)]) {
                    runs.push(Node::leaf(self.run(index)));
                }
            }
        }
        if self.prng.chance(50) {
            body.push(Node::new(Shape::Braces, "atomic", runs));
        } else {
            body.extend(runs);
        }
        self.budget = self.prng.range(0, 2);
        let mut code = Vec::new();
        while self.budget > 0 {
            self.statement(
                Place {
                    in_init: true,
                    ..Place::default()
                },
                &mut code,
            );
        }
        self.place_labels(&mut code);
        code.iter_mut().for_each(remove_first_labels);
        body.extend(code);
        self.scope.truncate(globals);
        Node::new(Shape::Braces, "init", body)
    }

    /// A `run` expression with arguments that fit.
    fn run(&mut self, index: usize) -> String {
        let Process {
            name, parameters, ..
        } = self.processes[index].clone();
        let arguments: Vec<String> = parameters
            .iter()
            .map(|(_, kind)| self.value_for(*kind))
            .collect();
        let mut text = format!("run {name}({})", arguments.join(", "));
        if self.features.priorities && self.prng.chance(50) {
            text += &format!(" priority {}", self.prng.range(1, 3));
        }
        text
    }

    fn inline_definition(&mut self) -> Node {
        let name = self.fresh("step");
        let globals = self.scope.len();
        self.scope.push(Variable {
            name: "x".into(),
            kind: Type::Byte,
            elements: 0,
            fixed: false,
        });
        self.scope.push(Variable {
            name: "y".into(),
            kind: Type::Byte,
            elements: 0,
            fixed: true,
        });
        self.budget = self.prng.range(1, 3);
        let mut body = Vec::new();
        while self.budget > 0 {
            self.statement(
                Place {
                    in_inline: true,
                    depth: 1,
                    ..Place::default()
                },
                &mut body,
            );
        }
        self.scope.truncate(globals);
        let node = Node::new(Shape::Braces, format!("inline {name}(x, y)"), body);
        self.inlines.push(name);
        node
    }

    /// Puts the labels that are jumped to somewhere, and a few end labels.
    fn place_labels(&mut self, code: &mut Vec<Node>) {
        let mut labels = std::mem::take(&mut self.wanted_labels);
        if self.prng.chance(25) {
            labels.push(self.fresh("end"));
        }
        for label in labels {
            let mut places = Vec::new();
            for node in code.iter_mut() {
                collect_label_places(node, &mut places);
            }
            if places.is_empty() {
                code.push(Node {
                    label: Some(label),
                    ..Node::leaf("skip")
                });
            } else {
                let index = self.prng.below(places.len());
                places.swap_remove(index).label = Some(label);
            }
        }
    }
}

/// Statements that may have a label: not declarations, not jumps (a jump to itself has its own model), not guards of
/// options, and nothing within `d_step`.
fn collect_label_places<'a>(node: &'a mut Node, places: &mut Vec<&'a mut Node>) {
    let declares = |text: &str| {
        [
            "bit ",
            "bool ",
            "byte ",
            "short ",
            "int ",
            "unsigned ",
            "mtype ",
            "pid ",
            "chan ",
            "T0 ",
            "T1 ",
        ]
        .iter()
        .any(|t| text.starts_with(t))
    };
    let barred = node.label.is_some() || node.text.starts_with("goto") || declares(&node.text);
    if barred || node.shape == Shape::Unless || node.text == "d_step" {
        return;
    }
    // Half of the selections offer the statements in them, the others themselves.
    if node.shape == Shape::Selection && node.children.len().is_multiple_of(2) {
        for choice in &mut node.children {
            for inner in choice.children.iter_mut().skip(1) {
                collect_label_places(inner, places);
            }
        }
        return;
    }
    places.push(node);
}

/// SPIN wants labels before a block or option, not at the first statement in it.
fn remove_first_labels(node: &mut Node) {
    if matches!(node.shape, Shape::Braces | Shape::Choice)
        && let Some(first) = node.children.first_mut()
    {
        first.label = None;
    }
    node.children.iter_mut().for_each(remove_first_labels);
}

/// The word for a type.
fn type_name(kind: Type) -> String {
    match kind {
        Type::Bit => "bit".into(),
        Type::Bool => "bool".into(),
        Type::Byte => "byte".into(),
        Type::Short => "short".into(),
        Type::Int => "int".into(),
        Type::Unsigned(_) => "unsigned".into(),
        Type::Mtype => "mtype".into(),
        Type::Pid => "pid".into(),
        Type::Chan(_) => "chan".into(),
        Type::Structure(index) => format!("T{index}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_number_gives_the_same_text() {
        for number in 0..50 {
            assert_eq!(program(1, number).print(), program(1, number).print());
        }
        assert_ne!(program(1, 0).print(), program(2, 0).print());
    }

    #[test]
    fn programs_are_distinct() {
        let texts: BTreeSet<String> = (0..300).map(|number| program(1, number).print()).collect();
        assert_eq!(texts.len(), 300);
    }

    /// Reported program numbers must keep their meaning. Change this value only together with the generator.
    #[test]
    fn texts_are_stable() {
        let sum = (0..300)
            .flat_map(|n| program(1, n).print().into_bytes())
            .fold(0u32, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(u32::from(byte))
            });
        assert_eq!(sum, STABLE_SUM);
    }

    const STABLE_SUM: u32 = 1655591752;

    #[test]
    fn properties_of_all_kinds_are_added() {
        let text: String = (0..200)
            .map(|number| program_with_properties(1, number).print())
            .collect();
        for piece in [
            "accept_",
            "progress",
            "ltl p0 {",
            "never n0 {",
            "[]<>",
            " U ",
            "done: skip",
        ] {
            assert!(text.contains(piece), "{piece}");
        }
    }
}
