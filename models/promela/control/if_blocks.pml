//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
// No option is executable and there is no else: the selection blocks.
byte x;

active proctype main() {
  if
  :: x > 0 -> skip
  :: x < 0 -> skip
  fi
}
