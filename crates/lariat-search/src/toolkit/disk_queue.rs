//! The part of a queue that is on disk.
//!
//! A queue of a breadth-first search keeps a part of the memory for the states that wait: an eighth, or what
//! [`Spill::keeping`] says. If more wait, it writes some of them as a block, which it reads when nothing else of the level
//! is left. Half of the memory of the queue is for states that wait; a block is an eighth, but at most 16 MB. Besides a block that
//! was read there are a block as bytes, and the same compressed.
//!
//! One worker at a time writes or reads, while the others expand states. If all of them want to write, they wait for the disk.

use crate::toolkit::budget::Stop;
use lariat_store::frontier::{Blocks, Buffer, Damage, Spill, SpillError};
use lariat_store::{Full, Memory, StateRef};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// The part of the memory that the queue has.
const SHARE: u64 = 8;
/// What the queue has if memory has no limit.
const WITHOUT_LIMIT: u64 = 1 << 30;
/// The part of the memory of the queue that a block has, if it is no larger than [`LARGEST_BLOCK`].
const BLOCK_SHARE: u64 = 8;
const LARGEST_BLOCK: u64 = 16 << 20;

/// What can wait on disk: a value of a fixed number of bytes.
pub(crate) trait Packed: Copy + Send {
    /// How many bytes it takes.
    const BYTES: usize;

    /// Writes it to the end of a buffer.
    fn pack(self, out: &mut Buffer) -> Result<(), Full>;

    /// Reads it from the beginning of these bytes, and removes them.
    fn unpack(bytes: &mut &[u8]) -> Option<Self>;
}

impl Packed for () {
    const BYTES: usize = 0;

    fn pack(self, _: &mut Buffer) -> Result<(), Full> {
        Ok(())
    }

    fn unpack(_: &mut &[u8]) -> Option<Self> {
        Some(())
    }
}

impl Packed for u32 {
    const BYTES: usize = 4;

    fn pack(self, out: &mut Buffer) -> Result<(), Full> {
        out.push(&self.to_le_bytes())
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let (first, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(u32::from_le_bytes(*first))
    }
}

impl Packed for u64 {
    const BYTES: usize = 8;

    fn pack(self, out: &mut Buffer) -> Result<(), Full> {
        out.push(&self.to_le_bytes())
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let (first, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(u64::from_le_bytes(*first))
    }
}

impl Packed for StateRef {
    const BYTES: usize = 8;

    fn pack(self, out: &mut Buffer) -> Result<(), Full> {
        self.number().pack(out)
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        u64::unpack(bytes).map(StateRef::new)
    }
}

impl<A: Packed, B: Packed> Packed for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;

    fn pack(self, out: &mut Buffer) -> Result<(), Full> {
        self.0.pack(out)?;
        self.1.pack(out)
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::unpack(bytes)?, B::unpack(bytes)?))
    }
}

/// A part of a queue that is written and read as a whole.
pub(crate) trait Packet: Sized {
    /// Writes it to the end of a buffer.
    fn pack(&self, out: &mut Buffer) -> Result<(), Full>;

    /// Reads it from the beginning of these bytes, and removes them. `None` if the bytes are nothing that was written.
    fn unpack(bytes: &mut &[u8], memory: &Memory) -> Result<Option<Self>, Full>;
}

/// Packets on disk, in the order in which they were written.
pub(crate) struct DiskQueue<P> {
    spill: Spill,
    memory: Memory,
    share: u64,
    disk: Mutex<Disk>,
    packets: PhantomData<fn() -> P>,
}

struct Disk {
    blocks: Blocks,
    content: Buffer,
}

impl<P: Packet> DiskQueue<P> {
    /// An empty one.
    pub fn new(spill: &Spill, memory: &Memory) -> Self {
        let share = match memory.limit() {
            u64::MAX => WITHOUT_LIMIT,
            limit => limit / SHARE,
        };
        DiskQueue {
            spill: spill.clone(),
            memory: memory.clone(),
            share: spill.memory().unwrap_or(share),
            disk: Mutex::new(Disk {
                blocks: Blocks::new(spill, memory),
                content: Buffer::new(memory),
            }),
            packets: PhantomData,
        }
    }

