//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --never => holds, states 8
// A local variable of a process in a claim.
active proctype counter() {
  byte n;

  do
  :: n < 3 -> n++
  :: n == 3 -> n = 0
  od
}

never {
  do
  :: counter:n <= 3
  :: counter:n > 3 -> break
  od
}
