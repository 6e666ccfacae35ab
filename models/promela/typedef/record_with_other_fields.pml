//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// A record may share a message with plain fields.
mtype = { put, get };
typedef pair { byte x; byte y };
chan q = [1] of { mtype, pair, byte };
pair a, b;

active proctype main() {
  byte z;
  a.x = 3; a.y = 4;
  q!put, a, 9;
  q?put, b, z;
  assert(b.x == 3 && b.y == 4 && z == 9)
}
