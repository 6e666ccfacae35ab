//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --never => holds, states 3
// Two processes in strict turns: after the first two steps none moves twice.
bit turn;

never {
  do
  :: true
  :: turn == 1 && _last == 1 -> break
  od
}

active proctype P() {
  do
  :: atomic { turn == 0 -> turn = 1 }
  od
}

active proctype Q() {
  do
  :: atomic { turn == 1 -> turn = 0 }
  od
}
