//@ verdict: holds
//@ errors: 0
//@ states: 114
//@ transitions: 219
// One barber, one waiting chair, two customers who leave when the chair is taken.
chan chair = [1] of { byte };
byte cut, left;

active proctype barber() {
  byte who;
end:
  do
  :: chair?who -> cut++
  od
}

active [2] proctype customer() {
  atomic {
    if
    :: nfull(chair) -> chair!_pid
    :: full(chair) -> left++
    fi
  }
  assert(left <= 1)
}
