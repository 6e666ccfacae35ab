//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// Priority is stronger than atomic: the init process has priority 1, so the first
// child, which has priority 2, interrupts the atomic sequence as soon as it exists.
byte order;

proctype p(byte id) {
  order = order * 10 + id
}

init {
  atomic {
    run p(1) priority 2;
    run p(2) priority 7
  }
  (_nr_pr == 1);
  assert(order == 12)
}
