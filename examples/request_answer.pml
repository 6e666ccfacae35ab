//@ verdict: holds
//@ errors: 0
//@ states: 20
//@ transitions: 45
//@ check: --ltl answered => violated
//@ check: --ltl answered --fair weak => holds
//@ check: --ltl no_answer_unasked => holds
//@ check: --ltl quiet_in_the_end => violated
//@ check: --formula '[]<> answer' --fair weak => violated
// The most common promise: what is requested is answered, sooner or later. A server answers; a clock
// beside it ticks for ever. Under a scheduler that only ever runs the clock nothing is answered, and
// the counterexample shows this cycle. With --fair weak everybody who can move gets a turn.

bool request, answer;
bit clock_;

ltl answered { [] (request -> <> answer) }
ltl no_answer_unasked { !answer W request }
ltl quiet_in_the_end { <>[] !request }

active proctype client() {
  bit thinking;

  do
  :: thinking = 1 - thinking           /* may think for ever: it need not ask */
  :: request = true;
     answer;
     atomic { request = false; answer = false }
  od
}

active proctype server() {
  do
  :: request && !answer -> answer = true
  od
}

active proctype ticker() {
  do
  :: clock_ = 1 - clock_
  od
}
