//! Arrays that are charged to the memory of a search.
//!
//! The data of a search for each state, and its stacks, are arrays that grow and shrink at the end. They consist of
//! chunks, so that growing never copies anything large, and are charged to the budget.

use lariat_store::{Account, Full, Memory};

/// A growing array.
pub(crate) struct Column<T> {
    account: Account,
    /// All but the last one are full, and the last one is empty only if it is the first.
    chunks: Vec<Vec<T>>,
    /// An empty chunk that is kept, so that a stack that oscillates around the border of two chunks does not allocate
    /// each time.
    spare: Vec<T>,
}

const BITS: u32 = 13;
const CHUNK: usize = 1 << BITS;
/// The capacity of the first chunk at the beginning.
const FIRST_CAPACITY: usize = 64;

impl<T: Copy> Column<T> {
    pub fn new(memory: &Memory) -> Self {
        Column {
            account: memory.account(),
            chunks: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// An array of `len` equal elements.
    pub fn filled(memory: &Memory, len: u64, value: T) -> Result<Self, Full> {
        let mut column = Self::new(memory);
        while column.len() < len {
            column.push(value)?;
        }
        Ok(column)
    }

    #[inline]
    pub fn len(&self) -> u64 {
        match self.chunks.last() {
            Some(last) => (((self.chunks.len() - 1) << BITS) + last.len()) as u64,
            None => 0,
        }
    }

    #[inline]
    pub fn push(&mut self, value: T) -> Result<(), Full> {
        if let Some(last) = self.chunks.last_mut()
            && last.len() < last.capacity()
        {
            last.push(value);
            return Ok(());
        }
        self.push_slowly(value)
    }

    /// Adds an element for which no memory is reserved yet.
    #[cold]
    fn push_slowly(&mut self, value: T) -> Result<(), Full> {
        match self.chunks.last_mut() {
            // Only the first chunk starts small; a later one is short only if the limit was near.
            Some(last) if last.len() < CHUNK => {
                let wanted = (2 * last.capacity()).min(CHUNK);
                let needed = last.len() + 1;
                self.account.grow_at_best(last, needed, wanted)?;
                last.push(value);
            }
            _ => {
                self.account.grow_for_push(&mut self.chunks)?;
                let wanted = match self.chunks.len() {
                    0 => FIRST_CAPACITY,
                    _ => CHUNK,
                };
                let mut chunk = std::mem::take(&mut self.spare);
                self.account.grow_at_best(&mut chunk, 1, wanted)?;
                chunk.push(value);
                self.chunks.push(chunk);
            }
        }
        Ok(())
    }

    #[inline]
    pub fn get(&self, index: impl Into<u64>) -> T {
        let index = index.into() as usize;
        self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    #[inline]
    pub fn set(&mut self, index: impl Into<u64>, value: T) {
        *self.get_mut(index) = value;
    }

    #[inline]
    pub fn get_mut(&mut self, index: impl Into<u64>) -> &mut T {
        let index = index.into() as usize;
        &mut self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    #[inline]
    pub fn last(&self) -> Option<T> {
        self.chunks.last()?.last().copied()
    }

    /// The last element, mutable.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut()?.last_mut()
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.chunks.last_mut()?;
        let value = last.pop();
        if last.is_empty() {
            self.drop_empty_chunk();
        }
        value
    }

    pub fn truncate(&mut self, len: u64) {
        let chunks = (len as usize).div_ceil(CHUNK);
        while self.chunks.len() > chunks.max(1) {
            if let Some(last) = self.chunks.last_mut() {
                last.clear();
            }
            self.drop_empty_chunk();
        }
        if len < self.len()
            && let Some(last) = self.chunks.last_mut()
        {
            last.truncate(len as usize - (chunks.max(1) - 1) * CHUNK);
        }
    }

    /// Removes the last chunk, which is empty, unless it is the only one.
    #[cold]
    fn drop_empty_chunk(&mut self) {
        if self.chunks.len() < 2 {
            return;
        }
        let chunk = self.chunks.pop().unwrap_or_default();
        if chunk.capacity() > self.spare.capacity() {
            let spare = std::mem::replace(&mut self.spare, chunk);
            self.account.discard(spare);
        } else {
            self.account.discard(chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    impl<T: Copy> Column<T> {
        /// The bytes held, counted again.
        fn audit(&self) -> u64 {
            let chunks = self.chunks.iter().chain([&self.spare]);
            let elements: usize = chunks.map(|chunk| chunk.capacity() * size_of::<T>()).sum();
            (elements + self.chunks.capacity() * size_of::<Vec<T>>()) as u64
        }
    }

    #[test]
    fn a_column_is_a_vector() {
        let memory = Memory::new(None);
        let mut rng = stream(1, "columns", 0);
        let mut column = Column::new(&memory);
        let mut vector = Vec::new();
        for step in 0..2000u64 {
            let most = [3, 3000][rng.index(2)];
            let amount = rng.below(most);
            match rng.index(3) {
                0 => (0..amount).for_each(|i| {
                    column.push(step ^ i).unwrap();
                    vector.push(step ^ i);
                }),
                1 => (0..amount).for_each(|_| assert_eq!(column.pop(), vector.pop())),
                _ => {
                    let len = vector.len() as u64;
                    column.truncate(len - amount.min(len) / 2);
                    vector.truncate((len - amount.min(len) / 2) as usize);
                }
            }
            assert_eq!(column.len(), vector.len() as u64);
            assert_eq!(column.last(), vector.last().copied());
            assert_eq!(memory.held(), column.audit());
            if let Some(index) = vector.len().checked_sub(1) {
                let index = rng.index(index + 1);
                assert_eq!(column.get(index as u64), vector[index]);
            }
        }
        column.truncate(0);
        assert_eq!((column.len(), column.last()), (0, None));
        drop(column);
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn a_full_column_stays_intact() {
        for limit in (0..300_000).step_by(7919) {
            let memory = Memory::new(Some(limit));
            let mut column = Column::new(&memory);
            let mut len = 0u64;
            while column.push(len).is_ok() {
                len += 1;
                assert!(memory.peak() <= limit);
            }
            assert_eq!(column.len(), len);
            assert!((0..len).all(|index| column.get(index) == index));
        }
    }
}
