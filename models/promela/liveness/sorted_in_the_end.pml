//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --ltl sorted => holds
//@ check: --ltl stays => holds
//@ check: --ltl permutation => holds
//@ check: --ltl first_is_least => violated
// Two processes that swap neighbours until the array is sorted.
byte a[3];
bool ready;

ltl sorted { <>[] (ready && a[0] <= a[1] && a[1] <= a[2]) }
ltl stays { [] (ready && a[0] <= a[1] && a[1] <= a[2] -> [] (a[0] <= a[1] && a[1] <= a[2])) }
ltl permutation { [] (ready -> a[0] + a[1] + a[2] == 6) }
ltl first_is_least { [] (ready -> a[0] == 1) }

proctype swapper(byte i) {
  byte t;

end:
  do
  :: atomic { a[i] > a[i + 1] -> t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; t = 0 }
  od
}

init {
  atomic {
    a[0] = 3; a[1] = 1; a[2] = 2;
    ready = true;
    run swapper(0);
    run swapper(1)
  }
}
