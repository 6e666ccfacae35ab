//! From a file to a model.

use std::ops::Range;
use std::path::{Path, PathBuf};

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::expr::Expr;
use lariat_ir::model::Model;
use lariat_ir::property::{Atom, Invariant};
use lariat_ir::source::{SourceMap, Span};
use lariat_ltl::automaton::hoa;
use lariat_ltl::{Formulas, parse_with_atoms, print};
use lariat_promela::{
    Define, DiskLoader, Environment, Loader, LowerOptions, Lowered, ParseOptions,
};
use lariat_report::outcome::ModelRef;
use lariat_report::trail::model_hash;

use crate::property::{Kind, Question, Source, Watch};

/// A language in which models are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The language of SPIN.
    Promela,
    /// The language of DiVinE.
    Dve,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Promela, Language::Dve];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Language::Promela => "promela",
            Language::Dve => "dve",
        }
    }

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Language::ALL.into_iter().find(|l| l.word() == word)
    }

    /// The one that the ending of a file tells; Promela if it tells nothing.
    pub fn of_file(name: &str) -> Self {
        let ending = Path::new(name).extension().and_then(|e| e.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("dve" | "mdve") => Language::Dve,
            _ => Language::Promela,
        }
    }
}

/// How a model is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// The language, if the ending of the file does not tell it.
    pub language: Option<Language>,
    /// `-D` and `-U`, in the order of the command line.
    pub defines: Vec<Define>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// Messages to full channels are lost.
    pub lossy: bool,
    /// Values of DVE that do not fit are cut instead of being errors.
    pub wrap: bool,
    /// Files with never claims that are read after the model, as if it included them.
    pub never_files: Vec<PathBuf>,
}

/// A model that can be run.
#[derive(Debug)]
pub struct Loaded {
    /// The name of its file.
    pub file: String,
    text: Text,
    /// What is suspicious about it.
    pub warnings: Vec<Diagnostic>,
    hash: String,
}

/// A model with what its front end needs to understand more of its language.
#[derive(Debug)]
enum Text {
    Promela(Box<Lowered>, Box<Environment>),
    Dve(Box<lariat_dve::Lowered>),
}

/// A model that cannot be used, and why.
#[derive(Debug)]
pub struct LoadError {
    /// The text that the diagnostics speak of.
    pub sources: SourceMap,
    /// What is wrong; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model from a file.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let name = path.display().to_string();
    match DiskLoader.load(path) {
        Ok(bytes) => {
            let mut text = lariat_promela::decode(bytes);
            if language(&name, options) == Language::Promela {
                for file in &options.never_files {
                    text.push_str(&include(path, file));
                }
            }
            load_text(&name, text, options)
        }
        Err(error) => {
            let mut sources = SourceMap::default();
            sources.add(name.clone(), "");
            let message = format!("cannot read {name}: {error}");
            Err(LoadError {
                sources,
                diagnostics: vec![Diagnostic::error(Span::default(), message)],
            })
        }
    }
}

fn language(name: &str, options: &LoadOptions) -> Language {
    options.language.unwrap_or_else(|| Language::of_file(name))
}

/// The line that includes a file that is named as seen from the working directory.
fn include(model: &Path, file: &Path) -> String {
    let here = model.parent().is_none_or(|p| p.as_os_str().is_empty());
    let file = match std::path::absolute(file) {
        Ok(whole) if !here => whole,
        _ => file.to_path_buf(),
    };
    format!("\n#include \"{}\"\n", file.display())
}

/// Reads a model from a text; `name` says where it came from.
pub fn load_text(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, LoadError> {
    match language(name, options) {
        Language::Promela => load_promela(name, text, options),
        Language::Dve => load_dve(name, text, options),
    }
}

fn load_dve(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::default();
    let parse = lariat_dve::parse(&mut sources, name, text);
    let mut diagnostics = parse.diagnostics;
    diagnostics.extend(foreign_option(options));
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(LoadError {
            sources,
            diagnostics,
        });
    }
    let hash = model_hash(&sources);
    let lower_options = lariat_dve::LowerOptions { wrap: options.wrap };
    match lariat_dve::lower(&parse.system, sources, lower_options, &mut diagnostics) {
        Ok(lowered) => Ok(Loaded {
            file: name.to_string(),
            text: Text::Dve(Box::new(lowered)),
            warnings: diagnostics,
            hash,
        }),
        Err(sources) => Err(LoadError {
            sources,
            diagnostics,
        }),
    }
}

/// Complains of an option that only makes sense for another language.
fn foreign_option(options: &LoadOptions) -> Option<Diagnostic> {
    let option = if !options.defines.is_empty() {
        "-D and -U define macros"
    } else if !options.include_dirs.is_empty() {
        "-I says where included files are"
    } else if options.lossy {
        "-m changes what Promela's channels do"
    } else if !options.never_files.is_empty() {
        "-N with a file reads a never claim"
    } else {
        return None;
    };
    let message = format!("{option}, which is for Promela; this model is read as DVE");
    let help = "leave the option out; if the model is Promela, say so with --language promela";
    Some(Diagnostic::error(Span::default(), message).help(help))
}

fn load_promela(name: &str, text: String, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::default();
    let parse_options = ParseOptions {
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.clone(),
        ..ParseOptions::default()
    };
    let parse = lariat_promela::parse(&mut sources, &parse_options, name, text);
    let mut diagnostics = parse.diagnostics;
    if options.wrap {
        let message = "--wrap is about DVE; values of Promela are always cut to their range";
        diagnostics.push(Diagnostic::error(Span::default(), message));
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(LoadError {
            sources,
            diagnostics,
        });
    }
    let hash = model_hash(&sources);
    let lower_options = LowerOptions {
        lossy: options.lossy,
    };
    match lariat_promela::lower(&parse.program, sources, lower_options, &mut diagnostics) {
        Ok(lowered) => Ok(Loaded {
            file: name.to_string(),
            text: Text::Promela(Box::new(lowered), Box::new(parse.environment)),
            warnings: diagnostics,
            hash,
        }),
        Err(sources) => Err(LoadError {
            sources,
            diagnostics,
        }),
    }
}

