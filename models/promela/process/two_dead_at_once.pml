//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// Two processes that do nothing but end: the younger must be removed before the
// older, so there is exactly one order of the two final steps.
active proctype a() { skip }
active proctype b() { skip }
