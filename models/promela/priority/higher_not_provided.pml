//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A process of higher priority whose provided clause does not hold does not keep the others from
// moving.
byte x;

active proctype high() priority 5 provided (x > 0) {
  x = 3
}

active proctype low() priority 1 {
  x = 1;
  x == 3
}
