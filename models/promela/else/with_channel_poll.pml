//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// else next to a side-effect-free poll of a channel.
chan q = [1] of { byte };
byte r;

active proctype main() {
  if
  :: q?[5] -> assert(false)
  :: else -> r = 1
  fi;
  q!5;
  if
  :: q?[5] -> r = 2
  :: else -> assert(false)
  fi;
  assert(r == 2 && len(q) == 1)
}
