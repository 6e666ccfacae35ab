//@ verdict: holds
//@ errors: 0
//@ check: --formula '<>[](s == M)' => holds
//@ check: --formula '[](s != "U" || "G" == s)' => violated (spin: it takes the letter for an operator)
//@ check: --ltl stays => holds
// Letters that are operators of formulas are names of constants, too.
mtype = { G, F, X, U, V, W, R, M };
mtype s = G;
ltl stays { <>[](s == M) }
active proctype P() { s = U; s = M }
