//! The exact store without compression: every state is stored word for word.
//!
//! States are consecutive records of an [`Arena`]; a list of 4 bytes per state gives the end of each; a table finds
//! the number of a state by its hash. Width and number of states need not be known in advance, and only small parts
//! are ever copied.
//!
//! A state takes its words, 4 bytes for its end, and 10 to 15 bytes in the table; 8 bytes more if links are stored.
//! An insertion touches one line of the table; the lookup of a stored state also its end and its words: three cache
//! misses in a large store.
//!
//! When to use another store: when memory runs out. States of a model resemble each other, and tree compression
//! stores them exactly in a fraction of the memory.

use crate::arena::Arena;
use crate::hash::hash_words;
use crate::memory::{Account, Full, Memory};
use crate::table::Table;

/// An exact set of states that numbers them 0, 1, 2 and so on in the order of insertion.
///
/// ```
/// use lariat_store::{FlatStore, Insert, Memory};
///
/// let memory = Memory::new(Some(1 << 20));
/// let mut store = FlatStore::new(&memory);
/// assert_eq!(store.insert(&[1, 2]), Insert::New(0));
/// assert_eq!(store.insert(&[1]), Insert::New(1));
/// assert_eq!(store.insert(&[1, 2]), Insert::Known(0));
/// assert_eq!(store.get(1), [1]);
/// assert_eq!(store.find(&[3]), None);
/// ```
#[derive(Debug)]
pub struct FlatStore {
    account: Account,
    records: Arena<u32, 16>,
    ends: Ends,
    table: Table,
    len: u32,
    max_states: u32,
    /// The words before a state in its record: none, or those of its link.
    link_words: usize,
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The state was absent; this is its number now.
    New(u32),
    /// The state was present, with this number.
    Known(u32),
    /// The state is absent, and the store must not grow. The store is unchanged.
    Full,
}

/// The edge by which a search reached a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The predecessor, or [`Link::ROOT`].
    pub parent: u32,
    /// The label of the edge.
    pub label: u32,
}

impl Link {
    /// The parent of an initial state. No state has this number.
    pub const ROOT: u32 = u32::MAX;
}

impl FlatStore {
    /// The largest number of states.
    pub const MAX_STATES: u32 = u32::MAX - 1;

    /// An empty store that takes its memory from `memory`.
    pub fn new(memory: &Memory) -> Self {
        FlatStore {
            account: memory.account(),
            records: Arena::new(),
            ends: Ends::default(),
            table: Table::default(),
            len: 0,
            max_states: Self::MAX_STATES,
            link_words: 0,
        }
    }

    /// An empty store that also stores a [`Link`] for each state.
    pub fn with_links(memory: &Memory) -> Self {
        FlatStore {
            link_words: 2,
            ..Self::new(memory)
        }
    }

    /// Sets the limit of states; at most [`MAX_STATES`](Self::MAX_STATES).
    pub fn limit_states(&mut self, max_states: u64) {
        self.max_states = max_states.min(u64::from(Self::MAX_STATES)) as u32;
    }

    /// Whether the next new state would be refused because of the limit of states, not because of memory.
    pub fn has_all_states(&self) -> bool {
        self.len >= self.max_states
    }

    /// The number of states.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes that this store holds.
    pub fn memory_bytes(&self) -> u64 {
        self.account.held()
    }

    /// The number of `state`.
    pub fn find(&self, state: &[u32]) -> Option<u32> {
        self.find_hashed(hash_words(state), state)
    }

    /// Adds `state` without a predecessor.
    pub fn insert(&mut self, state: &[u32]) -> Insert {
        let link = Link {
            parent: Link::ROOT,
            label: 0,
        };
        self.insert_linked(state, link)
    }

    /// Adds `state`, with `link` if it is new and the store has links.
    pub fn insert_linked(&mut self, state: &[u32], link: Link) -> Insert {
        let hash = hash_words(state);
        if let Some(id) = self.find_hashed(hash, state) {
            return Insert::Known(id);
        }
        match self.append(hash, state, link) {
            Ok(id) => Insert::New(id),
            Err(Full) => Insert::Full,
        }
    }

