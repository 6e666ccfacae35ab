//@ verdict: violated
//@ errors: 1
//@ states: 12
//@ transitions: 14
// The sequence is interrupted as soon as the receiver is ready.
chan c = [0] of { bit };
byte g;

active proctype receiver() {
  byte a;
  g = 1;
  a = 1;
end:
  c?1
}

active proctype sender() {
end:
  (g == 1);
  { assert(false) } unless { c!1 }
}
