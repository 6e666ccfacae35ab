//@ verdict: holds
//@ errors: 0
//@ states: 34
//@ transitions: 53
// A server that offers two services, and two clients that ask once each.
mtype = { one, two };
chan ask = [0] of { mtype };
byte n1, n2;

active proctype server() {
end:
  do
  :: ask?one -> n1++
  :: ask?two -> n2++
  od
}

active [2] proctype client() {
  if
  :: ask!one
  :: ask!two
  fi
}
