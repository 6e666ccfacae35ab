//! Texts from files.

use std::io::Read;
use std::path::Path;

/// The most bytes of a file that are read; no model comes near it, but devices have no end.
const MAX_FILE: u64 = 64 << 20;

/// The bytes of a file.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_FILE {
        true => Err(std::io::Error::other("larger than 64 MiB")),
        false => Ok(bytes),
    }
}

/// Text from bytes: UTF-8, or else Latin-1, which many old models use in their comments.
pub fn decode(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.as_bytes().iter().map(|b| char::from(*b)).collect(),
    }
}
