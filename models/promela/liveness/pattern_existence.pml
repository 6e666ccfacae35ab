//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 20
//@ check: --ltl globally => violated
//@ check: --ltl globally --fair weak => violated
//@ check: --ltl globally_done => holds
//@ check: --ltl before => holds
//@ check: --ltl before_wrong => violated
//@ check: --ltl after => holds
//@ check: --ltl after_wrong => violated
//@ check: --ltl between => holds
//@ check: --ltl between_wrong => violated
//@ check: --ltl after_until => holds
//@ check: --ltl after_until_wrong => violated
// Existence in its five scopes: a cook who may taste, must salt, and serves each of two meals.
byte step;               /* 1 begin, 2 salt, 3 taste, 4 serve, 5 closed */

#define begun (step == 1)
#define salted (step == 2)
#define tasted (step == 3)
#define served (step == 4)
#define closed (step == 5)

ltl globally { <> tasted }
ltl globally_done { <> closed }
ltl before { !served W (salted && !served) }
ltl before_wrong { !served W (tasted && !served) }
ltl after { [] !begun || <> (begun && <> salted) }
ltl after_wrong { [] !begun || <> (begun && <> tasted) }
ltl between { [] ((begun && !served) -> (!served W (salted && !served))) }
ltl between_wrong { [] ((begun && !served) -> (!served W (tasted && !served))) }
ltl after_until { [] ((begun && !closed) -> (!closed U (salted && !closed))) }
ltl after_until_wrong { [] ((salted && !served) -> (!served U (tasted && !served))) }

active proctype cook() {
  byte meals;

  do
  :: meals < 2 ->
     step = 1;
     step = 2;
     if
     :: step = 3
     :: skip
     fi;
     step = 4;
     meals++
  :: else -> break
  od;
  step = 5
}
