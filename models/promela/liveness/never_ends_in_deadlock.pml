//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
//@ check: --never => violated
// A claim that counts three looks at a deadlock and is then over.
bool a;

never {
  do
  :: !a
  :: a -> break
  od;
  a;
  a
}

active proctype P() {
  a = true;
  !a
}
