//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ noclaim: yes
// The operators in words (always, eventually, until, implies), and the letters V and W
// for release and weak until.
bool p, q;

ltl w1 { always (p implies eventually q) }
ltl w2 { eventually always q || (p until q) }
ltl w3 { !(p V q) && (p W q) }

active proctype main() {
  p = true;
  q = true
}
