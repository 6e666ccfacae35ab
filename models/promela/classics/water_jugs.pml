//@ verdict: violated
//@ errors: 2
//@ states: 36
//@ transitions: 105
//@ violation: assertion
// Jugs of five and three litres; measuring four litres is possible, so the claim that it
// is not gets violated.
byte big, small;

active proctype pour() {
  do
  :: big != 4 ->
     if
     :: big = 5
     :: small = 3
     :: big = 0
     :: small = 0
     :: d_step {
          if
          :: big + small <= 5 -> big = big + small; small = 0
          :: else -> small = small - (5 - big); big = 5
          fi
        }
     :: d_step {
          if
          :: big + small <= 3 -> small = big + small; big = 0
          :: else -> big = big - (3 - small); small = 3
          fi
        }
     fi
  :: big == 4 -> break
  od;
  assert(big != 4)
}
