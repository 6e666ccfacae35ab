//! The directory for waiting states.

use std::io::ErrorKind;
use std::path::Path;

use lariat_search::Spill;

/// Prepares a directory for waiting states, of which at most `limit` bytes may be there at a time. The error says what to
/// do.
pub fn open_spill(directory: &Path, limit: Option<u64>) -> Result<Spill, String> {
    let name = directory.display();
    Spill::new(directory, limit).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            format!("{name}: there is no such directory; create it, or name another one")
        }
        ErrorKind::NotADirectory => format!("{name} is not a directory; name one"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("{name}: the disk is full; free some of it, or name another directory")
        }
        _ => format!("no file can be created in {name} ({error}); name another directory"),
    })
}
