//! The file of the transitions, `.tra`.
//!
//! ```text
//! 3 4          # states and transitions
//! 0 1 0.5      # source, target, probability
//! 0 2 1/2
//! 1 1 1
//! 2 2 1.0
//! ```
//!
//! PRISM writes the name of an action behind the probability of some transitions; it is ignored.
//! Files with choices (Markov decision processes) and rates (continuous time) are refused.

use crate::chain::{BLOCK, Rows};
use crate::lines::{Line, Lines, Word};
use crate::problem::{Place, Problem, Problems};
use crate::rows;
use std::io::{BufRead, Seek, SeekFrom};

/// The shortest line: `0 0 1` and its end.
const SHORTEST: u64 = 6;

/// The numbers in the first line.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub states: u32,
    pub transitions: u32,
    pub states_place: Place,
    transitions_place: Place,
}

/// A line with a transition.
pub(crate) struct Transition {
    pub source: u32,
    pub target: u32,
    pub probability: f64,
}

/// The transitions, in the order of the lines.
#[derive(Default)]
pub(crate) struct Listed {
    /// The sources; empty as long as the lines are sorted, because `ends` then determines them.
    pub sources: Vec<u32>,
    pub targets: Vec<u32>,
    pub probabilities: Vec<f64>,
    /// While the lines are sorted: for each state up to the last one read, the end of its lines.
    pub ends: Vec<u32>,
    pub is_unsorted: bool,
}

/// The rows of a file without errors. At most about `memory` bytes are used.
pub(crate) fn read(
    input: &mut (impl BufRead + Seek + ?Sized),
    memory: u64,
    problems: &mut Problems,
) -> Option<Rows> {
    let length = input.seek(SeekFrom::End(0)).unwrap_or(u64::MAX);
    if let Err(error) = input.seek(SeekFrom::Start(0)) {
        let message = format!("the file cannot be read: {error}");
        problems.fatal(Problem::new(Place::default(), message));
        return None;
    }
    let mut lines = Lines::new(&mut *input);
    let header = header(&mut lines, problems)?;
    let room = u64::from(header.transitions).min(length / SHORTEST + 1);
    if u64::from(header.states) > room {
        // The first line is not trusted: the allocation is never much larger than the file.
        problems.fatal(too_short(header));
        return None;
    }
    let bytes = |each: u64| room * each + room / BLOCK as u64 * 8 + u64::from(header.states) * 4;
    let mut listed = Listed::default();
    if bytes(12) > memory || !listed.reserve(header.states as usize, room as usize) {
        problems.fatal(too_large(header.transitions_place, bytes(12), memory));
        return None;
    }
    let mut count: u64 = 0;
    while let Some(line) = lines.next(problems) {
        count += 1;
        let Some(transition) = transition(line, Some(header), problems) else {
            continue;
        };
        if count > room || !problems.is_empty() {
            // Continue only to count, or to find more errors.
            continue;
        }
        if !listed.push(&transition) && bytes(32) > memory {
            let problem = too_large(line.place(), bytes(32), memory);
            problems.fatal(problem.help("sort the lines by source and target: that takes less"));
        }
    }
    if !problems.stopped && count != u64::from(header.transitions) {
        problems.report(wrong_count(header, count));
    }
    if !problems.is_empty() {
        return None;
    }
    rows::assemble(listed, header, input, problems)
}

impl Listed {
    /// Reserves memory; `false` if the limit does not allow it.
    fn reserve(&mut self, states: usize, transitions: usize) -> bool {
        self.targets.try_reserve_exact(transitions).is_ok()
            && self.probabilities.try_reserve_exact(transitions).is_ok()
            && self.ends.try_reserve_exact(states + 1).is_ok()
    }

