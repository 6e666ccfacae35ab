//@ verdict: holds
//@ errors: 0
//@ states: 137
//@ transitions: 137
//@ check: --ltl product_small => violated
//@ check: --ltl larger_first => violated
//@ check: --ltl in_range => holds
// Inputs by `select`. All values are possible, but not alike for a walk that makes one choice at a time:
// `select` counts up, and stops at the first value half of the time, at the next one a quarter of the
// time. Two sevens are the rarest of all: 2^-14, not 1/64.
byte a, b;

ltl product_small { [] (a * b < 49) }
ltl larger_first { [] (b <= a) }
ltl in_range { [] (a <= 7 && b <= 7) }

active proctype inputs() {
  atomic { select (a : 0 .. 7) };
  atomic { select (b : 0 .. 7) }
}
