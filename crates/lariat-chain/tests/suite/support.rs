//! Random chains, and the exact probability that a run of one violates a formula.
//!
//! The probability is computed without the automata of the crate: each formula of the list has a small hand-written
//! monitor, and the condition that a bottom component must satisfy.

use lariat_chain::{Chain, ChainSampler, Options, Property, parse};
use lariat_ir::source::SourceMap;
use lariat_ltl::Limits;
use lariat_stats::Rng;
use std::collections::HashMap;
use std::sync::Arc;

/// The labels of a letter.
pub const A: u8 = 1;
pub const B: u8 = 2;

/// A formula over `a` and `b` with its monitor.
pub struct Shape {
    pub formula: &'static str,
    /// From the monitor's state before a letter to the state after it.
    pub update: fn(u8, u8) -> u8,
    /// Whether runs with exactly these pairs of monitor state and letter infinitely often satisfy it.
    pub holds: fn(&[(u8, u8)]) -> bool,
}

fn any(seen: &[(u8, u8)], test: impl Fn(u8, u8) -> bool) -> bool {
    seen.iter().any(|&(m, l)| test(m, l))
}

pub const SHAPES: [Shape; 14] = [
    Shape {
        formula: "F a",
        update: |m, l| m | (l & A),
        holds: |s| any(s, |m, l| m | l & A != 0),
    },
    Shape {
        formula: "G a",
        update: |m, l| m | (!l & A),
        holds: |s| !any(s, |m, l| m | !l & A != 0),
    },
    Shape {
        formula: "G F a",
        update: |_, _| 0,
        holds: |s| any(s, |_, l| l & A != 0),
    },
    Shape {
        formula: "F G a",
        update: |_, _| 0,
        holds: |s| !any(s, |_, l| l & A == 0),
    },
    Shape {
        formula: "a U b",
        update: until,
        holds: |s| !any(s, |m, l| until(m, l) != 1),
    },
    Shape {
        formula: "a W b",
        update: until,
        holds: |s| !any(s, |m, l| until(m, l) == 2),
    },
    Shape {
        formula: "G (a -> F b)",
        update: pending,
        holds: |s| any(s, |_, l| l & B != 0) || !any(s, |m, l| pending(m, l) == 1),
    },
    Shape {
        formula: "G F a -> G F b",
        update: |_, _| 0,
        holds: |s| any(s, |_, l| l & B != 0) || !any(s, |_, l| l & A != 0),
    },
    Shape {
        formula: "F G a || G F b",
        update: |_, _| 0,
        holds: |s| !any(s, |_, l| l & A == 0) || any(s, |_, l| l & B != 0),
    },
    Shape {
        formula: "G F (a && X b)",
        update: |_, l| l & A,
        holds: |s| any(s, |m, l| m != 0 && l & B != 0),
    },
    Shape {
        formula: "F G (a -> X b)",
        update: |_, l| l & A,
        holds: |s| !any(s, |m, l| m != 0 && l & B == 0),
    },
    Shape {
        formula: "G F a <-> G F b",
        update: |_, _| 0,
        holds: |s| any(s, |_, l| l & A != 0) == any(s, |_, l| l & B != 0),
    },
    Shape {
        formula: "X X a",
        update: |m, l| match m {
            0 => 1,
            1 => 2,
            2 if l & A != 0 => 3,
            2 => 4,
            m => m,
        },
        holds: |s| !any(s, |m, _| m != 3),
    },
    Shape {
        formula: "(F G a && G F b) || F (b && X !a)",
        update: step_down,
        holds: |s| {
            any(s, |m, l| step_down(m, l) == 2)
                || !any(s, |_, l| l & A == 0) && any(s, |_, l| l & B != 0)
        },
    },
];

/// 0: still open, 1: fulfilled, 2: failed.
fn until(m: u8, l: u8) -> u8 {
    match (m, l & B != 0, l & A != 0) {
        (0, true, _) => 1,
        (0, false, false) => 2,
        _ => m,
    }
}

/// 1: a request is open.
fn pending(m: u8, l: u8) -> u8 {
    match (l & B != 0, l & A != 0) {
        (true, _) => 0,
        (false, true) => 1,
        _ => m,
    }
}

/// 1: `b` just now; 2: `b` and then no `a`.
fn step_down(m: u8, l: u8) -> u8 {
    match (m, l & A != 0, l & B != 0) {
        (2, ..) | (1, false, _) => 2,
        (_, _, true) => 1,
        _ => 0,
    }
}

/// The reference form of a chain.
#[derive(Debug)]
pub struct Plain {
    pub rows: Vec<Vec<(usize, f64)>>,
    pub letters: Vec<u8>,
    pub initial: Vec<usize>,
}

