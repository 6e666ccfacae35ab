//@ verdict: violated
//@ errors: 8
//@ states: 98
//@ transitions: 187
//@ violation: assertion
// The same with the first two assignments exchanged, which breaks the exclusion.
bool flag[2];
byte turn, inside;

active [2] proctype p() {
  do
  :: turn = 1 - _pid;
     flag[_pid] = true;
     (!flag[1 - _pid] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     flag[_pid] = false
  od
}
