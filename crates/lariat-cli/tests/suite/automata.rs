//! Automata that stand in a model, of any shape, against a search of the product by hand.
//!
//! An automaton that comes from a formula has been normalised; a given one may have
//! accepting and other states in one component, dead ends, and edges that never fit. Here the system
//! is a graph, and the automaton looks at its nodes.

use lariat::LANGUAGES;
use lariat_check::properties;
use lariat_check::task::Wishes;
use lariat_front::LoadOptions;
use lariat_search::SearchId;

use crate::api::check_runs;
use lariat_stats::{Rng, stream};

const SYSTEMS: u64 = 400;

/// A graph, and an automaton whose edges name the nodes at which they can be taken.
struct Case {
    graph: Vec<Vec<usize>>,
    automaton: Vec<Vec<(Vec<usize>, usize)>>,
    accepting: Vec<bool>,
}

impl Case {
    fn random(rng: &mut Rng) -> Self {
        let nodes = 1 + rng.index(4);
        let states = 1 + rng.index(4);
        let graph = (0..nodes)
            .map(|_| (0..rng.index(3)).map(|_| rng.index(nodes)).collect())
            .collect();
        let edge = |rng: &mut Rng| {
            let all = rng.below(2) == 0;
            let fits = |rng: &mut Rng| all || rng.below(2) == 0;
            let guard = (0..nodes).filter(|_| fits(rng)).collect();
            (guard, rng.index(states))
        };
        Case {
            graph,
            automaton: (0..states)
                .map(|_| (0..1 + rng.index(2)).map(|_| edge(rng)).collect())
                .collect(),
            accepting: (0..states).map(|_| rng.below(2) == 0).collect(),
        }
    }

    /// The case as a DVE system with a property process.
    fn text(&self) -> String {
        let names = |letter: char, count: usize| -> String {
            let names: Vec<String> = (0..count).map(|i| format!("{letter}{i}")).collect();
            names.join(", ")
        };
        let mut edges: Vec<String> = Vec::new();
        for (from, targets) in self.graph.iter().enumerate() {
            edges.extend(targets.iter().map(|to| format!("s{from} -> s{to} {{}}")));
        }
        let trans = |edges: &[String]| match edges {
            [] => String::new(),
            edges => format!("trans {};", edges.join(", ")),
        };
        let system = trans(&edges);
        edges.clear();
        for (from, targets) in self.automaton.iter().enumerate() {
            for (guard, to) in targets {
                let mut parts: Vec<String> = guard.iter().map(|n| format!("S.s{n}")).collect();
                parts.push("false".into());
                let guard = parts.join(" or ");
                edges.push(format!("q{from} -> q{to} {{ guard {guard}; }}"));
            }
        }
        let accepting: Vec<String> = (0..self.accepting.len())
            .filter(|&q| self.accepting[q])
            .map(|q| format!("q{q}"))
            .collect();
        let accept = match &accepting[..] {
            [] => String::new(),
            accepting => format!("accept {};", accepting.join(", ")),
        };
        format!(
            "process S {{ state {}; init s0; {system} }}\n\
             process N {{ state {}; init q0; {accept} {} }}\n\
             system async property N;\n",
            names('s', self.graph.len()),
            names('q', self.automaton.len()),
            trans(&edges),
        )
    }

    fn successors(&self, (node, state): (usize, usize)) -> Vec<(usize, usize)> {
        let targets = &self.graph[node];
        // A system that cannot move stays where it is.
        let targets = match targets.is_empty() {
            true => vec![node],
            false => targets.clone(),
        };
        let edges = self.automaton[state].iter();
        let open = edges.filter(|(guard, _)| guard.contains(&node));
        open.flat_map(|(_, to)| targets.iter().map(|&n| (n, *to)))
            .collect()
    }

    fn reachable(&self, from: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        let mut seen = from.clone();
        let mut todo = from;
        while let Some(at) = todo.pop() {
            for next in self.successors(at) {
                if !seen.contains(&next) {
                    seen.push(next);
                    todo.push(next);
                }
            }
        }
        seen
    }

    /// Whether a pair with an accepting state can be reached from itself.
    fn is_violated(&self) -> bool {
        let accepted = |&pair: &(usize, usize)| {
            self.accepting[pair.1] && self.reachable(self.successors(pair)).contains(&pair)
        };
        self.reachable(vec![(0, 0)]).iter().any(accepted)
    }
}

#[test]
fn every_search_agrees_with_the_product_by_hand() {
    let mut violated = 0;
    for number in 0..SYSTEMS {
        let case = Case::random(&mut stream(1, "automata", number));
        let expected = match case.is_violated() {
            true => "violated",
            false => "holds",
        };
        violated += u64::from(case.is_violated());
        let text = case.text();
        let loaded = LANGUAGES.load_text("case.dve", text.clone(), &LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|e| panic!("{text}{:?}", e.diagnostics));
        let property = properties::of_model(&loaded).next().unwrap().unwrap();
        for search in [None, Some(SearchId::Ndfs), Some(SearchId::Scc)] {
            for workers in [1, 2] {
                let wishes = Wishes {
                    search,
                    workers: Some(workers),
                    alone: Some(0),
                    ..Wishes::default()
                };
                let outcome = check_runs(&loaded, &property, &wishes).unwrap();
                let verdict = outcome.verdict.word();
                assert_eq!(
                    verdict, expected,
                    "case {number}, {search:?}, {workers}\n{text}"
                );
            }
        }
    }
    assert!((SYSTEMS / 10..SYSTEMS * 9 / 10).contains(&violated));
}
