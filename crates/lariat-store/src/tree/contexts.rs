//! The contexts of a thread: for each width of states, the state that others are encoded relative to.

use super::encoder::Context;

/// The largest number of bytes of contexts; see [`Contexts`].
const CONTEXT_BYTES: usize = 1 << 20;
/// Narrower states have a context for each width.
const NARROW: usize = 2048;

/// The states relative to which a thread encodes others: for each width the last state that was loaded.
///
/// Very wide states share one context, and if all contexts together get too large, they are dropped, so that models
/// with many widths do not use their memory here.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    all: Vec<(Context, u8)>,
    /// The number of the context of each width, plus one; zero if there is none.
    by_width: Vec<u32>,
    /// The context in use, and the context of the last loaded state.
    pub chosen: usize,
    pub loaded: usize,
    pub bytes: usize,
}

impl Contexts {
    /// Chooses the context of the last loaded state, if it has a state and this width.
    #[inline(always)]
    pub fn choose_loaded(&mut self, width: usize) -> bool {
        let loaded = self.all.get(self.loaded);
        let suits = loaded.is_some_and(|(it, _)| it.width() == width && !it.is_empty());
        if suits {
            self.chosen = self.loaded;
        }
        suits
    }

    /// Chooses the context for a width; returns whether one was added.
    #[inline(always)]
    pub fn choose(&mut self, width: usize, make: impl FnOnce() -> (Context, u8)) -> bool {
        if let Some((context, _)) = self.all.get(self.chosen)
            && context.width() == width
        {
            return false;
        }
        self.find_or_add(width, make)
    }

    fn find_or_add(&mut self, width: usize, make: impl FnOnce() -> (Context, u8)) -> bool {
        let slot = width.min(NARROW);
        let known = self.by_width.get(slot).copied().unwrap_or(0) as usize;
        if let Some((context, _)) = known.checked_sub(1).and_then(|known| self.all.get(known))
            && context.width() == width
        {
            self.chosen = known - 1;
            return false;
        }
        let (context, class) = make();
        self.add(slot, context, class);
        true
    }

    #[cold]
    fn add(&mut self, slot: usize, context: Context, class: u8) {
        if self.by_width.len() <= slot {
            self.by_width.resize(slot + 1, 0);
        }
        let known = self.by_width[slot] as usize;
        if known > 0 {
            self.all[known - 1] = (context, class);
            self.chosen = known - 1;
        } else {
            if self.bytes > CONTEXT_BYTES {
                self.all.clear();
                self.by_width.fill(0);
                self.loaded = usize::MAX;
            }
            self.all.push((context, class));
            self.chosen = self.all.len() - 1;
            self.by_width[slot] = self.all.len() as u32;
        }
        let contexts: usize = self.all.iter().map(|(context, _)| context.bytes()).sum();
        self.bytes = contexts + self.by_width.capacity() * size_of::<u32>();
    }

    /// The context that was chosen last; there has to be one.
    #[inline(always)]
    pub fn chosen(&mut self) -> &mut Context {
        &mut self.all[self.chosen].0
    }

    /// The class of the width that was chosen last.
    #[inline(always)]
    pub fn class(&self) -> u8 {
        self.all[self.chosen].1
    }
}
