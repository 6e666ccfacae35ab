//@ verdict: holds
//@ errors: 0
//@ states: 35
//@ transitions: 67
// Processes are removed in the reverse order of creation.  The oldest one has nothing
// to do after its skip, but it stays as long as a younger one exists, so _nr_pr
// never drops below the pid of a living process plus one.
bool go;

active proctype older() {
  skip
}

active proctype younger() {
  assert(_nr_pr >= 2);
  go;
  assert(_nr_pr >= 2)
}

active proctype youngest() {
  assert(_nr_pr == 3);
  go = true;
  assert(_nr_pr == 3)
}
