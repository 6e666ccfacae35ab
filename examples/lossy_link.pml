//@ verdict: holds
//@ errors: 0
//@ states: 22
//@ transitions: 31
//@ check: --ltl arrives => violated
//@ check: --ltl arrives --fair weak => violated
//@ check: --ltl arrives_if_line_is_fair => holds
//@ check: --ltl arrives_if_line_is_fair --fair weak => holds
// A sender repeats its message until it is confirmed, over a line that may lose every copy. Nothing
// arrives if all are lost, and no fairness between processes forbids that: it is the line's own
// choice. The last formula says what we assume of the line: it does not lose for ever.

mtype = { message, confirmation };

chan line = [1] of { mtype };
chan back = [1] of { mtype };
bool lost, arrived;

ltl arrives { <> arrived }
ltl arrives_if_line_is_fair { !([]<> lost) -> <> arrived }

active proctype sender() {
  do
  :: line!message
  :: back?confirmation -> break
  od
}

active proctype lossy() {
  do
  :: line?message ->
     lost = false;
     if
     :: lost = true
     :: arrived = true; back!confirmation; break
     fi
  od
}
