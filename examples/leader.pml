//@ verdict: holds
//@ errors: 0
//@ states: 498
//@ transitions: 1305
//@ args: -DN=4
// Leader election in a ring (E. Chang and R. Roberts, 1979): every node sends its number to the next
// one. A node passes on numbers that are larger than its own and swallows smaller ones; who gets its
// own number back is the leader. Try other sizes: -DN=6.

#ifndef N
#define N 3
#endif

chan link[N] = [N] of { byte };
byte leaders;                  /* how many there are */
byte leader;

proctype node(byte place; byte number)
{
  byte got;

  link[(place + 1) % N]!number;
end:
  do                           /* it is fine to wait for messages for ever */
  :: link[place]?got ->
     if
     :: got > number -> link[(place + 1) % N]!got
     :: got == number ->
        leaders++;
        leader = number;
        assert(leaders == 1 && leader == N)
     :: else                   /* it cannot win */
     fi
  od
}

init
{
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run node(i, N - i)       /* numbers fall along the ring: the most messages */
    }
  }
}
