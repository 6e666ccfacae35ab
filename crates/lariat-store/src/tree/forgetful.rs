//! The compressed store for searches that remove states.
//!
//! Only the root of a removed state is removed: the nodes below it are shared with other states, and a state that is
//! reached again finds them. In most models they are few compared with the roots. A reference consists of node
//! numbers alone, so it can be loaded and inserted again as long as these nodes exist, whether its state is in the
//! table or not. When nodes take too much memory, [`collect`] determines which of them are used by the states in the
//! table or by references of the caller; all others are freed, and their numbers are used again.
//!
//! [`shrink`] frees memory of the root table: it moves a shard to half as many lines.
//!
//! [`collect`]: Forgetful::collect
//! [`shrink`]: Forgetful::shrink

use super::contexts::Contexts;
use super::nodes::NodesInUse;
use super::quotient::{SHARD_BITS, first_round, shard_of};
use super::roots::{Fill, LINE, Put, Rules};
use super::store::{TreeStore, TreeWorker};
use crate::set::{
    Archive, Demands, Exactness, Forgetful, Refused, Seen, Settled, StateRef, StoreInfo,
};
use crate::sync::Ordering;

/// A compressed set of states from which states can be removed. One thread works with it.
///
/// ```
/// use lariat_store::{Demands, Forgetful, ForgetfulTree, Memory, Archive, Seen};
///
/// let store = ForgetfulTree::new(Demands {
///     memory: Memory::new(Some(1 << 20)),
///     colour_bits: 2,
///     max_states: 1,
/// });
/// let mut worker = store.worker();
/// let mut found = Vec::new();
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.query(&mut worker, &mut found).unwrap();
/// assert!(found[0].is_new);
/// assert!(store.insert(&mut worker, found[0].state, 1).is_ok());
/// assert_eq!(store.colour(&mut worker, found[0].state), 1);
/// assert_eq!(store.remove(&mut worker, found[0].state), Some(1));
/// assert!(store.is_empty());
/// ```
#[derive(Debug)]
pub struct ForgetfulTree {
    tree: TreeStore,
    max_states: u64,
}

impl Seen for ForgetfulTree {
    const INFO: StoreInfo = StoreInfo {
        name: "forgetful tree",
        summary: "compressed, and states can be removed",
        exactness: Exactness::Exact,
        state_bytes: 25,
    };
    type Worker = TreeWorker;

    fn worker(&self) -> TreeWorker {
        self.tree.worker()
    }

    #[inline]
    fn offer(&self, worker: &mut TreeWorker, state: &[u32]) {
        self.tree.offer(worker, state);
    }

    fn settle(&self, worker: &mut TreeWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let first = out.len();
        let result = self.query(worker, out);
        for index in first..out.len() {
            let state = out[index].state;
            let before = self.look_at(worker, state);
            if before.is_none()
                && let Err(refused) = self.insert(worker, state, 0)
            {
                out.truncate(index);
                return Err(refused);
            }
            out[index] = settled(state, before);
        }
        result
    }

    fn colour(&self, worker: &mut TreeWorker, state: StateRef) -> u8 {
        self.look_at(worker, state).unwrap_or(0)
    }

    fn recolour(&self, worker: &mut TreeWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        let first = first_round(state.number());
        let view = self.tree.keys.lock.enter(&worker.offers.reader);
        let shard = &view.roots[shard_of(first)];
        let place = shard.layout.place(state.number(), first);
        let colour = shard.paint(place, clear.into(), set.into());
        colour.unwrap_or(0) as u8
    }

    #[inline(always)]
    fn words<'w>(&self, worker: &'w mut TreeWorker, state: StateRef, _: &'w [u32]) -> &'w [u32] {
        self.load(worker, state)
    }

    fn announce(&self, state: StateRef) {
        self.tree.announce(state);
    }

    fn len(&self) -> u64 {
        self.tree.len()
    }
}

impl Archive for ForgetfulTree {
    const LEARNS: bool = true;

