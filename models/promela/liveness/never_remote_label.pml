//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 9
//@ check: --never => violated
// Remote references in a claim: both at their label at the same time.
byte x;

active [2] proctype P() {
  do
  :: x++;
critical:
     x--
  od
}

never {
  do
  :: true
  :: P[0]@critical && P[1]@critical -> break
  od
}
