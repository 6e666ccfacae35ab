//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An else is executable whenever its own selection has nothing else to offer, so
// it is taken long before any timeout.
bool never_set;
byte x;

active proctype a() {
  if
  :: never_set -> assert(false)
  :: else -> x = 1
  fi
}

active proctype b() {
  timeout;
  assert(x == 1)
}
