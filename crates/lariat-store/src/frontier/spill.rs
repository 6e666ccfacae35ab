//! The files of blocks, and their share of the disk.
//!
//! A [`Spill`] is a directory and a limit on the bytes in it, which all lists of blocks of a search share. [`Blocks`] is
//! one of these lists: blocks are appended, and either taken in the same order, or read as often as wanted.
//!
//! *Nothing is left behind.* A file is created under a name that no other file has, and its name is removed before
//! anything is written; the system frees its bytes when the process ends, however that happens. If it ends between the two, an
//! empty file is left, which the next [`Spill`] in the directory removes.
//!
//! *Taken blocks are freed.* Blocks lie in several files, one after the other; a file is closed when all its blocks are
//! taken. A file is full with 64 MB, or with a sixteenth of what the list has on disk, but at the latest with an
//! eighth of the limit. So all files together are hardly larger than
//! the blocks that were not taken, and there are few of them, whatever their size.

use crate::frontier::block::{self, Damage};
use crate::memory::{Account, Full, Memory};
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The bytes from which a file gets no further blocks.
const FULL_FILE: u64 = 64 << 20;
/// A file may have this part of what is on disk, if that is more.
const PART_OF_ALL: u64 = 16;

/// But it has no more than this part of the limit, so that little of it is for blocks that were taken.
const PART_OF_LIMIT: u64 = 8;

/// Why blocks cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpillError {
    /// The limit on the bytes on disk does not allow the block.
    Limit,
    /// The disk is full.
    DiskFull,
    /// The system reports an error, with this text.
    Io(String),
    /// A block is not what was written.
    Damaged(Damage),
    /// There is no memory for a buffer.
    Memory,
}

impl From<Full> for SpillError {
    fn from(_: Full) -> Self {
        SpillError::Memory
    }
}

impl From<io::Error> for SpillError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => SpillError::DiskFull,
            ErrorKind::UnexpectedEof => SpillError::Damaged(Damage::Length),
            _ => SpillError::Io(error.to_string()),
        }
    }
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SpillError::Limit => f.write_str("the limit on the bytes on disk is reached"),
            SpillError::DiskFull => f.write_str("the disk is full"),
            SpillError::Io(text) => f.write_str(text),
            SpillError::Damaged(damage) => {
                write!(f, "a block is not what was written: {damage}")
            }
            SpillError::Memory => f.write_str("there is no memory for a buffer"),
        }
    }
}

/// A file of blocks.
pub trait Storage: Read + Write + Seek + Send {}

impl<S: Read + Write + Seek + Send> Storage for S {}

type Create = dyn Fn() -> io::Result<Box<dyn Storage>> + Send + Sync;

/// A directory for blocks, and a limit on the bytes in it. Clones are the same.
#[derive(Clone)]
pub struct Spill {
    create: Arc<Create>,
    limit: u64,
    memory: Option<u64>,
    counts: Arc<Counts>,
    failure: Arc<OnceLock<SpillError>>,
}

#[derive(Default)]
struct Counts {
    /// The bytes of all files.
    held: AtomicU64,
    peak: AtomicU64,
    written: AtomicU64,
    blocks: AtomicU64,
}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut debug = f.debug_struct("Spill");
        debug
            .field("limit", &self.limit)
            .field("held", &self.held());
        debug.finish_non_exhaustive()
    }
}

impl Spill {
    /// Writes to this directory, which must exist, at most `limit` bytes at a time. Creates a file once, to see whether that is
    /// possible.
    pub fn new(directory: &Path, limit: Option<u64>) -> io::Result<Self> {
        let directory = directory.to_owned();
        remove_left_names(&directory)?;
        nameless_file(&directory)?;
        Ok(Spill::with_files(limit, move || nameless_file(&directory)))
    }

    /// Writes to what `create` returns.
    pub fn with_files(
        limit: Option<u64>,
        create: impl Fn() -> io::Result<Box<dyn Storage>> + Send + Sync + 'static,
    ) -> Self {
        Spill {
            create: Arc::new(create),
            limit: limit.unwrap_or(u64::MAX),
            memory: None,
            counts: Arc::default(),
            failure: Arc::default(),
        }
    }

    /// Lets so many bytes of waiting states be in memory, instead of a part of the memory of the search.
    pub fn keeping(self, bytes: u64) -> Self {
        Spill {
            memory: Some(bytes),
            ..self
        }
    }

