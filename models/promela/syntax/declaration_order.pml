//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Processes, inlines, macros and variables in an order in which later text is used
// only where it is already known, apart from proctypes, which may be run before they
// are declared.
init { run later(2) }

byte g;

inline setg(v) { g = v }

proctype later(byte n) {
  setg(n);
  assert(g == 2)
}
