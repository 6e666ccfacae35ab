//@ verdict: holds
//@ errors: 0
//@ states: 60
//@ transitions: 185
// An elevator between three floors; the doors are closed whenever it moves.
byte floor;
bool open;
bool called[3];

active proctype elevator() {
  do
  :: called[floor] -> open = true; called[floor] = false; open = false
  :: !called[floor] && floor < 2 -> assert(!open); floor++
  :: !called[floor] && floor > 0 -> assert(!open); floor--
  od
}

active proctype people() {
  do
  :: called[0] = true
  :: called[2] = true
  od
}
