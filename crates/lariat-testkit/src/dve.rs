//! Random DVE systems, as text.
//!
//! They are correct by construction, they use every part of the language, and their variables
//! mostly keep to small values, so that the state spaces stay small; now and then a value leaves
//! its range or an index its array, because faults must agree as well. All randomness comes from
//! one function, which gives a number below its argument.

use std::fmt::Write as _;

use crate::prng::Prng;

/// The text of a system with accepting states, other than those of the property.
pub const ACCEPTING: &str = "accept q";

/// The text of the system of a number. Numbers of one seed are independent of each other.
pub fn system(seed: u64, number: u64) -> String {
    let mut prng = Prng::new(seed, number);
    system_from(&mut |bound| prng.below(bound as usize) as u64)
}

/// A random system.
pub fn system_from(below: &mut dyn FnMut(u64) -> u64) -> String {
    let mut generator = Generator {
        below,
        globals: Vec::new(),
        channels: Vec::new(),
        processes: Vec::new(),
        synchronous: false,
    };
    generator.plan();
    generator.print()
}

/// A variable or a constant.
struct Variable {
    name: String,
    byte: bool,
    /// Zero for one that is not an array.
    length: u64,
    constant: bool,
}

struct Channel {
    name: String,
    arity: u64,
    /// Which of the fields are bytes, if the channel has types.
    bytes: Option<Vec<bool>>,
    capacity: u64,
}

struct Process {
    name: String,
    variables: Vec<Variable>,
    states: u64,
}

struct Generator<'r> {
    below: &'r mut dyn FnMut(u64) -> u64,
    globals: Vec<Variable>,
    channels: Vec<Channel>,
    processes: Vec<Process>,
    synchronous: bool,
}

/// Who evaluates an expression: a process, or a property, which has no variables of its own.
type Owner = Option<usize>;

