//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 25
// Any number of readers or one writer may be inside.
byte readers, writers;

active [2] proctype reader() {
  do
  :: atomic { writers == 0 -> readers++ };
     assert(writers == 0);
     readers--
  od
}

active [2] proctype writer() {
  do
  :: atomic { writers == 0 && readers == 0 -> writers++ };
     assert(readers == 0 && writers == 1);
     writers--
  od
}
