//! The files of counterexamples. Only trails are overwritten, never other files.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use lariat_report::files::write_whole_with;
use lariat_report::trail::Trail;

/// Larger files are not trails.
const MAX_TRAIL: u64 = 1 << 30;

/// File names for trails, each used once.
pub struct TrailFiles {
    /// The name of the first one; `None` if none are written.
    base: Option<PathBuf>,
    /// Whether the user has chosen that name.
    chosen: bool,
    used: HashSet<PathBuf>,
}

impl TrailFiles {
    /// The names for a model in a file, by the command line. A given name of a file that is not a trail is refused.
    pub fn new(matches: &ArgMatches, model: &Path) -> Result<Self, String> {
        let given = matches.get_one::<PathBuf>("trail").cloned();
        if let Some(path) = &given {
            refuse_other(path)?;
        }
        let chosen = given.is_some();
        let base = match matches.get_flag("no-trail") {
            true => None,
            false => given.or_else(|| Some(default_name(model))),
        };
        Ok(TrailFiles {
            base,
            chosen,
            used: HashSet::new(),
        })
    }

    /// Writes the trails of a property, and returns the names of their files.
    pub fn write(&mut self, trails: &[Trail]) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for (index, trail) in trails.iter().enumerate() {
            let Some(path) = self.name(trail, index) else {
                break;
            };
            let name = path.display().to_string();
            let write = |file: &mut dyn Write| Ok(serde_json::to_writer_pretty(file, trail)?);
            write_whole_with(&path, write)
                .map_err(|error| format!("cannot write {name}: {error}"))?;
            names.push(name);
        }
        Ok(names)
    }

    /// A name that no other trail of this run has, and that no file has except an older trail of the same model.
    fn name(&mut self, trail: &Trail, index: usize) -> Option<PathBuf> {
        let base = self.base.clone()?;
        let mut base = match self.used.is_empty() {
            true => base,
            // Another property has the plain name.
            false => with_part(&base, &file_part(&trail.property)),
        };
        if index > 0 {
            base = with_part(&base, &(index + 1).to_string());
        }
        let candidates = (2..).map(|n| with_part(&base, &n.to_string()));
        let mut all = std::iter::once(base.clone()).chain(candidates);
        let is_free = |path: &PathBuf| {
            let chosen = self.chosen && self.used.is_empty();
            !self.used.contains(path) && (chosen || may_be_replaced(path, trail))
        };
        let path = all.find(is_free)?;
        self.used.insert(path.clone());
        Some(path)
    }
}

/// Refuses the name of a file that is not a trail, or in a folder that does not exist.
fn refuse_other(path: &Path) -> Result<(), String> {
    let name = path.display();
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        return Err(format!("--trail {name}: there is no folder {folder}"));
    }
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(metadata) if !metadata.is_file() => Err(format!(
            "--trail {name}: this is not a regular file; choose another name"
        )),
        Ok(_) if read(path).is_none() => Err(format!(
            "--trail {name}: the file exists and is not a trail; choose another name, or remove it"
        )),
        Ok(_) => Ok(()),
    }
}

/// Whether there is no such file, or an older trail of the same model.
fn may_be_replaced(path: &Path, trail: &Trail) -> bool {
    match fs::symlink_metadata(path) {
        Err(_) => true,
        Ok(metadata) if !metadata.is_file() => false,
        Ok(_) => read(path).is_some_and(|old| {
            let place = |file: &str| std::path::absolute(file).ok();
            place(&old.model.file) == place(&trail.model.file)
        }),
    }
}

/// The trail in a file, if it is one.
fn read(path: &Path) -> Option<Trail> {
    let size = fs::metadata(path).ok()?.len();
    let text = (size <= MAX_TRAIL).then(|| fs::read_to_string(path).ok())??;
    serde_json::from_str(&text).ok()
}

/// `m.trail.json` in the current folder for a model `m.pml`.
fn default_name(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or(model.as_os_str());
    let mut name = stem.to_owned();
    name.push(".trail.json");
    PathBuf::from(name)
}

/// `m.2.trail.json` for `m.trail.json` and `2`.
fn with_part(base: &Path, part: &str) -> PathBuf {
    let name = base
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let (stem, rest) = match name.strip_suffix(".trail.json") {
        Some(stem) => (stem, "trail.json"),
        None => name.split_once('.').unwrap_or((&name, "json")),
    };
    base.with_file_name(format!("{stem}.{part}.{rest}"))
}

/// The title of a property as a part of a file name.
fn file_part(title: &str) -> String {
    let name = title.strip_prefix("ltl ").unwrap_or(title);
    let harmless = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
        true => c,
        false => '-',
    };
    let part: String = name.chars().take(40).map(harmless).collect();
    match part.trim_matches('-') {
        "" => "property".into(),
        part => part.to_string(),
    }
}
