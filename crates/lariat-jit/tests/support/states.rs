//! Arbitrary words as states: models with all constructs, and all operations on a state.
//!
//! Used by the tests of this crate and by a fuzz target.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use lariat::LANGUAGES;
use lariat_front::LoadOptions;
use lariat_graph::product::Propositions;
use lariat_graph::{AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_ir::interpret::Cancel;
use lariat_ir::model::Model;
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_jit::{CompiledSpace, Lockstep};
use lariat_stats::{Dice, Rng, stream};

/// Models that contain each construct: the ending of the file, and the text.
pub const MODELS: [(&str, &str); 10] = [
    (
        "pml",
        "/* Channels of several types, of which some variables can only hold some; sorted sends. */
mtype = { ask, tell };
chan few[2] = [1] of { bit };
chan many[3] = [7] of { mtype, int, int, byte };
chan last = [2] of { chan };
byte x;
active [2] proctype P() {
  byte i; chan mine = [3] of { byte, bool }; chan other;
  do
  :: many[i]!!ask(x, i, 1) :: many[i]?tell(x, _, i) :: many[2]??ask(eval(x), _, i)
  :: few[i]!1 :: few[i]?x :: last!mine :: last?other -> other!3, true
  :: atomic { mine?[i, true] -> mine?i, _ } :: i < 2 -> i++ :: i > 0 -> i--
  :: len(many[i]) > 1 && nfull(few[1]) -> many[x % 3]?<ask(x, _, i)>; x = 0
  od
}",
    ),
    (
        "pml",
        "/* Rendezvous, with atomic and indivisible receivers. */
chan c[2] = [0] of { byte, byte }; chan d = [0] of { bit }; chan b = [1] of { byte };
byte x, y; hidden byte h;
active [2] proctype S() { byte n; do :: c[n]!n, x :: atomic { d!1; c[0]!x, y } :: n = 1 - n :: b!n od }
active [2] proctype R() {
  do
  :: atomic { c[0]?x, eval(y) -> if :: d?_ :: x = x + 1 :: else -> skip fi }
  :: d_step { c[1]?x, y -> h = x; y = h % 3 } :: d?y :: b?x
  od
}",
    ),
    (
        "pml",
        "/* Processes come and go, with channels of their own. */
chan back = [1] of { byte, chan };
proctype Child(byte n; chan up) {
  chan own = [2] of { byte };
  own!n;
  if :: n < 3 && _nr_pr < 6 -> run Child(n + 1, own); own?n :: up!n :: back!n, own fi
}
proctype Pair(byte n) { chan meet = [0] of { byte }; if :: meet!n :: n > 2 -> skip :: else fi }
init {
  chan root = [1] of { byte }; chan got; byte n;
  do
  :: _nr_pr < 5 -> run Child(n, root) :: _nr_pr < 4 -> atomic { run Pair(n); run Pair(n + 1) }
  :: root?n :: back?n, got -> if :: got?n :: got!7 :: skip fi :: n > 0 -> break
  od
}",
    ),
    (
        "pml",
        "/* Atomic chains with choices, a select, a d_step with a loop, timeout, np_, the last mover. */
byte a[5], x; bit flag; int sum;
active [2] proctype P() {
  byte i, k;
  do
  :: atomic { select(k : 0 .. 4); a[k] = i; if :: x++ :: x-- :: skip fi; i = a[x] }
  :: d_step { i = 0; sum = 0; do :: i < 5 -> sum = sum + a[i]; i++ :: else -> break od; i = 0 }
  :: timeout -> flag = 1 - flag :: np_ && flag -> progress: x = sum / (a[1] + 1)
  :: atomic { x > 3 && x < 12 -> do :: x > 0 -> x = x - 1 :: x > 1 -> x = x - 2 :: x == 0 -> break od }
  :: _last != _pid && x < 9 -> x = (x << i) % (a[i] + 1)
  od unless { flag && P[1]:i > 3; flag = 0; assert(x < 200) };
accept: goto accept
}
ltl p { [](P[0]:i < 4 || x > a[0]) }",
    ),
    (
        "pml",
        "/* Priorities. */
byte x;
proctype P(byte n) { byte k; do :: x < 5 -> x++; set_priority(_pid, n) :: x > 0 -> x-- :: k < 3 -> k++ :: else -> break od }
init { atomic { run P(1) priority 2; run P(2) priority 3 }; get_priority(1) > 1 -> set_priority(2, x); x = 0 }",
    ),
    (
        "pml",
        "/* Clauses, enabled, pc_value. */
byte x; byte who;
active [2] proctype P() provided (who == _pid || x > 3) { byte i; do :: x = pc_value(i) % 7 :: who = i :: i = 1 - i :: enabled(i) -> atomic { x = enabled(who); i = pc_value(x) % 2 } od }
active proctype Q() { do :: atomic { who = 1 - who; x = pc_value(0); x = pc_value(who) } :: x > 200 -> break od }",
    ),
    (
        "pml",
        "/* Records, narrow numbers, a trace. */
typedef In { unsigned u : 3; short s[3]; bit b } typedef Out { In in[2]; byte n; chan c }
Out g[2]; unsigned small : 5; mtype = { m, n }; chan q = [2] of { mtype }; chan far = [1] of { byte };
trace { do :: q!m :: q!n; q?n od }
active proctype P() { Out l; byte i; mark: do :: l.in[i].s[g[i].in[0].u] = small :: g[1].in[l.n].u++ :: i = (i + 1) % 3
  :: q!m :: q!n :: q?n :: q?m :: small = small - l.in[1].u :: l.n = 1 - l.n :: g[0].in[1].s[2]-- :: far!small :: far?i od }
active proctype Q() { do :: g[1].n < 3 -> g[1].n++ :: P:i == 1 -> g[0].in[1].b = 1 - g[0].in[1].b :: P@mark -> skip od }",
    ),
    (
        "pml",
        "/* All states are alike, and channels of two types lie in arrays that never change. */
chan wide[2] = [9] of { int, int, short }; chan thin[2] = [1] of { bit }; chan pick[3];
byte x; bool always[3] = true;
active [2] proctype P() { byte i; do :: wide[i]!x, i, 7 :: wide[i]?x, _, i :: thin[i]!1 :: thin[i]?i :: wide[i]!!x, x, x
  :: i = (i + 1) % 2 :: always[i] -> wide[1 - i]??eval(x), _, _ :: len(thin[i]) == 1 -> x = len(wide[x % 2]) od; assert(false) }",
    ),
    (
        "dve",
        "byte a[3]; int x = 1; channel {byte, int} typed[2]; channel meet; channel {byte} pass[0];
process A { byte v = 0, i; state p, q, r; init p; commit q;
  trans p -> q { guard v < 3; sync pass!v; effect v = v + 1; }, q -> r { effect a[i] = v, i = i + 1; },
    r -> p { guard i > 1; sync typed!{v, x}; effect i = 0; }, r -> p { effect x = x / v; }, q -> p { sync meet?; }; }
process B { byte w, u; state p, q; init p; commit q; assert p: w < 9;
  trans p -> p { sync pass?w; effect x = x - w; }, p -> q { sync typed?{u, x}; effect w = u; }, q -> p { effect x = a[w], w = 0; },
    p -> p { guard A.r and A->v > 1; sync meet!; }, p -> q { guard x < 100; effect x = x + 40; }; }
process C { state s; init s; trans s -> s { guard x > 1; effect a[2] = 1 - a[2]; }; }
system async;",
    ),
    (
        "dve",
        "byte x, a[2];
process A { byte n; state q, r; init q; trans q -> r { effect n = n + 1; }, r -> q { guard n < 3; effect x = n; }, r -> q { guard n > 2; effect n = 0; }; }
process B { byte n; state q; init q; trans q -> q { effect n = x; }, q -> q { guard n > 0; effect a[n % 2] = n; }; }
system sync;",
    ),
];

/// The model of a text in the language of this ending.
pub fn model(ending: &str, text: &str) -> Option<Model> {
    let name = format!("states.{ending}");
    let loaded = LANGUAGES.load_text(&name, text.into(), &LoadOptions::default());
    Some(loaded.ok()?.model().clone())
}

/// The time limit of the operations on one state.
const TIME_LIMIT: Duration = Duration::from_millis(200);

/// Both executors of a model.
pub struct Executors<'m> {
    interpreted: ModelSpace<'m>,
    /// `None` if the model is not compiled.
    compiled: Option<CompiledSpace<'m>>,
    atoms: u32,
    out: Expansion,
}

