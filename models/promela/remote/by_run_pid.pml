//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// The index of a remote reference may be a variable holding the pid got from run.
proctype child(byte v) {
  byte w = v;
end_stay:
  (v == 0)
}

init {
  pid a, b;
  atomic { a = run child(4); b = run child(5) }
  assert(child[a]:w == 4 && child[b]:w == 5);
  assert(child[a]@end_stay && child[b]@end_stay);
end:
  false
}
