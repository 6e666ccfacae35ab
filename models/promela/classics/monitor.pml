//@ verdict: holds
//@ errors: 0
//@ states: 35
//@ transitions: 45
// A monitor with a lock and a condition: the waiter sleeps until the signal and re-checks.
bool locked, ready, signalled;
byte result;

inline enter() { atomic { !locked -> locked = true } }
inline leave() { locked = false }

active proctype waiter() {
  enter();
  do
  :: !ready -> atomic { locked = false; signalled -> signalled = false }; enter()
  :: else -> break
  od;
  result = 1;
  leave()
}

active proctype notifier() {
  enter();
  ready = true;
  signalled = true;
  leave()
}
