//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// A declaration inside one option of a selection is initialised only when that
// option is taken.
byte out;

active proctype main() {
  if
  :: true -> byte t = 4; out = t
  :: true -> short u = 5; out = u
  fi;
  assert(out == 4 || out == 5)
}