    /// Adds a transition; `false` if it is the first that is out of order.
    fn push(&mut self, transition: &Transition) -> bool {
        let source = transition.source as usize;
        let mut in_order = true;
        if !self.is_unsorted {
            let same = self.ends.len() == source + 1;
            let descends = same && self.targets.last() > Some(&transition.target);
            if self.ends.len() > source + 1 || descends {
                self.name_sources();
                in_order = false;
            }
        }
        self.targets.push(transition.target);
        self.probabilities.push(transition.probability);
        if self.is_unsorted {
            self.sources.push(transition.source);
        } else {
            let before = self.targets.len() as u32 - 1;
            self.ends.resize(source + 1, before);
            self.ends[source] = before + 1;
        }
        in_order
    }

    /// From now on each transition is stored with its source.
    fn name_sources(&mut self) {
        let mut start = 0;
        for (source, &end) in self.ends.iter().enumerate() {
            self.sources.resize(end as usize, source as u32);
            start = end;
        }
        debug_assert_eq!(start as usize, self.targets.len());
        self.ends.clear();
        self.is_unsorted = true;
    }
}

/// The first line, or the second if the first is only the word `dtmc`.
fn header<R: BufRead>(lines: &mut Lines<R>, problems: &mut Problems) -> Option<Header> {
    let mut named = false;
    loop {
        let Some(line) = lines.next(problems) else {
            if !problems.stopped {
                let message =
                    "the file has no first line with the numbers of states and transitions";
                problems.fatal(Problem::new(lines.end(), message));
            }
            return None;
        };
        let words: Vec<Word> = line.words().take(5).collect();
        if let ([word], false) = (&words[..], named) {
            match &word.bytes.to_ascii_lowercase()[..] {
                b"dtmc" => {
                    named = true;
                    continue;
                }
                b"mdp" | b"ma" | b"pomdp" => problems.fatal(decisions(line.place())),
                b"ctmc" => problems.fatal(rates(line.place())),
                _ => problems.fatal(bad_header(line.place())),
            }
            return None;
        }
        let header = read_header(line, &words);
        return header.map_err(|problem| problems.fatal(problem)).ok();
    }
}

fn read_header(line: Line, words: &[Word]) -> Result<Header, Problem> {
    let numbers: Option<Vec<u64>> = words.iter().map(|word| word.number()).collect();
    let (states, transitions) = match numbers.as_deref() {
        Some([states, transitions]) => (*states, *transitions),
        Some([_, _, _] | [_, _, _, _]) => return Err(decisions(line.place())),
        _ => return Err(bad_header(line.place())),
    };
    let [states_place, transitions_place] = [words[0].place, words[1].place];
    let most = u64::from(u32::MAX) - 1;
    for (number, word) in [(states, words[0]), (transitions, words[1])] {
        if number > most {
            let message = format!("a chain can have no more than {most} states and transitions");
            return Err(Problem::new(word.place, message));
        }
    }
    if states == 0 {
        let message = "a chain has at least one state";
        return Err(Problem::new(states_place, message));
    }
    if states > transitions {
        let message = format!("{states} states cannot do with {transitions} transitions");
        return Err(Problem::new(line.place(), message).help(
            "each state has a row of transitions that sum to 1; one that is never left \
             has a transition to itself with probability 1",
        ));
    }
    Ok(Header {
        states: states as u32,
        transitions: transitions as u32,
        states_place,
        transitions_place,
    })
}

/// Parses a line as a transition. Without a header, errors are not reported.
pub(crate) fn transition(
    line: Line,
    header: Option<Header>,
    problems: &mut Problems,
) -> Option<Transition> {
    let mut words = line.words();
    let (source, target, probability) = (words.next()?, words.next(), words.next());
    let action = words.next();
    let states = header.map_or(u32::MAX, |header| header.states);
    let result = match (target, probability) {
        (Some(target), Some(probability)) => match action.map(|word| real(word.bytes)) {
            Some(Some(_)) => Err(decisions(line.place())),
            _ if words.next().is_some() => Err(bad_line(line.place())),
            _ => read_transition([source, target], probability, states),
        },
        _ => Err(bad_line(line.place())),
    };
    result.map_err(|problem| problems.report(problem)).ok()
}

