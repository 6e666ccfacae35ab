//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// The same text as command_line_violates without the option.
byte x;

active proctype main() {
#ifdef BUG
  x = 2;
#else
  x = 1;
#endif
  assert(x == 1)
}