    /// The state with the number `id`.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn get(&self, id: u32) -> &[u32] {
        &self.record(id)[self.link_words..]
    }

    /// The edge by which the state with the number `id` was reached, if this store has links.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn link(&self, id: u32) -> Option<Link> {
        match self.record(id)[..self.link_words] {
            [parent, label] => Some(Link { parent, label }),
            _ => None,
        }
    }

    fn find_hashed(&self, hash: u64, state: &[u32]) -> Option<u32> {
        self.table.find(hash, |id| self.get(id) == state)
    }

    fn record(&self, id: u32) -> &[u32] {
        let (previous_end, end) = self.ends.around(id);
        let start = self.records.start_of(previous_end, end);
        self.records.slice(start, (end - start) as usize)
    }

    /// Adds an absent state. Everything that can fail precedes the first change.
    fn append(&mut self, hash: u64, state: &[u32], link: Link) -> Result<u32, Full> {
        if self.has_all_states() {
            return Err(Full);
        }
        let width = self.link_words.checked_add(state.len()).ok_or(Full)?;
        self.table.reserve(&mut self.account, hash)?;
        self.ends.reserve(&mut self.account, self.records.end())?;
        self.ends
            .check(self.records.next_start(width)? + width as u64)?;
        self.records.open(&mut self.account, width)?;

        let id = self.len;
        self.records
            .extend(&[link.parent, link.label][..self.link_words]);
        self.records.extend(state);
        self.ends.push(self.records.end());
        self.table.insert(hash, id);
        self.len += 1;
        Ok(id)
    }

    /// The bytes held, counted again; for tests of the accounting.
    #[cfg(test)]
    fn audit(&self) -> u64 {
        self.records.audit() + self.ends.audit() + self.table.audit()
    }
}

/// The ends of the records, in 4 bytes each: relative to the base of each group of 4096 records.
#[derive(Debug, Default)]
struct Ends {
    bases: Vec<u64>,
    relative: Arena<u32, { Ends::GROUP_BITS }>,
}

impl Ends {
    const GROUP_BITS: u32 = 12;

    /// The ends of the record before `id`, or 0, and of `id`.
    fn around(&self, id: u32) -> (u64, u64) {
        (id.checked_sub(1).map_or(0, |i| self.end(i)), self.end(id))
    }

    fn end(&self, id: u32) -> u64 {
        let base = self.bases[(id >> Self::GROUP_BITS) as usize];
        base + u64::from(*self.relative.get(u64::from(id)))
    }

    /// Reserves memory for one more end; the record will start at `position` or behind it.
    fn reserve(&mut self, account: &mut Account, position: u64) -> Result<(), Full> {
        let id = self.relative.open(account, 1)?;
        if id >> Self::GROUP_BITS == self.bases.len() as u64 {
            account.grow_for_push(&mut self.bases)?;
            self.bases.push(position);
        }
        Ok(())
    }

    /// Whether `end` is near enough to its base: a group spans at most 16 GiB.
    fn check(&self, end: u64) -> Result<(), Full> {
        self.relative_to_base(end).map(|_| ())
    }

    /// Adds an end that was checked.
    fn push(&mut self, end: u64) {
        // Cannot fail, because `check` succeeded.
        self.relative
            .extend(&[self.relative_to_base(end).unwrap_or(u32::MAX)]);
    }

    fn relative_to_base(&self, end: u64) -> Result<u32, Full> {
        let base = self.bases.last().ok_or(Full)?;
        u32::try_from(end - base).map_err(|_| Full)
    }

