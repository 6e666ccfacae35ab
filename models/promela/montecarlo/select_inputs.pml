//@ verdict: holds
//@ errors: 0
//@ states: 137
//@ transitions: 137
//@ check: --ltl product_small => violated
//@ check: --ltl larger_first => violated
//@ check: --ltl in_range => holds
// Inputs by `select`: all values are equally likely for a walk that draws steps, so two sevens have the
// probability 1/64. If the inputs fall into classes that should be met equally often, the model says so:
// `if :: x = 0 :: x = 255 :: select (x : 1 .. 254) fi` draws a class first, and then a member of it.
byte a, b;

ltl product_small { [] (a * b < 49) }
ltl larger_first { [] (b <= a) }
ltl in_range { [] (a <= 7 && b <= 7) }

active proctype inputs() {
  atomic { select (a : 0 .. 7) };
  atomic { select (b : 0 .. 7) }
}
