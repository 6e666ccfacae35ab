//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --ltl at_most_two => holds
//@ check: --ltl at_most_one => violated
//@ check: --ltl at_least_two => violated
//@ check: --ltl at_least_one => holds
//@ check: --ltl at_most_one_in_round => violated
// Bounded existence: an alarm rings once or twice in a round and then never again.
bool ring, round;

ltl at_most_two { !<> (ring && <> (!ring && <> (ring && <> (!ring && <> ring)))) }
ltl at_most_one { !<> (ring && <> (!ring && <> ring)) }
ltl at_least_two { <> (ring && <> (!ring && <> ring)) }
ltl at_least_one { <> (ring && <> !ring) }
ltl at_most_one_in_round { [] (round && ring -> (ring U (!ring U !round))) }

active proctype clock() {
  round = true;
  ring = true;
  ring = false;
  if
  :: ring = true;
     ring = false
  :: skip
  fi;
  round = false
}
