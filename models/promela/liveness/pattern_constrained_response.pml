//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 7
//@ check: --ltl constrained => holds
//@ check: --ltl constrained_wrong => violated
//@ check: --ltl unconstrained => holds
// A response with a constraint: between request and grant there is no reset, but one may come later.
bool request, grant, reset;

ltl constrained { [] (request -> (!reset U (grant && !reset))) }
ltl constrained_wrong { [] (grant -> (!reset U (request && !reset))) }
ltl unconstrained { [] (request -> <> grant) }

active proctype server() {
  do
  :: request = true;
     atomic { grant = true; request = false };
     grant = false;
     if
     :: reset = true;
        reset = false
     :: skip
     fi
  od
}
