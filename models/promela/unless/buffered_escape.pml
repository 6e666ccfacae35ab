//@ verdict: holds
//@ errors: 0
//@ states: 29
//@ transitions: 45
// The escape begins with a receive from a buffer; once the message is there, the main
// part can make no further step.
chan q = [1] of { byte };
byte x, r;

active proctype main() {
  {
    do
    :: x < 2 -> x++
    :: x == 2 -> x = 0
    od
  } unless {
    q?r -> x = 9
  };
  assert(r == 4 && x == 9)
}

active proctype sender() {
  q!4
}
