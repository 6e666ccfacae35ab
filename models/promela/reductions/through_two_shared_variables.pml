//@ verdict: violated
//@ errors: 1
//@ states: 16
//@ transitions: 18
// The writer's variable reaches the assertion through two shared variables, the first of which
// stands in no condition.
byte g1, g2;

active proctype writer() {
  byte x;
  if
  :: x = 1
  :: x = 2
  fi;
  g1 = x
}

active proctype reader() {
  g2 = g1;
end:
  (g2 == 2);
  assert(false)
}
