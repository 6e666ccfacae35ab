//@ verdict: holds
//@ errors: 0
//@ states: 86
//@ transitions: 151
//@ check: --ltl elected => holds
//@ check: --ltl one_only => holds
//@ check: --ltl stays => holds
//@ check: --ltl highest => holds
//@ check: --ltl lowest => violated
//@ check: --ltl all_know => holds
// Leader election in a ring of three: a leader is elected, the same for ever, and all get to know.
#define N 3
chan link[N] = [N] of { byte, bool };
byte leader, leaders, know;

ltl elected { <> (leaders == 1) }
ltl one_only { [] (leaders <= 1) }
ltl stays { [] ((leader != 0) -> [] (leader == 3)) }
ltl highest { <>[] (leader == 3) }
ltl lowest { <> (leader == 1) }
ltl all_know { <> (know == N) }

proctype node(byte place; byte number) {
  byte got;
  bool chosen;

  link[(place + 1) % N]!number, false;
end:
  do
  :: link[place]?got, chosen ->
     if
     :: chosen && got != number -> know++; link[(place + 1) % N]!got, true; break
     :: chosen && got == number -> know++; break
     :: !chosen && got > number -> link[(place + 1) % N]!got, false
     :: !chosen && got < number
     :: !chosen && got == number -> atomic { leaders++; leader = number }; link[(place + 1) % N]!number, true
     fi
  od
}

init {
  atomic {
    run node(0, 2);
    run node(1, 3);
    run node(2, 1)
  }
}
