//@ verdict: violated
//@ errors: 1
//@ states: 56
//@ transitions: 264
//@ violation: assertion
// Towers of Hanoi with three disks.  peg[d] is the peg of disk d; a disk may move when no
// smaller one lies on its peg or on the target.  The violation is a solution.
byte peg[3];

#define FREE(d, p) ((d == 0 || peg[0] != p) && (d < 2 || peg[1] != p))

active proctype player() {
  byte d, to;
  do
  :: peg[0] + peg[1] + peg[2] == 6 -> break
  :: else ->
     atomic {
       select (d : 0 .. 2);
       select (to : 0 .. 2);
       if
       :: to != peg[d] && FREE(d, peg[d]) && FREE(d, to) -> peg[d] = to
       :: else
       fi;
       d = 0; to = 0
     }
  od;
  assert(false)
}
