//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// An included file beside the model brings a macro, a type and an inline; it is
// included twice, and its guard makes the second time empty.
#include "include_part.h"
#include "include_part.h"

item it;

active proctype main() {
  set_item(it, LIMIT);
  assert(it.value == 4 && it.used)
}
