//! Which words are states of a model.
//!
//! Executors find processes and channels by what the words of a state say, and index tables with
//! locations and lengths that they read there. Words that come from outside (a file, a caller of the
//! library) are therefore judged by a [`Validator`] first. It accepts words with
//!
//! - the blocks of a state: the global variables, then whole blocks of types that the model has, or
//!   exactly the blocks of the layout;
//! - the channels that every state has, in front and with their types;
//! - for every process a location that its type has; in a layout one that it can reach, since a
//!   process that could end or create something elsewhere would not fit the layout;
//! - for every channel no more messages than fit;
//! - a monitor, if there is one, at one of its locations, or in a set of them.
//!
//! The values of variables are not judged: indices, numbers of channels and numbers of processes are
//! checked where they are used. A step from an accepted state leads to an accepted state.

use crate::layout::{Layout, leading_channels, reachable};
use crate::model::{Model, Monitor};
use crate::state::{CHANNEL, COUNT_MASK, MAX_WORDS, TYPE_SHIFT};
use crate::types::Scalar;

/// Tells the states of a model from other words.
#[derive(Clone, Debug)]
pub struct Validator {
    blocks: Blocks,
    /// Which locations are allowed, where not all are: [`Limited::allowed`] is an index into this.
    allowed: Vec<bool>,
    /// Where a number is that must be below a limit, beside those of the blocks: that of the monitor.
    monitor: Option<Limited>,
}

#[derive(Clone, Debug)]
enum Blocks {
    /// The blocks of a layout: the words of a state, and its locations and lengths.
    Placed {
        words: usize,
        locations: Vec<Limited>,
        lengths: Vec<Limited>,
    },
    /// A stack of blocks with headers.
    Stacked {
        /// The words of the global variables.
        globals: usize,
        /// The first blocks of every state: their headers without the length.
        leading: Vec<u32>,
        processes: Vec<Kind>,
        channels: Vec<Kind>,
    },
}

/// Blocks of a type.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// The words, with the header.
    words: usize,
    /// The location or length is below this.
    limit: u32,
}

/// A number in a state that must be below a limit. It lies in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The word.
    word: u32,
    /// The lowest bit in the word.
    shift: u32,
    /// The bits, moved to the bottom of a word.
    mask: u32,
    /// What the bits are if the number is zero: the type, if it is a header.
    base: u32,
    /// The number is less than this.
    limit: u32,
    /// Where the table of allowed numbers begins, if not all below the limit are.
    allowed: Option<u32>,
}

impl Limited {
    /// Whether the number is below its limit.
    #[inline]
    pub fn holds(&self, words: &[u32]) -> bool {
        self.number(words).is_some()
    }

    #[inline]
    fn number(&self, words: &[u32]) -> Option<u32> {
        let word = words.get(self.word as usize)?;
        let number = (word >> self.shift & self.mask).wrapping_sub(self.base);
        (number < self.limit).then_some(number)
    }

    /// A number at a bit of a state.
    fn at(bit: u32, bits: u8, limit: usize) -> Limited {
        Limited {
            word: bit / 32,
            shift: bit % 32,
            mask: u32::MAX >> (32 - u32::from(bits)),
            base: 0,
            limit: limit as u32,
            allowed: None,
        }
    }

    /// A location or length in a header, together with the type.
    fn header(at: usize, header: u32, limit: u32) -> Limited {
        Limited {
            word: at as u32,
            shift: 0,
            mask: u32::MAX,
            base: header & !COUNT_MASK,
            limit,
            allowed: None,
        }
    }
}

impl Validator {
    /// For the states of a model.
    pub fn new(model: &Model) -> Self {
        let monitor = model.monitor.as_ref().map(|monitor| {
            let Scalar { bits, .. } = monitor.place.scalar;
            let locations = monitor.locations.len();
            let limit = match monitor.set {
                // Any set of locations; there are at most `Monitor::MAX_SET`.
                true => 1 << locations.min(Monitor::MAX_SET),
                false => locations,
            };
            Limited::at(monitor.place.offset, bits, limit)
        });
        let mut allowed = Vec::new();
        let blocks = match &model.layout {
            Some(layout) => placed(model, layout, &mut allowed),
            None => stacked(model),
        };
        Validator {
            blocks,
            allowed,
            monitor,
        }
    }

