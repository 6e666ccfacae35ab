//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// A parameter can be used in the `provided` clause of its proctype.
bool may[3];
byte n;
proctype P(byte i) provided (may[i]) { n++ }
init {
  run P(1); run P(2);
  may[1] = true;
  n == 1;
  may[2] = true
}
