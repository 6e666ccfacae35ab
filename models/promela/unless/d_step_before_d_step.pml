//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// The escape of an unless is a d_step, and so is what it can interrupt: each state inside of the first one has the second as a step.
byte x;
active proctype P()
{
  { d_step { x < 3; x++; x++ }; x = 7 } unless { d_step { x == 2; x = 9 } }
  assert(x == 9 || x == 7)
}
