//! The list of languages, and the choice among them.

use crate::loaded::{LoadError, Loaded, TextHash};
use crate::text::{decode, read_file};
use crate::{FrontEnd, OptionValues, Request};
use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::Span;
use std::path::{Path, PathBuf};

/// The languages that a program knows; the first one is for files whose ending tells nothing.
#[derive(Clone, Copy)]
pub struct Languages(pub &'static [&'static dyn FrontEnd]);

/// How a model is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// The name of the language, if the ending of the file does not tell it.
    pub language: Option<String>,
    /// Options of the language.
    pub options: OptionValues,
    /// Files with claims about the model, to be read as parts of it.
    pub claim_files: Vec<PathBuf>,
    /// The memory that the model may take, in bytes.
    pub memory: Option<u64>,
}

impl Languages {
    /// The names of all languages.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|language| language.name())
    }

    /// The language with a name.
    pub fn named(&self, name: &str) -> Option<&'static dyn FrontEnd> {
        self.0
            .iter()
            .copied()
            .find(|language| language.name() == name)
    }

    /// The language that the ending of a file tells, or the first.
    pub fn of_file(&self, name: &str) -> &'static dyn FrontEnd {
        let ending = Path::new(name)
            .extension()
            .and_then(|ending| ending.to_str());
        let ending = ending.map(str::to_ascii_lowercase).unwrap_or_default();
        let is_its = |language: &&&dyn FrontEnd| language.endings().contains(&ending.as_str());
        *self.0.iter().find(is_its).unwrap_or(&self.0[0])
    }

    /// The language of a file.
    fn choose(
        &self,
        name: &str,
        options: &LoadOptions,
    ) -> Result<&'static dyn FrontEnd, LoadError> {
        let Some(wanted) = &options.language else {
            return Ok(self.of_file(name));
        };
        self.named(wanted).ok_or_else(|| {
            let help = match did_you_mean(wanted, self.names()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are {}", self.names().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{wanted}` is not the name of a language");
            LoadError::of_text(
                name,
                "",
                Diagnostic::error(Span::default(), message).help(help),
            )
        })
    }

    /// Reads a model from a file.
    pub fn load(&self, path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
        let name = path.display().to_string();
        let bytes = read_file(path).map_err(|error| LoadError::cannot_read(&name, &error))?;
        self.load_text(&name, decode(bytes), options)
    }

    /// Reads a model from a text; `name` says where it came from.
    pub fn load_text(
        &self,
        name: &str,
        text: String,
        options: &LoadOptions,
    ) -> Result<Loaded, LoadError> {
        let language = self.choose(name, options)?;
        if let Some(diagnostic) = self.foreign_option(language, options) {
            return Err(LoadError::of_text(name, &text, diagnostic));
        }
        let request = Request {
            name,
            text,
            options: &options.options,
            claim_files: &options.claim_files,
            memory: options.memory,
        };
        let read = language.load(request)?;
        let hash = TextHash::of(&read.source.model().sources);
        Ok(Loaded::new(name, language, hash, read, options.clone()))
    }

    /// A message about an option that another language has, or none.
    fn foreign_option(
        &self,
        language: &'static dyn FrontEnd,
        options: &LoadOptions,
    ) -> Option<Diagnostic> {
        let is_known = |name: &str| language.options().iter().any(|option| option.name == name);
        let foreign = options
            .options
            .iter()
            .find(|given| !is_known(&given.name))?;
        let has_it = |other: &&&dyn FrontEnd| {
            other
                .options()
                .iter()
                .any(|option| option.name == foreign.name)
        };
        let message = match self.0.iter().find(has_it) {
            Some(other) => format!(
                "--{} is an option for {}; this model is read as {}",
                foreign.name,
                other.title(),
                language.title()
            ),
            None => format!("{} has no option --{}", language.title(), foreign.name),
        };
        let help = "leave the option out, or choose the language with --language";
        Some(Diagnostic::error(Span::default(), message).help(help))
    }
}
