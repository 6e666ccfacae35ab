//! The file of the labels, `.lab`.
//!
//! ```text
//! 0="init" 1="deadlock" 2="goal"
//! 0: 0
//! 4: 2
//! ```
//!
//! A state that is not listed has no labels. The states with the label `init` are the initial ones.

use crate::chain::Labelling;
use crate::lines::{Line, Lines, Word};
use crate::problem::{Place, Problem, Problems};
use crate::transitions::{read_state, too_large};
use std::collections::HashMap;
use std::io::{BufRead, Seek, SeekFrom};

/// The label of the initial states.
const INITIAL: &str = "init";

/// Without a file: no labels, and state 0 is initial.
pub(crate) fn none() -> Labelling {
    Labelling {
        sets: vec![Box::default()],
        initial: vec![0],
        ..Labelling::default()
    }
}

/// The labels of a file without errors. At most about `memory` bytes are used.
pub(crate) fn read(
    input: &mut (impl BufRead + Seek + ?Sized),
    states: u32,
    memory: u64,
    problems: &mut Problems,
) -> Option<Labelling> {
    if let Err(error) = input.seek(SeekFrom::Start(0)) {
        let message = format!("the file cannot be read: {error}");
        problems.fatal(Problem::new(Place::default(), message));
        return None;
    }
    let mut lines = Lines::new(input);
    let Some(line) = lines.next(problems) else {
        if !problems.stopped {
            let message = "the file has no first line with the names of the labels";
            problems.fatal(Problem::new(lines.end(), message).help(HEADER));
        }
        return None;
    };
    let declared = line.place();
    let mut reader = Reader {
        declared: declare(line, problems)?,
        labelling: none(),
        numbers: HashMap::from([(Box::default(), 0)]),
        bytes: u64::from(states) * 4,
        memory,
    };
    if !reader.reserve(states) {
        problems.fatal(too_large(declared, reader.bytes, memory));
        return None;
    }
    while let Some(line) = lines.next(problems) {
        if let Err(problem) = reader.line(line, states) {
            problems.report(problem);
        }
    }
    reader.finish(declared, problems)
}

struct Reader {
    declared: Declared,
    labelling: Labelling,
    /// The sets of labels so far.
    numbers: HashMap<Box<[u32]>, u32>,
    bytes: u64,
    memory: u64,
}

/// The labels of the first line.
struct Declared {
    names: Vec<String>,
    /// From the numbers in the file to the indices of names.
    indices: HashMap<u64, u32>,
}

/// The bytes of a set of labels, stored twice, besides its numbers.
const BYTES_FOR_A_SET: u64 = 80;

impl Reader {
    fn reserve(&mut self, states: u32) -> bool {
        let sets = &mut self.labelling.sets_of_states;
        if self.bytes > self.memory || sets.try_reserve_exact(states as usize).is_err() {
            return false;
        }
        sets.resize(states as usize, 0);
        true
    }

    /// A line such as `4: 2 3`.
    fn line(&mut self, line: Line, states: u32) -> Result<(), Problem> {
        let Some(colon) = line.bytes().iter().position(|&b| b == b':') else {
            let message = "expected the number of a state, a colon and the numbers of its labels";
            return Err(Problem::new(line.place(), message)
                .help("a line such as `4: 2 3` gives state 4 the labels 2 and 3"));
        };
        let state = read_state(trimmed(line, colon), states)?;
        let mut set = Vec::new();
        for word in line.words_from(colon + 1) {
            set.push(self.label(word)?);
        }
        set.sort_unstable();
        set.dedup();
        let number = self.number(set.into(), line.place())?;
        let known = &mut self.labelling.sets_of_states[state as usize];
        if *known != 0 {
            let message = format!("state {state} has a second line");
            return Err(
                Problem::new(line.place(), message).help("write all labels of a state in one line")
            );
        }
        *known = number;
        Ok(())
    }

