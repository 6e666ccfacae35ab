//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
// goto is always executable and may be the guard of an option; as such it is a step.
active proctype main() {
  byte n;
  if
  :: goto a
  :: goto b
  fi;
a:
  n = 1;
  goto end_it;
b:
  n = 2;
end_it:
  assert(n == 1 || n == 2)
}
