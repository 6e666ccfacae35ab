//! The format of a block on disk.
//!
//! | bytes | content |
//! |---|---|
//! | 0 to 3 | `LRTB` |
//! | 4 to 5 | the version of the format |
//! | 6 to 7 | 1 if the content is compressed with LZ4, otherwise 0 |
//! | 8 to 15 | the sequence number of the block, which no other block of the search has |
//! | 16 to 19 | the length of the content |
//! | 20 to 23 | the length of what is stored |
//! | 24 to 31 | the checksum of the bytes before and of what is stored |
//! | from 32 | what is stored: the content, compressed if that makes it smaller |
//!
//! Numbers are little-endian. The reader knows the sequence number and the length of the block that it wants, so a block that
//! was moved, or that an older block has taken the place of, is noticed, and no length is taken from the disk.

use std::fmt;

/// The length of the header.
pub const HEADER: usize = 32;
const MAGIC: [u8; 4] = *b"LRTB";
const VERSION: u16 = 1;
const CHECKSUM: std::ops::Range<usize> = 24..32;
/// The largest content.
pub const MAX_CONTENT: usize = 1 << 30;

/// Why bytes are not the block that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// There are fewer bytes, or more.
    Length,
    /// The bytes do not begin as a block of this version does.
    NoBlock,
    /// The bytes are another block.
    OtherBlock,
    /// The checksum differs.
    Checksum,
    /// The checksum is right, but the content cannot be decompressed.
    Compression,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Damage::Length => "it has another length",
            Damage::NoBlock => "it does not begin as a block",
            Damage::OtherBlock => "another block is in its place",
            Damage::Checksum => "its checksum differs",
            Damage::Compression => "it cannot be decompressed",
        })
    }
}

/// The most bytes that the block of a content of this length takes while it is made.
pub const fn encoded_bound(content: usize) -> usize {
    HEADER + lz4_flex::block::get_maximum_output_size(content)
}

/// Writes the block of a content to the beginning of `out`, which has the length [`encoded_bound`] or more. Returns its
/// length, or `None` if the content or `out` has a length that does not fit.
pub fn encode(content: &[u8], sequence: u64, out: &mut [u8]) -> Option<usize> {
    if content.len() > MAX_CONTENT || out.len() < encoded_bound(content.len()) {
        return None;
    }
    let compressed = lz4_flex::block::compress_into(content, &mut out[HEADER..])
        .ok()
        .filter(|&length| length < content.len());
    let stored = compressed.unwrap_or(content.len());
    if compressed.is_none() {
        out[HEADER..HEADER + stored].copy_from_slice(content);
    }
    seal(
        &mut out[..HEADER + stored],
        sequence,
        content.len(),
        compressed.is_some(),
    );
    Some(HEADER + stored)
}

