//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
// The main part blocks for ever; the escape is the only way on.
bool never_set;
byte x;

active proctype main() {
  { never_set; assert(false) } unless { x == 1 };
  assert(x == 1)
}

active proctype other() {
  x = 1
}
