//@ verdict: holds
//@ errors: 0
//@ states: 35
//@ transitions: 59
// A run may stand as the guard of an option; since its value is never 0 here, it is
// always executable, and each round creates one more process.
byte n;

proctype child() {
  n++
}

init {
  byte k;
  do
  :: k < 2 ->
     if
     :: run child() -> k++
     fi
  :: k == 2 -> break
  od;
  (_nr_pr == 1);
  assert(n == 2)
}
