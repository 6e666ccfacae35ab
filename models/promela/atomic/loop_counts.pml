//@ verdict: violated
//@ errors: 1
//@ violation: assertion
//@ spin: no - SPIN follows the loop until its depth limit
// The atomic loop can be left with every value of x, so x is 9 sometimes.
byte x;

init {
  atomic { do :: x++ :: break od };
  assert(x != 9)
}
