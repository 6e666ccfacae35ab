//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Two blocks one after the other have variables of their own under one name and
// even of different types.
active proctype main() {
  {
    byte v = 255;
    v++;
    assert(v == 0)
  }
  {
    int v = 255;
    v++;
    assert(v == 256)
  }
}
