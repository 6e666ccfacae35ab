//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// ++ and -- go through the same truncation as an assignment, so a byte counter
// steps from 255 to 0 and from 0 back to 255.
byte b = 255;

active proctype main() {
  b++;
  assert(b == 0);
  b--;
  assert(b == 255);
  b--;
  assert(b == 254)
}
