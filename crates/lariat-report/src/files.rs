//! Files that are written completely or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file under another name in the same folder first, so that no reader sees a part of it. The other name is
/// unique among processes and threads; if writing fails, it is removed.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(text.as_bytes()))
}

/// The same for contents that are made while they are written.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let partial = partial_name(path);
    let result = write_new(&partial, write).and_then(|()| fs::rename(&partial, path));
    if result.is_err() {
        let _ = fs::remove_file(&partial);
    }
    result
}

fn partial_name(path: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{number}.part", std::process::id()));
    PathBuf::from(name)
}

fn write_new(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let mut file = BufWriter::new(file);
    write(&mut file)?;
    // A full disk may be reported only now.
    file.into_inner()?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cannot be written, for example because the disk is full, leaves neither a part of it nor changes the old file.
    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("lariat-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        write_whole(&path, "old").unwrap();
        let result = write_whole_with(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert!(result.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