impl Plain {
    pub fn random(rng: &mut Rng) -> Self {
        let states = (1 + rng.index(10)).min(7);
        let mut rows = Vec::new();
        let absorbing = 0.8 * rng.unit();
        for state in 0..states {
            if rng.chance(absorbing) {
                rows.push(vec![(state, 1.0)]);
                continue;
            }
            let mut targets: Vec<usize> = (0..states).collect();
            rng.shuffle(&mut targets);
            targets.truncate(1 + rng.index(3));
            // Powers make some transitions rare.
            let power = if rng.chance(0.3) { 3 } else { 1 };
            let weights: Vec<f64> = targets
                .iter()
                .map(|_| (0.1 + rng.unit()).powi(power))
                .collect();
            let sum: f64 = weights.iter().sum();
            rows.push(
                targets
                    .into_iter()
                    .zip(weights.iter().map(|w| w / sum))
                    .collect(),
            );
        }
        let density = [0.2 + 0.6 * rng.unit(), 0.2 + 0.6 * rng.unit()];
        let letter = |rng: &mut Rng| {
            u8::from(rng.chance(density[0])) * A + u8::from(rng.chance(density[1])) * B
        };
        let letters = (0..states).map(|_| letter(rng)).collect();
        let mut initial: Vec<usize> = (0..states).collect();
        rng.shuffle(&mut initial);
        initial.truncate(1 + rng.index(2));
        Plain {
            rows,
            letters,
            initial,
        }
    }

    pub fn chain(&self) -> Chain {
        let count: usize = self.rows.iter().map(Vec::len).sum();
        let mut transitions = format!("{} {count}\n", self.rows.len());
        for (state, row) in self.rows.iter().enumerate() {
            for (target, p) in row {
                transitions += &format!("{state} {target} {p:e}\n");
            }
        }
        let mut labels = "0=\"a\" 1=\"b\" 7=\"init\"\n".to_string();
        for (state, letter) in self.letters.iter().enumerate() {
            let has = [
                (letter & A != 0, 0),
                (letter & B != 0, 1),
                (self.initial.contains(&state), 7),
            ];
            labels += &format!("{state}:");
            for (_, number) in has.iter().filter(|(has, _)| *has) {
                labels += &format!(" {number}");
            }
            labels += "\n";
        }
        chain(&transitions, &labels)
    }

    /// The probability that a run violates the formula of a shape.
    pub fn probability(&self, shape: &Shape) -> f64 {
        let (nodes, edges) = self.product(shape);
        let size = nodes.len();
        let mut reaches = vec![vec![false; size]; size];
        for (from, row) in edges.iter().enumerate() {
            reaches[from][from] = true;
            row.iter().for_each(|&(to, _)| reaches[from][to] = true);
        }
        for k in 0..size {
            for i in 0..size {
                for j in 0..size {
                    reaches[i][j] |= reaches[i][k] && reaches[k][j];
                }
            }
        }
        let is_bottom = |v: usize| (0..size).all(|w| !reaches[v][w] || reaches[w][v]);
        let violates = |v: usize| {
            let component = (0..size).filter(|&w| reaches[v][w]);
            let seen: Vec<_> = component
                .map(|w| (nodes[w].1, self.letters[nodes[w].0]))
                .collect();
            !(shape.holds)(&seen)
        };
        // x = 1 or 0 in bottom components, elsewhere the mean of the successors.
        let mut system = vec![vec![0.0; size + 1]; size];
        for v in 0..size {
            system[v][v] = 1.0;
            if is_bottom(v) {
                system[v][size] = f64::from(u8::from(violates(v)));
            } else {
                edges[v].iter().for_each(|&(to, p)| system[v][to] -= p);
            }
        }
        let solution = solve(system);
        (0..self.initial.len()).map(|v| solution[v]).sum::<f64>() / self.initial.len() as f64
    }

    /// The states of the product with the monitor, the initial ones first, and its edges.
    #[allow(clippy::type_complexity)]
    fn product(&self, shape: &Shape) -> (Vec<(usize, u8)>, Vec<Vec<(usize, f64)>>) {
        let mut nodes: Vec<(usize, u8)> = self.initial.iter().map(|&s| (s, 0)).collect();
        let mut known: HashMap<(usize, u8), usize> = nodes
            .iter()
            .enumerate()
            .map(|(i, &node)| (node, i))
            .collect();
        let mut edges = Vec::new();
        while edges.len() < nodes.len() {
            let (state, memory) = nodes[edges.len()];
            let memory = (shape.update)(memory, self.letters[state]);
            let mut row = Vec::new();
            for &(target, p) in &self.rows[state] {
                let next = nodes.len();
                let number = *known.entry((target, memory)).or_insert(next);
                if number == next {
                    nodes.push((target, memory));
                }
                row.push((number, p));
            }
            edges.push(row);
        }
        (nodes, edges)
    }
}

/// Gauss-Jordan elimination with pivots.
fn solve(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    let size = system.len();
    for column in 0..size {
        let best = (column..size)
            .max_by(|&i, &j| system[i][column].abs().total_cmp(&system[j][column].abs()))
            .unwrap();
        system.swap(column, best);
        let pivot = system[column].clone();
        for (i, row) in system.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            if i != column && factor != 0.0 {
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    (0..size).map(|i| system[i][size] / system[i][i]).collect()
}

/// A chain from valid texts.
pub fn chain(transitions: &str, labels: &str) -> Chain {
    let mut sources = SourceMap::default();
    let labels = Some(("test.lab", labels));
    parse(&mut sources, ("test.tra", transitions), labels, 1 << 30).unwrap()
}

pub fn sampler(chain: &Chain, formula: &str, options: Options) -> (ChainSampler, Arc<Property>) {
    let mut sources = SourceMap::default();
    let property = Property::parse(
        &mut sources,
        chain,
        ("formula", formula),
        &Limits::default(),
    );
    let property = Arc::new(property.unwrap());
    let sampler = ChainSampler::new(chain, property.clone(), options).unwrap();
    (sampler, property)
}
