//@ verdict: holds
//@ errors: 0
//@ states: 157
//@ transitions: 268
// A bounded buffer as a ring with two counting semaphores.
#define SIZE 2
byte buf[SIZE];
byte room = SIZE, items;

active proctype producer() {
  byte in, n;
  do
  :: atomic { room > 0 -> room-- };
     buf[in] = n;
     n = (n + 1) % 4;
     in = (in + 1) % SIZE;
     items++
  od
}

active proctype consumer() {
  byte out, expected;
  do
  :: atomic { items > 0 -> items-- };
     assert(buf[out] == expected);
     expected = (expected + 1) % 4;
     out = (out + 1) % SIZE;
     room++
  od
}
