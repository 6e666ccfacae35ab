//@ verdict: holds
//@ errors: 0
//@ states: 147
//@ transitions: 233
// Atomic options of a loop: test and set in one step give mutual exclusion.
bool busy;
byte inside;

active [2] proctype p() {
  byte k;
  do
  :: k < 2 ->
     atomic { !busy -> busy = true };
     inside++;
     assert(inside == 1);
     inside--;
     atomic { busy = false; k++ }
  :: k == 2 -> break
  od
}
