//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 17
// The local channel of each child exists only as long as the child; the parent starts
// one child after the other and the state returns to what it was.
byte n;

proctype child() {
  chan c = [1] of { byte };
  c!1;
  c?1
}

init {
  do
  :: n < 2 -> run child(); (_nr_pr == 1); n++
  :: else -> break
  od
}
