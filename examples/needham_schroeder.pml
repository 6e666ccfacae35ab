//@ verdict: holds
//@ errors: 0
//@ states: 241
//@ transitions: 514
//@ atomic_steps: 1449
//@ check: --ltl safe => violated
// The public-key protocol of R. Needham and M. Schroeder (1978), in which Alice and Bob are to convince
// each other of who they are, by numbers that only they can read ({..}B: encrypted for Bob):
//
//   hello     Alice -> Bob   {na, Alice}B        na is a new number of Alice's
//   reply     Bob -> Alice   {na, nb}A           nb is a new number of Bob's
//   confirm   Alice -> Bob   {nb}B
//
// G. Lowe found out after 17 years (1995) that an intruder who is on good terms with Alice can play
// Alice to Bob: she says hello to the intruder, who says the same to Bob in her name, hands Bob's reply
// on to her, and learns from her confirmation what Bob wants to hear. With -DFIX the reply names
// its sender, as Lowe proposed, and Alice does not accept Bob's reply from somebody else.
//
// The intruder is the network: all letters go through his hands. He remembers one number and one letter
// that he cannot read. The numbers are drawn from 0..MR, as in R. Grosu and S. A. Smolka ("Monte Carlo
// Model Checking", 2005), not only Alice's and Bob's, but also what the intruder writes in a hello (he
// may make up what he likes) or in a confirmation (a wrong one is not sent). So a random walk has to
// guess two numbers. With k for MR + 1, there are 3k^3 + 16k^2 + 5k + 1 states (2k^2 fewer with
// -DFIX), but a random walk finds the attack with probability 3/(32k^2): if the range is large, this
// is less work. With -DCLEVER the intruder writes what he remembers, and the probability is 1/32 for
// every MR: it was drawing inputs blindly that cost so much. MR can be up to 126.

#ifndef MR
#define MR 2
#endif

mtype = { nobody, Alice, Bob, Intruder, nothing, hello, reply, confirm, asleep, waiting, sure };

/* Numbers differ by who made them up: Alice's are 0..MR, Bob's FROM_BOB..FROM_BOB+MR. */
#define FROM_BOB (MR + 1)
#define MINE (2 * (MR + 1))                     /* the intruder's own */

mtype alice = asleep, bob = asleep;
mtype alice_with = nobody, bob_with = nobody;   /* whom they talk to */
byte na, nb;
bool bad;                                       /* Bob is sure of Alice, who never spoke to him */

byte known = MINE;                              /* the number that the intruder remembers, */
mtype kept = nothing;                           /* and the letter: of which kind it is, */
byte kept_n1, kept_n2;                          /* and what is in it */
mtype kept_name = nobody;

ltl safe { [] !bad }

/* Draws a number from 0..MR, all alike: one option for each. A `select` would not do. It counts up and
   stops at any time, and a random walk stops there half of the time: it would draw 0 with probability
   1/2, 1 with 1/4, and a large number hardly ever. */
#define PICK(i)    :: (i) <= MR -> number = (i)
#define PICK4(i)   PICK(i)   PICK(i + 1)    PICK(i + 2)    PICK(i + 3)
#define PICK16(i)  PICK4(i)  PICK4(i + 4)   PICK4(i + 8)   PICK4(i + 12)
#define PICK64(i)  PICK16(i) PICK16(i + 16) PICK16(i + 32) PICK16(i + 48)

inline draw(number)
{
  if
  PICK64(0)
#if MR > 63
  PICK64(64)
#endif
  fi
}

/* A letter goes out. The intruder reads it, if it is for him, or keeps it instead of the last one. */
inline send(kind, key, n1, n2, name)
{
  if
  :: key == Intruder -> known = (kind == reply -> n2 : n1)
  :: else -> kept = kind; kept_n1 = n1; kept_n2 = n2; kept_name = name
  fi
}

inline alice_begins()
{
  if
  :: alice_with = Bob
  :: alice_with = Intruder
  fi;
  draw(na);
  d_step { alice = waiting; send(hello, alice_with, na, 0, Alice) }
}

inline bob_gets_hello(n1)                       /* from bob_with */
{
  draw(nb);
  d_step { nb = nb + FROM_BOB; bob = waiting; send(reply, bob_with, n1, nb, Bob); n = 0 }
}

#ifdef FIX
#define accepted(name) (name == alice_with)
#else
#define accepted(name) true
#endif

inline alice_gets_reply(n1, n2, name)
{
  if
  :: n1 == na && accepted(name) -> alice = sure; send(confirm, alice_with, n2, 0, Alice)
  :: else
  fi
}

inline bob_gets_confirm(n1)
{
  if
  :: n1 == nb -> bob = sure; bad = (bob_with == Alice && alice_with != Bob)
  :: else
  fi
}

/* How the intruder comes by a number to write: drawn like any other, or what he would write if he were
   clever. */
#ifdef CLEVER
#define think_of(number, clever) number = clever
#else
#define think_of(number, clever) draw(number)
#endif

active proctype world()
{
  byte n;

end:
  do
  :: atomic { alice == asleep -> alice_begins() }

     /* The intruder hands on what he keeps, as often as he likes, */
  :: atomic { kept == hello && bob == asleep -> bob_with = kept_name; bob_gets_hello(kept_n1) }
  :: d_step { kept == reply && alice == waiting -> alice_gets_reply(kept_n1, kept_n2, kept_name) }
  :: d_step { kept == confirm && bob == waiting -> bob_gets_confirm(kept_n1) }

     /* or writes a letter: a hello in her name or his own, with any number, known or not, */
  :: atomic { bob == asleep ->
       if
       :: bob_with = Alice
       :: bob_with = Intruder
       fi;
       think_of(n, known);
       bob_gets_hello(n)
     }
     /* or a reply, if she has told him her number, */
  :: d_step { alice == waiting && known < FROM_BOB -> alice_gets_reply(known, MINE, Intruder) }

     /* or a confirmation, if he knows one of Bob's numbers; it is sent only if it is the right one. */
  :: atomic { bob == waiting && known >= FROM_BOB && known != MINE ->
       think_of(n, known - FROM_BOB);
       d_step {
         if
         :: n == known - FROM_BOB -> bob_gets_confirm(known)
         :: else
         fi;
         n = 0
       }
     }
  od
}