    /// The bytes of states that may wait in memory.
    pub fn most(&self) -> u64 {
        self.share / 2
    }

    /// The bytes of a block.
    pub fn block(&self) -> u64 {
        (self.share / BLOCK_SHARE).clamp(1, LARGEST_BLOCK)
    }

    /// Writes packets as a block.
    pub fn write(&self, packets: &[P]) -> Result<(), Stop> {
        let disk = &mut *self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        disk.content.clear();
        for packet in packets {
            packet.pack(&mut disk.content)?;
        }
        let written = disk.blocks.append(disk.content.bytes());
        written.map_err(|error| self.stop(error))
    }

    /// Reads the first block, and calls `add` with its packets.
    pub fn take(&self, mut add: impl FnMut(P)) -> Result<(), Stop> {
        let disk = &mut *self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = SpillError::Damaged(Damage::Length);
        match disk.blocks.take(&mut disk.content) {
            Ok(true) => {}
            Ok(false) => return Err(self.stop(missing)),
            Err(error) => return Err(self.stop(error)),
        }
        let mut bytes = disk.content.bytes();
        while !bytes.is_empty() {
            match P::unpack(&mut bytes, &self.memory)? {
                Some(packet) => add(packet),
                None => return Err(self.stop(missing)),
            }
        }
        Ok(())
    }

    fn stop(&self, error: SpillError) -> Stop {
        match error {
            SpillError::Limit => Stop::DiskLimit,
            SpillError::DiskFull => Stop::DiskFull,
            SpillError::Memory => Stop::Memory,
            SpillError::Io(_) | SpillError::Damaged(_) => {
                self.spill.fail(&error);
                Stop::DiskError
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolkit::budget::{Budget, Options};
    use crate::toolkit::outcome::SearchOutcome;
    use crate::{Compaction, FaultPolicy, SearchId, StoreId, StoreKind, breadth_first};
    use lariat_graph::Acceptance;
    use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph, RandomGraph};
    use lariat_stats::{Rng, stream};
    use lariat_store::frontier::Storage;
    use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};

    /// What happens to bytes on a medium.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Medium {
        Good,
        Full,
        Unreadable,
        /// A bit is flipped when it is read.
        Flips,
        /// The last byte is lost.
        Truncates,
    }

    struct File(Medium, Cursor<Vec<u8>>);

