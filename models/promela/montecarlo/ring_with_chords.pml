//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 53
//@ check: --ltl not_for_ever => violated
// A ring of N places with a step forward and chords back by 1 to 5 places. Going round and round violates
// the formula, but each chord leads to a place that was seen before, and so a random walk has to take
// the right one of up to six ways each time: 1 * 2 * 3 * 4 * 5 * 6^6 = 5598720 attempts for N=12. A walk
// that does not go back for as long as there is a way forward needs one.
#ifndef N
#define N 12
#endif

byte at;

ltl not_for_ever { <>[] (at != N - 1) }

active proctype walker() {
  do
  :: d_step { at < N - 1 -> at++ }
  :: d_step { at == N - 1 -> at = 0 }
  :: d_step { at >= 1 && at < N - 1 -> at-- }
  :: d_step { at >= 2 && at < N - 1 -> at = at - 2 }
  :: d_step { at >= 3 && at < N - 1 -> at = at - 3 }
  :: d_step { at >= 4 && at < N - 1 -> at = at - 4 }
  :: d_step { at >= 5 && at < N - 1 -> at = at - 5 }
  od
}
