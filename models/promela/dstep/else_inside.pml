//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// else inside a d_step, with an empty body.
byte a = 3, m;

active proctype p() {
  d_step {
    m = 2;
    if
    :: a > m -> m = a
    :: else
    fi;
    if
    :: a < m -> m = 0
    :: else
    fi
  }
  assert(m == 3)
}
