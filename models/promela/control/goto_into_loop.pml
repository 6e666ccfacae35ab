//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A jump to a label inside a loop body enters the loop in the middle; its break still
// leads to the statement after the loop.
active proctype main() {
  byte n = 5;
  goto inside;
  do
  :: n == 9 -> break
  :: n < 9 ->
     n = 100;
inside:
     n = 9
  od;
  assert(n == 9)
}
