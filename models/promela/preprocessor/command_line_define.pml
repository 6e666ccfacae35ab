//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
//@ args: -DN=3 -DFLAG
// -DN=3 defines a value, -DFLAG defines 1.
byte x = N, y = FLAG;

#ifdef FLAG
#define LIMIT N
#else
#define LIMIT 100
#endif

active proctype main() {
  byte i;
  do
  :: i < LIMIT -> i++
  :: else -> break
  od;
  assert(x == 3 && y == 1 && i == 3)
}
