//! The live states of a parallel search for components, in a union-find structure.
//!
//! This is the union-find of Bloemen, Laarman and van de Pol ("Multi-core on-the-fly SCC decomposition", PPoPP 2016).
//! Each set stores the workers that have visited it, the union of the marks of its edges, and its *busy* states, that
//! is, those that are not completely explored; these form a cyclic list, so that any worker can continue with any of
//! them. A set without busy states is *dead*: it is a complete component.
//!
//! Only live states are stored here. A table of nodes is filled until it is full; then all workers pause, one of them
//! removes the nodes of dead sets and enlarges the table if most of it was live, and they continue. So workers must
//! not keep the number of a node over a pause: there they identify states by their references. A live state costs 38
//! bytes and the marks of an edge, up to twice that while the table is not full.
//!
//! Concurrency:
//!
//! - To use the table, a worker holds its lock for reading; to clean it up, for writing.
//! - Sets are merged, and cyclic lists traversed and changed, by one worker at a time, which holds `joining`.
//! - Bits of a set, workers and marks, are added to its root by any worker at any time. When two sets are merged, one
//!   root first gets its parent, and then its bits are read, by a read-modify-write operation, and added to the other
//!   root. A worker that adds a bit at the same time reads the parent afterwards. Either the bit was there when the
//!   bits were read, or it came later; then the preceding write makes the parent visible, and the bit is added once
//!   more, to the new root. In between, a worker may be told that it has not visited a set that it has visited. Then
//!   it continues from there once more, and returns when the set is dead; meanwhile it, or another worker, explores
//!   the edge again, since the source of the edge is not done.
//! - A state is done when a worker has explored all of its edges. Its marks were added before; so a worker that finds
//!   all states of a set done knows all of its marks.

use crate::toolkit::positions::hash;
use lariat_store::{Account, Full, Memory, StateRef};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

#[cfg(test)]
use shuttle::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(test)]
use shuttle::sync::{Mutex, MutexGuard};
#[cfg(not(test))]
use std::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(not(test))]
use std::sync::{Mutex, MutexGuard};

/// Live states, in sets.
pub(crate) struct LiveSets {
    account: Account,
    nodes: Vec<Node>,
    /// `words` for each node; those of a root are the marks of its set.
    marks: Vec<AtomicU64>,
    words: usize,
    /// A hash table of nodes, counted from 1.
    slots: Vec<AtomicU32>,
    /// The number of nodes in use.
    used: AtomicU32,
    joining: Mutex<()>,
}

/// A live state.
struct Node {
    /// The number of its reference.
    state: AtomicU64,
    /// A bit for each worker that has visited the set, if this is its root; and some flags of the state or of the
    /// set.
    bits: AtomicU64,
    /// A node of the same set that is nearer to the root, which is its own parent.
    parent: AtomicU32,
    /// The next in the cyclic list of the set.
    next: AtomicU32,
    /// For a root, some node of the cyclic list.
    cursor: AtomicU32,
}

/// In [`Node::bits`]: the state is done.
const DONE: u64 = 1 << 63;
/// In [`Node::bits`]: the set with this root is dead.
const DEAD: u64 = 1 << 62;
/// In [`Node::bits`]: the state is marked as dead in the store.
const BURIED: u64 = 1 << 61;

/// In [`Node::bits`]: the set with this root has other states.
const JOINED: u64 = 1 << 60;

/// In [`Node::bits`]: the set with this root has an edge inside.
const CYCLIC: u64 = 1 << 59;

/// The largest number of workers.
pub(crate) const MAX_WORKERS: usize = 59;

/// A smaller table grows in any case.
const FEW: usize = 1 << 16;

const NO_STATE: u64 = StateRef::NONE.number();

/// The result when a worker reaches a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimResult {
    /// Its component is complete.
    Dead,
    /// The worker has visited its set.
    Found,
    /// The worker has not visited its set before.
    New,
}

