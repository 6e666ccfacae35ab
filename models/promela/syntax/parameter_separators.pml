//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Parameters may be grouped by type; a semicolon separates the groups.
proctype p(byte a, b; int c; bool d, e) {
  assert(a == 1 && b == 2 && c == -3 && d && !e)
}

init { run p(1, 2, -3, true, false) }