impl Generator<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        (self.below)(bound)
    }

    /// True in `percent` of all cases.
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }

    // What there is.

    fn plan(&mut self) {
        self.synchronous = self.chance(15);
        for number in 0..1 + self.below(3) {
            let variable = self.variable(&format!("g{number}"));
            self.globals.push(variable);
        }
        let channels = if self.synchronous { 0 } else { self.below(4) };
        for number in 0..channels {
            let channel = self.channel(number);
            self.channels.push(channel);
        }
        for number in 0..1 + self.below(2) + self.below(if self.synchronous { 2 } else { 3 }) {
            let variables = 1 + self.below(3);
            let process = Process {
                name: format!("P{number}"),
                variables: (0..variables)
                    .map(|v| {
                        self.variable(&format!("{}{v}", if number % 2 == 0 { "v" } else { "w" }))
                    })
                    .collect(),
                states: 1 + self.below(4),
            };
            self.processes.push(process);
        }
    }

    fn variable(&mut self, name: &str) -> Variable {
        Variable {
            name: name.into(),
            byte: self.chance(65),
            length: if self.chance(30) {
                1 + self.below(3)
            } else {
                0
            },
            constant: self.chance(10),
        }
    }

    fn channel(&mut self, number: u64) -> Channel {
        let typed = self.chance(50);
        let arity = if typed {
            1 + self.below(2)
        } else {
            self.below(3)
        };
        Channel {
            name: format!("c{number}"),
            arity,
            bytes: typed.then(|| (0..arity).map(|_| self.chance(60)).collect()),
            capacity: if typed { self.below(3) } else { 0 },
        }
    }

    // Expressions.

    /// A number that often matters.
    fn number(&mut self) -> String {
        match self.below(20) {
            0 => "255".into(),
            1 => "32767".into(),
            2 => "7".into(),
            3 => "true".into(),
            4 => "false".into(),
            5 => format!("-{}", self.below(3)),
            _ => self.below(4).to_string(),
        }
    }

    /// All variables that an owner can name, as text without an index, with their lengths.
    fn readable(&mut self, owner: Owner) -> Vec<(String, u64)> {
        let own = owner.map_or(&[][..], |pid| &self.processes[pid].variables);
        let names = self.globals.iter().chain(own);
        let mut all: Vec<(String, u64)> = names.map(|v| (v.name.clone(), v.length)).collect();
        for process in &self.processes {
            let remote = process.variables.iter().filter(|v| !v.constant);
            all.extend(remote.map(|v| (format!("{}->{}", process.name, v.name), v.length)));
        }
        all
    }

    fn load(&mut self, owner: Owner, depth: u64) -> String {
        let readable = self.readable(owner);
        let position = self.below(readable.len() as u64 + 1) as usize;
        match readable.get(position) {
            Some((name, length)) => {
                let index = self.index(owner, *length, depth);
                format!("{name}{index}")
            }
            None => self.number(),
        }
    }

    /// An index in brackets, mostly one that exists, or nothing.
    fn index(&mut self, owner: Owner, length: u64, depth: u64) -> String {
        if length == 0 {
            return String::new();
        }
        match self.below(10) {
            0..=4 => format!("[{}]", self.below(length)),
            5..=7 => format!(
                "[({}) & {}]",
                self.expression(owner, depth),
                power_below(length)
            ),
            8 => format!("[({}) % {length}]", self.expression(owner, depth)),
            _ => format!("[{}]", self.expression(owner, depth.min(1))),
        }
    }

    /// Where some process is.
    fn place(&mut self) -> String {
        let pid = self.below(self.processes.len() as u64) as usize;
        let state = self.below(self.processes[pid].states);
        format!("{}.q{state}", self.processes[pid].name)
    }

    fn expression(&mut self, owner: Owner, depth: u64) -> String {
        if depth == 0 {
            return match self.below(8) {
                0..=1 => self.number(),
                2 => self.place(),
                _ => self.load(owner, 0),
            };
        }
        match self.below(12) {
            0 => self.number(),
            1 => self.load(owner, depth - 1),
            2 => {
                let operator = self.pick(&["-", "~", "not ", "!"]);
                format!("{operator}({})", self.expression(owner, depth - 1))
            }
            3 => {
                let operator = self.pick(&["/", "%"]);
                // Mostly by a number that is not zero.
                let divisor = if self.chance(80) {
                    (1 + self.below(3)).to_string()
                } else {
                    format!("({})", self.load(owner, 0))
                };
                format!(
                    "({}) {operator} {divisor}",
                    self.expression(owner, depth - 1)
                )
            }
            _ => {
                let operator = self.pick(&[
                    "+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "and", "or",
                    "imply", "&", "|", "^", "<<", ">>", "+", "-", "==", "==", "<", "&&",
                ]);
                let first = self.expression(owner, depth - 1);
                let second = self.expression(owner, depth - 1);
                // Without parentheses the text means something else, but it means something.
                match self.below(3) {
                    0 => format!("{first} {operator} {second}"),
                    1 => format!("({first}) {operator} {second}"),
                    _ => format!("({first}) {operator} ({second})"),
                }
            }
        }
    }

    /// A condition that is neither always nor never true, as far as can be told from afar.
    fn condition(&mut self, owner: Owner) -> String {
        match self.below(6) {
            0 => self.place(),
            1 => {
                let depth = 1 + self.below(2);
                self.expression(owner, depth)
            }
            2 => format!("not {}", self.place()),
            _ => {
                let operator = self.pick(&["==", "!=", "<", ">", "<="]);
                let value = self.below(3);
                format!("{} {operator} {value}", self.load(owner, 1))
            }
        }
    }

    /// A value that mostly fits where it goes and stays small.
    fn value(&mut self, owner: Owner) -> String {
        match self.below(12) {
            0 => self.below(3).to_string(),
            1..=4 => format!("({} + 1) % {}", self.load(owner, 0), 2 + self.below(3)),
            5 => format!("1 - ({} & 1)", self.load(owner, 0)),
            6..=8 => format!("({}) & {}", self.expression(owner, 2), power_below(4)),
            9 => format!("{} == {}", self.load(owner, 0), self.load(owner, 0)),
            10 => self.load(owner, 0),
            _ => self.expression(owner, 1),
        }
    }

    // The text.

    fn print(&mut self) -> String {
        let mut out = String::new();
        let globals = std::mem::take(&mut self.globals);
        for variable in globals {
            self.declaration(&variable, &mut out);
            self.globals.push(variable);
        }
        for number in 0..self.channels.len() {
            self.channel_declaration(number, &mut out);
        }
        let property = self.chance(30);
        let first = property && self.chance(30);
        if first {
            self.property(&mut out);
        }
        for pid in 0..self.processes.len() {
            self.process(pid, &mut out);
        }
        if property && !first {
            self.property(&mut out);
        }
        let mode = if self.synchronous { "sync" } else { "async" };
        let name = if property { " property Never" } else { "" };
        let _ = writeln!(out, "system {mode}{name};");
        out
    }

    /// A declaration; initial values use numbers only.
    fn declaration(&mut self, variable: &Variable, out: &mut String) {
        let word = if variable.constant { "const " } else { "" };
        let ty = if variable.byte { "byte" } else { "int" };
        let _ = write!(out, "{word}{ty} {}", variable.name);
        if variable.length > 0 {
            let _ = write!(out, "[{}]", variable.length);
        }
        let (byte, length) = (variable.byte, variable.length);
        let value = |this: &mut Self| match this.below(12) {
            0 if byte => "254 + 1".into(),
            0 => "-32768".to_string(),
            1 => "3 - 2".into(),
            _ => this.below(3).to_string(),
        };
        if length > 0 && (variable.constant || self.chance(50)) {
            let some = 1 + self.below(length);
            let values: Vec<String> = (0..some).map(|_| value(self)).collect();
            let _ = write!(out, " = {{{}}}", values.join(", "));
        } else if length == 0 && (variable.constant || self.chance(40)) {
            let value = value(self);
            let _ = write!(out, " = {value}");
        }
        out.push_str(";\n");
    }

    fn channel_declaration(&mut self, number: usize, out: &mut String) {
        let channel = &self.channels[number];
        let _ = match &channel.bytes {
            None => writeln!(out, "channel {};", channel.name),
            Some(bytes) => {
                let word = |byte: &bool| if *byte { "byte" } else { "int" };
                let types: Vec<&str> = bytes.iter().map(word).collect();
                let (types, name) = (types.join(", "), &channel.name);
                writeln!(out, "channel {{{types}}} {name}[{}];", channel.capacity)
            }
        };
    }

    fn process(&mut self, pid: usize, out: &mut String) {
        let _ = writeln!(out, "process {} {{", self.processes[pid].name);
        let variables = std::mem::take(&mut self.processes[pid].variables);
        for variable in variables {
            out.push_str("  ");
            self.declaration(&variable, out);
            self.processes[pid].variables.push(variable);
        }
        let states = self.processes[pid].states;
        let names: Vec<String> = (0..states).map(|q| format!("q{q}")).collect();
        let _ = writeln!(out, "  state {};", names.join(", "));
        let mut clauses = vec![format!("  init q{};\n", self.below(states))];
        for (word, percent) in [("accept", 20), ("commit", 10)] {
            if self.chance(percent) {
                let place = self.below(clauses.len() as u64 + 1) as usize;
                clauses.insert(place, format!("  {word} q{};\n", self.below(states)));
            }
        }
        out.push_str(&clauses.concat());
        if self.chance(20) {
            let state = self.below(states);
            let condition = self.expression(Some(pid), 2);
            let _ = writeln!(out, "  assert q{state}: {condition};");
        }
        self.transitions(pid, out);
        out.push_str("}\n");
    }

    fn transitions(&mut self, pid: usize, out: &mut String) {
        let states = self.processes[pid].states;
        let count = if self.chance(5) {
            0
        } else {
            states + self.below(4)
        };
        if count == 0 {
            return;
        }
        out.push_str("  trans\n");
        let mut source = None;
        for number in 0..count {
            // Every state gets one if there are enough of them.
            let from = if number < states {
                number
            } else {
                self.below(states)
            };
            let to = self.below(states);
            let shorthand = source == Some(from) && self.chance(50);
            source = Some(from);
            let from = if shorthand {
                String::new()
            } else {
                format!("q{from} ")
            };
            let _ = write!(out, "    {from}-> q{to} {{");
            self.parts(pid, out);
            let last = number + 1 == count;
            out.push_str(match (last, self.below(10)) {
                (true, 0) => " },\n",
                (true, 1) => " }\n",
                (true, _) => " };\n",
                (false, 0) => " }\n",
                (false, _) => " },\n",
            });
        }
    }

    /// Guards, message and effects of a transition.
    fn parts(&mut self, pid: usize, out: &mut String) {
        let owner = Some(pid);
        if self.chance(30) {
            let guards = if self.chance(15) { 2 } else { 1 };
            let guards: Vec<String> = (0..guards).map(|_| self.condition(owner)).collect();
            let _ = write!(out, " guard {};", guards.join(", "));
        }
        if !self.channels.is_empty() && self.chance(35) {
            self.message(pid, out);
        }
        let effects = (1 + self.below(3)).saturating_sub(u64::from(self.synchronous));
        let effects: Vec<String> = (0..effects)
            .filter_map(|_| {
                let target = self.target(pid)?;
                Some(format!("{target} = {}", self.value(owner)))
            })
            .collect();
        if !effects.is_empty() {
            let _ = write!(out, " effect {};", effects.join(", "));
        }
    }

    fn message(&mut self, pid: usize, out: &mut String) {
        let number = self.below(self.channels.len() as u64) as usize;
        let (name, arity) = (
            self.channels[number].name.clone(),
            self.channels[number].arity,
        );
        let sends = self.chance(50);
        let mut values = Vec::new();
        for _ in 0..arity {
            if sends {
                values.push(self.value(Some(pid)));
            } else if let Some(target) = self.target(pid) {
                values.push(target);
            } else {
                // There is no variable to receive into.
                return;
            }
        }
        let mark = if sends { '!' } else { '?' };
        let values = match values.as_slice() {
            [] => String::new(),
            [value] if self.chance(70) => value.clone(),
            values => format!("{{{}}}", values.join(", ")),
        };
        let _ = write!(out, " sync {name}{mark}{values};");
    }

    /// Something that a process can assign to. In a synchronous system it is mostly its own.
    fn target(&mut self, pid: usize) -> Option<String> {
        let local = self.chance(if self.synchronous { 90 } else { 50 });
        let writable = |variables: &[Variable]| {
            let names = variables.iter().filter(|v| !v.constant);
            names
                .map(|v| (v.name.clone(), v.length))
                .collect::<Vec<_>>()
        };
        let own = writable(&self.processes[pid].variables);
        let all = writable(&self.globals);
        let from = if (local && !own.is_empty()) || all.is_empty() {
            own
        } else {
            all
        };
        if from.is_empty() {
            return None;
        }
        let (name, length) = from[self.below(from.len() as u64) as usize].clone();
        let index = self.index(Some(pid), length, 1);
        Some(format!("{name}{index}"))
    }

    /// A property process: guards only.
    fn property(&mut self, out: &mut String) {
        let states = 1 + self.below(3);
        let names: Vec<String> = (0..states).map(|q| format!("n{q}")).collect();
        let _ = writeln!(out, "process Never {{\n  state {};", names.join(", "));
        let _ = writeln!(
            out,
            "  init n0;\n  accept n{};\n  trans",
            self.below(states)
        );
        let count = states + self.below(3);
        for number in 0..count {
            let from = if number < states {
                number
            } else {
                self.below(states)
            };
            let guard = if self.chance(70) {
                format!(" guard {};", self.condition(None))
            } else {
                String::new()
            };
            let end = if number + 1 == count { ';' } else { ',' };
            let _ = writeln!(
                out,
                "    n{from} -> n{} {{{guard} }}{end}",
                self.below(states)
            );
        }
        out.push_str("}\n");
    }
}

/// A mask that keeps numbers below a length of 1 to 4.
fn power_below(length: u64) -> u64 {
    match length {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_a_system() {
        assert_eq!(system(1, 7), system(1, 7));
        assert_ne!(system(1, 7), system(1, 8));
        assert_ne!(system(1, 7), system(2, 7));
    }
}
