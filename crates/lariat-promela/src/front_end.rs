//! Promela as a language of Lariat.

use std::ops::Range;
use std::path::{Path, PathBuf};

use lariat_front::{
    FrontEnd, LanguageOption, LoadError, OptionValues, Read, Request, Source, Terms,
};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::expr::Expr;
use lariat_ir::model::Model;
use lariat_ir::source::SourceMap;

use crate::{
    Define, Environment, Limits, LowerOptions, Lowered, ParseOptions, lower, parse, parse_part,
};

/// The language of SPIN.
#[derive(Clone, Copy, Debug)]
pub struct Promela;

const OPTIONS: &[LanguageOption] = &[
    LanguageOption {
        name: "define",
        short: Some('D'),
        value: Some("NAME[=VALUE]"),
        help: "define a macro",
    },
    LanguageOption {
        name: "undefine",
        short: Some('U'),
        value: Some("NAME"),
        help: "remove a macro",
    },
    LanguageOption {
        name: "include",
        short: Some('I'),
        value: Some("DIR"),
        help: "where #include looks for files",
    },
    LanguageOption {
        name: "lossy",
        short: Some('m'),
        value: None,
        help: "a message to a full channel is lost instead of waiting",
    },
];

impl FrontEnd for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn title(&self) -> &'static str {
        "Promela"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["pml", "prom", "pm", "prm", "spin"]
    }

    fn options(&self) -> &'static [LanguageOption] {
        OPTIONS
    }

    fn load(&self, request: Request<'_>) -> Result<Read, LoadError> {
        let mut text = request.text;
        for file in request.claim_files {
            text.push_str(&include(Path::new(request.name), file));
        }
        let mut sources = SourceMap::default();
        let mut options = parse_options(request.options);
        options.limits = Limits::within(request.memory);
        let parse = parse(&mut sources, &options, request.name, text);
        let mut diagnostics = parse.diagnostics;
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(LoadError {
                sources,
                diagnostics,
            });
        }
        let options = LowerOptions {
            lossy: request.options.iter().any(|option| option.name == "lossy"),
        };
        match lower(&parse.program, sources, options, &mut diagnostics) {
            Ok(lowered) => Ok(Read {
                source: Box::new(PromelaSource {
                    lowered,
                    environment: parse.environment,
                }),
                warnings: diagnostics,
            }),
            Err(sources) => Err(LoadError {
                sources,
                diagnostics,
            }),
        }
    }
}

fn parse_options(options: &OptionValues) -> ParseOptions {
    let mut parse_options = ParseOptions::default();
    for option in options {
        let value = option.value.clone().unwrap_or_default();
        match option.name.as_str() {
            "define" => parse_options.defines.push(Define::Define(value)),
            "undefine" => parse_options.defines.push(Define::Undef(value)),
            "include" => parse_options.include_dirs.push(PathBuf::from(value)),
            _ => {}
        }
    }
    parse_options
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

/// A model with its macros and names.
#[derive(Debug)]
struct PromelaSource {
    lowered: Lowered,
    environment: Environment,
}

impl Source for PromelaSource {
    fn model(&self) -> &Model {
        &self.lowered.model
    }

    fn condition(
        &mut self,
        sources: &mut SourceMap,
        name: &str,
        text: &str,
        part: Range<usize>,
    ) -> Result<Expr, Vec<Diagnostic>> {
        let expression = parse_part(sources, &self.environment, name, text, part)?;
        self.lowered.expression(&expression)
    }

    fn terms(&self) -> Terms {
        Terms {
            claim: "never claim",
            accepting: "accept labels",
            no_accepting: "no process of the model has a label that begins with `accept`",
            no_progress: None,
        }
    }
}
