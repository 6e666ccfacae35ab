//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl globally => holds
//@ check: --ltl globally_wrong => violated
//@ check: --ltl before => holds
//@ check: --ltl before_wrong => violated
//@ check: --ltl after => violated
//@ check: --ltl after_shut => holds
//@ check: --ltl between => holds
//@ check: --ltl between_wrong => violated
//@ check: --ltl after_until => holds
//@ check: --ltl after_until_wrong => violated
// Absence in its five scopes: a door that moves only while it is unlocked, until it is shut for good.
mtype = { locked, unlocked, moving, shut };
mtype door = locked;

#define lock (door == locked)
#define free (door == unlocked)
#define moves (door == moving)
#define closed (door == shut)

ltl globally { [] !(lock && moves) }
ltl globally_wrong { [] !moves }
ltl before { <> free -> (!moves U free) }
ltl before_wrong { <> closed -> (!moves U closed) }
ltl after { [] (free -> [] !lock) }
ltl after_shut { [] (closed -> [] !moves) }
ltl between { [] ((lock && !free && <> free) -> (!moves U free)) }
ltl between_wrong { [] ((free && !lock && <> lock) -> (!moves U lock)) }
ltl after_until { [] ((lock && !free) -> (!moves W free)) }
ltl after_until_wrong { [] ((free && !lock) -> (!moves W lock)) }

active proctype keeper() {
  do
  :: door == locked -> door = unlocked
  :: door == unlocked ->
     if
     :: door = moving; door = unlocked
     :: door = locked
     :: door = shut; break
     fi
  od
}
