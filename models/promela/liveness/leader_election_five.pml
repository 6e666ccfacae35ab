//@ verdict: holds
//@ errors: 0
//@ states: 2910
//@ transitions: 9521
//@ check: --ltl elected => holds
//@ check: --ltl highest => holds
//@ check: --ltl lowest => violated
// Leader election in a ring of five with numbers that fall along the ring.
#define N 5
chan link[N] = [N] of { byte };
byte leader;

ltl elected { <> (leader != 0) }
ltl highest { <>[] (leader == N) }
ltl lowest { <> (leader == 1) }

proctype node(byte place; byte number) {
  byte got;

  link[(place + 1) % N]!number;
end:
  do
  :: link[place]?got ->
     if
     :: got > number -> link[(place + 1) % N]!got
     :: got == number -> leader = number
     :: got < number
     fi
  od
}

init {
  atomic {
    run node(0, 5);
    run node(1, 4);
    run node(2, 3);
    run node(3, 2);
    run node(4, 1)
  }
}
