//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A byte keeps the low eight bits of whatever is assigned to it: 256 becomes 0,
// 300 becomes 44, and a negative number wraps from the top (-1 becomes 255).
byte b;

active proctype main() {
  b = 256; assert(b == 0);
  b = 300; assert(b == 44);
  b = -1;  assert(b == 255);
  b = -257; assert(b == 255)
}
