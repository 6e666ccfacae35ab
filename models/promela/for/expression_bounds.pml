//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// The bounds may be expressions, and the upper one is evaluated anew in every round.
byte n = 3, rounds;

active proctype main() {
  byte i;
  for (i : n - 2 .. n + 1) {
    rounds++;
    if
    :: i == 1 -> n = 2
    :: else
    fi
  }
  assert(rounds == 3)
}
