//! From transitions to rows, and the validity of rows.
//!
//! The probabilities of a row may miss 1 by [`TOLERANCE`], the default of PRISM, because files have few digits; they
//! are divided by their sum.

use crate::chain::Rows;
use crate::lines::Lines;
use crate::problem::{Place, Problem, Problems};
use crate::transitions::{Header, Listed, transition};
use lariat_ir::diagnostic::MAX_ERRORS;
use std::io::{BufRead, Seek, SeekFrom};

/// The largest distance of the sum of a row from 1.
pub(crate) const TOLERANCE: f64 = 1e-5;

/// An error in the row of a state.
struct Fault {
    state: u32,
    kind: Kind,
    /// The first lines that it concerns.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Kind {
    Missing,
    Sum(f64),
    Twice(u32),
}

/// The rows, if they have no errors. Otherwise the file is read again to find the lines with errors.
pub(crate) fn assemble(
    listed: Listed,
    header: Header,
    input: &mut (impl BufRead + Seek + ?Sized),
    problems: &mut Problems,
) -> Option<Rows> {
    let mut rows = match listed.is_unsorted {
        true => sorted(listed, header.states),
        false => in_order(listed, header.states),
    };
    let mut faults = check(&mut rows);
    if faults.is_empty() {
        rows.add_up();
        return Some(rows);
    }
    locate(&mut faults, input);
    for fault in &faults {
        problems.report(fault.problem(header));
    }
    None
}

/// The rows of sorted transitions.
fn in_order(mut listed: Listed, states: u32) -> Rows {
    let count = listed.targets.len() as u32;
    let mut offsets = listed.ends;
    offsets.resize(states as usize, count);
    offsets.insert(0, 0);
    listed.targets.shrink_to_fit();
    listed.probabilities.shrink_to_fit();
    Rows {
        offsets,
        targets: listed.targets,
        probabilities: listed.probabilities,
        sums: Vec::new(),
    }
}

/// The rows of transitions in any order.
fn sorted(listed: Listed, states: u32) -> Rows {
    let mut order: Vec<u32> = (0..listed.targets.len() as u32).collect();
    let key = |&i: &u32| (listed.sources[i as usize], listed.targets[i as usize]);
    order.sort_by_key(key);
    let mut offsets = vec![0; states as usize + 1];
    for &source in &listed.sources {
        offsets[source as usize + 1] += 1;
    }
    let mut sum = 0;
    for offset in &mut offsets {
        sum += *offset;
        *offset = sum;
    }
    let target = |&i: &u32| listed.targets[i as usize];
    let probability = |&i: &u32| listed.probabilities[i as usize];
    Rows {
        offsets,
        targets: order.iter().map(target).collect(),
        probabilities: order.iter().map(probability).collect(),
        sums: Vec::new(),
    }
}

/// Scales the rows to the sum 1, and collects those with errors, at most as many as are reported.
fn check(rows: &mut Rows) -> Vec<Fault> {
    let mut faults = Vec::new();
    for state in 0..rows.offsets.len() - 1 {
        let range = rows.offsets[state] as usize..rows.offsets[state + 1] as usize;
        let targets = &rows.targets[range.clone()];
        let row = &mut rows.probabilities[range];
        let sum: f64 = row.iter().sum();
        let twice = targets.windows(2).find(|pair| pair[0] == pair[1]);
        let kind = match twice {
            Some(pair) => Kind::Twice(pair[0]),
            None if row.is_empty() => Kind::Missing,
            None if (sum - 1.0).abs() > TOLERANCE => Kind::Sum(sum),
            None => {
                if sum != 1.0 {
                    row.iter_mut().for_each(|p| *p /= sum);
                }
                continue;
            }
        };
        faults.push(Fault {
            state: state as u32,
            kind,
            places: Vec::new(),
        });
        if faults.len() >= MAX_ERRORS {
            break;
        }
    }
    faults
}

/// Finds the lines of the errors.
fn locate(faults: &mut [Fault], input: &mut (impl BufRead + Seek + ?Sized)) {
    if input.seek(SeekFrom::Start(0)).is_err() {
        return;
    }
    let mut lines = Lines::new(input);
    let mut silent = Problems::default();
    while let Some(line) = lines.next(&mut silent) {
        let place = line.place();
        let found = transition(line, None, &mut silent);
        silent.list.clear();
        let Some(found) = found else { continue };
        let Ok(fault) = faults.binary_search_by_key(&found.source, |f| f.state) else {
            continue;
        };
        let fault = &mut faults[fault];
        let belongs = match fault.kind {
            Kind::Missing => false,
            Kind::Sum(_) => fault.places.is_empty(),
            Kind::Twice(target) => target == found.target && fault.places.len() < 2,
        };
        if belongs {
            fault.places.push(place);
        }
    }
}

impl Fault {
    fn problem(&self, header: Header) -> Problem {
        let state = self.state;
        let first = self.places.first().copied();
        let place = first.unwrap_or(header.states_place);
        match self.kind {
            Kind::Missing => {
                Problem::new(place, format!("state {state} has no transition")).help(format!(
                    "for a state that is never left, add the line `{state} {state} 1`; states are numbered from 0"
                ))
            }
            Kind::Sum(sum) => {
                let message = format!("the probabilities of state {state} sum to {sum}, not to 1");
                Problem::new(place, message)
                    .label("the row begins here")
                    .help(format!(
                        "the sum may miss 1 by {TOLERANCE}, for rounding; with rates in place of \
                         probabilities this is no chain in discrete time"
                    ))
            }
            Kind::Twice(target) => {
                let message = format!("there are two transitions from state {state} to {target}");
                let again = self.places.get(1).copied().unwrap_or(place);
                Problem::new(again, message)
                    .related(place, "the first one")
                    .help("merge them into one transition with the sum of their probabilities")
            }
        }
    }
}
