//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 6
//@ check: --ltl works => holds (spin: it counts the claim as a process in _nr_pr, so init waits for ever)
//@ check: --ltl all_gone => holds (spin: it counts the claim as a process in _nr_pr, so init waits for ever)
//@ check: --ltl one_stays => violated (spin: it counts the claim as a process in _nr_pr, so init waits for ever)
//@ check: --non-progress => violated (spin: it counts the claim as a process in _nr_pr, so init waits for ever)
// A process that starts a worker again and again, each time when the last one has gone.
bool working;

ltl works { []<> working }
ltl all_gone { []<> (_nr_pr == 1) }
ltl one_stays { <>[] (_nr_pr == 2) }

proctype worker() {
  working = true;
  working = false
}

init {
  do
  :: _nr_pr == 1 -> run worker()
  od
}
