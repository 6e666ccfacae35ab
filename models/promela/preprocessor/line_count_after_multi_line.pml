//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
//@ unreached: 22
// The lines of unreached statements must be right behind a macro that spans lines and
// a comment that spans lines.
#define LONG(x) \
  x = x + 1; \
  x = x + 1

/* a comment
   of three
   lines */
byte n;

active proctype main() {
  LONG(n);
  if
  :: n == 2 -> skip
  :: n == 3 ->
     n = 9
  fi
}
