//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl one_cause_two_effects => holds
//@ check: --ltl two_causes_one_effect => holds
//@ check: --ltl two_causes_one_effect_wrong => violated
//@ check: --ltl order_kept => holds
//@ check: --ltl order_wrong => violated
// Chains of responses: an order is confirmed and then delivered; a complaint after delivery is settled.
mtype = { none, order, confirm, deliver, complain, settle };
mtype event = none;

ltl one_cause_two_effects { [] (event == order -> <> (event == confirm && <> (event == deliver))) }
ltl two_causes_one_effect {
  [] (event == deliver && <> (event == complain) -> <> (event == complain && <> (event == settle)))
}
ltl two_causes_one_effect_wrong { [] (event == order && <> (event == deliver) -> <> (event == settle)) }
ltl order_kept { [] (event == order -> ((event != deliver) U (event == confirm))) }
ltl order_wrong { [] (event == order -> ((event != confirm) U (event == deliver))) }

active proctype trade() {
  do
  :: event = order;
     event = confirm;
     event = deliver;
     if
     :: event = complain;
        event = settle
     :: skip
     fi;
     event = none
  od
}
