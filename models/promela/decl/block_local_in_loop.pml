//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// The block inside the loop declares a variable that starts at 5 in every round; the
// variable outside keeps its value.
active proctype main() {
  byte rounds;
  do
  :: rounds < 2 ->
     {
       byte v = 5;
       v = v + rounds;
       assert(v == 5 + rounds)
     }
     rounds++
  :: else -> break
  od
}
