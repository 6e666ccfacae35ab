//@ verdict: holds
//@ unreached: ?
// All statements are executed in some run.
byte x;

active proctype main() {
  do
  :: x < 2 ->
     x++
  :: x == 2 ->
     break
  od
}
