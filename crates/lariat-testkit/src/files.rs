//! Where models are.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use lariat_front::{Languages, Loaded};
use lariat_ir::diagnostic::Diagnostic;

use crate::header::Header;

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The files below some files and folders, sorted. Files named directly are taken as they are, those in folders if
/// they are wanted.
pub fn find(roots: &[PathBuf], is_wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    for root in roots {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", root.display()));
        match std::fs::metadata(root).map_err(named)?.is_dir() {
            true => open.push(root.clone()),
            false => _ = found.insert(root.clone()),
        }
    }
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if is_wanted(&path) {
                found.insert(path);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Whether the name of a file ends in one of these ways.
pub fn ends(path: &Path, endings: &[&str]) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| endings.contains(&e))
}

/// A model of the project.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is expected of it.
    pub header: Header,
}

impl ModelFile {
    fn read(path: PathBuf) -> io::Result<ModelFile> {
        let text = lariat_front::decode(std::fs::read(&path)?);
        let header = Header::parse(&text);
        Ok(ModelFile { path, header })
    }

    /// Its path, seen from the root of the repository.
    pub fn name(&self) -> String {
        let path = self.path.strip_prefix(root()).unwrap_or(&self.path);
        path.display().to_string()
    }

    /// Whether it is written in the language with this ending.
    pub fn ends(&self, ending: &str) -> bool {
        ends(&self.path, &[ending])
    }

    /// Reads the model with the options in its header. The error is what there is to say about it.
    pub fn load(&self, languages: &Languages) -> Result<Loaded, String> {
        let options = self.header.load_options()?;
        languages.load(&self.path, &options).map_err(|error| {
            let line = |d: &Diagnostic| match &d.help {
                Some(help) => format!("{}\n{help}", d.message),
                None => d.message.clone(),
            };
            let lines: Vec<String> = error.diagnostics.iter().map(line).collect();
            lines.join("\n")
        })
    }
}

/// Whether the ending of a file is that of a language.
pub fn is_model(path: &Path, languages: &Languages) -> bool {
    languages
        .0
        .iter()
        .any(|language| ends(path, language.endings()))
}

/// All models of the project in some languages.
///
/// # Panics
///
/// If the folders of the models cannot be read.
pub fn models(languages: &Languages) -> Vec<ModelFile> {
    let folders = ["models", "examples"].map(|folder| root().join(folder));
    models_below(&folders, languages)
}

/// The models below some folders.
///
/// # Panics
///
/// If the folders cannot be read.
pub fn models_below(folders: &[PathBuf], languages: &Languages) -> Vec<ModelFile> {
    let found = find(folders, |path| is_model(path, languages));
    let read = found.and_then(|found| found.into_iter().map(ModelFile::read).collect());
    read.expect("the folders of models can be read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat::LANGUAGES;

    #[test]
    fn models_are_found_once_and_named_from_the_root() {
        let names: Vec<String> = models(&LANGUAGES).iter().map(ModelFile::name).collect();
        let all = names.iter().collect::<BTreeSet<_>>();
        assert_eq!(all.len(), names.len());
        assert!(all.contains(&"examples/peterson.pml".to_owned()));
        assert!(all.contains(&"examples/ferry.dve".to_owned()));
    }

    /// A typing error in a header would otherwise mean that less is tested.
    #[test]
    fn headers_are_understood() {
        for model in models(&LANGUAGES) {
            let text = lariat_front::decode(std::fs::read(&model.path).unwrap());
            assert_eq!(
                Header::problems(&text),
                [] as [String; 0],
                "{}",
                model.name()
            );
        }
    }

    #[test]
    fn named_files_are_taken_as_they_are_and_missing_ones_are_told() {
        let manifest = root().join("Cargo.toml");
        let found = find(std::slice::from_ref(&manifest), |_| false).unwrap();
        assert_eq!(found, [manifest]);
        let error = find(&[root().join("missing")], |_| true).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("missing: "));
    }
}
