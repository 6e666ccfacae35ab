//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// Macros may stand for keywords and punctuation.
#define FOREVER do ::
#define REVEROF od
#define STOP break
#define AND &&

byte n;

active proctype main() {
  FOREVER n++;
    if
    :: n > 2 AND n < 5 -> STOP
    :: else
    fi
  REVEROF;
  assert(n == 3)
}
