//! Lists of edges, as an example of a language.
//!
//! A line `a -> b` is an edge; the first name is the initial state. What follows `//` is a comment. A condition is the name
//! of a state.

use lariat_front::{FrontEnd, LoadError, Read, Request, Source, Terms};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Binary, Expr, Owner, Place};
use lariat_ir::layout::Layout;
use lariat_ir::model::{
    Action, Effect, Location, Model, ProcessType, Start, Statement, Transition,
};
use lariat_ir::source::{SourceMap, Span};
use lariat_ir::types::{Frame, Records, Scalar, Type};
use std::ops::Range;
use std::sync::Arc;

/// Lists of edges.
#[derive(Clone, Copy, Debug)]
pub struct Edges;

impl FrontEnd for Edges {
    fn name(&self) -> &'static str {
        "edges"
    }

    fn title(&self) -> &'static str {
        "a list of edges"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["edges"]
    }

    fn load(&self, request: Request<'_>) -> Result<Read, LoadError> {
        let mut sources = SourceMap::default();
        let file = sources.add(request.name, &request.text);
        match read(&request.text, |range| span(file, range)) {
            Ok(mut graph) => {
                graph.model.sources = sources;
                graph.model.layout = Layout::of(&graph.model).map(Arc::new);
                Ok(Read {
                    source: Box::new(graph),
                    warnings: Vec::new(),
                })
            }
            Err(diagnostic) => Err(LoadError {
                sources,
                diagnostics: vec![diagnostic],
            }),
        }
    }
}

fn span(file: lariat_ir::source::FileId, range: Range<usize>) -> Span {
    Span {
        file,
        start: range.start as u32,
        end: range.end as u32,
        ..Span::default()
    }
}

/// A graph: the model, the names of its states, and the variable that holds the present one.
#[derive(Debug)]
struct Graph {
    model: Model,
    names: Vec<String>,
    state: Place,
}

fn read(text: &str, at: impl Fn(Range<usize>) -> Span) -> Result<Graph, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    let mut edges = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        let code = line.split("//").next().unwrap_or_default().trim();
        if code.is_empty() {
            continue;
        }
        let Some((from, to)) = code.split_once("->") else {
            return Err(Diagnostic::error(at(range), "an edge is written `a -> b`"));
        };
        let mut number = |name: &str| {
            let known = names.iter().position(|known| known == name.trim());
            known.unwrap_or_else(|| {
                names.push(name.trim().into());
                names.len() - 1
            })
        };
        edges.push((number(from), number(to), at(range), code.to_string()));
    }
    if names.is_empty() {
        return Err(Diagnostic::error(at(0..0), "there is no edge"));
    }
    Ok(graph(names, edges))
}

fn graph(names: Vec<String>, edges: Vec<(usize, usize, Span, String)>) -> Graph {
    let mut model = Model::default();
    let scalar = Scalar::unsigned(16);
    let ty = Type::Scalar(scalar);
    let variable = model.globals.add(&Records::default(), "state", ty, true);
    let variable = variable.expect("one variable fits");
    let state = Place {
        owner: Owner::Global,
        variable,
        offset: model.globals.variables[variable].offset,
        indices: Vec::new(),
        scalar,
    };
    let mut locations: Vec<Location> = (0..names.len() as u32)
        .map(|number| Location {
            number,
            end: true,
            labels: vec![names[number as usize].clone()],
            ..Location::default()
        })
        .collect();
    let mut transitions = Vec::new();
    for (from, to, span, text) in edges {
        locations[from].transitions.push(transitions.len() as u32);
        transitions.push(Transition {
            action: Action::Guarded {
                condition: Expr::TRUE,
                effects: vec![Effect::Assign(state.clone(), Expr::Const(to as i32))],
            },
            target: to as u32,
            atomic: false,
            merged: false,
            rank: 0,
            statement: Statement { span, text },
        });
    }
    model.processes.push(ProcessType {
        name: "graph".into(),
        frame: Frame::default(),
        parameters: Vec::new(),
        init: Vec::new(),
        priority: None,
        provided: None,
        deterministic: false,
        locations,
        transitions,
        initial: 0,
        span: Span::default(),
    });
    model.start.push(Start {
        process: 0,
        priority: 1,
    });
    Graph {
        model,
        names,
        state,
    }
}

impl Source for Graph {
    fn model(&self) -> &Model {
        &self.model
    }

    fn condition(
        &mut self,
        sources: &mut SourceMap,
        name: &str,
        text: &str,
        part: Range<usize>,
    ) -> Result<Expr, Vec<Diagnostic>> {
        let file = sources.add(name, text);
        let wanted = text[part.clone()].trim();
        match self.names.iter().position(|known| known == wanted) {
            Some(number) => {
                let state = Expr::Load(self.state.clone());
                Ok(state.binary(Binary::Equal, Expr::Const(number as i32)))
            }
            None => {
                let message = format!("there is no state `{wanted}`");
                Err(vec![Diagnostic::error(span(file, part), message)])
            }
        }
    }

    fn terms(&self) -> Terms {
        Terms {
            claim: "claim",
            accepting: "accepting states",
            no_accepting: "a list of edges has no accepting states",
            no_progress: Some("a list of edges has no progress labels"),
        }
    }
}
