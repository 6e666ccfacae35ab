//! What is called shortest is shortest, whatever the search: compared with a search by brute force.

use lariat_stats::{Rng, stream};
use serde_json::Value;

use crate::support::Folder;

/// A graph with marks on its states; every state has a successor, so that every run is infinite.
struct Graph {
    successors: Vec<Vec<usize>>,
    /// For each state, the marks as bits.
    marks: Vec<u8>,
}

/// The number of acceptance sets.
const SETS: usize = 3;
const ALL: u8 = (1 << SETS) - 1;

impl Graph {
    fn random(rng: &mut Rng) -> Self {
        let states = 3 + rng.below(5) as usize;
        let successors = |_| {
            let count = 1 + rng.below(3);
            let mut list: Vec<usize> = (0..count)
                .map(|_| rng.below(states as u64) as usize)
                .collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let successors = (0..states).map(successors).collect();
        let mark = |_| (0..SETS).fold(0, |mark, set| mark | u8::from(rng.below(4) == 0) << set);
        let marks = (0..states).map(mark).collect();
        Graph { successors, marks }
    }

    /// The graph as a process in DVE: a step is an edge.
    fn process(&self) -> String {
        let names: Vec<String> = (0..self.marks.len()).map(|s| format!("q{s}")).collect();
        let edge = |(from, to): (usize, &usize)| format!("q{from} -> q{to} {{}}");
        let all = self.successors.iter().enumerate();
        let edges: Vec<String> = all
            .flat_map(|(from, list)| list.iter().map(move |to| edge((from, to))))
            .collect();
        format!(
            "process P {{ state {}; init q0; trans {}; }} system async;",
            names.join(", "),
            edges.join(", ")
        )
    }

    /// The states with a mark, as a condition.
    fn condition(&self, set: usize) -> String {
        let marked = (0..self.marks.len()).filter(|s| self.marks[*s] >> set & 1 == 1);
        let names: Vec<String> = marked.map(|s| format!("P.q{s}")).collect();
        match names.is_empty() {
            true => "false".into(),
            false => format!("({})", names.join(" || ")),
        }
    }

    /// The number of edges of a shortest way to a state and a cycle there that has all marks.
    fn shortest_lasso(&self) -> Option<usize> {
        let ways = self.distances(0, |_| 0, |_, _| 0);
        let lengths = (0..self.marks.len()).filter_map(|state| {
            let way = ways.iter().find(|((s, _), _)| *s == state)?.1;
            let marks = |s: usize| self.marks[s];
            let cycles = self.distances(state, marks, |seen, s| seen | marks(s));
            let closing = cycles
                .iter()
                .filter(|((s, seen), _)| *seen == ALL && self.successors[*s].contains(&state));
            Some(way + closing.map(|(_, length)| length + 1).min()?)
        });
        lengths.min()
    }

    /// The distances from a state of all states, each with what was collected on the way there.
    fn distances(
        &self,
        from: usize,
        begin: impl Fn(usize) -> u8,
        collect: impl Fn(u8, usize) -> u8,
    ) -> Vec<((usize, u8), usize)> {
        let mut found = vec![((from, begin(from)), 0)];
        let mut next = 0;
        while let Some(&((state, seen), length)) = found.get(next) {
            for &successor in &self.successors[state] {
                let reached = (successor, collect(seen, successor));
                if !found.iter().any(|(other, _)| *other == reached) {
                    found.push((reached, length + 1));
                }
            }
            next += 1;
        }
        found
    }
}

/// An automaton with several acceptance sets, from a formula and from a file.
#[test]
fn every_search_finds_a_shortest_lasso() {
    let folder = Folder::new();
    let mut rng = stream(7, "shortest", 0);
    let mut violated = 0;
    for _ in 0..60 {
        let graph = Graph::random(&mut rng);
        folder.write("g.dve", graph.process());
        let often: Vec<String> = (0..SETS)
            .map(|set| format!("[]<>{}", graph.condition(set)))
            .collect();
        let often = often.join(" && ");
        let hoa = folder.run_args(&["ltl", &often, "--tgba", "--hoa"]);
        folder.write("often.hoa", hoa.exits_with(0).stdout);
        let formula = format!("!({often})");
        let expected = graph.shortest_lasso();
        violated += u32::from(expected.is_some());
        for property in [["--formula", formula.as_str()], ["--hoa", "often.hoa"]] {
            for search in ["auto", "ndfs", "scc"] {
                let rest = ["--shortest", "--search", search, "--json", "--no-trail"];
                let mut args = vec!["check", "g.dve"];
                args.extend(property.iter().chain(&rest));
                let result = folder.run_args(&args).json()["results"][0].clone();
                let place = format!("{search}: {property:?}\n{}", graph.process());
                match expected {
                    None => assert_eq!(result["verdict"], "holds", "{place}"),
                    Some(length) => {
                        assert_eq!(result["guarantee"]["shortest"], true, "{place}");
                        let steps = &result["violations"][0]["steps"];
                        assert_eq!(steps, &Value::from(length), "{place}");
                    }
                }
            }
        }
    }
    assert!(violated > 10, "{violated}");
}
