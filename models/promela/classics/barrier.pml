//@ verdict: holds
//@ errors: 0
//@ states: 66
//@ transitions: 136
// A barrier for three workers: no process starts the second phase before all have ended
// the first.
#define N 3
byte arrived, phase_one;

active [N] proctype worker() {
  phase_one++;
  arrived++;
  (arrived == N);
  assert(phase_one == N)
}
