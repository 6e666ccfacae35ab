//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --never => violated
// A cycle of the claim that visits its accepting state only now and then.
bool b;

never {
again:
  do
  :: b -> goto accept
  :: !b
  od;
accept:
  if
  :: true -> goto again
  fi
}

active proctype P() {
  do
  :: b = true;
     b = false
  od
}
