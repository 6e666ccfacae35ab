//@ verdict: violated
//@ errors: 1
//@ states: 26
//@ transitions: 27
// A process that creates others of its kind hands its parameter down to the last.
byte g;

proctype link(byte count; byte token) {
  if
  :: count > 0 -> run link(count - 1, token)
  :: else -> assert(token == 1)
  fi
}

init {
  byte x;
  if
  :: x = 1
  :: x = 2
  fi;
  g = 1;
  run link(2, x)
}
