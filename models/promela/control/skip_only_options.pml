//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 6
// Options that do nothing meet at once behind the selection.
active proctype p() {
  if
  :: skip
  :: true
  :: 1
  fi;
  skip
}
