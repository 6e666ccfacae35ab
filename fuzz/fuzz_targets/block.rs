//! Any bytes can be read as a block without a panic, also if their checksum is right; a block that was written is read
//! again, and one with a changed byte is not.
//!
//! Run with `cargo +nightly fuzz run block`.

#![no_main]

use lariat_store::frontier::block::{HEADER, decode, encode, encoded_bound, seal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut content = vec![0; data.len()];
    let _ = decode(data, 7, &mut content);

    let mut sealed = [&[0; HEADER], data].concat();
    for length in [0, data.len(), 3 * data.len()] {
        let mut content = vec![0; length];
        for is_compressed in [false, true] {
            seal(&mut sealed, 7, length, is_compressed);
            let _ = decode(&sealed, 7, &mut content);
        }
    }

    let mut block = vec![0; encoded_bound(data.len())];
    let length = encode(data, 7, &mut block).unwrap();
    block.truncate(length);
    assert_eq!(decode(&block, 7, &mut content), Ok(()));
    assert_eq!(content, data);
    assert!(decode(&block, 8, &mut content).is_err());
    let at = data.first().map_or(0, |&byte| usize::from(byte)) % length;
    block[at] ^= 1;
    assert!(decode(&block, 7, &mut content).is_err());
});
