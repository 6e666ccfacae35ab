//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// !! inserts a message in front of the first larger one, comparing the fields from left
// to right: (2,4) goes before (2,5) although it came later.
chan q = [4] of { byte, byte };

active proctype main() {
  byte a, b;
  q!!3, 1;
  q!!1, 9;
  q!!2, 5;
  q!!2, 4;
  q?a, b; assert(a == 1 && b == 9);
  q?a, b; assert(a == 2 && b == 4);
  q?a, b; assert(a == 2 && b == 5);
  q?a, b; assert(a == 3 && b == 1)
}
