//@ verdict: violated
//@ errors: 1
//@ states: 4
//@ transitions: 4
//@ violation: assertion
// The assertion believes that a byte can hold 256; it cannot, so it fails in the
// only run there is.
byte b = 255;

active proctype main() {
  b = b + 1;
  assert(b == 256)
}
