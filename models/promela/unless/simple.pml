//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Before each statement of the main part the escape is looked at first; it holds only
// after x has become 3, so the rest of the main part is never executed.
byte x;

active proctype main() {
  {
    x = 1;
    x = 2;
    x = 3;
    assert(false);
    x = 4
  } unless {
    x == 3 -> x = 10
  }
  assert(x == 10)
}
