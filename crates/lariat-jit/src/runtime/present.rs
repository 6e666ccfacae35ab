//! The present state: its tables, its validity, and the locations of its processes.
#![allow(unsafe_code)]

use std::slice;

use lariat_ir::state::{CHANNEL, COUNT_MASK, TYPE_SHIFT};

use super::conditions::Observed;
use super::context::Raw;
use super::{NOTHING_SCANNED, Runtime, SLACK};

/// The position of the location of a process in all states with the same blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocationField {
    /// The byte of the location, or of the header.
    byte: u32,
    /// The value there for location 0.
    tag: u32,
    /// The number of locations of its type.
    limit: u32,
    /// The number of the first of them among all types.
    base: u32,
}

impl Runtime<'_> {
    /// Makes a state the present one and returns its address; `None` if it is not a state.
    pub(super) fn enter(&mut self, state: &[u32]) -> Option<*const u32> {
        self.observation = Observed::Unknown;
        if self.scanned != state.len() || !self.has_same_blocks(state) {
            self.scanned = NOTHING_SCANNED;
            let validator = self.inner.validator();
            if !validator.conditions(state, &mut self.conditions) {
                return None;
            }
            self.scan(state);
            self.point();
            self.find_location_fields(state);
            self.scanned = state.len();
            // This cannot fail now; it stores the numbers of the locations.
            self.has_same_blocks(state);
        }
        self.context.width = state.len() as u64 * 4;
        if state.len() >= SLACK {
            return Some(state.as_ptr());
        }
        // For a few words, a loop is faster than a call.
        for (index, word) in self.short.iter_mut().enumerate() {
            *word = state.get(index).copied().unwrap_or(0);
        }
        Some(self.short.as_ptr())
    }

    /// Whether a state of the same width as the previous one has the same blocks, and all its locations and lengths
    /// are below their limits; stores the locations. Whether they are reachable is not checked: the functions of
    /// unreachable locations refuse, and then the interpreter rejects the state.
    #[inline]
    pub(super) fn has_same_blocks(&mut self, state: &[u32]) -> bool {
        let start = state.as_ptr().cast::<u8>();
        // SAFETY: `read_locations` reads bytes where states of this width have a location of so many bits, or a
        // header.
        let are_valid = unsafe {
            match self.code.facts().count_bits {
                8 => self.read_locations(|byte| u32::from(*start.add(byte))),
                16 => self
                    .read_locations(|byte| start.add(byte).cast::<u16>().read_unaligned().into()),
                _ => self.read_locations(|byte| start.add(byte).cast::<u32>().read_unaligned()),
            }
        };
        are_valid && self.conditions.iter().all(|length| length.holds(state))
    }

    /// Stores the locations of all processes; returns whether they are locations of their types. `read` reads the
    /// value at a byte of the state.
    #[inline(always)]
    pub(super) fn read_locations(&mut self, read: impl Fn(usize) -> u32) -> bool {
        for (process, location) in self.location_fields.iter().zip(&mut self.locations) {
            let number = read(process.byte as usize).wrapping_sub(process.tag);
            if number >= process.limit {
                return false;
            }
            *location = process.base + number;
        }
        true
    }

    /// Computes the positions of the locations in a state whose tables are set.
    pub(super) fn find_location_fields(&mut self, state: &[u32]) {
        let facts = self.code.facts();
        let limit = |ty: usize| facts.model.processes[ty].locations.len() as u32;
        self.location_fields.clear();
        match &facts.placed {
            Some((placed, _)) => {
                self.location_fields
                    .extend(placed.iter().map(|process| LocationField {
                        byte: process.count,
                        tag: 0,
                        limit: limit(process.ty),
                        base: process.base,
                    }))
            }
            None => self
                .location_fields
                .extend(self.processes.iter().map(|&byte| {
                    let tag = state[byte as usize / 4] & !COUNT_MASK;
                    let ty = (tag >> TYPE_SHIFT) as usize;
                    LocationField {
                        byte,
                        tag,
                        limit: limit(ty),
                        base: facts.bases[ty],
                    }
                })),
        }
        self.locations.clear();
        self.locations.resize(self.location_fields.len(), 0);
    }

    /// Finds the processes and channels of a state.
    pub(super) fn scan(&mut self, words: &[u32]) {
        let facts = self.code.facts();
        self.processes.clear();
        self.channels.clear();
        if let Some((placed, _)) = &facts.placed {
            self.processes.extend(placed.iter().map(|p| p.at));
            self.channels.extend(facts.fixed.iter().map(|c| c.0));
            return;
        }
        let mut at = facts.model.globals.words();
        while let Some(&header) = words.get(at) {
            let ty = ((header & !CHANNEL) >> TYPE_SHIFT) as usize;
            if header & CHANNEL != 0 {
                self.channels.push(at as u32 * 4);
                at += facts.channel_words[ty] as usize;
            } else {
                self.processes.push(at as u32 * 4);
                at += facts.process_words[ty] as usize;
            }
        }
    }

    pub(super) fn point(&mut self) {
        self.context.channels = Raw(self.channels.as_mut_ptr());
        self.context.process_count = self.processes.len() as u32;
        self.context.channel_count = self.channels.len() as u32;
    }

    /// The words of a state.
    ///
    /// # Safety
    ///
    /// There is a state of the present width, which is not written as long as the words are used.
    pub(super) unsafe fn words_at<'a>(&self, state: *const u32) -> &'a [u32] {
        // SAFETY: guaranteed by the caller.
        unsafe { slice::from_raw_parts(state, self.context.width as usize / 4) }
    }

    /// The number of the location of a process of a state. It is less than
    /// [`Facts::locations`](crate::facts::Facts::locations).
    ///
    /// # Safety
    ///
    /// The tables of the runtime are those of the state, and the process is one of them.
    #[inline]
    pub(super) unsafe fn location_at(&self, state: *const u32, pid: usize) -> usize {
        let facts = self.code.facts();
        debug_assert!(pid < self.processes.len());
        if let Some((placed, _)) = &facts.placed {
            // SAFETY: in a layout the table of processes has one entry for each that is placed.
            let process = unsafe { placed.get_unchecked(pid) };
            // SAFETY: state: a layout has the bytes of each location inside its words.
            let location = unsafe {
                let count = state.cast::<u8>().add(process.count as usize);
                match facts.count_bits {
                    8 => u32::from(*count),
                    16 => u32::from(count.cast::<u16>().read_unaligned()),
                    _ => count.cast::<u32>().read_unaligned(),
                }
            };
            return (process.base + location) as usize;
        }
        // SAFETY: the caller guarantees that there is such a process.
        let at = unsafe { *self.processes.get_unchecked(pid) };
        // SAFETY: state: the table has the byte offsets of headers in the state, multiples of four.
        let header = unsafe { *state.byte_add(at as usize) };
        // SAFETY: state: a process has a type of the model, and there is a base for each of them.
        let base = unsafe { *facts.bases.get_unchecked((header >> TYPE_SHIFT) as usize) };
        (base + (header & COUNT_MASK)) as usize
    }
}
