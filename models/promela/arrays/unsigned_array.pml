//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Fields of three bits in an array of records wrap at 8.
typedef cell { unsigned v : 3 };
cell c[2];

active proctype main() {
  c[0].v = 7;
  c[0].v++;
  c[1].v--;
  assert(c[0].v == 0 && c[1].v == 7)
}
