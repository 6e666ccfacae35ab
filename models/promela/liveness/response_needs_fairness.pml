//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 27
//@ check: --ltl answered => violated
//@ check: --ltl answered --fair weak => holds
//@ check: --ltl answered --fair strong => holds (spin: it has no strong fairness)
// A request is answered by a process of its own, which must be given the chance to move.
bool request, answer;
byte ticks;

ltl answered { [] (request -> <> answer) }

active proctype client() {
  do
  :: !request -> answer = false; request = true
  :: ticks = 1 - ticks
  od
}

active proctype server() {
  do
  :: request && !answer -> answer = true; request = false
  od
}
