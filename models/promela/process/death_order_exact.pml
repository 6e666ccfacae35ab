//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
// The parent ends first but stays, as its children are younger.  The last child to
// be created must go first; each sees at least the processes older than itself.
proctype child(byte n) {
  assert(_nr_pr >= n + 1)
}

init {
  atomic {
    run child(1);
    run child(2)
  }
}
