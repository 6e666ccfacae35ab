//@ verdict: holds
//@ noclaim: yes
// The operators in words: always, eventually, until, implies, and the next-free forms.
bool p, q;

ltl w1 { always (p implies eventually q) }
ltl w2 { eventually always q || (p until q) }
ltl w3 { !(p V q) && (p W q) }

active proctype main() {
  p = true;
  q = true
}
