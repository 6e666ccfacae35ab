//! Which files are models, and the facts about models of others: `corpus.txt`.
//!
//! Each line of the table is one of
//!
//! ```text
//! run SUFFIX OPTIONS             check the model with these options; several such lines give several checks
//! differs SUFFIX OPTIONS -- WHY  the tools are known to differ, for this reason
//! skip SUFFIX -- WHY             not a model
//! skip SUFFIX OPTIONS -- WHY     not to be checked in this way
//! ```
//!
//! The options of liveness checks end with the arguments of the check, such as `--ltl p1 --fair weak`.
//!
//! SUFFIX is the end of the file's path, from a whole folder or file name on. A model without `run` lines is
//! checked once without options. `#` begins a comment.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use lariat_testkit::files;

/// Endings of files that are taken for Promela models.
const EXTENSIONS: [&str; 8] = ["pml", "prom", "pm", "pr", "prm", "promela", "sumo", "p"];

/// The kind of a line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// Check with these options.
    Run,
    /// A difference is known.
    Differs,
    /// Not a model, or not to be checked in this way.
    Skip,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// The end of the path of the files.
    pub suffix: String,
    /// The options.
    pub options: Vec<String>,
    /// The reason.
    pub reason: String,
}

impl Entry {
    /// Whether the entry is about this file.
    pub fn matches(&self, path: &Path) -> bool {
        path.ends_with(&self.suffix)
    }
}

/// The table.
#[derive(Debug, Default)]
pub struct Corpus {
    /// Its lines, in order.
    pub entries: Vec<Entry>,
}

impl Corpus {
    /// The table that belongs to this program.
    pub fn built_in() -> Result<Corpus, String> {
        Corpus::parse(include_str!("../corpus.txt"))
    }

    /// Parses a table; the error names the wrong line.
    pub fn parse(text: &str) -> Result<Corpus, String> {
        let mut entries = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |what: &str| format!("corpus.txt, line {}: {what}", number + 1);
            let (facts, reason) = line.split_once(" -- ").unwrap_or((line, ""));
            let mut words = facts.split_whitespace();
            let kind = match words.next() {
                Some("run") => EntryKind::Run,
                Some("differs") => EntryKind::Differs,
                Some("skip") => EntryKind::Skip,
                _ => return Err(wrong("expected `run`, `differs` or `skip`")),
            };
            let suffix = words
                .next()
                .ok_or_else(|| wrong("expected the end of a path"))?
                .to_owned();
            if kind != EntryKind::Run && reason.is_empty() {
                return Err(wrong("expected ` -- ` and a reason"));
            }
            let options = words.map(str::to_owned).collect();
            entries.push(Entry {
                kind,
                suffix,
                options,
                reason: reason.trim().to_owned(),
            });
        }
        Ok(Corpus { entries })
    }

    /// The option lists to check a model with.
    pub fn runs(&self, path: &Path) -> Vec<Vec<String>> {
        let about = self
            .entries
            .iter()
            .filter(|e| e.kind == EntryKind::Run && e.matches(path));
        let runs: Vec<_> = about.map(|e| e.options.clone()).collect();
        if runs.is_empty() {
            vec![Vec::new()]
        } else {
            runs
        }
    }

    /// Why the file is not to be checked with these options, if the table has a reason. Without options: why it is
    /// not a model.
    pub fn skipped(&self, path: &Path, options: &[String]) -> Option<&str> {
        self.entries
            .iter()
            .find(|e| e.kind == EntryKind::Skip && e.matches(path) && e.options == options)
            .map(|e| e.reason.as_str())
    }

    /// The position of the entry that explains a difference.
    pub fn explanation(&self, path: &Path, options: &[String]) -> Option<usize> {
        self.entries
            .iter()
            .position(|e| e.kind == EntryKind::Differs && e.matches(path) && e.options == options)
    }

    /// Entries about files that do not exist: none of `files` matches although the first folder of the entry was
    /// visited.
    pub fn about_nothing<'a>(&'a self, files: &'a [PathBuf]) -> impl Iterator<Item = &'a Entry> {
        let folders: BTreeSet<_> = files
            .iter()
            .flat_map(|f| f.parent().unwrap_or(f).components())
            .collect();
        self.entries.iter().filter(move |entry| {
            let first = Path::new(&entry.suffix).components().next();
            first.is_some_and(|first| folders.contains(&first))
                && !files.iter().any(|file| entry.matches(file))
        })
    }
}

/// The ending of DVE models.
const DVE: &str = "dve";

/// The Promela models below the given files and folders, sorted. Files named directly are taken as they are.
pub fn find_models(roots: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    files::find(roots, is_promela)
}

/// The models in all languages.
pub fn find_all_models(roots: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    files::find(roots, |path| is_promela(path) || files::ends(path, &[DVE]))
}

/// Whether a file is a Promela model by its extension or, without one, by its contents.
fn is_promela(path: &Path) -> bool {
    match path.extension() {
        Some(_) => files::ends(path, &EXTENSIONS),
        None => std::fs::read_to_string(path)
            .is_ok_and(|text| text.contains("proctype") || text.contains("init {")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_this_program_is_well_formed() {
        Corpus::built_in().unwrap();
    }

    #[test]
    fn entries_apply_by_the_end_of_the_path() {
        let table = "# comment\nrun a/m.pml -DN=2\nrun a/m.pml\ndiffers a/m.pml -DN=2 -- because # why not\nskip x.p -- notes\n";
        let corpus = Corpus::parse(table).unwrap();
        let path = Path::new("/models/a/m.pml");
        let options = vec!["-DN=2".to_owned()];
        assert_eq!(corpus.runs(path), [options.clone(), vec![]]);
        assert_eq!(
            corpus.runs(Path::new("/models/ba/m.pml")),
            [Vec::<String>::new()]
        );
        assert_eq!(corpus.explanation(path, &options), Some(2));
        assert_eq!(corpus.explanation(path, &[]), None);
        assert_eq!(corpus.entries[2].reason, "because");
        assert_eq!(corpus.skipped(Path::new("b/x.p"), &[]), Some("notes"));
        assert_eq!(corpus.skipped(Path::new("b/x.p"), &options), None);
    }

    #[test]
    fn wrong_lines_are_named() {
        assert!(Corpus::parse("\nrum a.pml").unwrap_err().contains("line 2"));
        assert!(Corpus::parse("differs a.pml").is_err());
        assert!(Corpus::parse("run").is_err());
    }

    #[test]
    fn entries_about_missing_files_are_found() {
        let corpus =
            Corpus::parse("run a/m.pml -DN=2\nrun a/gone.pml -DN=2\nrun b/elsewhere.pml -DN=1\n")
                .unwrap();
        let files = [PathBuf::from("/models/a/m.pml")];
        let suffixes: Vec<_> = corpus
            .about_nothing(&files)
            .map(|e| e.suffix.as_str())
            .collect();
        assert_eq!(suffixes, ["a/gone.pml"]);
    }
}
