//! What searches over fingerprints and bits omit, against what they report: many seeds on graphs whose states are known.
//!
//! A count of events of probability `p` is compared with its expectation plus the slack of Bernstein's inequality for a
//! probability of 10^-9. The seeds of the hashes are 0 to [`SEEDS`] - 1. With `--nocapture` the figures of
//! `docs/compaction.md` are printed.

use crate::lassos::collect;
use lariat_graph::Acceptance;
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph};
use lariat_search::{
    Bitstate, Compaction, Exactness, Misses, Options, SearchId, SearchOutcome, Stop, StoreClass,
    StoreKind,
};

const SEEDS: u64 = 1000;
const STATES: u32 = 200;
/// The code of the fault that is looked for.
const FAULT: u32 = 7;
/// The states of the cycle that is looked for.
const CYCLE: u32 = 5;

/// A graph in which the last state has a fault, or is on an accepting cycle.
struct Case {
    name: &'static str,
    graph: ExplicitGraph,
    /// The number of steps to the last state.
    distance: u64,
}

fn cases() -> Vec<Case> {
    let mut chain = ExplicitGraph::new(STATES);
    let mut star = ExplicitGraph::new(STATES);
    chain.add_initial(0);
    star.add_initial(0);
    for state in 1..STATES {
        chain.add_edge(state - 1, state, 0);
        star.add_edge(0, state, state);
    }
    let case = |name, graph, distance| Case {
        name,
        graph,
        distance,
    };
    vec![
        case("chain", chain, u64::from(STATES) - 1),
        case("star", star, 1),
        case("tree", ExplicitGraph::tree(3, 4), 4),
        case("grid", ExplicitGraph::grid(20, 10), 28),
    ]
}

impl Case {
    fn states(&self) -> u64 {
        self.graph.states().len() as u64
    }

    /// The graph for a search: with a fault, or with a cycle behind the last state. Either the cycle is accepting, or all
    /// edges in front of it.
    fn graph_for(&self, id: SearchId, is_violated: bool) -> ExplicitAcceptingGraph {
        let acceptance = Acceptance { sets: 1, pairs: 0 };
        let last = self.states() as u32 - 1;
        if id.info().faults {
            let mut graph = ExplicitAcceptingGraph::without_marks(self.graph.clone(), acceptance);
            graph.add_fault(last, FAULT);
            return graph;
        }
        let mut graph = ExplicitAcceptingGraph::new(last + CYCLE, acceptance);
        graph.add_initial(0);
        let marks_on: &[usize] = if is_violated { &[] } else { &[0] };
        for (from, state) in self.graph.states().iter().enumerate() {
            for edge in &state.edges {
                graph.add_edge(
                    from as u32,
                    edge.target.unwrap_or_default(),
                    edge.label,
                    marks_on,
                );
            }
        }
        for step in 0..CYCLE {
            let (from, to) = (last + step, last + (step + 1) % CYCLE);
            let marks: &[usize] = if is_violated && step == 0 { &[0] } else { &[] };
            graph.add_edge(from, to, STATES, marks);
        }
        graph
    }
}

/// A search with a seed.
struct Observed {
    outcome: SearchOutcome,
    /// Whether fewer states were visited than there are.
    omitted: bool,
    /// Whether the violation was not found.
    missed: bool,
    /// The bound for that, if the search has one.
    bound: Option<f64>,
}

fn search(case: &Case, id: SearchId, is_violated: bool, store: StoreKind, seed: u64) -> Observed {
    let mut graph = [case.graph_for(id, is_violated)];
    let states = graph[0].graph().states().len() as u64;
    let options = Options {
        store: store.seeded(seed),
        ..collect()
    };
    let outcome = id.run(&mut graph, &options, &mut ());
    assert_eq!(outcome.exactness, Exactness::MayOmit);
    assert!(!outcome.is_exhaustive());
    let omission = outcome.statistics.omission.expect("the figures");
    assert_eq!(omission.states, outcome.statistics.states_stored);
    let is_found =
        outcome.lasso.is_some() || outcome.faults.iter().any(|fault| fault.code == FAULT);
    // A search that stops at a lasso has not visited everything.
    let omitted = outcome.stop == Stop::Complete && omission.states < states;
    Observed {
        omitted,
        missed: is_violated && !is_found,
        bound: match id.info().misses {
            Misses::Nothing => None,
            Misses::States => Some(omission.path(case.distance)),
            Misses::Lassos => Some(omission.lasso(case.distance + u64::from(CYCLE))),
        },
        outcome,
    }
}

/// More events of this probability than that occur with probability 10^-9 at most (Bernstein 1924).
fn most(probability: f64) -> f64 {
    let (n, strength) = (SEEDS as f64, 1e9f64.ln());
    let variance = n * probability * (1.0 - probability);
    n * probability
        + strength / 3.0
        + (strength * strength / 9.0 + 2.0 * strength * variance).sqrt()
}

fn searches_with(class: StoreClass) -> impl Iterator<Item = SearchId> {
    let all = SearchId::ALL.iter().copied();
    all.filter(move |id| id.info().stores.contains(&class))
}

