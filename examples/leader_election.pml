//@ verdict: holds
//@ errors: 0
//@ states: 384
//@ transitions: 1016
//@ check: --ltl somebody_wins => holds
// Leader election in a ring once more (E. Chang and R. Roberts, 1979): a node begins by itself or is
// woken by a message. With -DBUG a node that is woken by a number that cannot win forgets to send its
// own; if this happens to the one with the largest number, nobody is ever elected. For a depth-first
// search the mistake is deep down, whatever the order of the options (-DSWAP): the first node to move
// is the one that must not move first. Another order of the processes (-DUP), or a random order of
// the successors (--seed), finds it sooner. Try -DN=6 -DBUG.

#ifndef N
#define N 4
#endif

#ifdef UP
#define PLACE(i) i
#else
#define PLACE(i) (N - 1 - i)
#endif

chan link[N] = [N] of { byte };
byte leaders;                  /* how many there are */

ltl somebody_wins { <> (leaders == 1) }

inline begin()
{
  link[(place + 1) % N]!number
}

inline wake_up()
{
  link[place]?got ->
  if
  :: got > number -> link[(place + 1) % N]!got
  :: else ->
#ifdef BUG
     skip
#else
     link[(place + 1) % N]!number
#endif
  fi
}

proctype node(byte place; byte number)
{
  byte got;

  if
#ifdef SWAP
  :: wake_up()
  :: begin()
#else
  :: begin()
  :: wake_up()
#endif
  fi;
end:
  do
  :: link[place]?got ->
     if
     :: got > number -> link[(place + 1) % N]!got
     :: got == number -> leaders++
     :: else
     fi
  od
}

init
{
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run node(PLACE(i), PLACE(i) + 1)
    }
  }
}
