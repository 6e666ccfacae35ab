//! Properties of a model in their source form.

use std::ops::Range;

use lariat_front::{LoadError, Loaded};
use lariat_ir::expr::Expr;
use lariat_ltl::automaton::hoa;
use lariat_ltl::{Formulas, parse_with_atoms, print};

use crate::run_property::{Kind, PropertyAutomaton, RunProperty, Source, constants};

/// A property with its atoms.
pub type ModelProperty = (RunProperty, Vec<Expr>);

/// A formula over the model's variables.
pub fn formula(loaded: &mut Loaded, text: &str) -> Result<ModelProperty, LoadError> {
    const NAME: &str = "--formula";
    let mut formulas = Formulas::new();
    let plain = loaded.hide_operators(text);
    let parsed = parse_with_atoms(&mut formulas, &plain)
        .map_err(|e| LoadError::in_part(NAME, text, e.span, e.message, e.help))?;
    let (mut atoms, mut conditions) = (Vec::new(), Vec::new());
    for atom in &parsed.atoms {
        atoms.push(match plain == text {
            true => atom.name.clone(),
            false => text[unquoted(text, &atom.span)].to_string(),
        });
        conditions.push(loaded.condition(NAME, text, unquoted(text, &atom.span))?);
    }
    let property = RunProperty {
        kind: Kind::Ltl,
        name: match plain == text {
            true => print::spin(&formulas, parsed.formula),
            false => text.to_string(),
        },
        text: Some(text.to_string()),
        atoms,
        constants: constants(conditions.iter()),
        source: Source::Formula {
            formulas,
            formula: parsed.formula,
        },
    };
    Ok((property, conditions))
}

/// An automaton of the violating runs, in the HOA format. Its atoms are conditions over the model's variables.
pub fn automaton(loaded: &mut Loaded, name: &str, text: &str) -> Result<ModelProperty, LoadError> {
    let automaton = hoa::parse(text)
        .map_err(|e| LoadError::in_part(name, text, e.offset..e.offset + 1, e.message, None))?;
    let mut conditions = Vec::new();
    for atom in &automaton.atoms {
        conditions.push(loaded.condition(name, atom, 0..atom.len())?);
    }
    let property = RunProperty {
        kind: Kind::Hoa,
        name: name.to_string(),
        text: Some(text.to_string()),
        atoms: automaton.atoms.clone(),
        constants: constants(conditions.iter()),
        source: Source::Forbidden(PropertyAutomaton {
            automaton,
            entry_faults: Vec::new(),
            stutter: true,
            accept_labels: false,
        }),
    };
    Ok((property, conditions))
}

/// The properties of the model, or why they cannot be checked.
pub fn of_model(loaded: &Loaded) -> impl Iterator<Item = Result<ModelProperty, String>> {
    let model = loaded.model();
    let properties = model.properties.iter();
    properties.map(|property| RunProperty::of_model(property, model))
}

/// The part of a text between quotes, if it has quotes.
fn unquoted(text: &str, part: &Range<usize>) -> Range<usize> {
    match text.get(part.clone()) {
        Some(quoted) if quoted.len() >= 2 && quoted.starts_with('"') => {
            part.start + 1..part.end - 1
        }
        _ => part.clone(),
    }
}