/// Makes a block of what is stored behind the header.
pub fn seal(block: &mut [u8], sequence: u64, content: usize, is_compressed: bool) {
    let Some(stored) = block.len().checked_sub(HEADER) else {
        return;
    };
    block[..4].copy_from_slice(&MAGIC);
    block[4..6].copy_from_slice(&VERSION.to_le_bytes());
    block[6..8].copy_from_slice(&u16::from(is_compressed).to_le_bytes());
    block[8..16].copy_from_slice(&sequence.to_le_bytes());
    block[16..20].copy_from_slice(&(content as u32).to_le_bytes());
    block[20..24].copy_from_slice(&(stored as u32).to_le_bytes());
    let checksum = checksum(block);
    block[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
}

/// Reads the block with this sequence number, whose content fills `content`.
pub fn decode(block: &[u8], sequence: u64, content: &mut [u8]) -> Result<(), Damage> {
    let number = |at: usize, length: usize| {
        let bytes = block[at..at + length].iter().rev();
        bytes.fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    };
    if block.len() < HEADER {
        return Err(Damage::Length);
    }
    if block[..4] != MAGIC || number(4, 2) != u64::from(VERSION) {
        return Err(Damage::NoBlock);
    }
    let stored = &block[HEADER..];
    if number(20, 4) != stored.len() as u64 {
        return Err(Damage::Length);
    }
    if number(24, 8) != checksum(block) {
        return Err(Damage::Checksum);
    }
    if number(8, 8) != sequence || number(16, 4) != content.len() as u64 {
        return Err(Damage::OtherBlock);
    }
    match number(6, 2) {
        0 if stored.len() == content.len() => content.copy_from_slice(stored),
        1 => match lz4_flex::block::decompress_into(stored, content) {
            Ok(length) if length == content.len() => {}
            _ => return Err(Damage::Compression),
        },
        _ => return Err(Damage::Length),
    }
    Ok(())
}

/// The checksum of a block without its checksum. A step is a bijection of the sum, and of the number that it takes in; so a change
/// of up to eight bytes that are taken in together is always noticed, and any other one with probability 1 - 2^-64.
fn checksum(block: &[u8]) -> u64 {
    let header = sum(0x243f_6a88_85a3_08d3, &block[..CHECKSUM.start]);
    sum(header, &block[CHECKSUM.end..])
}

fn sum(start: u64, bytes: &[u8]) -> u64 {
    let step = |sum: u64, number: u64| {
        (sum ^ number)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    let (numbers, rest) = bytes.as_chunks::<8>();
    let sum = numbers
        .iter()
        .fold(start, |sum, &bytes| step(sum, u64::from_le_bytes(bytes)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    step(sum, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    fn block(content: &[u8], sequence: u64) -> Vec<u8> {
        let mut out = vec![0; encoded_bound(content.len())];
        let length = encode(content, sequence, &mut out).unwrap();
        out.truncate(length);
        out
    }

    /// Contents of random lengths, some of which can be compressed.
    fn contents() -> Vec<Vec<u8>> {
        let mut rng = stream(1, "contents of blocks", 0);
        let mut content = |number: usize| {
            let length = rng.index(1 << (number % 17));
            let values = [2, 17, 256][number % 3];
            (0..length).map(|_| rng.index(values) as u8).collect()
        };
        (0..150).map(&mut content).collect()
    }

    #[test]
    fn a_block_gives_its_content_back() {
        let mut compressed = 0;
        for (number, content) in contents().iter().enumerate() {
            let block = block(content, number as u64);
            assert!(block.len() <= HEADER + content.len());
            compressed += usize::from(block.len() < HEADER + content.len());
            let mut read = vec![0xaa; content.len()];
            assert_eq!(decode(&block, number as u64, &mut read), Ok(()));
            assert_eq!(read, *content);
        }
        assert!(0 < compressed && compressed < 100, "{compressed}");
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let long: Vec<u8> = (0..300).map(|i| i as u8 / 7).collect();
        for content in [&b""[..], b"x", b"incompressible", &long] {
            let good = block(content, 5);
            let mut read = vec![0; content.len()];
            for bit in 0..8 * good.len() {
                let mut bad = good.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(decode(&bad, 5, &mut read).is_err(), "bit {bit}");
            }
        }
    }

    #[test]
    fn every_other_length_is_noticed() {
        let content: Vec<u8> = (0..200).map(|i| i as u8 / 3).collect();
        let good = block(&content, 5);
        let mut read = vec![0; content.len()];
        for length in 0..good.len() {
            assert!(decode(&good[..length], 5, &mut read).is_err(), "{length}");
        }
        let longer = [&good[..], &[0]].concat();
        assert_eq!(decode(&longer, 5, &mut read), Err(Damage::Length));
        for length in [0, 199, 201] {
            let mut read = vec![0; length];
            assert_eq!(decode(&good, 5, &mut read), Err(Damage::OtherBlock));
        }
    }

    #[test]
    fn another_block_is_noticed() {
        let mut read = [0; 4];
        let stale = block(b"same", 5);
        assert_eq!(decode(&stale, 6, &mut read), Err(Damage::OtherBlock));
        assert_eq!(decode(&stale, 5, &mut read), Ok(()));
    }

    #[test]
    fn a_right_checksum_does_not_make_bytes_compressed() {
        let mut rng = stream(1, "stored bytes", 0);
        for number in 0..3000 {
            let mut block: Vec<u8> = (0..HEADER + number % 70)
                .map(|_| rng.index(256) as u8)
                .collect();
            let mut content = vec![0; rng.index(100)];
            seal(&mut block, 1, content.len(), number % 2 == 0);
            let read = decode(&block, 1, &mut content);
            assert!(
                matches!(read, Ok(()) | Err(Damage::Compression | Damage::Length)),
                "{read:?}"
            );
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        assert_eq!(encode(b"long", 0, &mut [0; HEADER]), None);
    }
}
