//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 11
//@ check: --ltl never_both_green => holds
//@ check: --ltl red_until_yellow => holds
//@ check: --ltl green_comes => holds
//@ check: --ltl yellow_before_red => holds
//@ check: --ltl waits_at_most => holds
//@ check: --ltl never_both_red => violated
// Two traffic lights at a crossing. They hand a permission to each other, so each becomes green again
// and again without any assumption on the scheduler.

mtype = { red, yellow, green };

mtype light[2] = red;
byte permission;

ltl never_both_green { [] !(light[0] != red && light[1] != red) }
ltl red_until_yellow { [] (light[0] == green -> (light[0] == green U light[0] == yellow)) }
ltl green_comes { []<> (light[0] == green) && []<> (light[1] == green) }
ltl yellow_before_red { [] (light[0] == green -> (light[0] != red W light[0] == yellow)) }
ltl waits_at_most { [] (light[0] == red -> (light[0] == red U light[0] == green)) }
ltl never_both_red { [] !(light[0] == red && light[1] == red) }

active [2] proctype lamp() {
  do
  :: permission == _pid ->
     light[_pid] = green;
     light[_pid] = yellow;
     light[_pid] = red;
     permission = 1 - _pid
  od
}
