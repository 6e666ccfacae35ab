//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Selections and loops inside a d_step.
byte s;

active proctype p() {
  byte i;
  d_step {
    i = 1;
    do
    :: i <= 4 ->
       if
       :: i % 2 == 0 -> s = s + i
       :: else
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
  assert(s == 6 && i == 0)
}
