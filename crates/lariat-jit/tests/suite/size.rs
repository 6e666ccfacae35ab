//! How much code is written, and when.

use lariat_graph::{Expansion, StateSpace};
use lariat_ir::interpret::Cancel;
use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_ir::space::{Checks, ModelSpace};
use lariat_jit::{CompiledSpace, Lockstep};

use crate::common::model;

/// The first states of a model, with machine code for all of it: the bytes of that.
fn code_bytes(text: &str, states: usize, prepare: impl Fn(&mut CompiledSpace)) -> usize {
    let model = model("test.pml", text.into(), false).unwrap();
    let model = reduced(&model, Options::ALL, &Visible::default());
    let mut compiled = CompiledSpace::new(&model, Checks::default()).unwrap();
    compiled.compile_after(0);
    prepare(&mut compiled);
    let interpreted = ModelSpace::new(&model, Checks::default());
    let mut both = Lockstep::new(interpreted, compiled);
    let mut out = Expansion::new();
    both.initial(&mut out);
    for _ in 0..states {
        let Some((state, _)) = out.edges().last() else {
            break;
        };
        let state = state.to_vec();
        out.clear();
        both.successors(&state, &mut out);
        assert_eq!(both.difference().map(ToString::to_string), None);
    }
    both.second_mut().code_bytes()
}

/// The code for a model does not grow with its arrays.
#[test]
fn wide_states_need_no_more_code() {
    let global = |n: u32| {
        format!(
            "int a[{n}]; int i; active proctype P() {{ do :: i < 50 -> a[i % {n}] = i; i++ od }}"
        )
    };
    let local = |n: u32| {
        format!(
            "int i; active proctype P() {{ int a[{n}]; do :: a[i % {n}] = i; i = i + a[i % 3] + 1 :: i > 9 -> break od; i = 0 }}"
        )
    };
    let hidden = |n: u32| {
        format!(
            "hidden int a[{n}]; int i; active proctype P() {{ do :: i < 50 -> a[i % {n}] = i; i++ od }}"
        )
    };
    for make in [&global as &dyn Fn(u32) -> String, &local, &hidden] {
        let small = code_bytes(&make(1000), 60, |_| ());
        let large = code_bytes(&make(100_000), 60, |_| ());
        assert!(large <= small + 4096, "{small} {large}");
    }
}

const SMALL: &str = "int i; active proctype P() { do :: i < 50 -> i++ od }";

/// Nothing is compiled when the search is over.
#[test]
fn a_cancelled_search_compiles_nothing() {
    let cancelled = Cancel::default();
    cancelled
        .stop
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(code_bytes(SMALL, 10, |_| ()) > 0);
    let stop = |space: &mut CompiledSpace| space.stop_on(cancelled.clone());
    assert_eq!(code_bytes(SMALL, 10, stop), 0);
}

/// Code is memory.
#[test]
fn code_has_a_limit() {
    let text: String = (0..200).map(|n| format!("x = (x + {n}) % 7; ")).collect();
    let text = format!("int x; active proctype P() {{ do :: true -> {text} od }}");
    let all = code_bytes(&text, 200, |_| ());
    let some = code_bytes(&text, 200, |space| space.limit_memory(100_000));
    assert!(all > 200_000 && some < 120_000, "{all} {some}");
}

/// What an executor holds besides the buffer of an expansion is reported for wide states: copies of the state.
#[test]
fn copies_of_wide_states_are_reported() {
    let text = "int a[50000]; int i; active proctype P() { do :: i < 50 -> a[i] = i; i++ od }";
    let model = model("test.pml", text.into(), false).unwrap();
    let mut compiled = CompiledSpace::new(&model, Checks::default()).unwrap();
    compiled.compile_after(0);
    let mut interpreted = ModelSpace::new(&model, Checks::default());
    let mut start = Expansion::new();
    interpreted.initial(&mut start);
    let state = start.edge(0).0.to_vec();
    for space in [&mut interpreted as &mut dyn StateSpace, &mut compiled] {
        let mut out = Expansion::new();
        space.successors(&state, &mut out);
        let scratch = out.memory_bytes() - out.buffer_bytes();
        assert!(scratch <= 10 * 4 * state.len(), "{scratch}");
    }
    let mut out = Expansion::new();
    interpreted.successors(&state, &mut out);
    assert!(out.memory_bytes() - out.buffer_bytes() >= 2 * 4 * state.len());
}
