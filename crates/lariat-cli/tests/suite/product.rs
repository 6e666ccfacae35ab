//! Random systems against random formulas: translation, product and searches together, judged by
//! the definition of LTL.
//!
//! If a search finds a lasso, the word along it must violate the formula. If none is found, no
//! short lasso of the system may violate it: all of them are tried.

use lariat_graph::product::{Product, Propositions};
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_ltl::automaton::{Automaton, Limits, buchi, tgba};
use lariat_ltl::lasso::{Letter, Word, holds};
use lariat_ltl::random::{Operators, formula};
use lariat_ltl::{Formula, Formulas, print};
use lariat_search::{
    Options, SearchOutcome, nested_depth_first, replay_lasso, scc_search, shorten, shortest_lasso,
};
use lariat_stats::{Rng, stream};

const ATOMS: u32 = 2;
const SYSTEMS: u64 = 3000;
/// All lassos of the system with up to so many states are tried.
const LONGEST: usize = 5;

/// A system of a few states, each with the atoms that hold in it.
#[derive(Clone, Debug)]
struct System {
    letters: Vec<u32>,
    edges: Vec<Vec<u32>>,
    at: u32,
}

impl System {
    fn random(rng: &mut Rng) -> System {
        let states = 1 + rng.below(4);
        let edge = |rng: &mut Rng| rng.below(states) as u32;
        System {
            letters: (0..states).map(|_| rng.below(1 << ATOMS) as u32).collect(),
            edges: (0..states)
                .map(|_| (0..1 + rng.below(2)).map(|_| edge(rng)).collect())
                .collect(),
            at: 0,
        }
    }

    fn word(&self, prefix: &[u32], cycle: &[u32]) -> Word {
        let letter = |state: &u32| -> Letter {
            let atoms = self.letters[*state as usize];
            (0..ATOMS).filter(|a| atoms >> a & 1 == 1).collect()
        };
        Word {
            prefix: prefix.iter().map(letter).collect(),
            cycle: cycle.iter().map(letter).collect(),
        }
    }

    /// The length of the shortest lasso of up to [`LONGEST`] states that violates a formula.
    fn shortest_violation(&self, formulas: &Formulas, f: Formula) -> Option<usize> {
        let mut best = None;
        let mut open = vec![vec![0u32]];
        while let Some(path) = open.pop() {
            for &next in &self.edges[path[path.len() - 1] as usize] {
                for start in (0..path.len()).filter(|&i| path[i] == next) {
                    let word = self.word(&path[..start], &path[start..]);
                    if !holds(formulas, f, &word) {
                        best = Some(best.map_or(path.len(), |b: usize| b.min(path.len())));
                    }
                }
                if path.len() < LONGEST {
                    let mut longer = path.clone();
                    longer.push(next);
                    open.push(longer);
                }
            }
        }
        best
    }
}

impl StateSpace for System {
    fn initial(&mut self, out: &mut Expansion) {
        out.push(&[0], 0);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        for (label, target) in self.edges[state[0] as usize].iter().enumerate() {
            out.push(&[*target], label as u32);
        }
    }
}

impl AcceptingGraph for System {
    fn acceptance(&self) -> Acceptance {
        Acceptance::default()
    }
}

impl Propositions for System {
    fn set_state(&mut self, state: &[u32]) {
        self.at = state[0];
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        Ok(self.letters[self.at as usize] >> atom & 1 == 1)
    }
}

type Graph = Product<System>;
type Search = (&'static str, fn(&mut Graph) -> SearchOutcome);

const NESTED: Search = ("ndfs", |g| {
    nested_depth_first(std::slice::from_mut(g), &Options::default(), false, &mut ())
});
const COMPONENTS: Search = ("scc", |g| {
    scc_search(std::slice::from_mut(g), &Options::default(), &mut ())
});

/// Runs a search on a product, and answers the length of the lasso in the product.
fn violation(
    system: &System,
    automaton: &Automaton,
    (name, search): Search,
    formulas: &Formulas,
    f: Formula,
) -> Option<u64> {
    let mut graph = Product::new(system.clone(), automaton.clone(), Vec::new(), false);
    let found = search(&mut graph).lasso?;
    let shorter = shorten(&mut graph, &found);
    let shortest = shortest_lasso(&mut graph, &Options::default(), None, &mut ());
    assert!(shortest.proven);
    let shortest = shortest.lasso.expect("there is one");
    assert!(shortest.length() <= shorter.length() && shorter.length() <= found.length());
    for lasso in [&found, &shorter, &shortest] {
        let states = replay_lasso(&mut graph, lasso).expect("a lasso of the product");
        let states: Vec<u32> = states.iter().map(|s| s[0]).collect();
        let (prefix, cycle) = states[..states.len() - 1].split_at(lasso.prefix.len());
        let word = system.word(prefix, cycle);
        assert!(!holds(formulas, f, &word), "{name}: {word:?}");
    }
    Some(shortest.length())
}

#[test]
fn products_find_what_violates_a_formula() {
    let mut violated = 0;
    for number in 0..SYSTEMS {
        let mut rng = stream(5, "systems", number);
        let system = System::random(&mut rng);
        let mut formulas = Formulas::new();
        for atom in 0..ATOMS {
            formulas.atom(&format!("p{atom}"));
        }
        let size = 1 + rng.below(9) as u32;
        let mut below = |n: u32| rng.below(n.into()) as u32;
        let f = formula(&mut formulas, size, ATOMS, Operators::All, &mut below);
        let negated = formulas.not(f);
        let limits = Limits::default();
        let buchi = buchi(&mut formulas, negated, &limits).expect("a small automaton");
        let tgba = tgba(&mut formulas, negated, &limits).expect("a small automaton");
        let context = format!("system {number}: {} {system:?}", print::spin(&formulas, f));
        let expected = system.shortest_violation(&formulas, f);
        let mut verdicts = Vec::new();
        for (automaton, search) in [(&buchi, NESTED), (&buchi, COMPONENTS), (&tgba, COMPONENTS)] {
            verdicts.push(violation(&system, automaton, search, &formulas, f));
        }
        for found in &verdicts {
            assert_eq!(found.is_some(), verdicts[0].is_some(), "{context}");
            // A lasso of the product cannot be shorter than the shortest of the system.
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!(*found >= expected as u64, "{context}");
            }
        }
        assert!(verdicts[0].is_some() || expected.is_none(), "{context}");
        violated += u64::from(expected.is_some());
    }
    assert!(
        (SYSTEMS / 4..SYSTEMS * 3 / 4).contains(&violated),
        "{violated}"
    );
}
