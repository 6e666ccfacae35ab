//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 6
//@ check: --ltl ordered => holds
//@ check: --ltl soon => violated
//@ check: --formula 'BUSY -> <> DONE' => holds
//@ check: --formula '[] (BUSY -> <> IDLE)' => violated
// Macros inside formulas, also in those from outside.
byte state;

#define IDLE (state == 0)
#define BUSY (state == 1)
#define DONE (state == 2)
#define before(a, b) (!(b) U (a))

ltl ordered { <> DONE -> before(BUSY, DONE) }
ltl soon { IDLE U DONE }

active proctype P() {
  state = 1;
  do
  :: state == 1 -> state = 2
  :: state == 2 -> state = 1
  od
}
