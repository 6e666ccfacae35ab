//@ verdict: holds
//@ errors: 0
//@ states: 186
//@ transitions: 361
//@ check: --ltl all_counted => holds
//@ check: --ltl none_left => holds (spin: it counts the claim as a process in _nr_pr)
//@ check: --ltl last_one_counts => holds
//@ check: --ltl in_order => violated
// Children that count and die; at the end no process is left.
byte count, first;

ltl all_counted { <>[] (count == 3) }
ltl none_left { <>[] (_nr_pr == 0) }
ltl last_one_counts { (count < 3) U (count == 3) }
ltl in_order { <> (first == 1) }

proctype child(byte me) {
  atomic {
    if
    :: first == 0 -> first = me
    :: else
    fi;
    count++
  }
}

init {
  byte i;

  for (i : 1 .. 3) {
    run child(i)
  }
}
