//@ verdict: error
//@ error: d_step
// A d_step cannot be left by a jump to somewhere else.
byte x;

active proctype main() {
  d_step {
    x = 1;
    goto out;
    x = 2
  };
  x = 3;
out:
  skip
}
