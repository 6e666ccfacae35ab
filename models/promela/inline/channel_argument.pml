//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
// Channels and a message constant as arguments.
mtype = { req, ok };
chan a = [1] of { mtype };
chan b = [1] of { mtype };

inline ask(to, from, m) {
  to!m;
  from?ok
}

active proctype client() {
  ask(a, b, req)
}

active proctype server() {
  a?req;
  b!ok
}
