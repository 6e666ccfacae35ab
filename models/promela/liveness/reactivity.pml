//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 7
//@ check: --ltl streett => holds
//@ check: --ltl rabin => violated
//@ check: --ltl two_pairs => holds
//@ check: --ltl two_pairs_wrong => violated
// Recurrence and persistence together: what happens again and again decides what follows.
bool ask, give, fail;

ltl streett { []<> ask -> []<> (give || fail) }
ltl rabin { <>[] !fail && []<> give }
ltl two_pairs { ([]<> give || <>[] !give) && ([]<> fail -> []<> ask) }
ltl two_pairs_wrong { ([]<> ask -> []<> give) && ([]<> give -> []<> ask) }

active proctype P() {
  do
  :: ask = true;
     ask = false;
     if
     :: give = true; give = false
     :: fail = true; fail = false
     fi
  od
}
