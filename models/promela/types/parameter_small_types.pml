//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// bit and bool parameters take the low bit of the argument, mtype and pid the low
// eight bits.
proctype child(bit b; bool f; mtype m; pid p) {
  assert(b == 0 && f == 1 && m == 4 && p == 255)
}

init {
  run child(4, 7, 260, -1)
}
