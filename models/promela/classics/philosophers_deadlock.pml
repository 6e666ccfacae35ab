//@ verdict: violated
//@ errors: 1
//@ states: 35
//@ transitions: 76
//@ violation: invalid end state
// Three philosophers who all take the left fork first: each may hold one fork and wait
// for the next for ever.
#define N 3
bool taken[N];

active [N] proctype philosopher() {
  byte left = _pid, right = (_pid + 1) % N;
  do
  :: atomic { !taken[left] -> taken[left] = true };
     atomic { !taken[right] -> taken[right] = true };
     taken[right] = false;
     taken[left] = false
  od
}
