//! What the searches need of a store that distinguishes states by a hash.

use lariat_stats::Omission;
use lariat_store::{BitstateStore, CompactStore, Refused, Seen, StateRef};

/// A set that may take a state for another one.
pub(crate) trait Omitting: Seen {
    /// What it may have omitted.
    fn omission(&self) -> Omission;

    /// The reference of a state, whether it is stored or not; and bits of its hash that do not depend on that.
    fn reference(&self, state: &[u32]) -> (StateRef, u64);

    /// Colours a state that a search enters and that does not have this colour yet. Returns whether it is stored only now, so that
    /// it has to be counted.
    fn enter(
        &self,
        worker: &mut Self::Worker,
        state: StateRef,
        colour: u8,
    ) -> Result<bool, Refused>;
}

impl Omitting for CompactStore {
    fn omission(&self) -> Omission {
        Omission::fingerprints(self.len(), self.bits())
    }

    fn reference(&self, state: &[u32]) -> (StateRef, u64) {
        CompactStore::reference(self, state)
    }

    fn enter(
        &self,
        worker: &mut Self::Worker,
        state: StateRef,
        colour: u8,
    ) -> Result<bool, Refused> {
        self.recolour(worker, state, 0, colour);
        Ok(false)
    }
}

impl Omitting for BitstateStore {
    fn omission(&self) -> Omission {
        let fill = self.fill();
        Omission::bloom(fill.states, fill.bits, fill.ones, fill.probes, fill.sum)
    }

    fn reference(&self, state: &[u32]) -> (StateRef, u64) {
        BitstateStore::reference(self, state)
    }

    fn enter(&self, _: &mut Self::Worker, state: StateRef, colour: u8) -> Result<bool, Refused> {
        BitstateStore::enter(self, state, colour).map(|()| true)
    }
}
