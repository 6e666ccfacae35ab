//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 10
// A process that must be deterministic has a local choice after a global step.
byte g;

active D_proctype main() {
  byte a;
  g = 1;
  if
  :: (a == 0) -> a = 1
  :: (a < 1) -> a = 2
  fi;
  g = a
}
