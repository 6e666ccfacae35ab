//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// A whole program in one atomic sequence: the states within are passed through but
// only the ends are stored.
byte a, b;

init {
  atomic {
    a = 3;
    b = a * 2;
    if
    :: b > 5 -> a = 0
    :: else -> a = 1
    fi;
    assert(a == 0)
  }
}
