//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 24
// break inside an atomic body of a loop leaves both the sequence and the loop.
byte n;

active proctype p() {
  do
  :: atomic {
       n++;
       if
       :: n == 3 -> break
       :: else
       fi
     }
  od;
  assert(n == 3)
}

active proctype q() {
  assert(n <= 3)
}