/// The remaining work in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// This state is not done.
    State(StateRef),
    /// Nothing, but the set is accepting.
    Accepting,
    /// None: the set is dead. Whether this call made it dead, and whether it has this state only.
    Dead { alone: bool },
}

impl Node {
    fn new() -> Self {
        Node {
            state: AtomicU64::new(NO_STATE),
            bits: AtomicU64::new(0),
            parent: AtomicU32::new(0),
            next: AtomicU32::new(0),
            cursor: AtomicU32::new(0),
        }
    }
}

impl LiveSets {
    /// No sets, with so many words of marks for their edges, and no memory yet.
    pub fn new(memory: &Memory, words: usize) -> Self {
        LiveSets {
            account: memory.account(),
            nodes: Vec::new(),
            marks: Vec::new(),
            words,
            slots: Vec::new(),
            used: AtomicU32::new(0),
            joining: Mutex::new(()),
        }
    }

    /// Gets a node for a state that may be new, if one is left.
    pub fn reserve(&self) -> Option<u32> {
        if self.used.load(Relaxed) as usize >= self.nodes.len() {
            return None;
        }
        let node = self.used.fetch_add(1, Relaxed);
        ((node as usize) < self.nodes.len()).then_some(node)
    }

    /// The node of a state.
    pub fn find(&self, state: StateRef) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = self.home(state);
        loop {
            let node = self.slots[slot].load(Acquire).checked_sub(1)?;
            if self.nodes[node as usize].state.load(Relaxed) == state.number() {
                return Some(node);
            }
            slot = self.after(slot);
        }
    }

    /// The node of a state, which becomes `spare` if it has none: then it is a new set.
    pub fn find_or_insert(&self, state: StateRef, spare: &mut Option<u32>) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = self.home(state);
        loop {
            let mut entry = self.slots[slot].load(Acquire);
            if entry == 0 {
                let new = (*spare)?;
                let node = &self.nodes[new as usize];
                node.state.store(state.number(), Relaxed);
                node.bits.store(0, Relaxed);
                node.parent.store(new, Relaxed);
                node.next.store(new, Relaxed);
                node.cursor.store(new, Relaxed);
                self.marks_of(new)
                    .iter()
                    .for_each(|word| word.store(0, Relaxed));
                match self.slots[slot].compare_exchange(0, new + 1, AcqRel, Acquire) {
                    Ok(_) => return spare.take(),
                    Err(other) => entry = other,
                }
                node.state.store(NO_STATE, Relaxed);
            }
            let node = entry - 1;
            if self.nodes[node as usize].state.load(Relaxed) == state.number() {
                return Some(node);
            }
            slot = self.after(slot);
        }
    }

    /// A worker reaches a state: adds it to the visitors of the set.
    pub fn claim(&self, node: u32, worker: usize) -> ClaimResult {
        let claim = self.state_of(node, worker);
        if claim != ClaimResult::New {
            return claim;
        }
        loop {
            let root = self.root(node);
            let before = self.nodes[root as usize].bits.fetch_or(1 << worker, AcqRel);
            if before & DEAD != 0 {
                return ClaimResult::Dead;
            }
            if self.is_root(root) {
                return ClaimResult::New;
            }
        }
    }

    /// The result that [`claim`](Self::claim) would have now.
    pub fn state_of(&self, node: u32, worker: usize) -> ClaimResult {
        loop {
            let root = self.root(node);
            let bits = self.nodes[root as usize].bits.load(Acquire);
            if bits & DEAD != 0 {
                return ClaimResult::Dead;
            }
            if bits & 1 << worker != 0 {
                return ClaimResult::Found;
            }
            if self.is_root(root) {
                return ClaimResult::New;
            }
        }
    }

    /// The root of a set.
    fn root(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.parent(node);
            if parent == node {
                return node;
            }
            // Every value that is stored here was an ancestor of this node at some time, and stays one.
            let above = self.parent(parent);
            self.nodes[node as usize].parent.store(above, Release);
            node = above;
        }
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent.load(Acquire)
    }

    fn is_root(&self, node: u32) -> bool {
        self.parent(node) == node
    }

    /// Whether two nodes are in the same set. If not, they may be a moment later.
    pub fn is_same(&self, one: u32, other: u32) -> bool {
        loop {
            let root = self.root(one);
            if root == self.root(other) {
                return true;
            }
            // Otherwise both may have got a new root, at different times.
            if self.is_root(root) {
                return false;
            }
        }
    }

    /// Adds an edge with these marks inside the set of a node. `seen` becomes the marks of the set.
    pub fn add_marks(&self, node: u32, marks: &[u64], seen: &mut [u64]) {
        loop {
            let root = self.root(node);
            let bits = &self.nodes[root as usize].bits;
            if bits.load(Relaxed) & CYCLIC == 0 {
                bits.fetch_or(CYCLIC, AcqRel);
            }
            let words = self.marks_of(root).iter().zip(marks).zip(&mut *seen);
            for ((word, &more), seen) in words {
                *seen = word.load(Acquire);
                if more & !*seen != 0 {
                    *seen = word.fetch_or(more, AcqRel) | more;
                }
            }
            if self.is_root(root) {
                return;
            }
        }
    }

    /// The marks of the set of a node.
    pub fn marks(&self, node: u32, seen: &mut [u64]) {
        let root = self.root(node);
        for (word, seen) in self.marks_of(root).iter().zip(seen) {
            *seen = word.load(Acquire);
        }
    }

    fn marks_of(&self, node: u32) -> &[AtomicU64] {
        &self.marks[node as usize * self.words..][..self.words]
    }

    fn joining(&self) -> MutexGuard<'_, ()> {
        self.joining.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Merges two sets.
    pub fn join(&self, one: u32, other: u32) {
        let _guard = self.joining();
        let (mut top, mut below) = (self.root(one), self.root(other));
        if top == below {
            return;
        }
        if hash(StateRef::new(u64::from(top))) > hash(StateRef::new(u64::from(below))) {
            (top, below) = (below, top);
        }
        let (upper, lower) = (&self.nodes[top as usize], &self.nodes[below as usize]);
        lower.parent.store(top, Release);
        let workers = lower.bits.fetch_or(0, AcqRel) & !(DONE | DEAD | BURIED);
        upper.bits.fetch_or(workers | JOINED, AcqRel);
        for (word, more) in self.marks_of(top).iter().zip(self.marks_of(below)) {
            word.fetch_or(more.fetch_or(0, AcqRel), AcqRel);
        }
        // Exchanging two links merges two cyclic lists.
        let one = &self.nodes[upper.cursor.load(Relaxed) as usize].next;
        let other = &self.nodes[lower.cursor.load(Relaxed) as usize].next;
        let next = one.load(Relaxed);
        one.store(other.load(Relaxed), Relaxed);
        other.store(next, Relaxed);
    }

    /// Marks a state as done: all its edges were explored.
    pub fn finish(&self, node: u32) {
        self.nodes[node as usize].bits.fetch_or(DONE, AcqRel);
    }

    /// A busy state of the set of a node; another one each time, if there are several. If there is none, and
    /// `accepts` is false for the marks of the set, it is dead from now on. `seen` is a buffer for the marks.
    pub fn busy(&self, node: u32, seen: &mut [u64], accepts: impl Fn(&[u64]) -> bool) -> Busy {
        let _guard = self.joining();
        let root = self.root(node);
        let set = &self.nodes[root as usize];
        if set.bits.load(Acquire) & DEAD != 0 {
            return Busy::Dead { alone: false };
        }
        let cursor = set.cursor.load(Relaxed);
        let at = &self.nodes[cursor as usize];
        loop {
            let next = at.next.load(Relaxed);
            let candidate = &self.nodes[next as usize];
            if candidate.bits.load(Acquire) & DONE == 0 {
                set.cursor.store(next, Relaxed);
                return Busy::State(StateRef::new(candidate.state.load(Relaxed)));
            }
            if next == cursor {
                self.marks(root, seen);
                // A single state has no cycle, unless it has an edge to itself.
                let alone = set.bits.load(Relaxed) & (JOINED | CYCLIC) == 0;
                if !alone && accepts(seen) {
                    return Busy::Accepting;
                }
                set.bits.fetch_or(DEAD, AcqRel);
                return Busy::Dead { alone };
            }
            at.next.store(candidate.next.load(Relaxed), Relaxed);
        }
    }

    /// Whether all edges of a state were explored.
    pub fn is_done(&self, node: u32) -> bool {
        self.nodes[node as usize].bits.load(Acquire) & DONE != 0
    }

    /// Records that the state of a node is marked as dead in the store.
    pub fn buried(&self, node: u32) {
        self.nodes[node as usize].bits.fetch_or(BURIED, Relaxed);
    }

    /// The states of the set of a node.
    pub fn members(&self, node: u32) -> impl Iterator<Item = StateRef> {
        let root = self.root(node);
        let is_member = move |&other: &u32| {
            self.nodes[other as usize].state.load(Relaxed) != NO_STATE && self.root(other) == root
        };
        let state = |node: u32| StateRef::new(self.nodes[node as usize].state.load(Relaxed));
        (0..self.len()).filter(is_member).map(state)
    }

    fn len(&self) -> u32 {
        self.used.load(Relaxed).min(self.nodes.len() as u32)
    }

    /// Removes dead sets, and frees memory. `mark_dead` is called with each removed state that is not marked as dead
    /// in the store.
    pub fn clean_up(&mut self, mut mark_dead: impl FnMut(StateRef)) -> Result<(), Full> {
        let kept = self.throw_out(&mut mark_dead)?;
        let len = self.nodes.len();
        self.used = AtomicU32::new(kept);
        let is_small = len < FEW || kept as usize > len / 2;
        if is_small && self.resize(2 * len).is_err() && self.resize(len + len / 4).is_err() {
            // The free nodes must suffice for some time.
            if kept as usize >= len - len / 8 {
                return Err(Full);
            }
        }
        for node in &mut self.nodes[kept as usize..] {
            *node.state.get_mut() = NO_STATE;
        }
        self.fill_slots();
        Ok(())
    }

    /// Moves the nodes of live sets to the front; returns their number.
    fn throw_out(&mut self, mark_dead: &mut impl FnMut(StateRef)) -> Result<u32, Full> {
        let len = self.len();
        let mut moved: Vec<u32> = Vec::new();
        self.account.grow(&mut moved, len as usize)?;
        let mut kept = 0;
        for node in 0..len {
            let root = self.root(node);
            let dead = *self.nodes[root as usize].bits.get_mut() & DEAD != 0;
            let entry = &mut self.nodes[node as usize];
            *entry.parent.get_mut() = root;
            let state = *entry.state.get_mut();
            let live = state != NO_STATE && !dead;
            if state != NO_STATE && dead && *entry.bits.get_mut() & BURIED == 0 {
                mark_dead(StateRef::new(state));
            }
            moved.push(if live { kept } else { u32::MAX });
            kept += u32::from(live);
        }
        for node in 0..len as usize {
            let to = moved[node] as usize;
            if to >= node {
                // The node stays, or it is removed; but the nodes that it refers to may have moved.
                if to == node {
                    self.nodes[node].refer(&moved);
                }
                continue;
            }
            let mut entry = std::mem::replace(&mut self.nodes[node], Node::new());
            entry.refer(&moved);
            self.nodes[to] = entry;
            for word in 0..self.words {
                let marks = *self.marks[node * self.words + word].get_mut();
                *self.marks[to * self.words + word].get_mut() = marks;
            }
        }
        self.account.discard(moved);
        Ok(kept)
    }

    /// Resizes the table to so many nodes, with an empty hash table.
    fn resize(&mut self, len: usize) -> Result<(), Full> {
        let len = len.clamp(8, (u32::MAX / 2) as usize);
        if len <= self.nodes.len() {
            return Err(Full);
        }
        let mut slots = Vec::new();
        self.account.grow(&mut slots, len + len / 2)?;
        let grown = self.account.grow(&mut self.nodes, len);
        let grown = grown.and_then(|()| self.account.grow(&mut self.marks, len * self.words));
        if grown.is_err() {
            self.account.discard(slots);
            return Err(Full);
        }
        self.nodes.resize_with(len, Node::new);
        self.marks.resize_with(len * self.words, AtomicU64::default);
        slots.resize_with(len + len / 2, AtomicU32::default);
        let old = std::mem::replace(&mut self.slots, slots);
        self.account.discard(old);
        Ok(())
    }

    /// Builds the hash table.
    fn fill_slots(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        for node in 0..*self.used.get_mut() {
            let state = *self.nodes[node as usize].state.get_mut();
            let mut slot = self.home(StateRef::new(state));
            while *self.slots[slot].get_mut() != 0 {
                slot = self.after(slot);
            }
            *self.slots[slot].get_mut() = node + 1;
        }
    }

    fn home(&self, state: StateRef) -> usize {
        ((u128::from(hash(state)) * self.slots.len() as u128) >> 64) as usize
    }

    fn after(&self, slot: usize) -> usize {
        match slot + 1 == self.slots.len() {
            true => 0,
            false => slot + 1,
        }
    }
}

