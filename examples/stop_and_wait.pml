//@ verdict: holds
//@ errors: 0
//@ states: 880
//@ transitions: 3495
//@ check: --ltl goes_on => holds
//@ check: --ltl goes_on --fair weak => holds
// The stop-and-wait protocol: the sender repeats a message until it is confirmed, at most REPEATS
// times, before it sends the next one. The lines keep the order but lose any message at any time, and
// sequence numbers 0 .. HIGHEST tell a new message from a repetition.
//
// The number of states is known for all parameters (G. E. Gallasch and J. Billington: A parametric
// state space for the analysis of the infinite class of Stop-and-Wait protocols, SPIN 2006). With
// S = HIGHEST and R = REPEATS there are
//
//     (S + 1) (5 R^4 + 38 R^3 + 97 R^2 + 100 R + 36) / 6        states and
//     (S + 1) (30 R^4 + 175 R^3 + 306 R^2 + 179 R + 36) / 6     transitions between them,
//
// of which 2 (S + 1) states are final: everything is lost and the sender has given up. One more
// transition is counted, the one that enters the first state. -DREPEATS=10 gives 32,912 states,
// -DREPEATS=50 gives 12,082,512, and -DREPEATS=85 gives 95,016,412.

#ifndef HIGHEST
#define HIGHEST 1
#endif
#ifndef REPEATS
#define REPEATS 3
#endif

#define NEXT(number)     (((number) + 1) % (HIGHEST + 1))
#define PREVIOUS(number) (((number) + HIGHEST) % (HIGHEST + 1))

#if HIGHEST > 1
#define NUMBER byte
#else
#define NUMBER bit
#endif

/* no line ever holds more than 2 REPEATS + 1 messages, so that sending never has to wait */
chan messages = [2 * REPEATS + 1] of { NUMBER };
chan confirmations = [2 * REPEATS + 1] of { NUMBER };

NUMBER sending;                /* the number of the message that is sent now */
byte repeated;                 /* how often it was repeated */

#define given_up (repeated == REPEATS && len(messages) == 0 && len(confirmations) == 0)

/* unless the sender gives up, there is always another message */
ltl goes_on { ([]<> (sending == 0)) || (<>[] given_up) }

active proctype sender()
{
ready:
  do
  :: messages!sending -> break
  :: confirmations?eval(sending)             /* of a message before */
  od;
end_waiting:
  do
  :: d_step { repeated < REPEATS -> messages!sending; repeated++ }
  :: confirmations?eval(sending)
  :: d_step { confirmations?eval(NEXT(sending)); sending = NEXT(sending); repeated = 0 };
     goto ready
  od
}

active proctype receiver()
{
  NUMBER expected;

end_ready:
  if
  :: d_step { messages?eval(expected); expected = NEXT(expected) }
  :: messages?eval(PREVIOUS(expected))       /* a repetition */
  fi;
  confirmations!expected;
  goto end_ready
}

/* a line with lost messages has two different numbers in it at most */
active proctype loss()
{
end:
  do
  :: messages??eval(sending)
  :: messages??eval(PREVIOUS(sending))
  :: confirmations??eval(sending)
  :: confirmations??eval(NEXT(sending))
  od
}
