//@ verdict: holds
//@ errors: 0
//@ states: 47
//@ transitions: 79
// A whole model in one line.
byte a, b; active proctype p() { do :: a < 3 -> a++ :: a == 3 -> break od; assert(a == 3) } active proctype q() { if :: b = 1 :: b = 2 fi }
