//@ verdict: violated
//@ errors: 1
//@ states: 9
//@ transitions: 9
// A variable that does nothing but select messages.
chan c = [2] of { byte };
byte g;

active proctype main() {
  byte x;
  c!1;
  c!2;
  if
  :: x = 1
  :: x = 2
  fi;
  g = 1;
  c?eval(x)
}
