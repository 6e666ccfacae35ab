//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// show and local are prefixes without an influence on the states.
show byte a = 1;
local byte b = 2;

active proctype main() {
  show byte c = 3;
  a = b + c;
  assert(a == 5)
}
