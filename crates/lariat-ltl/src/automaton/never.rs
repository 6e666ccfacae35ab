//! Automata as never claims of Promela.
//!
//! SPIN takes the first state as the initial one and those with names that begin with `accept` as
//! accepting. A state from which everything is accepted becomes `accept_all`, which ends the claim:
//! SPIN reports a claim that ends as matched.

use super::degeneralise::degeneralise;
use super::{Automaton, Edge, Label};
use std::fmt::Write;

/// The automaton as a never claim, with an optional comment. An automaton that does not have
/// acceptance on states is converted first.
pub fn print(automaton: &Automaton, comment: Option<&str>) -> String {
    let claim = one_initial(match automaton.is_state_based() && automaton.sets == 1 {
        true => automaton.clone(),
        false => degeneralise(automaton),
    });
    let mut text = String::from("never {");
    if let Some(comment) = comment {
        let _ = write!(
            text,
            " /* {} */",
            comment.replace("*/", "* /").replace("/*", "/ *")
        );
    }
    text.push('\n');
    let initial = claim.initial.first().copied().unwrap_or(0);
    let count = claim.states.len() as u32;
    let others = (0..count).filter(|&s| s != initial && !accepts_all(&claim, s));
    for state in std::iter::once(initial).chain(others) {
        write_state(&mut text, &claim, state, initial);
    }
    if (0..count).any(|s| s != initial && accepts_all(&claim, s)) {
        text.push_str("accept_all:\n  skip\n");
    }
    text.push_str("}\n");
    text
}

/// Writing to a string cannot fail.
fn write_state(text: &mut String, claim: &Automaton, state: u32, initial: u32) {
    let _ = writeln!(text, "{}:", name(claim, state, initial));
    let edges = claim.edges(state);
    if edges.is_empty() {
        text.push_str("  false;\n");
        return;
    }
    text.push_str("  if\n");
    for edge in edges {
        let target = name(claim, edge.target, initial);
        let _ = writeln!(
            text,
            "  :: ({}) -> goto {target}",
            condition(claim, edge.label)
        );
    }
    text.push_str("  fi;\n");
}

/// A label as an expression; atoms that are more than a name are put into parentheses.
fn condition(claim: &Automaton, label: Label) -> String {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    claim
        .labels
        .sum_of_products(label, ["true", "false"], " && ", " || ", |atom| match claim
            .atoms
            .get(atom as usize)
        {
            Some(name) if plain(name) => name.clone(),
            Some(name) => format!("({name})"),
            None => format!("a{atom}"),
        })
}

fn accepts_all(claim: &Automaton, state: u32) -> bool {
    let own = |e: &Edge| e.target == state && e.label == Label::TRUE;
    claim.is_accepting(state) && claim.edges(state).iter().any(own)
}

fn name(claim: &Automaton, state: u32, initial: u32) -> String {
    let kind = if claim.is_accepting(state) {
        "accept"
    } else {
        "T0"
    };
    match state {
        _ if state == initial => format!("{kind}_init"),
        _ if accepts_all(claim, state) => "accept_all".to_string(),
        _ => format!("{kind}_S{state}"),
    }
}

/// The automaton with one initial state, a new one if there were several.
fn one_initial(mut automaton: Automaton) -> Automaton {
    if automaton.initial.len() != 1 {
        let initial = automaton.initial.iter();
        let edges = initial.flat_map(|&s| automaton.edges(s).to_vec());
        let edges = edges.map(|e| Edge { marks: 0, ..e }).collect();
        automaton.initial = vec![automaton.states.len() as u32];
        automaton.states.push(edges);
        automaton.unite_edges();
    }
    automaton
}
