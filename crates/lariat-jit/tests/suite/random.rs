//! Compiled code agrees with the interpreter on random programs.
//!
//! The programs have many errors: indices out of range, divisions by zero, sequences that block or do not end. A
//! failing test prints the seed; `LARIAT_JIT_SEED=n` and `LARIAT_JIT_PROGRAMS=n` choose others.

use std::fmt::Write;
use std::time::Instant;

use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_stats::Rng;
use lariat_testkit::number;

use crate::common::model;
use crate::walks::{settings, walk};

/// A program that is being generated.
struct Writer {
    rng: Rng,
    text: String,
    /// The remaining nesting depth and number of statements.
    depth: u32,
    budget: u32,
    /// Inside a d_step, or in a process without local variables.
    inside: bool,
    labels: u32,
}

const GLOBALS: [&str; 9] = ["b", "c", "x", "y", "s", "n", "u3", "u7", "hid"];
const LOCALS: [&str; 4] = ["l0", "l1", "l2", "l3"];
const CHANNELS: [&str; 8] = ["q0", "q1", "q2", "q3", "qa[0]", "qa[1]", "qa[x % 2]", "r0"];

impl Writer {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.index(items.len())]
    }

    fn number(&mut self) -> String {
        let small = self.rng.below(4).to_string();
        let large = ["-1", "7", "255", "256", "-2147483647", "65535"];
        if self.rng.chance(0.85) {
            small
        } else {
            self.pick(&large).to_string()
        }
    }

    fn variable(&mut self) -> String {
        match self.rng.below(12) {
            0 => format!("a[{}]", self.index()),
            1 => format!("bits[{}]", self.index()),
            2 => format!("rec.f[{}]", self.index()),
            3 => "rec.g".into(),
            4 => format!("recs[{} % 2].g", self.index()),
            5..=7 => self.pick(&LOCALS).into(),
            _ => self.pick(&GLOBALS).into(),
        }
    }

    fn index(&mut self) -> String {
        match self.rng.below(8) {
            0..=2 => self.rng.below(3).to_string(),
            3 => "_pid".into(),
            4 => "x % 3".into(),
            5 => "u3 & 1".into(),
            6 => "l1".into(),
            _ => "a[1]".into(),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => self.number(),
                _ => self.variable(),
            };
        }
        let binary = [
            "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=",
            "&&", "||", "==", "!=", "&&", "+",
        ];
        match self.rng.below(16) {
            0 => format!("!({})", self.expression(depth - 1)),
            1 => format!("-({})", self.expression(depth - 1)),
            2 => format!("~({})", self.expression(depth - 1)),
            3 => format!("len({})", self.channel()),
            4 => {
                let query = self.pick(&["full", "empty", "nfull", "nempty"]);
                format!("{query}({})", self.channel())
            }
            5 => {
                let [a, b, c] = [(); 3].map(|()| self.expression(depth - 1));
                format!("({a} -> {b} : {c})")
            }
            6 => self
                .pick(&["_pid", "_nr_pr", "timeout", "np_", "_last"])
                .into(),
            7 => {
                let poll =
                    self.pick(&["q0?[eval(x)]", "q1??[1, _]", "q1?[_, 2]", "q2??[eval(l0)]"]);
                poll.into()
            }
            8 => self
                .pick(&["P0[1]:l0", "P1:l1", "P0[2]@mark", "P1@mark"])
                .into(),
            _ => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({a} {} {b})", self.pick(&binary))
            }
        }
    }

    fn channel(&mut self) -> &'static str {
        let index = self.rng.index(CHANNELS.len());
        CHANNELS[index]
    }

    /// A channel, and the number of fields of its messages; `lc` can be any.
    fn typed_channel(&mut self) -> (&'static str, usize) {
        match self.rng.below(12) {
            0 | 1 => ("q0", 1),
            2 | 3 => ("q1", 2),
            4 => ("q2", 1),
            5 => ("q3", 5),
            6 | 7 => ("r0", 1),
            8 => ("r1", 2),
            9 => ("qa[x % 2]", 2),
            10 => ("qa[l0]", 2),
            _ => ("lc", 1 + self.rng.index(2)),
        }
    }

    fn send(&mut self) -> String {
        let (channel, fields) = self.typed_channel();
        let op = if self.rng.chance(0.15) { "!!" } else { "!" };
        let values: Vec<String> = (0..fields).map(|_| self.expression(1)).collect();
        format!("{channel}{op}{}", values.join(","))
    }

    fn receive(&mut self) -> String {
        let (channel, fields) = self.typed_channel();
        let op = if self.rng.chance(0.25) { "??" } else { "?" };
        let mut patterns = Vec::new();
        for _ in 0..fields {
            let pattern = match self.rng.below(6) {
                0 => self.rng.below(3).to_string(),
                1 => format!("eval({})", self.expression(1)),
                2 => "_".into(),
                _ => self.variable(),
            };
            patterns.push(pattern);
        }
        let patterns = patterns.join(",");
        match self.rng.chance(0.1) {
            true => format!("{channel}{op}<{patterns}>"),
            false => format!("{channel}{op}{patterns}"),
        }
    }

    /// A statement in one line.
    fn simple(&mut self) -> String {
        match self.rng.below(24) {
            0..=8 => {
                let variable = self.variable();
                format!("{variable} = {}", self.expression(2))
            }
            9 => format!("{}++", self.variable()),
            10..=12 => self.send(),
            13..=15 => self.receive(),
            16 => format!("assert({} || b)", self.expression(1)),
            17 => format!("printf(\"%d\", {})", self.expression(1)),
            18 => "skip".into(),
            19 if !self.inside && self.rng.chance(0.4) => {
                let argument = self.expression(1);
                format!("(_nr_pr < 5) -> run P0({argument}, q0)")
            }
            20 => "lc = q2".into(),
            _ => self.expression(2),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text};");
    }

    fn sequence(&mut self) {
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        if self.budget == 0 || self.depth == 0 {
            let simple = self.simple();
            return self.line(&simple);
        }
        self.budget -= 1;
        self.depth -= 1;
        match self.rng.below(16) {
            0 | 1 => self.choice("if", "fi"),
            2 => self.choice("do", "od"),
            3 | 4 => {
                self.text.push_str("  atomic {\n");
                self.sequence();
                self.text.push_str("  };\n");
            }
            5 if !self.inside => {
                self.inside = true;
                self.text.push_str("  d_step {\n");
                self.sequence();
                self.text.push_str("  };\n");
                self.inside = false;
            }
            6 if !self.inside => {
                self.text.push_str("  {\n");
                self.sequence();
                self.text.push_str("  } unless {\n");
                self.sequence();
                self.text.push_str("  };\n");
            }
            7 => {
                self.labels += 1;
                let label = ["accept", "progress", "end"][self.rng.index(3)];
                let text = format!("{label}{}: skip", self.labels);
                self.line(&text);
            }
            _ => {
                let simple = self.simple();
                self.line(&simple);
            }
        }
        self.depth += 1;
    }

    fn choice(&mut self, begin: &str, end: &str) {
        let _ = writeln!(self.text, "  {begin}");
        for _ in 0..1 + self.rng.below(3) {
            let guard = self.simple();
            let _ = writeln!(self.text, "  :: {guard};");
            if self.rng.chance(0.7) {
                self.sequence();
            }
        }
        if begin == "do" {
            let guard = self.expression(1);
            let _ = writeln!(self.text, "  :: {guard} -> break");
        }
        if self.rng.chance(0.3) {
            let _ = writeln!(self.text, "  :: else");
        }
        let _ = writeln!(self.text, "  {end};");
    }

    fn process(&mut self, head: &str) {
        let _ = writeln!(self.text, "{head}\n  byte l1 = 1; short l2; bit l3;");
        self.line("skip");
        self.sequence();
        self.text.push_str("mark:\n");
        self.sequence();
        self.sequence();
        self.text.push_str("}\n");
    }
}

