//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// An expression continued on the next line after its operator.
byte a = 1, b = 2;

active proctype main() {
  (a == 1 &&
   b == 2) ->
  a = a +
      b *
      2;
  assert(a ==
         5)
}
