//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
//@ check: --ltl finds => holds
//@ check: --ltl ends => holds
//@ check: --ltl wrong => violated
// Euclid's algorithm ends with the greatest common divisor.
byte a = 12, b = 18;
bool done;

ltl finds { <> (done && a == 6) }
ltl ends { <>[] done }
ltl wrong { <> (done && a == 4) }

active proctype euclid() {
  do
  :: a > b -> a = a - b
  :: b > a -> b = b - a
  :: a == b -> break
  od;
  done = true
}