    #[cfg(test)]
    fn audit(&self) -> u64 {
        self.relative.audit() + (self.bases.capacity() * size_of::<u64>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    /// A stream of states of mixed widths, some of them wider than a chunk of the arena.
    fn states(seed: u64, wide: bool) -> impl Iterator<Item = Vec<u32>> {
        let mut rng = stream(seed, "states", 0);
        std::iter::from_fn(move || {
            let width = match rng.below(if wide { 60 } else { 50 }) {
                50 => 70_000,
                51 => 140_000,
                n => n as usize % 13,
            };
            let value = rng.below(5000) as u32;
            Some(vec![value; width])
        })
    }

    /// For any limit: it is never exceeded, the account is exact, and every accepted state is present at the end.
    #[test]
    fn the_limit_is_never_exceeded() {
        let limits = (0..40)
            .map(|n| n * 150)
            .chain((8..23).map(|n| (1 << n) + 77));
        for limit in limits {
            let memory = Memory::new(Some(limit));
            for wide in [false, true] {
                let mut store = FlatStore::with_links(&memory);
                let mut accepted = Vec::new();
                let count = if wide { 1000 } else { 20_000 };
                for (i, state) in states(limit, wide).take(count).enumerate() {
                    let link = Link {
                        parent: i as u32,
                        label: 7,
                    };
                    match store.insert_linked(&state, link) {
                        Insert::New(id) => {
                            assert_eq!(id as usize, accepted.len());
                            accepted.push((state, link));
                        }
                        Insert::Known(id) => assert_eq!(accepted[id as usize].0, state),
                        Insert::Full => assert_eq!(store.find(&state), None),
                    }
                    assert!(memory.peak() <= limit);
                }
                assert_eq!(store.memory_bytes(), store.audit());
                assert_eq!(store.memory_bytes(), memory.held());
                assert_eq!(store.len() as usize, accepted.len());
                for (id, (state, link)) in accepted.iter().enumerate() {
                    assert_eq!(store.get(id as u32), state);
                    assert_eq!(store.link(id as u32), Some(*link));
                    assert_eq!(store.find(state), Some(id as u32));
                }
            }
            assert_eq!(memory.held(), 0);
        }
    }

    /// States and their table use nearly all of a limit of 8 MB.
    #[test]
    fn the_limit_is_used_well() {
        let limit = 8_000_000;
        let memory = Memory::new(Some(limit));
        let mut store = FlatStore::new(&memory);
        let mut n = 0;
        while store.insert(&[n, 1, 2, 3, 4, 5, 6, 7]) != Insert::Full {
            n += 1;
        }
        let bytes = limit as f64 / f64::from(n);
        assert!(bytes < 32.0 + 4.0 + 16.0, "{bytes} bytes a state");
    }

    #[test]
    fn the_number_of_states_is_limited() {
        let mut store = FlatStore::new(&Memory::new(None));
        store.limit_states(2);
        assert_eq!(store.insert(&[1]), Insert::New(0));
        assert_eq!(store.insert(&[2]), Insert::New(1));
        assert_eq!(store.insert(&[3]), Insert::Full);
        assert_eq!(store.insert(&[1]), Insert::Known(0));
        assert!(store.has_all_states());
        store.limit_states(u64::MAX);
        assert_eq!(store.insert(&[3]), Insert::New(2));
    }

    #[test]
    fn links_are_stored_only_on_request() {
        let memory = Memory::new(None);
        let link = Link {
            parent: 4,
            label: 5,
        };
        let mut plain = FlatStore::new(&memory);
        plain.insert_linked(&[], link);
        assert_eq!((plain.get(0), plain.link(0)), (&[][..], None));
        let mut linked = FlatStore::with_links(&memory);
        linked.insert_linked(&[], link);
        linked.insert(&[8]);
        assert_eq!((linked.get(0), linked.link(0)), (&[][..], Some(link)));
        assert_eq!(linked.link(1).map(|link| link.parent), Some(Link::ROOT));
    }

    #[test]
    fn ends_far_from_their_base_are_refused() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut ends = Ends::default();
        ends.reserve(&mut account, 1 << 40).unwrap();
        let far = (1 << 40) + u64::from(u32::MAX);
        assert_eq!(ends.check(far + 1), Err(Full));
        assert_eq!(ends.check(far), Ok(()));
        ends.push(far);
        assert_eq!(ends.around(0), (0, far));
    }
}
