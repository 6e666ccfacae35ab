//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A changed priority belongs to the state: in the branch where it was not changed the
// second process still goes first.
byte x, lowered;

active proctype a() priority 9 {
  if
  :: set_priority(0, 1); lowered = 1
  :: skip
  fi;
  assert(lowered -> x == 1 : x == 0)
}

active proctype b() priority 5 {
  x = 1;
end:
  false
}
