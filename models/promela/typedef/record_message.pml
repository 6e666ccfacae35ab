//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A whole record may be sent and received; it travels field by field.
typedef msg { byte src; byte dst; bool urgent };
chan q = [2] of { msg };
msg r;

active proctype sender() {
  msg m;
  m.src = 1; m.dst = 2; m.urgent = true;
  q!m
}

active proctype receiver() {
  q?r;
  assert(r.src == 1 && r.dst == 2 && r.urgent)
}
