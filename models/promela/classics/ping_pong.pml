//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// Two processes hitting a ball to and fro over rendezvous channels.
mtype = { ping, pong };
chan there = [0] of { mtype };
chan back = [0] of { mtype };
byte hits;

active proctype a() {
  do
  :: hits < 3 -> there!ping; back?pong; hits++
  :: else -> break
  od
}

active proctype b() {
end:
  do
  :: there?ping -> back!pong
  od
}
