//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 9
//@ check: --ltl globally => holds
//@ check: --ltl globally_wrong => violated
//@ check: --ltl before => holds
//@ check: --ltl before_wrong => violated
//@ check: --ltl after => holds
//@ check: --ltl after_wrong => violated
//@ check: --ltl between => holds
//@ check: --ltl between_wrong => violated
//@ check: --ltl after_until => holds
//@ check: --ltl after_until_wrong => violated
// Response in its five scopes: a desk that is open or closed and answers questions before it closes.
bool open;
bool question, answer, noise;

ltl globally { [] (question -> <> answer) }
ltl globally_wrong { [] (noise -> <> answer) }
ltl before { <> open -> ((noise -> (!open U (!noise && !open))) U open) }
ltl before_wrong { <> open -> ((noise -> (!open U (answer && !open))) U open) }
ltl after { [] (open -> [] (question -> <> answer)) }
ltl after_wrong { [] (open -> [] (noise -> <> answer)) }
ltl between { [] ((open && <> !open) -> ((question -> (open U (answer && open))) U !open)) }
ltl between_wrong { [] ((open && <> !open) -> ((open -> (open U (answer && open))) U !open)) }
ltl after_until { [] (open -> ((question -> (open U (answer && open))) W !open)) }
ltl after_until_wrong { [] (open -> ((open -> (open U answer)) W !open)) }

active proctype desk() {
  do
  :: noise = true;
     noise = false
  :: open = true;
     do
     :: question = true;
        answer = true;
        atomic { question = false; answer = false }
     :: break
     od;
     open = false
  od
}
