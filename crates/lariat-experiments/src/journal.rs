//! The samples that were measured before.
//!
//! A line of JSON for each, added as soon as it is measured. A line is used only if it is complete and was written by
//! the same version of the program for the same configuration, including the model text, and seed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Sample;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A line.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: String,
    config: String,
    seed: u64,
    sample: Sample,
}

/// The samples that were measured before, and the file for new ones.
pub(super) struct Journal {
    known: HashMap<(String, u64), Sample>,
    file: Option<File>,
}

impl Journal {
    /// A journal without a file.
    pub(super) fn in_memory() -> Self {
        Journal {
            known: HashMap::new(),
            file: None,
        }
    }

    /// The journal of an experiment in a folder, which is created if necessary.
    pub(super) fn open(folder: &Path, name: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{name}.jsonl"));
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // The next line must not continue an incomplete one.
            file.write_all(b"\n")?;
        }
        let entries = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Entry>(line).ok())
            .filter(|entry| entry.version == VERSION);
        Ok(Journal {
            known: entries.map(|e| ((e.config, e.seed), e.sample)).collect(),
            file: Some(file),
        })
    }

    /// The sample of a configuration with a seed, if it was measured.
    pub(super) fn find(&self, config: &str, seed: u64) -> Option<Sample> {
        self.known.get(&(config.to_string(), seed)).cloned()
    }

    /// Adds a sample.
    pub(super) fn keep(&mut self, config: &str, seed: u64, sample: &Sample) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let entry = Entry {
            version: VERSION.into(),
            config: config.into(),
            seed,
            sample: sample.clone(),
        };
        let mut line = serde_json::to_string(&entry).map_err(io::Error::other)?;
        line.push('\n');
        file.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ending;
    use super::*;

    fn sample(states: u64) -> Sample {
        Sample {
            ending: Ending::Holds,
            runs: 1,
            states,
            peak: 2 * states,
            transitions: 3 * states,
            expansions: states,
            memory: 1000,
            seconds: 0.25,
            walked: None,
            cpu: None,
        }
    }

    #[test]
    fn incomplete_lines_and_other_versions_are_ignored() {
        let name = format!("lariat-journal-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let path = folder.join("test.jsonl");
        {
            let mut journal = Journal::open(&folder, "test").unwrap();
            journal.keep("a", 1, &sample(5)).unwrap();
            journal.keep("a", 2, &sample(6)).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let old = text.replace(VERSION, "0.0.0-old").replace("\"a\"", "\"b\"");
        // The last line is cut in the middle.
        let torn = format!("{old}{}", &text[..text.len() - 20]);
        std::fs::write(&path, torn).unwrap();
        let mut journal = Journal::open(&folder, "test").unwrap();
        assert_eq!(journal.find("a", 1), Some(sample(5)));
        assert_eq!(journal.find("a", 2), None);
        assert_eq!(journal.find("b", 1), None);
        journal.keep("a", 3, &sample(7)).unwrap();
        let journal = Journal::open(&folder, "test").unwrap();
        assert_eq!(journal.find("a", 3), Some(sample(7)));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
