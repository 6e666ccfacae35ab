//! The control-flow automata of a model in the language of Graphviz.

use std::fmt::Write;

use lariat_ir::describe::process_name;
use lariat_ir::model::{Model, ProcessType};

/// All automata of a model as one graph.
pub fn automata(model: &Model) -> String {
    let mut out = String::from(
        "digraph model {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for (index, process) in model.processes.iter().enumerate() {
        cluster(model, index, process, &mut out);
    }
    out.push_str("}\n");
    out
}

fn cluster(model: &Model, index: usize, process: &ProcessType, out: &mut String) {
    let name = process_name(&process.name);
    let _ = writeln!(
        out,
        "  subgraph cluster_{index} {{\n    label=\"{}\";",
        escape(name)
    );
    let _ = writeln!(out, "    start_{index} [shape=point, label=\"\"];");
    let _ = writeln!(out, "    start_{index} -> n{index}_{};", process.initial);
    for at in reachable(process) {
        let location = &process.locations[at as usize];
        let mut label = at.to_string();
        for l in &location.labels {
            let _ = write!(label, " {l}");
        }
        let shape = if location.end { ", peripheries=2" } else { "" };
        let fill = if location.accept {
            ", style=filled, fillcolor=lightgrey"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "    n{index}_{at} [label=\"{}\"{shape}{fill}];",
            escape(&label)
        );
        for &t in &location.transitions {
            let transition = &process.transitions[t as usize];
            let line = model.sources.location(transition.statement.span).line;
            let style = if transition.atomic {
                ", style=bold"
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "    n{index}_{at} -> n{index}_{} [label=\"{line}: {}\"{style}];",
                transition.target,
                escape(&transition.statement.text)
            );
        }
    }
    out.push_str("  }\n");
}

/// The locations that are reachable in the automaton.
fn reachable(process: &ProcessType) -> Vec<u32> {
    let mut seen = vec![false; process.locations.len()];
    let mut open = vec![process.initial];
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        found.push(at);
        for &t in &process.locations[at as usize].transitions {
            open.push(process.transitions[t as usize].target);
        }
    }
    found.sort_unstable();
    found
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
