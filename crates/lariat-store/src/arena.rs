//! A growing sequence of records whose large parts never move.
//!
//! A vector copies everything when it grows, and then needs memory for both copies: a third of the memory would be
//! unusable. The arena consists of chunks instead. A record lies in one chunk, so that it can be borrowed as a slice;
//! a position is a number whose upper bits are the number of the chunk. A record that does not fit into the rest of a
//! chunk starts the next one. A record that is larger than a chunk gets a larger chunk, which occupies as many chunk
//! numbers as it needs, so that a record may have any size.

use crate::memory::{Account, Full};

/// A sequence of records, each a slice of `T`, in chunks of `2^BITS` elements.
///
/// Records are added and removed at the end only. The memory belongs to an [`Account`] that the owner passes to every
/// call that allocates or frees; it has to be the same account each time.
#[derive(Debug)]
pub struct Arena<T, const BITS: u32> {
    chunks: Vec<Vec<T>>,
    /// The chunk that is filled: the last one that is not a placeholder.
    tail: usize,
    end: u64,
    /// A chunk kept by `truncate`, so that a stack that oscillates around the border of two chunks does not allocate
    /// each time.
    spare: Vec<T>,
}

/// The capacity of the first chunk at the beginning.
const FIRST_CAPACITY: usize = 64;

impl<T: Copy, const BITS: u32> Arena<T, BITS> {
    const CHUNK: usize = 1 << BITS;

    /// An empty arena, without any memory yet.
    pub fn new() -> Self {
        Arena {
            chunks: Vec::new(),
            tail: 0,
            end: 0,
            spare: Vec::new(),
        }
    }

    /// The position behind the last record.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The start of a record that was added behind `previous_end` and ends at `end`.
    ///
    /// The start of a record depends only on the end of the previous one and on its own length, so the ends of the
    /// records are enough to find them.
    pub fn start_of(&self, previous_end: u64, end: u64) -> u64 {
        let border = previous_end.next_multiple_of(Self::CHUNK as u64);
        let crosses = end > border;
        if crosses || (end > previous_end && self.is_placeholder(previous_end)) {
            border
        } else {
            previous_end
        }
    }

    /// Whether `position` lies in a chunk number that is occupied by a larger chunk. A real chunk has elements up to
    /// any position inside it.
    fn is_placeholder(&self, position: u64) -> bool {
        let offset = position as usize & (Self::CHUNK - 1);
        offset != 0 && self.chunks[(position >> BITS) as usize].is_empty()
    }

    /// The position at which a record of `len` elements would start.
    pub fn next_start(&self, len: usize) -> Result<u64, Full> {
        let end = self.end.checked_add(len as u64).ok_or(Full)?;
        Ok(self.start_of(self.end, end))
    }

    /// Reserves memory for a record of `len` elements and returns its start. The record is then written with
    /// [`extend`](Self::extend).
    pub fn open(&mut self, account: &mut Account, len: usize) -> Result<u64, Full> {
        if len == 0 {
            return Ok(self.end);
        }
        let start = self.next_start(len)?;
        let index = (start >> BITS) as usize;
        if index >= self.chunks.len() {
            self.add_chunk(account, index, len)?;
        } else {
            self.grow_chunk(account, index, len)?;
        }
        self.tail = index;
        self.end = start;
        Ok(start)
    }

    /// Appends to the record that was opened last.
    pub fn extend(&mut self, elements: &[T]) {
        if elements.is_empty() {
            return;
        }
        let chunk = &mut self.chunks[self.tail];
        debug_assert!(chunk.len() + elements.len() <= chunk.capacity());
        chunk.extend_from_slice(elements);
        self.end += elements.len() as u64;
    }

    /// The `len` elements of a record from `start` on.
    ///
    /// # Panics
    ///
    /// If there is no such record.
    pub fn slice(&self, start: u64, len: usize) -> &[T] {
        if len == 0 {
            return &[];
        }
        let offset = start as usize & (Self::CHUNK - 1);
        &self.chunks[(start >> BITS) as usize][offset..offset + len]
    }

