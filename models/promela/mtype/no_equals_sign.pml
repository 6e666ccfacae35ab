//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
// The = after mtype may be left out.
mtype { ping, pong }
mtype m = ping;

active proctype main() {
  do
  :: m == ping -> m = pong
  :: m == pong -> m = ping
  od
}
