//! A cache of SPIN's answers: translating, compiling and searching is slow, and SPIN does not change.
//!
//! The key of an answer is a hash of everything it depends on: the question, the text of the model and of all
//! included files, the options, the settings and SPIN's version. The time limit is not part of the key: an answer is
//! valid for any limit, except that one that was cut by a shorter limit than the present one is not used.

use crate::spin::Settings;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// An answer that can be cached.
pub trait Cached: Sized {
    /// As JSON.
    fn to_json(&self) -> Value;
    /// The inverse; `None` for anything else.
    fn from_json(value: &Value) -> Option<Self>;
    /// Whether more time might give a better answer.
    fn cut_by_time(&self) -> bool;
}

/// The key of an answer.
#[derive(Clone, Debug)]
pub struct Key<'a> {
    model: &'a Path,
    options: &'a [String],
    settings: Settings,
    question: String,
}

impl<'a> Key<'a> {
    /// The search for errors of safety.
    pub fn new(model: &'a Path, options: &'a [String], settings: Settings) -> Key<'a> {
        Key {
            model,
            options,
            settings,
            question: String::new(),
        }
    }

    /// Another question about the same model.
    pub fn with(self, question: &str) -> Key<'a> {
        Key {
            question: question.to_owned(),
            ..self
        }
    }
}

/// A directory of cached answers.
pub struct Cache {
    directory: PathBuf,
    version: String,
}

impl Cache {
    /// A cache for answers of this version of SPIN.
    pub fn new(directory: PathBuf, version: &str) -> Cache {
        Cache {
            directory,
            version: version.to_owned(),
        }
    }

    /// The cached answer, if there is one that is valid for these settings.
    pub fn get<A: Cached>(&self, key: &Key) -> Option<A> {
        let text = std::fs::read_to_string(self.file(key)?).ok()?;
        let value: Value = serde_json::from_str(&text).ok()?;
        let answer = A::from_json(&value["answer"])?;
        let short = value["seconds"].as_u64()? < key.settings.time.as_secs();
        (!(short && answer.cut_by_time())).then_some(answer)
    }

    /// Stores an answer. A cache that cannot be written is only slow.
    pub fn put<A: Cached>(&self, key: &Key, answer: &A) {
        let Some(file) = self.file(key) else {
            return;
        };
        let entry = json!({
            "model": key.model.display().to_string(),
            "options": key.options,
            "question": key.question,
            "seconds": key.settings.time.as_secs(),
            "answer": answer.to_json(),
        });
        let _ = std::fs::create_dir_all(&self.directory);
        let _ = std::fs::write(file, format!("{entry}\n"));
    }

    fn file(&self, key: &Key) -> Option<PathBuf> {
        let settings = key.settings;
        let mut hash = Hash::new();
        hash.add(self.version.as_bytes());
        hash.add(
            format!(
                "{} {} {} {}",
                settings.depth, settings.table, settings.memory, settings.optimise
            )
            .as_bytes(),
        );
        for option in key.options {
            hash.add(option.as_bytes());
        }
        if !key.question.is_empty() {
            hash.add(key.question.as_bytes());
        }
        add_with_includes(&mut hash, key.model, &mut BTreeSet::new())?;
        Some(self.directory.join(format!("{:032x}.json", hash.0)))
    }
}

/// Adds a file and, recursively, the files that it includes. Only the file itself has to exist: SPIN reports a
/// missing include.
fn add_with_includes(hash: &mut Hash, file: &Path, seen: &mut BTreeSet<PathBuf>) -> Option<()> {
    let bytes = std::fs::read(file).ok()?;
    hash.add(&bytes);
    for line in String::from_utf8_lossy(&bytes).lines() {
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let Some(rest) = rest.trim_start().strip_prefix("include") else {
            continue;
        };
        if let Some(name) = rest.split('"').nth(1) {
            let included = file.with_file_name(name);
            if seen.insert(included.clone()) {
                let _ = add_with_includes(hash, &included, seen);
            }
        }
    }
    Some(())
}

/// FNV-1a with 128 bits: stable over versions of Rust, and long enough for a few thousand files.
struct Hash(u128);

impl Hash {
    fn new() -> Hash {
        Hash(0x6c62272e07bb014262b821756295c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        // The length separates the parts.
        for byte in bytes
            .iter()
            .copied()
            .chain((bytes.len() as u64).to_le_bytes())
        {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000000001000000000000000000013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Answer, Counts, Outcome};
    use crate::process::TemporaryDirectory;
    use crate::spin::TIME_LIMIT;
    use std::time::Duration;

    #[test]
    fn an_answer_is_found_again_until_something_changes() {
        let directory = TemporaryDirectory::new().unwrap();
        let model = directory.path().join("m.pml");
        std::fs::write(&model, "# include \"part.h\"\n").unwrap();
        std::fs::write(directory.path().join("part.h"), "byte x;").unwrap();
        let cache = Cache::new(directory.path().join("cache"), "1");
        let settings = |seconds| Settings::for_models(Duration::from_secs(seconds));
        let cut = |reason: &str| {
            Answer::from(Outcome::Cut(
                Some(Counts {
                    errors: 0,
                    states: 1,
                    transitions: 2,
                }),
                reason.into(),
            ))
        };

        let key = |seconds| Key::new(&model, &[], settings(seconds));
        let get = |key: Key| cache.get::<Answer>(&key);

        assert_eq!(get(key(10)), None);
        cache.put(&key(10), &cut(TIME_LIMIT));
        assert_eq!(get(key(10)), Some(cut(TIME_LIMIT)));
        assert_eq!(get(key(20)), None, "more time may give a better answer");
        assert_eq!(get(key(10).with("another question")), None);
        let options = ["-DN=1".to_owned()];
        assert_eq!(get(Key::new(&model, &options, settings(10))), None);
        std::fs::write(directory.path().join("part.h"), "byte y;").unwrap();
        assert_eq!(get(key(10)), None, "an included file changed");
    }
}
