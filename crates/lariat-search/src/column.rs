//! Arrays that belong to the memory of a search.
//!
//! What a search knows about each state, and its stacks, are arrays that grow and shrink at the
//! end. They are made of chunks, so that growing never copies anything large, and they draw on the
//! budget.

use lariat_store::{Account, Arena, Full, Memory};

/// A growing array.
pub(crate) struct Column<T> {
    account: Account,
    cells: Arena<T, 13>,
}

impl<T: Copy> Column<T> {
    pub fn new(memory: &Memory) -> Self {
        Column {
            account: memory.account(),
            cells: Arena::new(),
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

    // Records of one element leave no gaps, so a position in the arena is an index.

    pub fn len(&self) -> u64 {
        self.cells.end()
    }

    pub fn push(&mut self, value: T) -> Result<(), Full> {
        self.cells.open(&mut self.account, 1)?;
        self.cells.extend(&[value]);
        Ok(())
    }

    pub fn get(&self, index: impl Into<u64>) -> T {
        *self.cells.get(index.into())
    }

    pub fn set(&mut self, index: impl Into<u64>, value: T) {
        *self.cells.get_mut(index.into()) = value;
    }

    pub fn get_mut(&mut self, index: impl Into<u64>) -> &mut T {
        self.cells.get_mut(index.into())
    }

    pub fn last(&self) -> Option<T> {
        self.len().checked_sub(1).map(|index| self.get(index))
    }

    pub fn pop(&mut self) -> Option<T> {
        let last = self.last()?;
        self.truncate(self.len() - 1);
        Some(last)
    }

    pub fn truncate(&mut self, len: u64) {
        self.cells.truncate(&mut self.account, len);
    }
}
