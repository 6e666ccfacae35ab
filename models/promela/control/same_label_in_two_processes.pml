//@ verdict: holds
//@ errors: 0
//@ states: 31
//@ transitions: 51
// Labels are local to their process.
byte a, b;

active proctype p() {
loop:
  a++;
  if
  :: a < 2 -> goto loop
  :: a == 2
  fi
}

active proctype q() {
loop:
  b++;
  if
  :: b < 2 -> goto loop
  :: b == 2
  fi
}
