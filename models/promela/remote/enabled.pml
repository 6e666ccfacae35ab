//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 8
// enabled(pid) is true when that process has an executable statement.
bool go;

active proctype waiter() {
  go
}

active proctype main() {
  assert(!enabled(0));
  atomic {
    go = true;
    assert(enabled(0))
  }
}
