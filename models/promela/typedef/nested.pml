//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A record inside a record, with arrays at both levels.
typedef inner { byte v[2]; bit f };
typedef outer { inner in[3]; short total };
outer o;

active proctype main() {
  byte i = 2;
  o.in[0].v[1] = 4;
  o.in[i].v[0] = 250;
  o.in[i].v[0] = o.in[i].v[0] + 10;
  o.in[1].f = 1;
  o.total = o.in[0].v[1] + o.in[2].v[0] + o.in[1].f;
  assert(o.total == 9);
  assert(o.in[1].v[0] == 0 && o.in[0].f == 0)
}
