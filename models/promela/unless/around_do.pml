//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A loop without braces around it as the main part, and a selection as the escape.
byte n;

active proctype main() {
  do
  :: n++
  od unless {
    if
    :: n == 3 -> n = 20
    :: n == 5 -> assert(false)
    fi
  };
  assert(n == 20)
}
