//@ verdict: holds
//@ errors: 0
//@ states: 29
//@ transitions: 38
// Parameters of several types, separated by semicolons and commas, and changed by the
// process like any local variable.
mtype = { up, down };
byte out;

proctype child(byte a, b; mtype dir; chan c) {
  if
  :: dir == up -> a = a + b
  :: dir == down -> a = a - b
  fi;
  c!a
}

init {
  chan c = [1] of { byte };
  run child(5, 3, down, c);
  c?out;
  assert(out == 2);
  run child(5, 3, up, c);
  c?out;
  assert(out == 8)
}
