//@ verdict: holds
//@ errors: 0
//@ states: 123
//@ transitions: 193
// Lamport's bakery for two customers, each served once, so that the ticket numbers stay small.
byte ticket[2];
bool choosing[2];
byte inside;

active [2] proctype customer() {
  byte me = _pid, other = 1 - _pid;
  choosing[me] = true;
  ticket[me] = ticket[other] + 1;
  choosing[me] = false;
  !choosing[other];
  (ticket[other] == 0 || ticket[me] < ticket[other] || (ticket[me] == ticket[other] && me < other));
  inside++;
  assert(inside == 1);
  inside--;
  ticket[me] = 0
}
