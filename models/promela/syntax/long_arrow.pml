//@ verdict: holds
//@ errors: 0
//@ states: 6
// `-->` is read as `->`, and the end of a comment that has no beginning is ignored.
byte x = 1; */
active proctype P() {
  if
  :: (x == 1) --> x = 2 */
  :: else --> x = 5
  fi;
  assert(x == 2);
  do
  :: x == 2 --> break
  od
}
