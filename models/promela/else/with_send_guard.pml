//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 16
// else beside a send: taken when the channel is full.
chan q = [1] of { byte };
byte lost;

active proctype main() {
  byte n;
  do
  :: n < 3 ->
     n++;
     if
     :: q!n
     :: else -> lost++
     fi
  :: n == 3 -> break
  od;
  assert(lost == 2);
  q?1
}
