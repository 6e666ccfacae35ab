//@ verdict: holds
//@ errors: 0
//@ states: 582
//@ transitions: 1300
// The alternating bit protocol over channels that may lose messages.  The data are numbered
// modulo 4 and must arrive in order without a gap.
mtype = { msg, ack };
chan to_r = [1] of { mtype, byte, bit };
chan to_s = [1] of { mtype, bit };

active proctype sender() {
  byte data;
  bit b, got;
  do
  :: to_r!msg(data, b)
  :: to_r?_, _, _
  :: to_s?ack(got) ->
     if
     :: got == b -> data = (data + 1) % 4; b = 1 - b
     :: else
     fi
  od
}

active proctype receiver() {
  byte data, expected;
  bit b, want;
  do
  :: to_r?msg(data, b) ->
     if
     :: b == want -> assert(data == expected); expected = (expected + 1) % 4; want = 1 - want
     :: else
     fi;
     data = 0;
     if
     :: to_s!ack(b)
     :: skip
     fi
  od
}
