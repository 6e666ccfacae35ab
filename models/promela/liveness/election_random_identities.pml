//@ verdict: holds
//@ errors: 0
//@ states: 23
//@ transitions: 28
//@ check: --ltl elected => violated
//@ check: --ltl elected --fair weak => violated
//@ check: --ltl elected_if_coins_differ => holds
// Two nodes toss coins until these differ; nothing in a nondeterministic model says that they will.
byte coin[2];
byte tossed;
bool leader;

ltl elected { <> leader }
ltl elected_if_coins_differ { (<> (tossed == 2 && coin[0] != coin[1])) -> <> leader }

active proctype referee() {
  do
  :: tossed = 0;
     if :: coin[0] = 0 :: coin[0] = 1 fi;
     if :: coin[1] = 0 :: coin[1] = 1 fi;
     tossed = 2;
     if
     :: coin[0] != coin[1] -> leader = true; break
     :: else
     fi
  od
}
