//@ verdict: holds
//@ errors: 0
//@ states: 183
//@ transitions: 339
// A variable declared in the inline body; the inline is used twice in one process.
inline add_three(v) {
  byte k = 3;
  do
  :: k > 0 -> v++; k--
  :: else -> break
  od
}

byte x;

active proctype main() {
  add_three(x);
  assert(x == 3)
}

active proctype other() {
  byte y;
  add_three(y);
  assert(y == 3)
}
