//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Initial values in a typedef apply to every variable of that type, each element
// of an array of it included.
typedef rec { byte a = 7; int b[2] = 3; bool c = true };
rec one;
rec many[2];

active proctype main() {
  rec mine;
  assert(one.a == 7 && one.b[0] == 3 && one.b[1] == 3 && one.c);
  assert(many[0].a == 7 && many[1].b[1] == 3 && many[1].c);
  assert(mine.a == 7 && mine.b[0] == 3);
  many[0].a = 8;
  assert(many[1].a == 7 && one.a == 7 && mine.a == 7)
}
