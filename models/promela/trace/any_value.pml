//@ verdict: holds
//@ errors: 0
//@ states: 25
//@ transitions: 25
// In a trace, _ stands for any value of a field.
mtype = { a, b };
chan q = [2] of { mtype, byte };

trace {
  do
  :: q!a, _
  :: q!b, _
  od
}

active proctype s() {
  byte i;
  for (i : 1 .. 2) {
    if
    :: q!a, i
    :: q!b, 7
    fi
  }
}
