//@ verdict: holds
//@ errors: 0
//@ states: 31
//@ transitions: 65
// Active processes and init get their pids in the order of the text.
active proctype a() {
  assert(_pid == 0)
}

init {
  assert(_pid == 1)
}

active [2] proctype b() {
  assert(_pid == 2 || _pid == 3)
}
