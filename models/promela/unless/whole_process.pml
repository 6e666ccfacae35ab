//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 26
// The whole body is guarded; the kill signal ends the process wherever it stands, also
// when it is blocked.
bool kill;
byte x;

active proctype victim() {
  {
    x = 1;
    x = 2;
    x == 3
  } unless {
    kill -> x = 0
  }
}

active proctype killer() {
  kill = true
}
