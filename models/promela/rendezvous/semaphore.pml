//@ verdict: holds
//@ errors: 0
//@ states: 27
//@ transitions: 33
// A semaphore made of handshakes.
mtype = { p, v };
chan sema = [0] of { mtype };
byte inside;

active proctype semaphore() {
end:
  do
  :: sema!p -> sema?v
  od
}

active [2] proctype user() {
  sema?p;
  inside++;
  assert(inside == 1);
  inside--;
  sema!v
}
