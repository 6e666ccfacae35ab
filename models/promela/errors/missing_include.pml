//@ verdict: error
//@ error: no_such_file.h
// The included file does not exist.
#include "no_such_file.h"

active proctype main() { skip }
