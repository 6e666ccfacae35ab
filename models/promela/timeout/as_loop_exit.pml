//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 24
// A loop that ends when the whole system has come to rest.
chan q = [2] of { byte };
byte n;

active proctype sender() {
  q!1; q!2; q!3
}

active proctype receiver() {
  do
  :: q?_ -> n++
  :: timeout -> break
  od;
  assert(n == 3)
}
