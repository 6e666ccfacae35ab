//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --ltl cycle => holds
//@ check: --ltl direct => violated
//@ check: --ltl starts => holds
// Symbolic names inside the atoms of formulas.
mtype = { idle, busy, failed };
mtype state = idle;

ltl cycle { [] (state == failed -> <> (state == idle)) }
ltl direct { [] (state == idle -> <> (state == failed)) }
ltl starts { (state == idle) U (state == busy) }

active proctype machine() {
  do
  :: state = busy;
     if
     :: state = idle
     :: state = failed; state = idle
     fi
  od
}
