//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Where the escape is executable the main part is not: with stop true from the start,
// the main part never begins.
bool stop = true;
byte x;

active proctype main() {
  { x = 1; x = 2 } unless { stop -> x = 7 };
  assert(x == 7)
}
