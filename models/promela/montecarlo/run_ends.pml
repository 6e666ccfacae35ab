//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 8
//@ check: --ltl arrives => violated
//@ check: --ltl stays_there => violated
//@ check: --ltl leaves => holds
//@ check: --ltl ends_somewhere => holds
//@ check: --ltl again_and_again => violated
// Runs that end stand still in their last state for ever, and so does a walk: its lasso is closed by the
// step that is none. Every run of this model ends.
byte at;

ltl arrives { <> (at == 3) }
ltl stays_there { <>[] (at == 3) }
ltl leaves { <> (at != 0) }
ltl ends_somewhere { <>[] (at >= 2) }
ltl again_and_again { []<> (at == 2) }

active proctype traveller() {
  at = 1;
  if
  :: at = 2
  :: at = 3
  :: at = 2; at = 3
  fi
}