impl Node {
    /// Adapts its references to moved nodes. They belong to its set.
    fn refer(&mut self, moved: &[u32]) {
        for node in [&mut self.parent, &mut self.next, &mut self.cursor] {
            let node = node.get_mut();
            *node = moved[*node as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shuttle::sync::Arc;
    use shuttle::thread;
    use std::collections::BTreeSet;

    const SCHEDULES: usize = 5_000;

    fn state(number: u32) -> StateRef {
        StateRef::new(u64::from(number) * 0x1_0000_0001)
    }

    fn sets(room: usize) -> LiveSets {
        let mut sets = LiveSets::new(&Memory::new(None), 1);
        sets.resize(room).unwrap();
        sets
    }

    /// Reaches a state.
    fn come(sets: &LiveSets, number: u32, worker: usize) -> (u32, ClaimResult) {
        let mut spare = sets.reserve();
        let node = sets.find_or_insert(state(number), &mut spare).unwrap();
        (node, sets.claim(node, worker))
    }

    /// The busy states of a set, each made done when it is returned.
    fn drain(sets: &LiveSets, node: u32) -> Vec<StateRef> {
        let mut states = Vec::new();
        while let Busy::State(state) = sets.busy(node, &mut [0], |_| false) {
            states.push(state);
            sets.finish(sets.find(state).unwrap());
        }
        states
    }

    /// Each of three workers merges two sets and adds a mark; in the end there is one set, which has all workers and
    /// all marks, and each state once in its cyclic list.
    #[test]
    fn merging_sets_loses_nothing() {
        let test = || {
            let sets = Arc::new(sets(32));
            let work = |worker: usize| {
                let sets = sets.clone();
                thread::spawn(move || {
                    let first = worker as u32;
                    let (one, _) = come(&sets, first, worker);
                    sets.add_marks(one, &[1 << worker], &mut [0]);
                    let (other, _) = come(&sets, first + 1, worker);
                    sets.join(one, other);
                    assert!(sets.is_same(one, other));
                })
            };
            let threads: Vec<_> = (0..3).map(work).collect();
            threads
                .into_iter()
                .for_each(|thread| thread.join().unwrap());
            let nodes: Vec<u32> = (0..4).map(|n| sets.find(state(n)).unwrap()).collect();
            for &node in &nodes {
                assert!(sets.is_same(node, nodes[0]));
                (0..3)
                    .for_each(|worker| assert_eq!(sets.state_of(node, worker), ClaimResult::Found));
            }
            let mut marks = [0];
            sets.marks(nodes[2], &mut marks);
            assert_eq!(marks, [7]);
            let members: BTreeSet<_> = sets.members(nodes[1]).collect();
            assert_eq!(members, (0..4).map(state).collect());
            let busy = drain(&sets, nodes[3]);
            assert_eq!(busy.len(), 4);
            assert_eq!(busy.into_iter().collect::<BTreeSet<_>>(), members);
            assert_eq!(sets.state_of(nodes[0], 0), ClaimResult::Dead);
        };
        shuttle::check_random(test, SCHEDULES);
    }

    /// Of several workers that reach a new set at the same time, each is told once that it is new; and a set is dead
    /// only when all of its states are done.
    #[test]
    fn a_set_is_dead_when_all_states_are_done() {
        let test = || {
            let sets = Arc::new(sets(32));
            let work = |worker: usize| {
                let sets = sets.clone();
                thread::spawn(move || {
                    let (node, claim) = come(&sets, 0, worker);
                    if claim == ClaimResult::Dead {
                        return;
                    }
                    assert_eq!(claim, ClaimResult::New);
                    let (other, _) = come(&sets, 1, worker);
                    if sets.state_of(other, worker) != ClaimResult::Dead {
                        sets.join(node, other);
                    }
                    sets.add_marks(node, &[1 << worker], &mut [0]);
                    sets.finish(node);
                    let busy = sets.busy(node, &mut [0], |_| false);
                    if busy == Busy::State(state(1)) {
                        sets.finish(other);
                        sets.busy(other, &mut [0], |_| false);
                    }
                    assert_eq!(sets.state_of(node, worker), ClaimResult::Dead);
                })
            };
            let threads: Vec<_> = (0..2).map(work).collect();
            threads
                .into_iter()
                .for_each(|thread| thread.join().unwrap());
        };
        shuttle::check_random(test, SCHEDULES);
    }

    /// A cleanup keeps live sets unchanged, and removes the rest.
    #[test]
    fn a_cleanup_removes_dead_sets() {
        let test = || {
            for live in 0..64u32 {
                let mut sets = sets(8);
                let nodes: Vec<u32> = (0..6).map(|n| come(&sets, n, 0).0).collect();
                // Even states form a set, and odd ones; the others are single.
                sets.join(nodes[0], nodes[2]);
                sets.join(nodes[1], nodes[3]);
                for &node in &nodes {
                    sets.add_marks(node, &[1 << node], &mut [0]);
                }
                for number in (0..6).filter(|n| live >> n & 1 == 0) {
                    sets.finish(nodes[number]);
                }
                let set_of = |n: u32| [[0, 2], [1, 3], [0, 2], [1, 3], [4, 4], [5, 5]][n as usize];
                let is_live = |n: u32| set_of(n).iter().any(|n| live >> n & 1 == 1);
                for &node in &nodes {
                    sets.busy(node, &mut [0], |_| false);
                }
                let mut buried = BTreeSet::new();
                sets.clean_up(|state| assert!(buried.insert(state)))
                    .unwrap();
                for number in 0..6 {
                    let Some(node) = sets.find(state(number)) else {
                        assert!(!is_live(number) && buried.contains(&state(number)));
                        continue;
                    };
                    assert!(is_live(number), "{live:b} {number}");
                    let members: BTreeSet<_> = sets.members(node).collect();
                    assert_eq!(members, set_of(number).map(state).into_iter().collect());
                    let mut marks = [0];
                    sets.marks(node, &mut marks);
                    let expected = set_of(number).iter().fold(0, |marks, n| marks | 1 << n);
                    assert_eq!(marks, [expected]);
                }
                for number in (0..6).filter(|&n| is_live(n)) {
                    let Some(node) = sets.find(state(number)) else {
                        continue;
                    };
                    for state in drain(&sets, node) {
                        assert!((0..6).any(|n| state == self::state(n) && live >> n & 1 == 1));
                    }
                }
            }
        };
        shuttle::check_random(test, 1);
    }
}