impl<'m> Executors<'m> {
    /// For a model, with or without marks. Everything is compiled at once.
    pub fn new(model: &'m Model, fair: bool) -> Self {
        let atoms: Vec<_> = (model.properties.iter())
            .flat_map(|property| property.atoms.clone())
            .collect();
        let liveness = Liveness {
            stutter: fair,
            accept_labels: fair,
            fairness: if fair { Fairness::Weak } else { Fairness::None },
        };
        let checks = Checks {
            invariants: model.invariants.clone(),
            ..Checks::default()
        };
        let mut interpreted = ModelSpace::new(model, checks.clone());
        interpreted.watch(liveness, atoms.clone());
        interpreted.limit_memory(1 << 20);
        let mut compiled = CompiledSpace::new(model, checks).ok();
        if let Some(compiled) = &mut compiled {
            compiled.watch(liveness, atoms.clone()).unwrap();
            compiled.compile_after(0);
            compiled.limit_memory(1 << 20);
        }
        let out = Expansion::with_marks(interpreted.acceptance().words());
        Executors {
            interpreted,
            compiled,
            atoms: atoms.len() as u32,
            out,
        }
    }

    /// Up to so many reachable states of the model.
    pub fn reachable(&mut self, limit: usize) -> Vec<Vec<u32>> {
        let mut states = Vec::new();
        let mut seen = HashSet::new();
        self.out.clear();
        self.interpreted.initial(&mut self.out);
        let mut next = 0;
        loop {
            for (target, _) in self.out.edges() {
                if states.len() < limit && seen.insert(target.to_vec()) {
                    states.push(target.to_vec());
                }
            }
            let Some(state) = states.get(next) else {
                return states;
            };
            next += 1;
            self.out.clear();
            self.interpreted.successors(state, &mut self.out);
        }
    }