    /// The index of a label by its number in the file.
    fn label(&self, word: Word) -> Result<u32, Problem> {
        let known = word.number().and_then(|n| self.declared.indices.get(&n));
        known.copied().ok_or_else(|| {
            let message = match word.number() {
                Some(number) => format!("there is no label with the number {number}"),
                None => format!("`{}` is not the number of a label", word.text()),
            };
            Problem::new(word.place, message)
                .help("the first line gives each label a number, such as 2=\"goal\"")
        })
    }

    /// The number of a set of labels.
    fn number(&mut self, set: Box<[u32]>, place: Place) -> Result<u32, Problem> {
        if let Some(&number) = self.numbers.get(&set) {
            return Ok(number);
        }
        self.bytes += BYTES_FOR_A_SET + set.len() as u64 * 8;
        if self.bytes > self.memory {
            return Err(too_large(place, self.bytes, self.memory));
        }
        let number = self.labelling.sets.len() as u32;
        self.labelling.sets.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }

    fn finish(mut self, declared: Place, problems: &mut Problems) -> Option<Labelling> {
        if !problems.is_empty() {
            return None;
        }
        let initial = self.declared.names.iter().position(|name| name == INITIAL);
        if let Some(label) = initial {
            let has = |set: u32| self.labelling.sets[set as usize].contains(&(label as u32));
            let begins: Vec<bool> = (0..self.labelling.sets.len() as u32).map(has).collect();
            let sets = self.labelling.sets_of_states.iter().enumerate();
            let states = sets.filter(|(_, set)| begins[**set as usize]);
            self.labelling.initial = states.map(|(state, _)| state as u32).collect();
            if self.labelling.initial.is_empty() {
                let message = format!("no state has the label `{INITIAL}`");
                problems.report(Problem::new(declared, message).help(format!(
                    "give it to the states in which runs begin, or leave out `{INITIAL}`: then runs \
                     begin in state 0"
                )));
                return None;
            }
        }
        self.labelling.names = self.declared.names;
        Some(self.labelling)
    }
}

/// The text before the colon, without blanks.
fn trimmed(line: Line<'_>, colon: usize) -> Word<'_> {
    let bytes = &line.bytes()[..colon];
    let start = colon - bytes.trim_ascii_start().len();
    line.part(start, start + bytes.trim_ascii().len())
}

const HEADER: &str = "it is such as `0=\"init\" 1=\"deadlock\" 2=\"goal\"`";

/// The labels of the first line.
fn declare(line: Line, problems: &mut Problems) -> Option<Declared> {
    let mut declared = Declared {
        names: Vec::new(),
        indices: HashMap::new(),
    };
    let mut known: HashMap<String, u32> = HashMap::new();
    for word in line.words() {
        let problem = |message| Problem::new(word.place, message);
        let Some((number, name)) = declaration(word) else {
            let message = format!("`{}` does not declare a label", word.text());
            problems.report(problem(message).help(HEADER));
            continue;
        };
        let index = declared.names.len() as u32;
        if declared.indices.insert(number, index).is_some() {
            problems.report(problem(format!(
                "there are two labels with the number {number}"
            )));
        }
        if known.insert(name.clone(), index).is_some() {
            problems.report(problem(format!(
                "there are two labels with the name `{name}`"
            )));
        }
        declared.names.push(name);
    }
    problems.is_empty().then_some(declared)
}

/// The parts of `2="goal"`.
fn declaration(word: Word) -> Option<(u64, String)> {
    let equals = word.bytes.iter().position(|&b| b == b'=')?;
    let number = Word {
        bytes: &word.bytes[..equals],
        place: word.place,
    };
    let quoted = word.bytes[equals + 1..].strip_prefix(b"\"")?;
    let name = std::str::from_utf8(quoted.strip_suffix(b"\"")?).ok()?;
    let is_name = !name.is_empty() && !name.contains(|c: char| c == '"' || c.is_control());
    is_name.then_some(())?;
    Some((number.number()?, name.to_string()))
}
