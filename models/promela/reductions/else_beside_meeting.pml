//@ verdict: violated
//@ errors: 2
//@ states: 14
//@ transitions: 17
// The other option is open only while the receiver is not ready yet.
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
  if
  :: c!1
  :: else -> assert(false)
  fi
}
