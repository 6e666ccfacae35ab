//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 11
//@ check: --ltl moves_right => holds
//@ check: --ltl comes_home => violated
//@ check: --ltl diagonal => violated
// Fields of a record inside the atoms of formulas.
typedef point { byte x; byte y };
point p;

ltl moves_right { <> (p.x == 2) }
ltl comes_home { []<> (p.x == 0 && p.y == 0) }
ltl diagonal { [] (p.x >= p.y) && []<> (p.x == p.y) }

active proctype walk() {
  do
  :: p.x = (p.x + 1) % 3
  :: p.x == 2 -> p.y = 1 - p.y
  od
}
