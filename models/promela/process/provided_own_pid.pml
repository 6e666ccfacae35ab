//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// The clause is evaluated for each instance; _pid in it is the instance's own.
byte token;
byte order;

active [3] proctype p() provided (token == _pid) {
  order = order * 4 + _pid + 1;
  token++
}
