//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 15
//@ check: --ltl given => violated
//@ check: --ltl given --fair weak => holds
//@ check: --ltl given --fair strong => holds (spin: it has no strong fairness)
// A giver that can always meet a taker, who may prefer to do something else.
chan c = [0] of { bit };
bit other;
bool gave;

ltl given { <> gave }

active proctype taker() {
  do
  :: c?1
  :: other = 1 - other
  od
}

active proctype giver() {
  c!1;
  gave = true
}
