//@ verdict: holds
//@ errors: 0
//@ states: 4320
//@ transitions: 10369
//@ spin: no - spin -a translates these formulas for more than 100 seconds
//@ check: --ltl one_leader => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl electable => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl stays_committed => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl commit_after_log => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl leader_was_candidate => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl log_then_commit => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl served => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl terms_grow => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl stable => holds (spin: it does not translate these formulas within 100 seconds)
//@ check: --ltl all_together => holds (spin: it does not translate these formulas within 100 seconds)
// Ten properties of the size of a Raft specification, over 20 conditions of a small model.
byte state[3]; byte term[3]; byte log[3]; byte commit[3]; bool up[3];
active [3] proctype server() {
  up[_pid] = true;
end: do
  :: atomic { state[_pid] == 0 && term[_pid] < 2 -> state[_pid] = 1; term[_pid]++ }
  :: atomic { state[_pid] == 1 && state[(_pid + 1) % 3] != 2 && state[(_pid + 2) % 3] != 2 -> state[_pid] = 2 }
  :: atomic { state[_pid] == 2 && log[_pid] < 1 -> log[_pid]++ }
  :: atomic { state[_pid] == 2 && commit[_pid] < log[_pid] -> commit[_pid]++ }
  :: atomic { state[_pid] == 2 -> state[_pid] = 0 }
  od
}

ltl one_leader { [] (!(state[0] == 2 && state[1] == 2) && !(state[0] == 2 && state[2] == 2) && !(state[1] == 2 && state[2] == 2)) }
ltl electable { [] ((state[0] == 1 || state[1] == 1 || state[2] == 1) -> <> (state[0] == 2 || state[1] == 2 || state[2] == 2)) }
ltl stays_committed { ([] (commit[0] == 1 -> [] commit[0] == 1) && [] (commit[1] == 1 -> [] commit[1] == 1) && [] (commit[2] == 1 -> [] commit[2] == 1)) }
ltl commit_after_log { ((!(commit[0] == 1) W log[0] == 1) && (!(commit[1] == 1) W log[1] == 1) && (!(commit[2] == 1) W log[2] == 1)) }
ltl leader_was_candidate { ([] (state[0] == 0 -> (!(state[0] == 2) W state[0] == 1)) && [] (state[1] == 0 -> (!(state[1] == 2) W state[1] == 1)) && [] (state[2] == 0 -> (!(state[2] == 2) W state[2] == 1))) }
ltl log_then_commit { ([] ((state[0] == 2 && log[0] == 1) -> <> (commit[0] == 1 || !(state[0] == 2))) && [] ((state[1] == 2 && log[1] == 1) -> <> (commit[1] == 1 || !(state[1] == 2))) && [] ((state[2] == 2 && log[2] == 1) -> <> (commit[2] == 1 || !(state[2] == 2)))) }
ltl served { ([]<> (state[0] == 2 || state[1] == 2 || state[2] == 2)) -> ([] (up[0] -> <> (log[0] == 1 || state[0] == 0)) && [] (up[1] -> <> (log[1] == 1 || state[1] == 0)) && [] (up[2] -> <> (log[2] == 1 || state[2] == 0))) }
ltl terms_grow { ([] (state[0] == 1 -> term[0] >= 1) && [] (state[1] == 1 -> term[1] >= 1) && [] (state[2] == 1 -> term[2] >= 1)) && ([] (term[0] >= 1 -> [] term[0] >= 1) && [] (term[1] >= 1 -> [] term[1] >= 1) && [] (term[2] >= 1 -> [] term[2] >= 1)) }
ltl stable { <>[] (up[0] && up[1] && up[2]) -> (<> (state[0] == 1 || state[1] == 1 || state[2] == 1) -> <> ((state[0] == 2 && term[0] >= 1) || (state[1] == 2 && term[1] >= 1) || (state[2] == 2 && term[2] >= 1))) }
ltl all_together { (([]<> up[0] && []<> up[1] && []<> up[2]) && []<> (state[0] == 1 || state[1] == 1 || state[2] == 1)) -> ([] ((state[0] == 2 || state[1] == 2 || state[2] == 2) -> <> (commit[0] == 1 || commit[1] == 1 || commit[2] == 1)) || <>[] (state[0] == 0 || state[1] == 0 || state[2] == 0)) }
