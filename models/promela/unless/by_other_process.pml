//@ verdict: holds
//@ errors: 0
//@ states: 44
//@ transitions: 61
// The escape is triggered by another process, at any moment of the loop.
bool stop;
byte n;

active proctype main() {
  {
    do
    :: n < 3 -> n++
    :: n == 3 -> n = 0
    od
  } unless { stop }
  assert(stop)
}

active proctype stopper() {
  stop = true
}
