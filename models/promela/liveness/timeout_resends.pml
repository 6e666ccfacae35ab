//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 14
//@ check: --ltl arrives => violated
//@ check: --ltl arrives_if_not_lost_for_ever => holds
//@ check: --ltl resent => holds
// A sender that repeats after a timeout, which here means that the message is lost.
chan line = [1] of { bit };
bool lost, arrived;

ltl arrives { <> arrived }
ltl arrives_if_not_lost_for_ever { (<>[] !lost) -> <> arrived }
ltl resent { [] (lost -> (<> !lost || <> arrived)) }

active proctype sender() {
  line!1;
  do
  :: timeout -> lost = false; line!1
  :: arrived -> break
  od
}

active proctype receiver() {
  do
  :: line?1 -> arrived = true; break
  :: line?1 -> lost = true
  od
}
