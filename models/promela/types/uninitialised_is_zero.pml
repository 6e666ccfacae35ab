//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Every variable starts as zero unless an initial value is given, locals and
// record fields included.
typedef rec { byte b; int a[2]; bool f };
rec r;
int g;
mtype = { one };
mtype m;

active proctype main() {
  rec lr;
  short s;
  assert(g == 0 && m == 0 && s == 0);
  assert(r.b == 0 && r.a[1] == 0 && !r.f);
  assert(lr.b == 0 && lr.a[0] == 0 && !lr.f)
}
