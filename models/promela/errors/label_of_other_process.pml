//@ verdict: error
//@ error: there
// The label exists, but in another process.
active proctype a() {
there:
  skip
}

active proctype b() {
  goto there
}