impl Loaded {
    /// The model.
    pub fn model(&self) -> &Model {
        match &self.text {
            Text::Promela(lowered, _) => &lowered.model,
            Text::Dve(lowered) => &lowered.model,
        }
    }

    /// The language that it is written in.
    pub fn language(&self) -> Language {
        match self.text {
            Text::Promela(..) => Language::Promela,
            Text::Dve(_) => Language::Dve,
        }
    }

    /// Which model it is.
    pub fn reference(&self) -> ModelRef {
        ModelRef {
            file: self.file.clone(),
            hash: self.hash.clone(),
        }
    }

    /// A condition over the model's variables, as a user writes it.
    pub fn invariant(&mut self, text: &str) -> Result<Invariant, LoadError> {
        Ok(Invariant {
            text: text.to_string(),
            condition: self.condition("--invariant", text, 0..text.len())?,
            span: None,
        })
    }

    /// A condition that is a part of a text from the command line or from a file.
    fn condition(&mut self, name: &str, text: &str, part: Range<usize>) -> Result<Expr, LoadError> {
        let mut sources = self.model().sources.clone();
        let condition = match &mut self.text {
            Text::Promela(lowered, environment) => {
                lariat_promela::parse_part(&mut sources, environment, name, text, part)
                    .and_then(|e| lowered.expression(&e))
            }
            Text::Dve(lowered) => lariat_dve::parse_part(&mut sources, name, text, part)
                .and_then(|e| lowered.expression(&e)),
        };
        condition.map_err(|diagnostics| LoadError {
            sources,
            diagnostics,
        })
    }

    /// A formula over the model's variables, as a user writes it.
    pub fn formula(&mut self, text: &str) -> Result<Question, LoadError> {
        const NAME: &str = "--formula";
        let mut formulas = Formulas::new();
        let plain = self.without_references(text);
        let parsed = parse_with_atoms(&mut formulas, &plain)
            .map_err(|e| wrong_text(NAME, text, e.span, e.message, e.help))?;
        let mut atoms = Vec::new();
        for atom in &parsed.atoms {
            atoms.push(Atom {
                text: match plain == text {
                    true => atom.name.clone(),
                    false => text[unquoted(text, &atom.span)].to_string(),
                },
                condition: self.condition(NAME, text, unquoted(text, &atom.span))?,
            });
        }
        Ok(Question {
            kind: Kind::Ltl,
            name: match plain == text {
                true => print::spin(&formulas, parsed.formula),
                false => text.to_string(),
            },
            text: Some(text.to_string()),
            atoms,
            source: Source::Formula {
                formulas,
                formula: parsed.formula,
            },
        })
    }

    /// A formula of the same length in which the arrows of DVE's `P->v` do not look like implications:
    /// those between the name of a process and another name, without blanks.
    fn without_references(&self, text: &str) -> String {
        if self.language() != Language::Dve {
            return text.to_string();
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut plain = text.to_string();
        for (at, arrow) in text.match_indices("->") {
            let before = &text[..at];
            let name = &before[before.trim_end_matches(is_name).len()..];
            let follows = text[at + arrow.len()..].chars().next().is_some_and(is_name);
            let is_process = self.model().processes.iter().any(|p| p.name == name);
            if is_process && follows {
                plain.replace_range(at..at + arrow.len(), ". ");
            }
        }
        plain
    }

    /// An automaton of the runs that must not happen, in the HOA format. Its atoms are conditions
    /// over the model's variables.
    pub fn hoa(&mut self, name: &str, text: &str) -> Result<Question, LoadError> {
        let automaton = hoa::parse(text)
            .map_err(|e| wrong_text(name, text, e.offset..e.offset + 1, e.message, None))?;
        let mut atoms = Vec::new();
        for atom in &automaton.atoms {
            atoms.push(Atom {
                text: atom.clone(),
                condition: self.condition(name, atom, 0..atom.len())?,
            });
        }
        Ok(Question {
            kind: Kind::Hoa,
            name: name.to_string(),
            text: Some(text.to_string()),
            atoms,
            source: Source::Forbidden(Watch {
                automaton,
                signals: Vec::new(),
                stutter: true,
                accept_labels: false,
            }),
        })
    }

    /// The properties that stand in the model, or why they cannot be checked.
    pub fn questions(&self) -> impl Iterator<Item = Result<Question, String>> {
        let model = self.model();
        let properties = model.properties.iter();
        properties.map(|p| Question::of_model(p, model))
    }
}

/// The part of a text between quotes, if it has any.
fn unquoted(text: &str, part: &Range<usize>) -> Range<usize> {
    match text.get(part.clone()) {
        Some(quoted) if quoted.len() >= 2 && quoted.starts_with('"') => {
            part.start + 1..part.end - 1
        }
        _ => part.clone(),
    }
}

/// An error in a text that is not part of the model.
fn wrong_text(
    name: &str,
    text: &str,
    span: Range<usize>,
    message: String,
    help: Option<String>,
) -> LoadError {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let span = Span {
        file,
        start: span.start as u32,
        end: span.end as u32,
        ..Span::default()
    };
    let diagnostic = Diagnostic {
        help,
        ..Diagnostic::error(span, message)
    };
    LoadError {
        sources,
        diagnostics: vec![diagnostic],
    }
}