/// Fingerprints of so many bits.
fn fingerprints(bits: u32) -> (String, StoreKind) {
    let store = StoreKind::Compact(Compaction {
        bits: Some(bits),
        seed: 0,
    });
    (format!("{bits} bits"), store)
}

/// So many bits of each state in a table of so many.
fn bloom((probes, bits): (u32, u64)) -> (String, StoreKind) {
    let store = StoreKind::Bitstate(Bitstate {
        probes,
        bits: Some(bits),
        seed: 0,
    });
    (format!("{probes} of {bits} bits"), store)
}

/// Whatever is reported as at most `a` happens in a share of at most `a` of the searches that report that.
#[test]
fn searches_omit_as_rarely_as_they_report() {
    println!("search, graph, bits: measured and reported: any; the given violation");
    for bits in [12, 16, 20, 24] {
        compare(StoreClass::Compact, fingerprints(bits), bits > 12);
    }
}

/// The same for Bloom filters that are nearly empty, and for such that are too full for any bound.
#[test]
fn searches_over_bits_omit_as_rarely_as_they_report() {
    let nearly_empty = [(1, 1 << 16), (2, 1 << 14), (3, 1 << 13), (5, 1 << 12)];
    for table in nearly_empty {
        compare(StoreClass::Bitstate, bloom(table), true);
    }
    for table in [(1, 512), (3, 1024), (16, 1024)] {
        compare(StoreClass::Bitstate, bloom(table), false);
    }
}

/// Runs all searches with such a store with many seeds.
fn compare(class: StoreClass, (name, store): (String, StoreKind), is_tight: bool) {
    for id in searches_with(class) {
        for case in cases() {
            let search = |is_violated| -> Vec<Observed> {
                (0..SEEDS)
                    .map(|seed| search(&case, id, is_violated, store, seed))
                    .collect()
            };
            let what = format!("{}, {}, {name}", id.name(), case.name);
            let violated = search(true);
            check(&what, &violated);
            // A search that stops at a lasso tells nothing about the states that it has not visited yet.
            let others = (!id.info().faults).then(|| search(false));
            let complete = others.as_ref().unwrap_or(&violated);
            check(&what, complete);
            print_row(&what, complete, &violated);
            // Nested depth-first search over bits also reports red marks that were taken for others, which are not counted here.
            let counts_marks = class == StoreClass::Bitstate && !id.info().faults;
            if is_tight && !counts_marks {
                check_tightness(&what, complete);
                check_path_tightness(&what, &case, id, &violated);
            }
        }
    }
}

fn count(all: &[Observed], event: impl Fn(&Observed) -> bool) -> f64 {
    all.iter().filter(|search| event(search)).count() as f64
}

fn any(search: &Observed) -> f64 {
    search
        .outcome
        .statistics
        .omission
        .map_or(1.0, |omission| omission.any)
}

fn mean(all: &[Observed], figure: impl Fn(&Observed) -> f64) -> f64 {
    all.iter().map(figure).sum::<f64>() / SEEDS as f64
}

fn check(what: &str, all: &[Observed]) {
    for a in [0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9] {
        let omitted = count(all, |search| search.omitted && any(search) <= a);
        assert!(omitted <= most(a), "{what}: {omitted} omitted at {a}");
        let missed = count(all, |search| {
            search.missed && search.bound.is_some_and(|bound| bound <= a)
        });
        assert!(missed <= most(a), "{what}: {missed} missed at {a}");
        // Nothing is missed if nothing is omitted.
        let missed = count(all, |search| search.missed && any(search) <= a);
        assert!(missed <= most(a), "{what}: {missed} missed at {a}");
    }
}

/// The bound for any state is at most three times what is measured.
fn check_tightness(what: &str, all: &[Observed]) {
    let reported = mean(all, any);
    let omitted = count(all, |search| search.omitted);
    assert!(
        omitted + slack(reported / 3.0) >= SEEDS as f64 * reported / 3.0,
        "{what}: {omitted} omitted, {reported} reported"
    );
}

/// The bound for a given state is at most three times what is measured, where the graph makes it tight: at the end of a chain,
/// where each omission hits the path to it, and in a star, where the state is the last one to be met.
fn check_path_tightness(what: &str, case: &Case, id: SearchId, all: &[Observed]) {
    if id.info().faults && (case.name == "chain" || case.name == "star") {
        let reported = mean(all, |search| search.bound.unwrap_or(1.0));
        let missed = count(all, |search| search.missed);
        assert!(
            missed + slack(reported / 3.0) >= SEEDS as f64 * reported / 3.0,
            "{what}: {missed} missed, {reported} reported"
        );
    }
}

/// What a count of events of this probability differs from its expectation by, except with probability 10^-9.
fn slack(probability: f64) -> f64 {
    most(probability) - SEEDS as f64 * probability
}

fn print_row(what: &str, all: &[Observed], violated: &[Observed]) {
    let share = |events: f64| events / SEEDS as f64;
    println!(
        "{what}: {:.3} and {:.3}; {:.3} and {:.3}",
        share(count(all, |search| search.omitted)),
        mean(all, any),
        share(count(violated, |search| search.missed)),
        mean(violated, |search| search.bound.unwrap_or(f64::NAN)),
    );
}