    /// Whether these words are a state.
    pub fn accepts(&self, words: &[u32]) -> bool {
        self.walk(words, |_, _| {})
    }

    /// Puts the conditions into `out`, which is emptied, that the lengths of channels and the monitor
    /// fulfil in all states with the same blocks as `words`; answers whether these are a state.
    pub fn conditions(&self, words: &[u32], out: &mut Vec<Limited>) -> bool {
        out.clear();
        self.walk(words, |limited, is_process| {
            if !is_process {
                out.push(limited);
            }
        })
    }

    fn holds(&self, limited: &Limited, words: &[u32]) -> bool {
        limited.number(words).is_some_and(|number| {
            (limited.allowed).is_none_or(|first| self.allowed[(first + number) as usize])
        })
    }

    /// Judges all locations and lengths of a state, and the monitor.
    fn walk(&self, words: &[u32], mut visit: impl FnMut(Limited, bool)) -> bool {
        let mut judge = |limited: Limited, is_process: bool| {
            visit(limited, is_process);
            self.holds(&limited, words)
        };
        let blocks = match &self.blocks {
            Blocks::Placed {
                words: len,
                locations,
                lengths,
            } => {
                words.len() == *len
                    && locations.iter().all(|&location| judge(location, true))
                    && lengths.iter().all(|&length| judge(length, false))
            }
            Blocks::Stacked {
                globals,
                leading,
                processes,
                channels,
            } => {
                if words.len() > MAX_WORDS {
                    return false;
                }
                let mut at = *globals;
                let mut leading = leading.iter();
                while let Some(&header) = words.get(at) {
                    let expected = leading
                        .next()
                        .is_none_or(|&tag| tag == header & !COUNT_MASK);
                    let kinds = match header & CHANNEL {
                        0 => processes,
                        _ => channels,
                    };
                    let ty = (header & !CHANNEL) >> TYPE_SHIFT;
                    let Some(kind) = kinds.get(ty as usize).filter(|_| expected) else {
                        return false;
                    };
                    if !judge(
                        Limited::header(at, header, kind.limit),
                        header & CHANNEL == 0,
                    ) {
                        return false;
                    }
                    at += kind.words;
                }
                at == words.len() && leading.next().is_none()
            }
        };
        blocks && self.monitor.is_none_or(|at| judge(at, false))
    }
}

fn placed(model: &Model, layout: &Layout, allowed: &mut Vec<bool>) -> Blocks {
    let (mut locations, mut lengths) = (Vec::new(), Vec::new());
    let tables: Vec<Option<u32>> = (model.processes.iter())
        .map(|process| {
            let reachable = reachable(process);
            let first = allowed.len() as u32;
            let has_gaps = reachable.contains(&false);
            allowed.extend(reachable.into_iter().filter(|_| has_gaps));
            has_gaps.then_some(first)
        })
        .collect();
    for block in &layout.processes {
        let count = model.processes[block.ty].locations.len();
        locations.push(Limited {
            allowed: tables[block.ty],
            ..Limited::at(block.count, block.count_bits, count)
        });
    }
    for block in layout.channels.iter().filter(|b| b.count_bits > 0) {
        let capacity = model.channels[block.ty].capacity as usize;
        lengths.push(Limited::at(block.count, block.count_bits, capacity + 1));
    }
    Blocks::Placed {
        words: layout.words,
        locations,
        lengths,
    }
}

fn stacked(model: &Model) -> Blocks {
    let leading = leading_channels(model).into_iter();
    Blocks::Stacked {
        globals: model.globals.words(),
        leading: leading
            .map(|ty| CHANNEL | (ty as u32) << TYPE_SHIFT)
            .collect(),
        processes: (model.processes.iter())
            .map(|p| Kind {
                words: 1 + p.frame.words(),
                limit: p.locations.len() as u32,
            })
            .collect(),
        channels: (model.channels.iter())
            .map(|c| Kind {
                words: 1 + c.words(),
                limit: c.capacity + 1,
            })
            .collect(),
    }
}
