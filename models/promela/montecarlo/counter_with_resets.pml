//@ verdict: holds
//@ errors: 0
//@ states: 32
//@ transitions: 113
//@ check: --ltl not_for_ever => violated
//@ check: --ltl overflows => violated
// A counter of BITS bits that counts on or loses one of its bits that are set. It can count all the way
// to an overflow for ever, and it need not: two violations. A random walk hardly ever finds the first
// one, and nearly always the second.
#ifndef BITS
#define BITS 5
#endif
#define FULL ((1 << BITS) - 1)

short count;

ltl not_for_ever { <>[] (count != FULL) }
ltl overflows { []<> (count == FULL) }

active proctype counter() {
  byte bit_lost;
  do
  :: count = (count + 1) & FULL
  :: atomic { count > 0 ->
       do                      /* this bit, or a higher one */
       :: d_step { (count >> bit_lost) & 1 -> count = count - (1 << bit_lost); bit_lost = 0 } -> break
       :: (count >> (bit_lost + 1)) != 0 -> bit_lost++
       od
     }
  od
}
