//@ verdict: holds
//@ errors: 0
//@ states: 124
//@ transitions: 311
// The repair: every philosopher takes the fork of the lower number first.
#define N 3
bool taken[N];
byte eating;

active [N] proctype philosopher() {
  byte first = _pid, second = (_pid + 1) % N;
  if
  :: first > second -> d_step { first = 0; second = N - 1 }
  :: else
  fi;
  do
  :: atomic { !taken[first] -> taken[first] = true };
     atomic { !taken[second] -> taken[second] = true; eating++ };
     assert(eating == 1);
     atomic { eating--; taken[second] = false };
     taken[first] = false
  od
}
