//@ verdict: holds
//@ errors: 0
//@ states: 23
//@ transitions: 35
// Parameters are copies: changing one changes neither the argument nor another instance.
byte g = 4;

proctype child(byte n) {
  n++;
  n++;
  assert(n == 6 && g == 4)
}

init {
  atomic { run child(g); run child(g) }
}
