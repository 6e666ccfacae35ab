//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Arguments may be expressions, elements, fields, conditional expressions and _pid.
typedef r { byte f[2] };
r v;
chan q = [2] of { byte };

active proctype main() {
  v.f[1] = 4;
  printf("%d %d %d\n", v.f[1] * 2, (v.f[0] -> 1 : 2), _pid);
  printf("%d %d\n", len(q), v.f[v.f[0]]);
  q!1
}