fn read_transition(ends: [Word; 2], probability: Word, states: u32) -> Result<Transition, Problem> {
    let [source, target] = [read_state(ends[0], states)?, read_state(ends[1], states)?];
    Ok(Transition {
        source,
        target,
        probability: read_probability(probability)?,
    })
}

/// The number of a state.
pub(crate) fn read_state(word: Word, states: u32) -> Result<u32, Problem> {
    match word.number() {
        Some(number) if number < u64::from(states) => Ok(number as u32),
        _ if word.bytes.iter().all(u8::is_ascii_digit) && !word.bytes.is_empty() => {
            let message = format!("there is no state {}", word.text());
            let last = states - 1;
            Err(Problem::new(word.place, message)
                .help(format!("the states are numbered from 0 to {last}")))
        }
        _ => {
            let message = format!("`{}` is not the number of a state", word.text());
            Err(Problem::new(word.place, message))
        }
    }
}

fn read_probability(word: Word) -> Result<f64, Problem> {
    let problem = |message| Err(Problem::new(word.place, message));
    match real(word.bytes) {
        Some(0.0) => problem(format!("the probability `{}` is zero", word.text()))
            .map_err(|p: Problem| p.help("leave out a transition that is never taken")),
        Some(p) if p < 0.0 => problem(format!("the probability `{}` is negative", word.text())),
        Some(p) if p > 1.0 + rows::TOLERANCE => {
            let message = format!("the probability `{}` is greater than 1", word.text());
            problem(message).map_err(|p: Problem| p.help(RATES))
        }
        Some(p) if p > 0.0 => Ok(p),
        _ => problem(format!("`{}` is not a probability", word.text()))
            .map_err(|p: Problem| p.help("write a number such as 0.25, 2.5e-1 or 1/4")),
    }
}

/// A number: a decimal, with or without an exponent, or a fraction of two decimals.
fn real(bytes: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(bytes).ok()?;
    let number = |text: &str| -> Option<f64> {
        // Rust also parses names of infinity and NaN; they contain letters.
        let digits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        let value: f64 = digits.then(|| text.parse().ok())??;
        value.is_finite().then_some(value)
    };
    match text.split_once('/') {
        Some((above, below)) => {
            let value = number(above)? / number(below)?;
            value.is_finite().then_some(value)
        }
        None => number(text),
    }
}

const RATES: &str = "a chain in discrete time has probabilities, not rates; PRISM exports that of a \
                     model of type `dtmc`";

fn bad_header(place: Place) -> Problem {
    Problem::new(place, "expected the numbers of states and transitions")
        .help("the first line of a chain in PRISM's explicit format has two numbers, such as `4 7`")
}

fn bad_line(place: Place) -> Problem {
    Problem::new(place, "expected a source, a target and a probability")
        .help("for example `0 2 0.5`: a transition from state 0 to state 2 with probability 1/2")
}

fn decisions(place: Place) -> Problem {
    let message = "this is a process with choices (MDP), which has no probabilities of its own";
    Problem::new(place, message).help(
        "decide the choices first: a strategy makes a Markov chain of it, with lines of a source, \
         a target and a probability",
    )
}

fn rates(place: Place) -> Problem {
    let message = "this is a chain in continuous time (CTMC)";
    Problem::new(place, message).help(RATES)
}

fn wrong_count(header: Header, count: u64) -> Problem {
    let said = header.transitions;
    let message = format!("the first line says {said} transitions, but there are {count}");
    Problem::new(header.transitions_place, message)
        .help("correct the number, or check that the file is complete")
}

fn too_short(header: Header) -> Problem {
    let states = header.states;
    let message = format!("the file is too short for {states} states");
    Problem::new(header.states_place, message)
        .help("each state needs a transition; check that the file is complete")
}

pub(crate) fn too_large(place: Place, bytes: u64, memory: u64) -> Problem {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let (needed, allowed) = (megabytes(bytes), megabytes(memory));
    let message = format!("the chain needs {needed} MB of memory, and {allowed} MB are allowed");
    Problem::new(place, message)
}
