//@ verdict: violated
//@ errors: 1
//@ states: 33
//@ transitions: 44
//@ violation: assertion
// The ferryman's puzzle.  Unsafe crossings are not made; the assertion says that it cannot be
// solved, so its violation is a solution.
bool man, wolf, goat, cabbage;

#define SAFE(w, g, c) (!((w) == (g) && (g) != !man) && !((g) == (c) && (g) != !man))

active proctype river() {
  do
  :: SAFE(wolf, goat, cabbage) -> man = !man
  :: wolf == man && SAFE(!man, goat, cabbage) -> atomic { wolf = !wolf; man = !man }
  :: goat == man && SAFE(wolf, !man, cabbage) -> atomic { goat = !goat; man = !man }
  :: cabbage == man && SAFE(wolf, goat, !man) -> atomic { cabbage = !cabbage; man = !man }
  :: man && wolf && goat && cabbage -> break
  od;
  assert(false)
}