    fn new(demands: Demands) -> Self {
        ForgetfulTree {
            max_states: demands.max_states,
            tree: TreeStore::new(demands),
        }
    }

    fn learn(&mut self, samples: &[Vec<u32>]) {
        self.tree.learn(samples);
    }

    fn load<'w>(&self, worker: &'w mut TreeWorker, state: StateRef) -> &'w [u32] {
        self.tree.load(worker, state)
    }

    fn slots(&self, worker: &mut TreeWorker) -> u64 {
        self.tree.slots(worker)
    }

    fn slots_of(
        &self,
        worker: &mut TreeWorker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        self.tree.slots_of(worker, states, out);
    }
}

impl Forgetful for ForgetfulTree {
    fn leave_to_others(&mut self, bytes: u64) {
        self.tree.keys.reserve = bytes;
    }

    fn query(&self, worker: &mut TreeWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let refused = self.tree.encode(worker);
        self.tree.keys.refresh_places(&mut worker.offers);
        out.reserve(worker.offers.keys().len());
        let view = self.tree.keys.lock.enter(&worker.offers.reader);
        for (key, place) in worker.offers.keys() {
            let shard = &view.roots[shard_of(first_round(key))];
            let colour = shard.get(place).map(|colour| colour as u8);
            out.push(settled(StateRef::new(key), colour));
        }
        drop(view);
        worker.offers.clear();
        refused.map_or(Ok(()), Err)
    }

