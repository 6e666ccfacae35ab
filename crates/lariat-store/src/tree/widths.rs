//! Classes: small numbers for the widths of states.
//!
//! A reference has 8 bits for the width of its state. Most models have few widths, so the first 255 that occur get a
//! class each; all others share the class [`ESCAPE`], and their width is stored elsewhere.

use crate::sync::{AtomicU64, Mutex, Ordering};
use std::sync::PoisonError;

/// The class of all widths without a class of their own.
pub(crate) const ESCAPE: u8 = 255;

/// The classes in use.
#[derive(Debug)]
pub(crate) struct Widths {
    /// The width of each class, plus one; zero if the class is not in use.
    widths: Vec<AtomicU64>,
    /// The number of classes in use. Locked to add one.
    count: Mutex<usize>,
}

impl Widths {
    pub fn new() -> Self {
        Widths {
            widths: (0..ESCAPE).map(|_| AtomicU64::new(0)).collect(),
            count: Mutex::new(0),
        }
    }

    /// The class of states of this width. It never changes: once all classes are in use, no further width gets one.
    pub fn class_of(&self, width: usize) -> u8 {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = width as u64 + 1;
        let is_wanted = |entry: &AtomicU64| entry.load(Ordering::Relaxed) == wanted;
        if let Some(class) = self.widths[..*count].iter().position(is_wanted) {
            return class as u8;
        }
        let Some(entry) = self.widths.get(*count) else {
            return ESCAPE;
        };
        // Release, although threads that get a reference with this class without any other synchronisation would
        // still see zero or the correct width; see `width`.
        entry.store(wanted, Ordering::Release);
        *count += 1;
        (*count - 1) as u8
    }

    /// The width of a class; `None` if it is not in use.
    pub fn width(&self, class: u8) -> Option<usize> {
        let entry = self.widths.get(usize::from(class))?;
        let width = entry.load(Ordering::Acquire).checked_sub(1)?;
        Some(width as usize)
    }

    /// How many classes are in use.
    pub fn len(&self) -> u64 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) as u64
    }

    /// The bytes held.
    pub fn bytes(&self) -> usize {
        self.widths.capacity() * size_of::<AtomicU64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_widths_get_classes() {
        let widths = Widths::new();
        for _ in 0..2 {
            for width in 0..400 {
                let class = widths.class_of(1000 - width);
                assert_eq!(class, width.min(255) as u8);
                let expected = (class != ESCAPE).then_some(1000 - width);
                assert_eq!(widths.width(class), expected);
            }
        }
        assert_eq!(widths.len(), 255);
    }
}
