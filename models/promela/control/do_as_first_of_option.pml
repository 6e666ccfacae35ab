//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A loop as the first statement of an option: its guards are the guards of the option.
byte n;

active proctype main() {
  if
  :: do
     :: n < 2 -> n++
     :: n == 2 -> break
     od
  :: n == 7 -> assert(false)
  fi;
  assert(n == 2)
}
