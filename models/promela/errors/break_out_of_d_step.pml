//@ verdict: error
//@ error: d_step
// A break may not lead out of a d_step.
byte x;

active proctype p() {
  do
  :: d_step { x = 1; break }
  od
}
