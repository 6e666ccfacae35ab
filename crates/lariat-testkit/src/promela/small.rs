//! Small random programs that are full of what makes reductions go wrong: local steps between global
//! ones, choices, loops, atomic sequences, meetings, timeouts, remote references, labels, parameters.

use lariat_stats::{Rng, stream};

/// How many programs are tried.
pub const PROGRAMS: u64 = 300;

/// What a program can speak of.
struct Writer {
    rng: Rng,
    /// The number of the process that is being written.
    process: usize,
    processes: usize,
    labels: usize,
    /// Whether it stands in a `d_step`, where nothing may block or jump.
    in_dstep: bool,
    /// How many loops surround it.
    loops: usize,
}

/// The program with a number, and formulas about it.
pub fn program(seed: u64) -> (String, Vec<String>) {
    let rng = stream(seed, "reductions", 0);
    let mut writer = Writer {
        rng,
        process: 0,
        processes: 0,
        labels: 0,
        in_dstep: false,
        loops: 0,
    };
    writer.program()
}

impl Writer {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn program(&mut self) -> (String, Vec<String>) {
        self.processes = 2 + self.below(2);
        let capacity = self.below(3);
        let mut text = format!("byte g, h;\nchan c = [{capacity}] of {{ byte }};\n");
        text += "chan d = [1] of { byte };\n";
        let with_init = self.one_in(3);
        for process in 0..self.processes {
            self.process = process;
            let active = if with_init { "" } else { "active " };
            let parameter = if with_init { "byte p" } else { "" };
            let own = if with_init { "" } else { "byte p;" };
            let clause = if self.one_in(10) {
                " provided (g != 2)"
            } else {
                ""
            };
            text += &format!("{active}proctype P{process}({parameter}){clause} {{\n");
            text += &format!("  {own} byte a, b; byte v[2];\nS{process}: skip;\n");
            let length = 2 + self.below(3);
            text += &self.sequence(3, length);
            text += "\n}\n";
        }
        if with_init {
            let runs: Vec<String> = (0..self.processes)
                .map(|p| format!("run P{p}(a + {})", self.below(2)))
                .collect();
            text += &format!("init {{ byte a = 1; atomic {{ {} }} }}\n", runs.join("; "));
        }
        let pid = usize::from(with_init);
        let formulas = vec![
            format!("[]<> (P0[{pid}]:a == 0)"),
            format!("[] ((g == 1) -> <> (P0[{pid}]@S0 || h != 0))"),
            format!("<>[] (len(d) == 0 || P1[{}]:b != 1)", pid + 1),
        ];
        (text, formulas)
    }

    fn sequence(&mut self, depth: usize, length: usize) -> String {
        let statements: Vec<String> = (0..length).map(|_| self.statement(depth)).collect();
        statements.join(";\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        let label = if !self.in_dstep && self.one_in(10) {
            self.labels += 1;
            let kind = self.pick(&["L", "accept_", "progress_", "end_"]);
            format!("{kind}{}: ", self.labels)
        } else {
            String::new()
        };
        label + &self.plain(depth)
    }

    fn plain(&mut self, depth: usize) -> String {
        let compound = depth > 0 && self.one_in(3);
        if compound && !self.in_dstep {
            return match self.below(8) {
                0..=2 => self.selection(depth - 1),
                3 | 4 => self.repetition(depth - 1),
                5 => format!("atomic {{ {} }}", self.sequence(depth - 1, 3)),
                6 => {
                    self.in_dstep = true;
                    let inside = self.sequence(0, 2);
                    self.in_dstep = false;
                    format!("d_step {{ {inside} }}")
                }
                _ => {
                    let (body, guard) = (self.sequence(depth - 1, 2), self.guard());
                    format!("{{ {body} }} unless {{ {guard} -> {} }}", self.effect())
                }
            };
        }
        if self.in_dstep || !self.one_in(3) {
            self.effect()
        } else {
            self.guard()
        }
    }

    fn selection(&mut self, depth: usize) -> String {
        format!("if {} fi", self.options(depth))
    }

    fn repetition(&mut self, depth: usize) -> String {
        self.loops += 1;
        let options = self.options(depth);
        self.loops -= 1;
        let guard = self.guard();
        format!("do {options} :: {guard} -> break od")
    }

    fn options(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(2) {
            let first = if self.one_in(3) {
                self.effect()
            } else {
                self.guard()
            };
            let rest = self.sequence(depth, 1);
            text += &format!(":: {first}; {rest} ");
        }
        if self.one_in(2) {
            let rest = if self.loops > 0 && self.one_in(2) {
                "break".into()
            } else {
                self.effect()
            };
            text += &format!(":: else -> {rest} ");
        }
        text
    }

    /// A statement that is always possible.
    fn effect(&mut self) -> String {
        let value = self.value();
        match self.below(16) {
            0..=3 => format!("a = {value}"),
            4..=6 => format!("b = {value}"),
            7 => format!("p = {value}"),
            8 => format!("v[{}] = {value}", self.index()),
            9..=11 => format!("g = {value}"),
            12 => format!("h = {value}"),
            13 => format!("assert({} != 3)", self.variable()),
            14 => format!("printf(\"%d\", {value})"),
            _ => "skip".into(),
        }
    }

    /// A statement that may block.
    fn guard(&mut self) -> String {
        let other = (self.process + 1) % self.processes;
        let constant = self.below(3);
        match self.below(20) {
            0..=5 => format!("({} == {constant})", self.own_variable()),
            6..=8 => format!("(g == {constant})"),
            9 => format!("(h != {constant})"),
            10 | 11 => format!("c!{}", self.value()),
            12 | 13 => format!("c?{}", self.own_variable()),
            14 => format!("d!{}", self.value()),
            15 => format!("d?{}", self.own_variable()),
            16 => format!("c?eval({})", self.own_variable()),
            17 => format!("P{other}@S{other}"),
            18 => format!("(P{other}:a == {constant})"),
            _ => "timeout".into(),
        }
    }

    fn index(&mut self) -> String {
        match self.below(4) {
            0 => "0".into(),
            1 => "1".into(),
            2 => "a % 2".into(),
            _ => "b".into(),
        }
    }

    fn own_variable(&mut self) -> String {
        match self.below(6) {
            0 | 1 => "a".into(),
            2 | 3 => "b".into(),
            4 => "p".into(),
            _ => format!("v[{}]", self.index()),
        }
    }

    fn variable(&mut self) -> String {
        if self.one_in(3) {
            self.pick(&["g", "h"]).into()
        } else {
            self.own_variable()
        }
    }

    /// A small number.
    fn value(&mut self) -> String {
        let (x, y) = (self.variable(), self.variable());
        let constant = self.below(3);
        match self.below(6) {
            0 | 1 => constant.to_string(),
            2 => x,
            3 => format!("({x} + {constant}) % 3"),
            4 => format!("({x} + {y}) % 3"),
            _ => format!("{x} / {y}"),
        }
    }
}
