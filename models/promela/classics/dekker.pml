//@ verdict: holds
//@ errors: 0
//@ states: 166
//@ transitions: 313
// Dekker's algorithm for the mutual exclusion of two processes.
bool want[2];
bit turn;
byte inside;

active [2] proctype p() {
  bit me = _pid;
  do
  :: want[me] = true;
     do
     :: want[1 - me] ->
        if
        :: turn == me -> skip
        :: else -> want[me] = false; turn == me; want[me] = true
        fi
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     turn = 1 - me;
     want[me] = false
  od
}