pub fn program(seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        text: "\
bit b = 1; bool c; byte x; byte y = 2; short s; int n; unsigned u3 : 3; unsigned u7 : 7;
hidden byte hid;
byte a[3] = 1; bit bits[3]; byte fixed = 3;
typedef R { short f[3]; unsigned g : 2; };
R rec; R recs[2];
chan q0 = [2] of { byte };
chan q1 = [2] of { byte, short };
chan q2 = [5] of { int };
chan q3 = [2] of { bit, byte, int, bool, short };
chan qa[2] = [1] of { bit, byte };
chan r0 = [0] of { byte };
chan r1 = [0] of { short, bit };
"
        .into(),
        depth: 3,
        budget: 14,
        inside: false,
        labels: 0,
    };
    if writer.rng.chance(0.3) {
        writer.text.push_str("byte _unused;\n");
    }
    writer.process("proctype P0(int l0; chan lc) {");
    writer.budget = 14;
    writer.process("active [2] proctype P1() { int l0; chan lc = r0;");
    let two = writer.rng.chance(0.5);
    writer.text.push_str("init { atomic { run P0(0, q0)");
    writer.text.push_str(if two {
        "; run P0(1, r0) } }\n"
    } else {
        " } }\n"
    });
    writer.text
}

#[test]
fn random_programs_agree() {
    let first = number("LARIAT_JIT_SEED", 1);
    let mut models = 0;
    let (mut expanded, mut interpreted) = (0, 0);
    let programs = number("LARIAT_JIT_PROGRAMS", 120);
    for seed in first..first + programs {
        let text = program(seed);
        let Some(model) = model("random.pml", text.clone(), seed % 5 == 0) else {
            continue;
        };
        models += 1;
        let start = Instant::now();
        let reduced = reduced(&model, Options::ALL, &Visible::default());
        for (liveness, reduce) in settings() {
            let model = if reduce { &reduced } else { &model };
            match walk(model, liveness, 150) {
                Ok(walk) => {
                    expanded += walk.expanded;
                    interpreted += walk.interpreted;
                }
                Err(difference) => {
                    panic!("seed {seed}, {liveness:?}, reduced: {reduce}: {difference}\n{text}")
                }
            }
        }
        if start.elapsed().as_secs() > 0 {
            println!("seed {seed} took {} ms", start.elapsed().as_millis());
        }
    }
    println!("{models} models, {expanded} states, {interpreted} by the interpreter");
    assert!(models * 4 > programs * 3, "{models} models");
    assert!(interpreted * 2 < expanded, "{interpreted} of {expanded}");
}
