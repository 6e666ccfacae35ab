//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
//@ check: --ltl two_before_one => holds
//@ check: --ltl two_before_one_wrong => violated
//@ check: --ltl one_before_two => holds
//@ check: --ltl one_before_two_wrong => violated
// Chains of precedence: the key is turned and the lever pulled, in this order, before the launch.
bool key, lever, launch;

ltl two_before_one { <> launch -> (!launch U (key && !launch && (!launch U (lever && !launch)))) }
ltl two_before_one_wrong { <> launch -> (!launch U (lever && !key)) }
ltl one_before_two { <> (lever && <> launch) -> (!lever U key) }
ltl one_before_two_wrong { <> (key && <> lever) -> (!key U launch) }

active proctype crew() {
  if
  :: key = true;
     lever = true
  :: key = true;
     goto leave
  fi;
  launch = true;
leave:
  skip
}
