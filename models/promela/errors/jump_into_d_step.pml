//@ verdict: error
//@ error: d_step
// A d_step cannot be entered in its middle.
byte x;

active proctype main() {
  goto inside;
  d_step {
    x = 1;
inside:
    x = 2
  }
}