    /// One element.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub fn get(&self, position: u64) -> &T {
        &self.slice(position, 1)[0]
    }

    /// One element, mutable.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub fn get_mut(&mut self, position: u64) -> &mut T {
        let offset = position as usize & (Self::CHUNK - 1);
        &mut self.chunks[(position >> BITS) as usize][offset]
    }

    /// Removes the record that starts at `start` and all later ones.
    pub fn truncate(&mut self, account: &mut Account, start: u64) {
        let index = (start >> BITS) as usize;
        while self.chunks.len() > index + 1 {
            let chunk = self.chunks.pop().unwrap_or_default();
            self.keep_or_discard(account, chunk);
        }
        if let Some(chunk) = self.chunks.get_mut(index) {
            chunk.truncate(start as usize & (Self::CHUNK - 1));
        }
        self.tail = index;
        self.end = start;
    }

    fn keep_or_discard(&mut self, account: &mut Account, mut chunk: Vec<T>) {
        if chunk.capacity() == Self::CHUNK && self.spare.capacity() == 0 {
            chunk.clear();
            self.spare = chunk;
        } else {
            account.discard(chunk);
        }
    }

    /// Adds the chunk `index` with a capacity of `len` elements.
    fn add_chunk(&mut self, account: &mut Account, index: usize, len: usize) -> Result<(), Full> {
        self.reserve_numbers(account, index + len.div_ceil(Self::CHUNK))?;
        let mut chunk = std::mem::take(&mut self.spare);
        let wanted = if index == 0 {
            FIRST_CAPACITY
        } else {
            Self::CHUNK
        };
        if let Err(full) = account.grow_at_best(&mut chunk, len, wanted) {
            account.discard(chunk);
            return Err(full);
        }
        debug_assert_eq!(index, self.chunks.len());
        self.chunks.push(chunk);
        self.add_placeholders(index + len.div_ceil(Self::CHUNK));
        Ok(())
    }

    /// Reserves `len` more elements in the chunk `index`. Only the first chunk starts small and doubles; a later one
    /// is short only if the limit was near when it was allocated.
    fn grow_chunk(&mut self, account: &mut Account, index: usize, len: usize) -> Result<(), Full> {
        let needed = self.chunks[index].len() + len;
        self.reserve_numbers(account, index + needed.div_ceil(Self::CHUNK))?;
        let chunk = &mut self.chunks[index];
        if needed > chunk.capacity() {
            let wanted = (2 * chunk.capacity()).max(FIRST_CAPACITY).min(Self::CHUNK);
            account.grow_at_best(chunk, needed, wanted)?;
        }
        self.add_placeholders(index + needed.div_ceil(Self::CHUNK));
        Ok(())
    }

    /// Reserves memory in the directory for `count` chunk numbers.
    fn reserve_numbers(&mut self, account: &mut Account, count: usize) -> Result<(), Full> {
        if count <= self.chunks.capacity() {
            return Ok(());
        }
        let wanted = (2 * self.chunks.capacity()).max(4);
        account.grow_at_best(&mut self.chunks, count, wanted)
    }

    /// Occupies chunk numbers until there are `count`; the memory has to be reserved.
    fn add_placeholders(&mut self, count: usize) {
        let count = count.max(self.chunks.len());
        self.chunks.resize_with(count, Vec::new);
    }

    /// The bytes held, counted again; for tests of the accounting.
    #[cfg(test)]
    pub(crate) fn audit(&self) -> u64 {
        let elements: usize = self.chunks.iter().map(Vec::capacity).sum();
        let directory = self.chunks.capacity() * size_of::<Vec<T>>();
        (directory + (elements + self.spare.capacity()) * size_of::<T>()) as u64
    }
}

impl<T: Copy, const BITS: u32> Default for Arena<T, BITS> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    /// Chunks of 8 elements.
    type Small = Arena<u32, 3>;

    fn push(arena: &mut Small, account: &mut Account, record: &[u32]) -> Result<u64, Full> {
        let start = arena.open(account, record.len())?;
        arena.extend(record);
        Ok(start)
    }

    #[test]
    fn records_of_all_sizes_are_found_by_their_ends() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut arena = Small::new();
        let records: Vec<Vec<u32>> = (0..500u32)
            .map(|i| (0..(i * 7) % 31).map(|k| i * 100 + k).collect())
            .collect();
        let mut ends = vec![0];
        for record in &records {
            let start = push(&mut arena, &mut account, record).unwrap();
            assert_eq!(arena.slice(start, record.len()), record);
            ends.push(arena.end());
            assert_eq!(account.held(), arena.audit());
        }
        for (i, record) in records.iter().enumerate() {
            let start = arena.start_of(ends[i], ends[i + 1]);
            assert_eq!((ends[i + 1] - start) as usize, record.len());
            assert_eq!(arena.slice(start, record.len()), record);
        }
    }

    #[test]
    fn a_stack_grows_and_shrinks() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut arena = Small::new();
        let mut stack: Vec<(u64, Vec<u32>)> = Vec::new();
        let mut noise = 1u32;
        for round in 0..20_000u32 {
            noise = noise.wrapping_mul(1664525).wrapping_add(1013904223);
            // Rising and falling phases, so that the depth visits many borders.
            let rise = if round / 1000 % 2 == 0 { 5 } else { 3 };
            if noise >> 29 < rise {
                let record = vec![round; (noise >> 20 & 15) as usize + (noise >> 12 & 7) as usize];
                let start = push(&mut arena, &mut account, &record).unwrap();
                stack.push((start, record));
            } else if let Some((start, record)) = stack.pop() {
                assert_eq!(arena.slice(start, record.len()), record);
                arena.truncate(&mut account, start);
            }
            assert_eq!(account.held(), arena.audit());
            if let Some((start, record)) = stack.last() {
                assert_eq!(arena.slice(*start, record.len()), record);
            }
        }
    }

    #[test]
    fn a_full_arena_stays_intact() {
        for limit in 0..1200 {
            let memory = Memory::new(Some(limit));
            let mut account = memory.account();
            let mut arena = Small::new();
            let mut starts = Vec::new();
            while let Ok(start) = push(&mut arena, &mut account, &[starts.len() as u32; 3]) {
                starts.push(start);
                assert!(memory.peak() <= limit);
            }
            for (i, &start) in starts.iter().enumerate() {
                assert_eq!(arena.slice(start, 3), [i as u32; 3]);
            }
            assert_eq!(account.held(), arena.audit());
        }
    }
}
