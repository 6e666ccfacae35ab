//@ verdict: violated
//@ errors: 6
//@ states: 1279
//@ transitions: 2039
// Many local choices in a row: one of the ways through leads to the error.
byte g;

active proctype main() {
  byte a;
  g = 1;
  if :: a = a + 1 :: skip fi;
  if :: a = a + 2 :: skip fi;
  if :: a = a + 4 :: skip fi;
  if :: a = a + 8 :: skip fi;
  if :: a = a + 16 :: skip fi;
  if :: a = a + 32 :: skip fi;
  g = 2;
  assert(a != 45)
}

active proctype other() {
end:
  (g == 1);
  g = 3
}
