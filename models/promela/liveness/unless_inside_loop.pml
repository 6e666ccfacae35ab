//@ verdict: holds
//@ errors: 0
//@ states: 26
//@ transitions: 59
//@ check: --ltl resets => violated
//@ check: --ltl resets --fair weak => violated
//@ check: --ltl reset_clears => violated
//@ check: --ltl reset_clears --fair weak => holds
// A worker that is thrown back to its start whenever the alarm is on.
bool alarm;
byte work;

ltl resets { []<> alarm }
ltl reset_clears { [] (alarm -> <> (work == 0)) }

active proctype worker() {
  do
  :: {
       work = 1;
       work = 2;
       work = 0
     } unless {
       alarm -> work = 0; alarm = false
     }
  od
}

active proctype ringer() {
  bit x;

  do
  :: !alarm -> alarm = true
  :: x = 1 - x
  od
}
