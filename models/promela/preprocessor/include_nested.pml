//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// The included file lies in a folder and includes another one beside itself.
#include "nested/outer.h"

active proctype main() {
  assert(FROM_OUTER == 1 && FROM_INNER == 2)
}