    impl Read for File {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0 == Medium::Unreadable {
                return Err(io::Error::other("the medium is unreadable"));
            }
            let read = self.1.read(out)?;
            if self.0 == Medium::Flips {
                out[read / 2] ^= 1;
            }
            Ok(read)
        }
    }

    impl Write for File {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0 {
                Medium::Full => Err(ErrorKind::StorageFull.into()),
                Medium::Truncates => {
                    self.1.write_all(&bytes[1..])?;
                    Ok(bytes.len())
                }
                _ => self.1.write(bytes),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for File {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            self.1.seek(position)
        }
    }

    /// A place on a medium, for queues with very little memory.
    fn spill(medium: Medium, limit: Option<u64>) -> Spill {
        let file = move || -> io::Result<Box<dyn Storage>> {
            Ok(Box::new(File(medium, Cursor::default())))
        };
        Spill::with_files(limit, file).keeping(1 << 10)
    }

    fn options(spill: Option<Spill>) -> Options {
        Options {
            faults: FaultPolicy::Collect,
            budget: Budget {
                spill,
                ..Budget::default()
            },
            ..Options::default()
        }
    }

    fn graph(rng: &mut Rng) -> ExplicitGraph {
        let states = 500 + rng.below(3000) as u32;
        let shape = RandomGraph {
            states,
            edges: 3 * states,
            initial: 1 + rng.below(20) as u32,
            fault_probability: 0.01,
            fault_codes: 5,
            padding: rng.below(4) as u32,
        };
        ExplicitGraph::random(&shape, rng)
    }

    /// What does not depend on the order within a level.
    fn facts(outcome: &SearchOutcome) -> impl PartialEq + std::fmt::Debug {
        let statistics = &outcome.statistics;
        let mut faults: Vec<_> = outcome
            .faults
            .iter()
            .map(|fault| (fault.code, fault.occurrences, fault.path.labels.len()))
            .collect();
        faults.sort_unstable();
        (
            outcome.stop,
            statistics.states_stored,
            statistics.states_matched,
            statistics.max_depth,
            faults,
        )
    }

    const COMPACT: StoreKind = StoreKind::Compact(Compaction {
        bits: Some(64),
        seed: 1,
    });
    const STORES: [StoreKind; 3] = [
        StoreKind::Keep(StoreId::Tree),
        StoreKind::Keep(StoreId::Flat),
        COMPACT,
    ];

    #[test]
    fn a_queue_on_disk_changes_no_count() {
        for number in 0..60 {
            let mut rng = stream(1, "graphs for queues on disk", number);
            let graph = graph(&mut rng);
            for store in STORES {
                let with_store = |spill| Options {
                    store,
                    ..options(spill)
                };
                let plain = breadth_first(&mut [graph.clone()], &with_store(None), &mut ());
                assert_eq!(plain.statistics.spilled, None);
                for workers in 1..=3 {
                    let options = with_store(Some(spill(Medium::Good, None)));
                    let mut graphs = vec![graph.clone(); workers];
                    let found = breadth_first(&mut graphs, &options, &mut ());
                    let context = format!("graph {number}, {store:?}, {workers} workers");
                    assert_eq!(facts(&plain), facts(&found), "{context}");
                    let spilled = found.statistics.spilled.unwrap();
                    assert!(0 < spilled.peak && spilled.peak <= spilled.written);
                }
            }
        }
    }

    /// All states but the first one wait at the same time, and have a tenth of the memory that they need.
    #[test]
    fn a_queue_ten_times_larger_than_its_memory_is_complete() {
        const STATES: u32 = 10_000;
        let mut graph = ExplicitAcceptingGraph::new(STATES, Acceptance { sets: 1, pairs: 0 });
        graph.add_initial(0);
        for state in 1..STATES {
            graph.add_edge(0, state, state, &[]);
            graph.add_edge(
                state,
                (state + 1).min(STATES - 1),
                0,
                if state % 2 == 0 { &[0] } else { &[] },
            );
        }
        for (search, store) in [
            (SearchId::Bfs, STORES[0]),
            (SearchId::Bfs, COMPACT),
            (SearchId::Owcty, STORES[0]),
            (SearchId::Owcty, COMPACT),
            (SearchId::Map, STORES[0]),
        ] {
            let with_store = |spill| Options {
                store,
                ..options(spill)
            };
            let plain = search.run(&mut [graph.clone()], &with_store(None), &mut ());
            assert_eq!(plain.stop, Stop::Complete);
            for workers in 1..=2 {
                let small = spill(Medium::Good, None).keeping(u64::from(STATES) * 8 / 10);
                let mut graphs = vec![graph.clone(); workers];
                let found = search.run(&mut graphs, &with_store(Some(small)), &mut ());
                let context = format!("{search:?}, {store:?}, {workers} workers");
                assert_eq!(facts(&plain), facts(&found), "{context}");
                assert!(found.statistics.spilled.unwrap().written > 0, "{context}");
            }
        }
    }

    /// A graph with few accepted cycles, or none.
    fn accepting_graph(rng: &mut Rng) -> ExplicitAcceptingGraph {
        let states = 300 + rng.below(1500) as u32;
        let mut graph = ExplicitAcceptingGraph::new(states, Acceptance { sets: 1, pairs: 0 });
        graph.add_initial(0);
        let backwards = rng.below(3);
        for edge in 0..4 * states {
            let (a, b) = (
                rng.below(states.into()) as u32,
                rng.below(states.into()) as u32,
            );
            let (low, high) = (a.min(b), a.max(b));
            let marks: &[usize] = if rng.index(4) == 0 { &[0] } else { &[] };
            match u64::from(edge) < backwards {
                true => graph.add_edge(high, low, edge, marks),
                false if low < high => graph.add_edge(low, high, edge, marks),
                false => {}
            }
        }
        for state in 1..states {
            graph.add_edge((state - 1) / 3, state, 4 * states + state, &[]);
        }
        graph
    }

    const CYCLE_SEARCHES: [(SearchId, StoreKind); 3] = [
        (SearchId::Owcty, STORES[0]),
        (SearchId::Owcty, COMPACT),
        (SearchId::Map, STORES[0]),
    ];

    #[test]
    fn searches_for_cycles_find_the_same_with_a_queue_on_disk() {
        for (search, store) in CYCLE_SEARCHES {
            let with_store = |spill| Options {
                store,
                ..options(spill)
            };
            let mut verdicts = [0, 0];
            for number in 0..80 {
                let mut rng = stream(1, "accepting graphs for queues on disk", number);
                let graph = accepting_graph(&mut rng);
                let plain = search.run(&mut [graph.clone()], &with_store(None), &mut ());
                verdicts[usize::from(plain.lasso.is_some())] += 1;
                for workers in 1..=3 {
                    let options = with_store(Some(spill(Medium::Good, None)));
                    let mut graphs = vec![graph.clone(); workers];
                    let found = search.run(&mut graphs, &options, &mut ());
                    let context =
                        format!("{search:?}, {store:?}, graph {number}, {workers} workers");
                    assert_eq!(plain.stop, found.stop, "{context}");
                    assert_eq!(plain.lasso.is_some(), found.lasso.is_some(), "{context}");
                    if found.stop == Stop::Complete {
                        assert_eq!(facts(&plain), facts(&found), "{context}");
                        assert!(found.statistics.spilled.unwrap().written > 0, "{context}");
                    }
                }
            }
            assert!(verdicts[0] > 10 && verdicts[1] > 10, "{verdicts:?}");
        }
    }

    #[test]
    fn a_disk_that_fails_ends_the_search_without_an_answer() {
        // A graph without cycles, in which all states but one wait.
        let mut graph = ExplicitAcceptingGraph::new(2000, Acceptance { sets: 1, pairs: 0 });
        graph.add_initial(0);
        (1..2000).for_each(|state| graph.add_edge(0, state, state, &[0]));
        let breadth_first = STORES.map(|store| (SearchId::Bfs, store));
        for (search, store) in breadth_first.into_iter().chain(CYCLE_SEARCHES) {
            for (medium, limit, stop) in [
                (Medium::Full, None, Stop::DiskFull),
                (Medium::Good, Some(1000), Stop::DiskLimit),
                (Medium::Unreadable, None, Stop::DiskError),
                (Medium::Flips, None, Stop::DiskError),
                (Medium::Truncates, None, Stop::DiskError),
            ] {
                for workers in 1..=2 {
                    let spill = spill(medium, limit);
                    let mut graphs = vec![graph.clone(); workers];
                    let options = Options {
                        store,
                        ..options(Some(spill.clone()))
                    };
                    let found = search.run(&mut graphs, &options, &mut ());
                    let context = format!("{search:?}, {store:?}, {medium:?}");
                    assert_eq!(found.stop, stop, "{context}");
                    assert!(
                        found.lasso.is_none() && found.faults.is_empty(),
                        "{context}"
                    );
                    let is_error = stop == Stop::DiskError;
                    assert_eq!(spill.failure().is_some(), is_error, "{context}");
                }
            }
        }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let memory = Memory::new(None);
        let mut buffer = Buffer::new(&memory);
        let value = ((StateRef::new(7), ()), (u64::MAX, 5u32));
        value.pack(&mut buffer).unwrap();
        fn length<T: Packed>(_: T) -> usize {
            T::BYTES
        }
        assert_eq!(buffer.bytes().len(), length(value));
        let mut bytes = buffer.bytes();
        assert_eq!(Packed::unpack(&mut bytes), Some(value));
        assert!(bytes.is_empty());
        assert_eq!(u32::unpack(&mut &[1, 2, 3][..]), None);
    }
}
