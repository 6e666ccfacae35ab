//@ verdict: holds
//@ errors: 0
//@ states: 38
//@ transitions: 65
// Peterson's algorithm for two processes (G. L. Peterson, 1981): a process says that it wants to
// enter, gives way to the other, and waits until the other does not want to or has given way.

bool wants[2];
byte turn;
byte inside;

active [2] proctype user()
{
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
     turn = other;
     (!wants[other] || turn == _pid);

     inside++;
     assert(inside == 1);      /* mutual exclusion */
     inside--;

     wants[_pid] = false
  od
}
