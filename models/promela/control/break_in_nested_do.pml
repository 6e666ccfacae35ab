//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// break leaves the innermost loop only.
byte outer, inner;

active proctype main() {
  do
  :: outer < 2 ->
     outer++;
     do
     :: inner++; break
     od
  :: outer == 2 -> break
  od;
  assert(outer == 2 && inner == 2)
}
