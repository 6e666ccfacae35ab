//@ verdict: holds
//@ errors: 0
//@ states: 117
//@ transitions: 239
// Election on a ring of three (Chang and Roberts): only numbers larger than the own
// one are passed on, so exactly the largest comes home.
#define N 3
chan ring[N] = [N] of { byte };
byte number[N] = { 2, 5, 3 };
byte leaders;

active [N] proctype node() {
  byte v;
  ring[(_pid + 1) % N]!number[_pid];
end:
  do
  :: ring[_pid]?v ->
     if
     :: v > number[_pid] -> ring[(_pid + 1) % N]!v
     :: v < number[_pid] -> skip
     :: v == number[_pid] -> leaders++; assert(leaders == 1 && number[_pid] == 5)
     fi
  od
}
