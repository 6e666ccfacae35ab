//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// Function-like macros with several arguments, nested calls, and commas in parentheses.
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define SQ(x) ((x) * (x))
#define BAD(x) x * x

byte v;

active proctype main() {
  v = MAX(3, 2 + 4);
  assert(v == 6);
  v = MAX(SQ(2), MAX(1, 3));
  assert(v == 4);
  v = SQ(1 + 2);
  assert(v == 9);
  v = BAD(1 + 2);
  assert(v == 5)
}
