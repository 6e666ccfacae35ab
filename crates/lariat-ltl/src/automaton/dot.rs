//! Automata as graphs for Graphviz.

use super::Automaton;
use std::fmt::Write;

/// The automaton as a directed graph. Accepting states have two circles if acceptance is on states;
/// otherwise the edges show their sets.
pub fn print(automaton: &Automaton) -> String {
    let state_based = automaton.is_state_based() && automaton.sets == 1;
    let mut text = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    for (k, state) in automaton.initial.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  i{k} [shape=point, label=\"\"]\n  i{k} -> {state}");
    }
    for (state, edges) in automaton.states.iter().enumerate() {
        let accepting = state_based && automaton.is_accepting(state as u32);
        let shape = if accepting {
            " [shape=doublecircle]"
        } else {
            ""
        };
        let _ = writeln!(text, "  {state}{shape}");
        for edge in edges {
            let mut label = automaton.labels.text(edge.label, &automaton.atoms);
            if !state_based {
                for set in (0..automaton.sets).filter(|set| edge.marks >> set & 1 == 1) {
                    let _ = write!(label, " {{{set}}}");
                }
            }
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "  {state} -> {} [label=\"{label}\"]", edge.target);
        }
    }
    text.push_str("}\n");
    text
}
