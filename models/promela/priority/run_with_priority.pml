//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A process may be given its priority when it is started.  The starter itself has the
// highest one, so both children exist before either can move.
byte order;

proctype p(byte id) {
  order = order * 10 + id
}

active proctype starter() priority 9 {
  run p(1) priority 2;
  run p(2) priority 7;
  (_nr_pr == 1);
  assert(order == 21)
}
