//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// timeout becomes executable when nothing else in the system is.
byte x;
bool never_set;

active proctype stuck() {
  if
  :: never_set -> assert(false)
  :: timeout -> x = 1
  fi
}

active proctype other() {
  byte i;
  i = 1;
  i = 2;
  (x == 1);
  assert(i == 2)
}
