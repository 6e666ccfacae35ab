//@ verdict: holds
//@ errors: 0
//@ states: 4
// The escape is a statement without braces.  It is executed, so it is not unreached.
byte x;
bool fin;
active proctype P() {
  (x == 2) unless timeout;
  fin = true
}
