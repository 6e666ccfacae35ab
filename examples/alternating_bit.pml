//@ verdict: holds
//@ errors: 0
//@ states: 450
//@ transitions: 1180
// The alternating bit protocol (K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, 1969): numbers
// travel over channels that may lose any message. The sender repeats a message until a confirmation
// with the same bit comes back; the receiver uses the bit to tell a new message from a repetition.

#define MAX 4                  /* the numbers are 0 .. MAX - 1, in turn */

chan data = [1] of { byte, bit };
chan confirm = [1] of { bit };

active proctype sender()
{
  byte number;
  bit sequence, got;

  do
  :: data!number, sequence     /* sends, or sends again */
  :: confirm?got ->
     if
     :: got == sequence ->     /* it has arrived: the next one */
        number = (number + 1) % MAX;
        sequence = 1 - sequence
     :: else                   /* an old confirmation */
     fi
  od
}

active proctype receiver()
{
  byte got, expected;
  bit bit_got, bit_expected;

  do
  :: data?got, bit_got ->
     if
     :: bit_got == bit_expected ->
        assert(got == expected);     /* nothing is lost, doubled or out of order */
        expected = (expected + 1) % MAX;
        bit_expected = 1 - bit_expected
     :: else                   /* a repetition */
     fi;
     confirm!bit_got
  od
}

active proctype lossy_line()
{
  do
  :: data?_, _                 /* loses a message */
  :: confirm?_                 /* loses a confirmation */
  od
}
