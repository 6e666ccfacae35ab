//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A channel declared inside a typedef is created once per record, so the two
// elements have independent buffers.
typedef port { chan c = [1] of { byte }; byte seen };
port p[2];

active proctype main() {
  p[0].c!5;
  assert(full(p[0].c) && empty(p[1].c));
  p[1].c!6;
  p[0].c?p[0].seen;
  p[1].c?p[1].seen;
  assert(p[0].seen == 5 && p[1].seen == 6)
}
