//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters --fair weak => violated
//@ check: --ltl first_enters --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl someone_enters => holds
// A semaphore keeps two users apart, but nobody queues for it: the other one may be faster each time.
// The first user can enter again and again, but not without interruption, so weak fairness does not
// help it. A scheduler that is strongly fair (--fair strong) does: who can move infinitely often, moves.

bool free = true;
bool inside[2];

ltl first_enters { []<> inside[0] }
ltl someone_enters { []<> (inside[0] || inside[1]) }

active [2] proctype user() {
  do
  :: atomic { free -> free = false };
     inside[_pid] = true;
     inside[_pid] = false;
     free = true
  od
}
