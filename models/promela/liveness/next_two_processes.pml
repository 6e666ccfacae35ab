//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --formula 'X (x == 1 || y == 1)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X (x == 1)' => violated (spin: it does not accept the operator X)
//@ check: --formula 'X X (x == 1 && y == 1)' => violated (spin: it does not accept the operator X)
//@ check: --formula 'X !(x == y)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X X X (x == 1 && y == 1)' => holds (spin: it does not accept the operator X)
// The next operator over the steps of two processes; the end of a process is a step, too.
bit x, y;

active proctype P() { x = 1 }
active proctype Q() { y = 1 }
