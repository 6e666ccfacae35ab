//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 17
// A local three-bit counter cycles through exactly eight values, which shows in
// the number of states: eight values times the two control points of the loop,
// plus nothing else, since the loop never ends.
active proctype main() {
  unsigned u : 3;
  do
  :: u++ -> skip
  od
}
