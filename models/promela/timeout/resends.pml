//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// timeout recovers from a lost message: the channel may drop it, the sender repeats.
chan q = [1] of { byte };
bool got;
byte tries;

active proctype sender() {
  do
  :: !got && tries < 2 -> atomic { tries++; if :: q!1 :: skip fi }; timeout
  :: got || tries == 2 -> break
  od
}

active proctype receiver() {
end:
  do
  :: q?1 -> got = true
  od
}
