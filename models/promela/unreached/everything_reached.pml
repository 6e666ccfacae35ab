//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
//@ unreached: 
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
