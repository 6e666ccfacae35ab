//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Three levels of records, with an index computed from a field of another record.
typedef leaf { byte n };
typedef twig { leaf l[2] };
typedef branch { twig t[2]; byte pick };
branch b;

active proctype main() {
  b.pick = 1;
  b.t[b.pick].l[1 - b.pick].n = 6;
  b.t[0].l[b.t[1].l[0].n - 5].n = 2;
  assert(b.t[1].l[0].n == 6);
  assert(b.t[0].l[1].n == 2);
  assert(b.t[0].l[0].n == 0 && b.t[1].l[1].n == 0)
}
