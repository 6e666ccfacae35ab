//@ verdict: violated
//@ errors: 4
//@ states: 13
//@ transitions: 19
//@ violation: assertion
// Both inits are started.  Each assertion holds only if the other init has not moved yet.
byte x;
init { x = x + 1; assert(x == 1) }
init { x = x + 2; assert(x == 3) }
