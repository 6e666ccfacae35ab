//! A chain from its two files.

use crate::chain::{Chain, Parts};
use crate::problem::Problems;
use crate::{labels, transitions};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::SourceMap;
use std::io::{BufRead, Cursor, Seek};

/// An input that can be read line by line, and a second time to show its errors.
pub trait Source: BufRead + Seek {}

impl<T: BufRead + Seek> Source for T {}

/// A file and its name in messages.
pub struct Input<'a> {
    /// The name.
    pub name: &'a str,
    /// Its contents.
    pub source: &'a mut dyn Source,
}

/// Reads a chain: the transitions, and the labels if they are given.
///
/// At most about `memory` bytes are used: 12.5 for each transition and 8 for each state, and 20 more for each
/// transition if the lines are not sorted by source and target. A file that needs more is refused. The texts are not
/// kept. If there are errors, the texts, or their first 64 MB, are put into `sources`, and messages are returned
/// instead of a chain.
pub fn read(
    sources: &mut SourceMap,
    transitions: Input,
    labels: Option<Input>,
    memory: u64,
) -> Result<Chain, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let rows = transitions::read(transitions.source, memory, &mut problems);
    let Some(rows) = rows else {
        return Err(problems.diagnostics(sources, transitions.name, transitions.source));
    };
    let states = rows.offsets.len() as u32 - 1;
    let used = rows.offsets.len() * 4 + rows.targets.len() * 12 + rows.sums.len() * 8;
    let Some(labels) = labels else {
        let labelling = labels::none();
        return Ok(Chain::new(Parts { rows, labelling }));
    };
    let memory = memory.saturating_sub(used as u64);
    match labels::read(labels.source, states, memory, &mut problems) {
        Some(labelling) => Ok(Chain::new(Parts { rows, labelling })),
        None => Err(problems.diagnostics(sources, labels.name, labels.source)),
    }
}

/// Reads a chain from texts, each with a name; see [`read`].
///
/// ```
/// let mut sources = lariat_ir::source::SourceMap::default();
/// let transitions = ("coin.tra", "3 4\n0 1 0.5\n0 2 1/2\n1 1 1\n2 2 1\n");
/// let labels = ("coin.lab", "0=\"init\" 1=\"heads\"\n0: 0\n1: 1\n");
/// let chain = lariat_chain::parse(&mut sources, transitions, Some(labels), 1 << 20).unwrap();
/// assert_eq!(chain.targets(0), [1, 2]);
/// assert_eq!(chain.labels_of(1), [1]);
/// ```
pub fn parse(
    sources: &mut SourceMap,
    transitions: (&str, &str),
    labels: Option<(&str, &str)>,
    memory: u64,
) -> Result<Chain, Vec<Diagnostic>> {
    let mut first = Cursor::new(transitions.1);
    let mut second = Cursor::new(labels.map_or("", |labels| labels.1));
    let labels = labels.map(|(name, _)| Input {
        name,
        source: &mut second,
    });
    let transitions = Input {
        name: transitions.0,
        source: &mut first,
    };
    read(sources, transitions, labels, memory)
}
