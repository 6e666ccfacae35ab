//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 20
// Channels passed as parameters connect a pipeline.
chan first = [1] of { byte };
chan second = [1] of { byte };
byte out;

proctype stage(chan in, to) {
  byte v;
  in?v;
  to!v + 1
}

init {
  chan third = [1] of { byte };
  atomic { run stage(first, second); run stage(second, third) }
  first!5;
  third?out;
  assert(out == 7)
}
