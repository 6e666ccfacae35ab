//! Clones on several threads share code that is compiled while they run.

use std::collections::HashSet;

use lariat_graph::{Expansion, StateSpace};
use lariat_ir::space::Checks;
use lariat_jit::CompiledSpace;

const MODEL: &str = "
mtype = { ask, answer };
chan q = [1] of { mtype, byte };
chan meet = [0] of { byte };
byte turn;
proctype Client(byte n) {
  byte got;
  do
  :: q!ask(n)
  :: atomic { meet?got -> turn = (turn + got) % 3 }
  :: turn == n -> atomic { turn = (turn + 1) % 3; if :: got = 1 :: got = 2 fi }
  od
}
active proctype Server() {
  byte from;
  do
  :: q?ask(from) -> meet!from
  :: d_step { turn > 1 -> turn = 0 }
  od
}
init { run Client(1); run Client(2) }
";

/// All states, and the number of edges.
fn explore(space: &mut CompiledSpace) -> (HashSet<Box<[u32]>>, usize) {
    let mut out = Expansion::new();
    let mut seen: HashSet<Box<[u32]>> = HashSet::new();
    let mut open: Vec<Box<[u32]>> = Vec::new();
    let mut edges = 0;
    space.initial(&mut out);
    loop {
        edges += out.len();
        for (target, _) in out.edges() {
            if seen.insert(target.into()) {
                open.push(target.into());
            }
        }
        let Some(state) = open.pop() else {
            return (seen, edges);
        };
        out.clear();
        space.successors(&state, &mut out);
    }
}

#[test]
fn threads_share_code() {
    let model = crate::common::model("threads.pml", MODEL.into(), false).unwrap();
    for round in 0..3 {
        let space = CompiledSpace::new(&model, Checks::default()).unwrap();
        let mut first = space.clone();
        first.compile_after(round);
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let mut space = space.clone();
                    scope.spawn(move || {
                        let result = explore(&mut space);
                        (result, space.reached().to_vec())
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let alone = (explore(&mut first), first.reached().to_vec());
        assert!(alone.0.0.len() > 100, "{} states", alone.0.0.len());
        assert!(results.iter().all(|result| *result == alone));
    }
}
