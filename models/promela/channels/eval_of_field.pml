//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// eval of an array element and of a record field.
typedef rec { byte f };
rec r;
byte a[2] = { 3, 4 };
chan q = [2] of { byte };

active proctype main() {
  r.f = 3;
  q!4; q!3;
  if
  :: q?eval(a[0]) -> assert(false)
  :: q?eval(a[1]) -> skip
  fi;
  q?eval(r.f)
}
