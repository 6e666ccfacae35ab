//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// An atomic sequence in the main part is left by the escape in its middle, as
// the escape is checked before every statement.
byte x;

active proctype main() {
  {
    atomic { x = 1; x = 2; x = 3 };
    x = 4
  } unless {
    x == 2 -> x = 50
  }
  assert(x == 50)
}