    /// The bytes of waiting states that may be in memory, if they were set.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The same directory and limit, with nothing counted yet: for another search, after this one.
    pub fn afresh(&self) -> Self {
        Spill {
            counts: Arc::default(),
            ..self.clone()
        }
    }

    /// Notes an error that has ended a search. The first one is kept, also for those that were made [`afresh`](Self::afresh).
    pub fn fail(&self, error: &SpillError) {
        let _ = self.failure.set(error.clone());
    }

    /// The error that has ended a search, if there was one.
    pub fn failure(&self) -> Option<&SpillError> {
        self.failure.get()
    }

    /// The bytes on disk now.
    pub fn held(&self) -> u64 {
        self.counts.held.load(Ordering::Relaxed)
    }

    /// The most bytes that were on disk at a time.
    pub fn peak(&self) -> u64 {
        self.counts.peak.load(Ordering::Relaxed)
    }

    /// The bytes that were written.
    pub fn written(&self) -> u64 {
        self.counts.written.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), SpillError> {
        let within = |held: u64| Some(held.checked_add(bytes)?).filter(|&sum| sum <= self.limit);
        let held = &self.counts.held;
        let before = held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
        let before = before.map_err(|_| SpillError::Limit)?;
        self.counts
            .peak
            .fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    fn give_back(&self, bytes: u64) {
        self.counts.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

const PREFIX: &str = ".lariat-";
const SUFFIX: &str = ".spill";

/// Removes the names that processes have left which ended between creating a file and removing its name. A process that is still
/// between the two does not mind: it keeps its file.
fn remove_left_names(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_own_name(&entry.file_name()) {
            // Those of other users stay.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Whether a name is that of a file of [`nameless_file`].
fn is_own_name(name: &OsStr) -> bool {
    let numbers = name.to_str().and_then(|name| {
        name.strip_prefix(PREFIX)?
            .strip_suffix(SUFFIX)?
            .split_once('-')
    });
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// A new file in a directory, whose name is removed at once.
fn nameless_file(directory: &Path) -> io::Result<Box<dyn Storage>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // States can be confidential.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
        let path = directory.join(name);
        match options.open(&path) {
            Ok(file) => match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => return Ok(Box::new(file)),
            },
            // A file of another machine, or of another program.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes in memory that are charged to it.
pub struct Buffer {
    account: Account,
    bytes: Vec<u8>,
}

impl Buffer {
    /// An empty buffer.
    pub fn new(memory: &Memory) -> Self {
        Buffer {
            account: memory.account(),
            bytes: Vec::new(),
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds bytes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Full> {
        if self.bytes.capacity() - self.bytes.len() < bytes.len() {
            self.grow(bytes.len())?;
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), Full> {
        let needed = self.bytes.len() + more;
        self.account
            .grow_at_best(&mut self.bytes, needed, 2 * needed)
    }

    /// Reserves memory for so many bytes in all.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), Full> {
        self.account.grow(&mut self.bytes, bytes)
    }

    /// Removes the bytes.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// So many bytes, for the caller to fill.
    fn of_length(&mut self, length: usize) -> Result<&mut [u8], Full> {
        self.account.grow(&mut self.bytes, length)?;
        self.bytes.resize(length, 0);
        Ok(&mut self.bytes)
    }
}

/// A list of blocks on disk.
pub struct Blocks {
    spill: Spill,
    /// Files in the order of their blocks; none is empty.
    files: VecDeque<BlockFile>,
    len: usize,
    encoded: Buffer,
    account: Account,
}

/// A file, and the part of the limit that it takes.
struct BlockFile {
    spill: Spill,
    storage: Box<dyn Storage>,
    blocks: VecDeque<Extent>,
    end: u64,
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Extent {
    sequence: u64,
    start: u64,
    stored: usize,
    content: usize,
}

/// What is charged for a block and its part of a file, besides the buffer.
const EXTENT_BYTES: u64 = 4 * size_of::<Extent>() as u64;

impl Drop for BlockFile {
    fn drop(&mut self) {
        self.spill.give_back(self.end);
    }
}

impl Blocks {
    /// An empty list.
    pub fn new(spill: &Spill, memory: &Memory) -> Self {
        Blocks {
            spill: spill.clone(),
            files: VecDeque::new(),
            len: 0,
            encoded: Buffer::new(memory),
            account: memory.account(),
        }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a block at the end. After an error the list is as before.
    pub fn append(&mut self, content: &[u8]) -> Result<(), SpillError> {
        let sequence = self.spill.counts.blocks.fetch_add(1, Ordering::Relaxed);
        let encoded = self
            .encoded
            .of_length(block::encoded_bound(content.len()))?;
        let too_large = || SpillError::Io("a block is too large".to_owned());
        let stored = block::encode(content, sequence, encoded).ok_or_else(too_large)?;
        self.account.take(EXTENT_BYTES)?;
        let written = self.spill.take(stored as u64).and_then(|()| {
            let result = self.write(sequence, stored, content.len());
            result.inspect_err(|_| self.spill.give_back(stored as u64))
        });
        if written.is_err() {
            self.account.release(EXTENT_BYTES);
        }
        written
    }

    /// Writes the encoded block to the last file.
    fn write(&mut self, sequence: u64, stored: usize, content: usize) -> Result<(), SpillError> {
        let file = self.file_with_room()?;
        let start = self.files[file].end;
        let bytes = &self.encoded.bytes()[..stored];
        if let Err(error) = self.files[file].write(start, bytes) {
            if self.files[file].blocks.is_empty() {
                self.files.pop_back();
            }
            return Err(error.into());
        }
        self.files[file].end += stored as u64;
        self.files[file].blocks.push_back(Extent {
            sequence,
            start,
            stored,
            content,
        });
        self.len += 1;
        let written = &self.spill.counts.written;
        written.fetch_add(stored as u64, Ordering::Relaxed);
        Ok(())
    }

    /// The index of the last file; of a new one, if that is full.
    fn file_with_room(&mut self) -> io::Result<usize> {
        let all: u64 = self.files.iter().map(|file| file.end).sum();
        let full = FULL_FILE.max(all / PART_OF_ALL);
        let full = full.min(self.spill.limit / PART_OF_LIMIT);
        if self.files.back().is_none_or(|file| file.end >= full) {
            let storage = (self.spill.create)()?;
            self.files.push_back(BlockFile {
                spill: self.spill.clone(),
                storage,
                blocks: VecDeque::new(),
                end: 0,
            });
        }
        Ok(self.files.len() - 1)
    }

    /// Reads the block with this index.
    pub fn read(&mut self, mut index: usize, content: &mut Buffer) -> Result<(), SpillError> {
        content.clear();
        for file in &mut self.files {
            if let Some(&extent) = file.blocks.get(index) {
                return file.read(extent, &mut self.encoded, content);
            }
            index -= file.blocks.len();
        }
        Err(SpillError::Damaged(Damage::Length))
    }

    /// Removes the first block, and reads it. The answer is whether there was one.
    pub fn take(&mut self, content: &mut Buffer) -> Result<bool, SpillError> {
        content.clear();
        let Some(file) = self.files.front_mut() else {
            return Ok(false);
        };
        let Some(extent) = file.blocks.pop_front() else {
            return Ok(false);
        };
        self.len -= 1;
        self.account.release(EXTENT_BYTES);
        let result = file.read(extent, &mut self.encoded, content);
        if file.blocks.is_empty() {
            self.files.pop_front();
        }
        result.map(|()| true)
    }
}

impl BlockFile {
    fn write(&mut self, start: u64, bytes: &[u8]) -> io::Result<()> {
        self.storage.seek(SeekFrom::Start(start))?;
        self.storage.write_all(bytes)?;
        self.storage.flush()
    }

    fn read(
        &mut self,
        extent: Extent,
        encoded: &mut Buffer,
        content: &mut Buffer,
    ) -> Result<(), SpillError> {
        encoded.reserve(block::encoded_bound(extent.content))?;
        let bytes = encoded.of_length(extent.stored)?;
        self.storage.seek(SeekFrom::Start(extent.start))?;
        self.storage.read_exact(bytes)?;
        let content = content.of_length(extent.content)?;
        block::decode(bytes, extent.sequence, content).map_err(SpillError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;
    use std::io::Cursor;
    use std::sync::{Mutex, PoisonError};

    /// A file in memory, of which the test has a copy: it can change the bytes, and set how many fit.
    #[derive(Clone, Default)]
    struct Medium {
        bytes: Arc<Mutex<Vec<u8>>>,
        room: Option<usize>,
        at: u64,
    }

    impl Medium {
        fn content(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
            self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Read for Medium {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let mut cursor = Cursor::new(self.content().clone());
            cursor.set_position(self.at);
            let length = cursor.read(out)?;
            self.at += length as u64;
            Ok(length)
        }
    }

    impl Write for Medium {
        fn write(&mut self, new: &[u8]) -> io::Result<usize> {
            let at = self.at as usize;
            let room = self.room.unwrap_or(usize::MAX).saturating_sub(at);
            let new = &new[..new.len().min(room)];
            if new.is_empty() {
                return Err(ErrorKind::StorageFull.into());
            }
            let mut bytes = self.content();
            let end = bytes.len().max(at + new.len());
            bytes.resize(end, 0);
            bytes[at..at + new.len()].copy_from_slice(new);
            drop(bytes);
            self.at += new.len() as u64;
            Ok(new.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Medium {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            let SeekFrom::Start(at) = position else {
                return Err(ErrorKind::Unsupported.into());
            };
            self.at = at;
            Ok(at)
        }
    }

    fn memory() -> Memory {
        Memory::new(None)
    }

    /// Blocks on a medium.
    fn blocks_on(medium: &Medium) -> Blocks {
        let medium = medium.clone();
        let spill = Spill::with_files(None, move || Ok(Box::new(medium.clone())));
        Blocks::new(&spill, &memory())
    }

    fn directory(name: &str) -> std::path::PathBuf {
        let name = format!("lariat-frontier-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn contents(number: u64) -> Vec<Vec<u8>> {
        let mut rng = stream(number, "blocks", 0);
        let mut content = |_| {
            let length = 1 + rng.index(5000);
            (0..length).map(|_| rng.index(7) as u8).collect()
        };
        (0..60).map(&mut content).collect()
    }

    #[test]
    fn blocks_return_in_order_and_nothing_is_left() {
        let directory = directory("order");
        let spill = Spill::new(&directory, None).unwrap();
        let memory = memory();
        let mut blocks = Blocks::new(&spill, &memory);
        let mut read = Buffer::new(&memory);
        for number in 0..5 {
            let contents = contents(number);
            let mut rng = stream(number, "order", 0);
            let (mut written, mut taken) = (0, 0);
            while taken < contents.len() {
                if written < contents.len() && (written == taken || rng.index(3) > 0) {
                    blocks.append(&contents[written]).unwrap();
                    written += 1;
                } else {
                    assert!(blocks.take(&mut read).unwrap());
                    assert_eq!(read.bytes(), contents[taken]);
                    taken += 1;
                }
                assert_eq!(blocks.len(), written - taken);
                assert!(spill.held() <= spill.peak());
                assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
            }
            assert!(!blocks.take(&mut read).unwrap());
            assert_eq!(spill.held(), 0);
        }
        assert!(0 < spill.peak() && spill.peak() < spill.written());
        drop((blocks, read));
        assert_eq!(memory.held(), 0);
        fs::remove_dir(&directory).unwrap();
    }

    #[test]
    fn names_that_a_crash_has_left_are_removed() {
        let directory = directory("left");
        for name in [
            ".lariat-4711-0.spill",
            ".lariat-1-23.spill",
            ".lariat-a-1.spill",
            "x.lariat-1-2.spill",
            ".lariat-1-.spill",
        ] {
            fs::write(directory.join(name), "").unwrap();
        }
        Spill::new(&directory, None).unwrap();
        let entries = fs::read_dir(&directory).unwrap();
        let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let others = [
            ".lariat-1-.spill",
            ".lariat-a-1.spill",
            "x.lariat-1-2.spill",
        ];
        assert_eq!(left, others);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_list_can_be_read_again() {
        let mut blocks = blocks_on(&Medium::default());
        let contents = contents(9);
        for content in &contents {
            blocks.append(content).unwrap();
        }
        let mut read = Buffer::new(&memory());
        for index in (0..contents.len()).chain((0..contents.len()).rev()) {
            blocks.read(index, &mut read).unwrap();
            assert_eq!(read.bytes(), contents[index]);
        }
        assert!(blocks.read(contents.len(), &mut read).is_err());
    }

    #[test]
    fn the_limit_is_on_what_is_on_disk_at_a_time() {
        let spill = Spill::with_files(Some(1000), || Ok(Box::new(Cursor::new(Vec::new()))));
        let mut blocks = Blocks::new(&spill, &memory());
        let mut other = Blocks::new(&spill, &memory());
        let mut rng = stream(1, "limit", 0);
        let content: Vec<u8> = (0..400).map(|_| rng.index(256) as u8).collect();
        let mut read = Buffer::new(&memory());
        for _ in 0..3 {
            blocks.append(&content).unwrap();
            other.append(&content).unwrap();
            assert_eq!(blocks.append(&content), Err(SpillError::Limit));
            assert_eq!(other.append(&content), Err(SpillError::Limit));
            assert_eq!(spill.held(), 2 * 432);
            assert!(other.take(&mut read).unwrap());
            blocks.append(&content).unwrap();
            assert!(blocks.take(&mut read).unwrap());
            assert!(blocks.take(&mut read).unwrap());
            assert_eq!((spill.held(), spill.peak()), (0, 864));
        }
    }

    #[test]
    fn files_of_taken_blocks_are_closed() {
        let spill = Spill::with_files(None, || Ok(Box::new(Cursor::new(Vec::new()))));
        let mut blocks = Blocks::new(&spill, &memory());
        let mut rng = stream(1, "large blocks", 0);
        let content: Vec<u8> = (0..5 << 20).map(|_| rng.index(256) as u8).collect();
        for _ in 0..20 {
            blocks.append(&content).unwrap();
        }
        let mut read = Buffer::new(&memory());
        for left in (0..20).rev() {
            assert!(blocks.take(&mut read).unwrap());
            let live = left * content.len() as u64;
            assert!(spill.held() <= live + FULL_FILE + 6 * 1024 * 1024);
        }
        assert_eq!(spill.held(), 0);
    }

    #[test]
    fn a_full_disk_leaves_the_blocks_before() {
        for room in [0, 1, 100, 900] {
            let medium = Medium {
                room: Some(room),
                ..Medium::default()
            };
            let mut blocks = blocks_on(&medium);
            let mut count = 0;
            let error = loop {
                match blocks.append(&[count; 300]) {
                    Ok(()) => count += 1,
                    Err(error) => break error,
                }
            };
            assert_eq!(error, SpillError::DiskFull);
            assert_eq!(blocks.len(), usize::from(count));
            let mut read = Buffer::new(&memory());
            for number in 0..count {
                assert!(blocks.take(&mut read).unwrap());
                assert_eq!(read.bytes(), [number; 300]);
            }
            assert_eq!(blocks.spill.held(), 0);
        }
    }

    #[test]
    fn damage_on_disk_is_noticed() {
        let change = |change: &dyn Fn(&mut Vec<u8>)| {
            let medium = Medium::default();
            let mut blocks = blocks_on(&medium);
            blocks.append(b"first").unwrap();
            blocks.append(b"other").unwrap();
            change(&mut medium.content());
            let mut read = Buffer::new(&memory());
            let first = blocks.take(&mut read);
            (first, blocks.take(&mut read))
        };
        let size = block::HEADER + 5;
        let damaged = |damage| Err(SpillError::Damaged(damage));
        assert_eq!(change(&|_| ()), (Ok(true), Ok(true)));
        let truncated = change(&|bytes| bytes.truncate(2 * size - 1));
        assert_eq!(truncated, (Ok(true), damaged(Damage::Length)));
        let flipped = change(&|bytes| bytes[size - 1] ^= 4);
        assert_eq!(flipped, (damaged(Damage::Checksum), Ok(true)));
        let swapped = change(&|bytes| bytes.rotate_left(size));
        let other = || damaged(Damage::OtherBlock);
        assert_eq!(swapped, (other(), other()));
        let stale = change(&|bytes| bytes.copy_within(..size, size));
        assert_eq!(stale, (Ok(true), other()));
    }

    #[test]
    fn buffers_are_charged() {
        let spill = Spill::with_files(None, || Ok(Box::new(Cursor::new(Vec::new()))));
        let small = Memory::new(Some(1000));
        let mut blocks = Blocks::new(&spill, &small);
        assert_eq!(blocks.append(&[0; 1000]), Err(SpillError::Memory));
        blocks.append(&[0; 100]).unwrap();
        assert!(small.held() >= 100 && small.peak() <= 1000);
        assert_eq!(Buffer::new(&small).push(&[0; 1000]), Err(Full));
    }

    #[test]
    fn a_directory_must_exist() {
        let missing = Path::new("/this/directory/does/not/exist");
        let error = Spill::new(missing, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
}
