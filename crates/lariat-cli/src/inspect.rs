//! `lariat parse` and `lariat show`

use std::fmt::Write;

use super::dot;
use clap::ArgMatches;
use lariat::Loaded;
use lariat_ir::describe::process_name;
use lariat_ir::model::Model;
use lariat_ir::types::{Frame, Meaning, Scalar, Type};
use lariat_report::text::plural;

use super::args::Common;
use super::chain;

/// Reads the model of a command; a Markov chain is refused.
fn load(matches: &ArgMatches) -> Result<Loaded, u8> {
    let common = Common::new(matches);
    chain::refuse_as_model(&common.file)?;
    super::load_model(&common)
}

pub fn parse(matches: &ArgMatches) -> u8 {
    match load(matches) {
        Ok(loaded) => {
            super::print_lines(&overview(&loaded.file, loaded.model()));
            0
        }
        Err(code) => code,
    }
}

pub fn show(matches: &ArgMatches) -> u8 {
    match load(matches) {
        Ok(loaded) => {
            super::print(&dot::automata(loaded.model()));
            0
        }
        Err(code) => code,
    }
}

/// The parts of a model.
fn overview(file: &str, model: &Model) -> String {
    let mut out = format!("{file}: no errors\n");
    if !model.globals.variables.is_empty() {
        let _ = writeln!(
            out,
            "  global variables: {}",
            variables(model, &model.globals)
        );
    }
    for (index, process) in model.processes.iter().enumerate() {
        // Promela's closing brace is not counted.
        let locations =
            process.locations.len() - usize::from(process.locations.iter().any(|l| l.end));
        let instances = model.start.iter().filter(|s| s.process == index).count();
        let _ = writeln!(
            out,
            "  {}: {}, {}, {} at the start",
            process_name(&process.name),
            plural(locations as u64, "location"),
            plural(process.transitions.len() as u64, "transition"),
            instances,
        );
        let locals = variables(model, &process.frame);
        if !locals.is_empty() {
            let _ = writeln!(out, "    variables: {locals}");
        }
    }
    for (ty, channel) in model.channels.iter().enumerate() {
        let fields: Vec<String> = channel
            .fields
            .iter()
            .map(|f| scalar_name(model, *f))
            .collect();
        let names = model.fixed_channels.iter().filter(|c| c.ty == ty);
        let names: Vec<&str> = names.map(|c| c.name.as_str()).collect();
        let names = names.join(", ");
        let space = if names.is_empty() { "" } else { " " };
        let _ = writeln!(
            out,
            "  channel {names}{space}[{}] of {{ {} }}",
            channel.capacity,
            fields.join(", ")
        );
    }
    for property in &model.properties {
        let _ = writeln!(
            out,
            "  {} {} ({})",
            property.kind.word(),
            property.name,
            model.sources.location(property.span)
        );
    }
    out
}

fn variables(model: &Model, frame: &Frame) -> String {
    let list: Vec<String> = frame
        .variables
        .iter()
        .filter(|v| !v.internal)
        .map(|v| match &v.ty {
            Type::Array(element, length) => {
                format!("{} {}[{length}]", type_name(model, element), v.name)
            }
            ty => format!("{} {}", type_name(model, ty), v.name),
        })
        .collect();
    list.join(", ")
}

fn type_name(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar_name(model, *scalar),
        Type::Array(element, length) => format!("{}[{length}]", type_name(model, element)),
        Type::Record(record) => model.records.0[*record].name.clone(),
    }
}

fn scalar_name(model: &Model, scalar: Scalar) -> String {
    match (scalar.meaning, scalar.bits, scalar.signed) {
        (Meaning::Boolean, ..) => "bool".into(),
        (Meaning::Channel, ..) => "chan".into(),
        (Meaning::Enumeration(0), ..) => "mtype".into(),
        (Meaning::Enumeration(set), ..) => {
            format!("mtype:{}", model.enumerations[set as usize].name)
        }
        (_, 1, false) => "bit".into(),
        (_, 8, false) => "byte".into(),
        (_, 16, true) => "short".into(),
        (_, 32, true) => "int".into(),
        (_, bits, _) => format!("unsigned:{bits}"),
    }
}
