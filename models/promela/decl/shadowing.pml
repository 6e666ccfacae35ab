//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
//@ spin: no - SPIN 6.5.2 rejects it as a redeclaration; measured with the variables renamed
// An inner block may declare a variable of the same name; the outer one and the
// global one are untouched by assignments in the block.
byte x = 1;

active proctype main() {
  assert(x == 1);
  {
    byte x = 10;
    x++;
    assert(x == 11);
    {
      byte x = 20;
      x++;
      assert(x == 21)
    }
    assert(x == 11)
  }
  assert(x == 1)
}
