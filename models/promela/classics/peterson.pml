//@ verdict: holds
//@ errors: 0
//@ states: 38
//@ transitions: 65
// Peterson's algorithm.
bool flag[2];
byte turn, inside;

active [2] proctype p() {
  do
  :: flag[_pid] = true;
     turn = 1 - _pid;
     (!flag[1 - _pid] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     flag[_pid] = false
  od
}
