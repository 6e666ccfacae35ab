//@ verdict: holds
//@ errors: 0
//@ states: 104
//@ transitions: 115
// A tour of the newer parts of the language: a record type, an inline, `for`, `select`, and processes
// with priorities. Only the processes with the highest priority among those that can move do so: the
// interrupt handler always finishes before the worker goes on.

#define JOBS 3

typedef Job {
  byte size;
  bool done
}

Job jobs[JOBS];
byte pending;                  /* interrupts that wait */
bool handling;
byte left;                     /* jobs that are not done */

inline finish(i) {
  assert(!handling);           /* the handler is never in the middle of something now */
  jobs[i].size = 0;
  jobs[i].done = true;
  left--
}

proctype handler()
{
end:
  do
  :: pending > 0 ->
     handling = true;
     pending--;
     handling = false
  od
}

proctype worker()
{
  byte i, size;

  for (i in jobs) {
    select (size : 1 .. 2);
    jobs[i].size = size;
    do
    :: jobs[i].size > 1 -> jobs[i].size--
    :: jobs[i].size == 1 ->
       if
       :: pending < 1 -> pending++   /* the handler takes over */
       :: skip
       fi;
       finish(i);
       break
    od
  }
  assert(left == 0)
}

init
{
  left = JOBS;
  atomic {
    run handler() priority 10;
    run worker() priority 1
  }
}