    fn insert(&self, worker: &mut TreeWorker, state: StateRef, colour: u8) -> Result<(), Refused> {
        let key = state.number();
        let first = first_round(key);
        loop {
            let mut view = self.tree.keys.lock.enter(&worker.offers.reader);
            let version = view.version;
            let shard = &mut view.roots[shard_of(first)];
            let place = shard.layout.place(key, first);
            if self.tree.len() >= self.max_states {
                return match shard.get(place) {
                    Some(_) => Ok(()),
                    None => Err(Refused::States),
                };
            }
            match shard.put(place, colour.into()) {
                Put::Known => return Ok(()),
                Put::New => {
                    self.tree.keys.len.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                Put::NoRoom => drop(view),
            }
            self.tree.make_room(key, version)?;
        }
    }

    fn remove(&self, worker: &mut TreeWorker, state: StateRef) -> Option<u8> {
        let first = first_round(state.number());
        let mut view = self.tree.keys.lock.enter(&worker.offers.reader);
        let shard = &mut view.roots[shard_of(first)];
        let place = shard.layout.place(state.number(), first);
        let colour = shard.remove(place)?;
        self.tree.keys.len.fetch_sub(1, Ordering::Relaxed);
        Some(colour as u8)
    }

    fn evict(
        &self,
        worker: &mut TreeWorker,
        near: StateRef,
        random: u64,
        worth: impl Fn(u8) -> Option<u8>,
    ) -> Option<u8> {
        let mut view = self.tree.keys.lock.enter(&worker.offers.reader);
        let first = shard_of(first_round(near.number()));
        // If this shard has no state that may be removed, others may: then only the number of states was the limit.
        let mut shards = (0..1 << SHARD_BITS).map(|turn| (first + turn) % (1 << SHARD_BITS));
        let colour = shards
            .find_map(|shard| view.roots[shard].evict(random, |colour| worth(colour as u8)))?;
        self.tree.keys.len.fetch_sub(1, Ordering::Relaxed);
        Some(colour as u8)
    }

    fn shrink(
        &self,
        worker: &mut TreeWorker,
        mut random: impl FnMut() -> u64,
        worth: impl Fn(u8) -> Option<u8>,
        mut evicted: impl FnMut(u8),
    ) -> bool {
        let largest = {
            let view = self.tree.keys.lock.enter(&worker.offers.reader);
            let largest = (0..1 << SHARD_BITS).max_by_key(|&shard| view.roots[shard].lines());
            largest.unwrap_or(0)
        };
        let rules = Rules {
            memory: self.tree.keys.memory.clone(),
            colour_bits: self.tree.keys.colour_bits,
            shard: largest,
            reserve: 0,
            fill: Fill::Usual,
        };
        {
            let mut view = self.tree.keys.lock.enter(&worker.offers.reader);
            let shard = &mut view.roots[largest];
            let room = shard.capacity_if_halved(&rules);
            while shard.len() > room {
                let Some(colour) = shard.evict(random(), |colour| worth(colour as u8)) else {
                    return false;
                };
                self.tree.keys.len.fetch_sub(1, Ordering::Relaxed);
                evicted(colour as u8);
            }
            shard.report();
        }
        let halved = self.tree.keys.lock.exclusive(|master, views| {
            // The readers' views count the reported insertions; the master's handles count none themselves.
            master.roots[largest].report();
            let shard = master.roots[largest].halved(&rules)?;
            for view in views.iter_mut().map(|view| &mut **view).chain([master]) {
                view.roots[largest] = shard.clone();
                view.version += 1;
            }
            Ok::<_, crate::memory::Full>(())
        });
        halved.is_ok()
    }

    fn collect(
        &self,
        worker: &mut TreeWorker,
        in_use: impl Iterator<Item = StateRef>,
    ) -> Result<u64, Refused> {
        let tree = &self.tree;
        let mut live = tree.nodes.none_in_use()?;
        let mut contexts = Contexts::default();
        {
            let view = tree.keys.lock.enter(&worker.offers.reader);
            for (number, shard) in view.roots.iter().enumerate() {
                shard.for_each_key(number, |key| add_nodes(tree, &mut contexts, key, &mut live));
            }
        }
        for state in in_use.filter(|&state| state != StateRef::NONE) {
            add_nodes(tree, &mut contexts, state.number(), &mut live);
        }
        let count = live.count();
        tree.keys.lock.exclusive(|master, _| {
            // All views have the same shards of the index.
            master.index.iter().for_each(|shard| shard.clear());
            for number in live.numbers() {
                let hash = super::encoder::hash_row(&tree.nodes.row(number));
                master.index[super::index::shard_of(hash)].put_back(hash, number);
            }
        });
        let freed = tree.nodes.len() - count;
        tree.nodes.reclaim(live);
        worker.forget_numbers();
        Ok(freed)
    }

    fn nodes(&self) -> u64 {
        self.tree.nodes.len()
    }

    fn spare_nodes(&self) -> u64 {
        self.tree.nodes.spare()
    }

    fn node_bytes(&self) -> u64 {
        self.tree.nodes.bytes()
    }

    fn table_bytes(&self, worker: &mut TreeWorker) -> u64 {
        let view = self.tree.keys.lock.enter(&worker.offers.reader);
        let lines: usize = view.roots.iter().map(|shard| shard.lines()).sum();
        (lines * LINE) as u64
    }
}

fn settled(state: StateRef, colour: Option<u8>) -> Settled {
    Settled {
        state,
        is_new: colour.is_none(),
        colour: colour.unwrap_or(0),
    }
}

/// Adds all nodes of a state to those in use.
fn add_nodes(tree: &TreeStore, contexts: &mut Contexts, key: u64, live: &mut NodesInUse) {
    if tree.is_escaped(key) {
        live.add(key as u32);
    }
    let (width, root) = tree.open(key);
    contexts.choose(width, || tree.context(width));
    // The nodes of the context were added when it was decoded.
    contexts.chosen().decode(
        root,
        |number| tree.nodes.announce(number),
        |number| {
            live.add(number);
            tree.nodes.row(number)
        },
    );
}

impl ForgetfulTree {
    fn look_at(&self, worker: &mut TreeWorker, state: StateRef) -> Option<u8> {
        let first = first_round(state.number());
        let view = self.tree.keys.lock.enter(&worker.offers.reader);
        let shard = &view.roots[shard_of(first)];
        let place = shard.layout.place(state.number(), first);
        shard.get(place).map(|colour| colour as u8)
    }
}