    /// Calls all operations on some words; returns whether they are a state.
    ///
    /// No operation may panic, words that are not a state must be reported as such, and every step from a state must
    /// lead to a state.
    pub fn ask(&mut self, words: &[u32], key: u64) -> bool {
        // From an unreachable state an indivisible sequence may loop for ever.
        let cancel = Cancel {
            deadline: Some(Instant::now() + TIME_LIMIT),
            ..Cancel::default()
        };
        self.interpreted.stop_on(cancel.clone());
        if let Some(compiled) = &mut self.compiled {
            compiled.stop_on(cancel);
        }
        let is_state = self.interpreted.validator().accepts(words);
        let validator = self.interpreted.validator().clone();
        let judge = |out: &Expansion| match is_state {
            true => {
                for (target, _) in out.edges() {
                    assert!(validator.accepts(target), "{words:x?} leads to {target:x?}");
                }
            }
            false => {
                assert!(out.is_empty() && out.faults().is_empty(), "{words:x?}");
                assert!(out.is_incomplete(), "{words:x?}");
            }
        };
        ask_graph(
            &mut self.interpreted,
            words,
            key,
            self.atoms,
            is_state,
            &mut self.out,
            judge,
        );
        if let Some(compiled) = &mut self.compiled {
            ask_graph(
                compiled,
                words,
                key,
                self.atoms,
                is_state,
                &mut self.out,
                judge,
            );
        }
        let dice = &mut Dice::new(key);
        let steps = self.interpreted.steps_of_drawn_edge(words, dice);
        assert!(is_state || steps.is_none());
        for label in [0, 1, 5, u32::MAX] {
            let steps = self.interpreted.steps_of_edge(words, label);
            assert!(is_state || steps.is_none());
        }
        is_state
    }

    /// Both executors in lockstep, if there are two.
    pub fn side_by_side(&self) -> Option<Lockstep<ModelSpace<'m>, CompiledSpace<'m>>> {
        let compiled = self.compiled.clone()?;
        Some(Lockstep::new(self.interpreted.clone(), compiled))
    }
}

fn ask_graph(
    graph: &mut (impl Draw + Propositions),
    words: &[u32],
    key: u64,
    atoms: u32,
    is_state: bool,
    out: &mut Expansion,
    judge: impl Fn(&Expansion),
) {
    out.clear();
    graph.successors(words, out);
    judge(out);
    out.clear();
    graph.draw(words, &mut Dice::new(key), out);
    judge(out);
    out.clear();
    let equal = graph.equal_edges(words, out);
    judge(out);
    assert!(is_state || equal.is_none());
    graph.set_state(words);
    for atom in 0..=atoms {
        let holds = graph.holds(atom);
        assert!(is_state || holds.is_err());
    }
}

/// Some words: a state of the model that was changed in a few places, or random words.
pub fn words(states: &[Vec<u32>], rng: &mut Rng) -> Vec<u32> {
    let some = |rng: &mut Rng| match rng.below(6) {
        0 => rng.next_u32(),
        1 => rng.below(4) as u32,
        2 => u32::MAX - rng.below(3) as u32,
        3 => 1 << rng.below(32),
        // A header.
        4 => (rng.below(2) << 31 | rng.below(4) << 20 | rng.below(9)) as u32,
        _ => rng.below(300) as u32,
    };
    let mut words = match rng.choose(states) {
        Some(state) if rng.chance(0.95) => state.clone(),
        _ => (0..rng.below(24)).map(|_| some(rng)).collect(),
    };
    for _ in 0..rng.below(4) {
        let (at, from) = (rng.index(words.len()), rng.index(words.len()));
        match rng.below(10) {
            0 => words.insert(at, some(rng)),
            1 => words.truncate(at),
            2 => words.extend((0..rng.below(4)).map(|_| some(rng))),
            _ if words.is_empty() => {}
            3 => words[at] = words[from],
            4 => words[at] = some(rng),
            5 => {
                let shift = 8 * rng.below(4);
                words[at] = words[at] & !(0xff << shift) | (rng.below(12) as u32) << shift;
            }
            6 => words[at] = words[at].wrapping_add(rng.below(3) as u32).wrapping_sub(1),
            7 => {
                words.remove(at);
            }
            _ => words[at] ^= 1 << rng.below(32),
        }
    }
    words
}

/// Tests so many words; returns how many of them were states.
pub fn ask(model: &Model, name: &str, count: u64, seed: u64) -> u64 {
    let mut accepted = 0;
    for fair in [false, true] {
        let mut executors = Executors::new(model, fair);
        let states = executors.reachable(400);
        let mut rng = stream(seed, name, u64::from(fair));
        for _ in 0..count.div_ceil(2) {
            let words = words(&states, &mut rng);
            accepted += u64::from(executors.ask(&words, rng.next_u64()));
        }
    }
    accepted
}
