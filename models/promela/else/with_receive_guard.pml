//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// else beside a receive: taken when the channel is empty or the message does not match.
chan q = [1] of { byte };
byte r;

active proctype main() {
  if
  :: q?_ -> assert(false)
  :: else -> r++
  fi;
  q!7;
  if
  :: q?3 -> assert(false)
  :: else -> r++
  fi;
  if
  :: q?7 -> r++
  :: else -> assert(false)
  fi;
  assert(r == 3)
}
