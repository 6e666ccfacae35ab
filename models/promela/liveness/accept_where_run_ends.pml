//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ check: --acceptance => violated
// The run ends where a process stands at its accept label: it stays there for ever.
bit x;

active proctype P() {
  x = 1;
end_accept:
  x = 0;
accept_end:
end_here:
  x == 1
}
