//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 13
// Two traffic lights controlled over one lock are never green together.
mtype = { red, yellow, green };
mtype light[2] = red;
bool crossing;

active [2] proctype signal() {
  do
  :: atomic { light[_pid] == red && !crossing -> crossing = true };
     light[_pid] = green;
     assert(light[1 - _pid] == red);
     light[_pid] = yellow;
     light[_pid] = red;
     crossing = false
  od
}
