//@ verdict: holds
//@ errors: 0
//@ states: 60
//@ transitions: 121
//@ check: --ltl served => violated
//@ check: --ltl served --fair weak => violated
//@ check: --ltl barber_works => holds
//@ check: --ltl waiting_is_served => holds
//@ check: --ltl chairs => holds
// A barber with one chair for waiting: who sits is served; who finds it taken goes away.
chan chair = [1] of { byte };
bool cut[2], sitting;
bool away;

ltl served { []<> cut[1] }
ltl barber_works { []<> (cut[0] || cut[1]) || []<> away }
ltl waiting_is_served { [] (sitting -> <> !sitting) || []<> away }
ltl chairs { [] (len(chair) <= 1) }

active [2] proctype customer() {
  do
  :: atomic { nfull(chair) -> chair!_pid; sitting = true };
     cut[_pid];
     cut[_pid] = false
  :: full(chair) -> away = true; away = false
  od
}

active proctype barber() {
  byte who;

  do
  :: atomic { chair?who; sitting = false };
     cut[who] = true;
     !cut[who]
  od
}
