//@ verdict: holds
//@ errors: 0
//@ states: 104
//@ transitions: 179
// The queries as guards: producer and consumer wait for room and for data.
chan q = [2] of { byte };
byte got;

active proctype producer() {
  byte i;
  do
  :: i < 3 -> nfull(q); q!i; i++
  :: else -> break
  od
}

active proctype consumer() {
  do
  :: got < 3 -> nempty(q); q?_; got++
  :: else -> break
  od
}
