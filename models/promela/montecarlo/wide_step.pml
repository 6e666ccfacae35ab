//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 257
//@ args: -DBITS=4
//@ check: --ltl never_all => violated
//@ check: --ltl some_in_time => violated
// Each step is an atomic sequence with 2^BITS ways through it: a choice for each bit. Without -DBITS there
// are 20 bits, too many for a search, which has to look at a million successors of each of a
// million states; to draw a successor takes 20 choices.
#ifndef BITS
#define BITS 20
#endif

bit set[BITS];
byte ones;

ltl never_all { [] (ones < BITS) }
ltl some_in_time { <> (ones > 0) }

active proctype noise() {
  byte i;
  do
  :: atomic {
       ones = 0;
       do
       :: d_step { i < BITS -> set[i] = 0; i++ }
       :: d_step { i < BITS -> set[i] = 1; ones++; i++ }
       :: d_step { i == BITS -> i = 0 } -> break
       od
     }
  od
}
