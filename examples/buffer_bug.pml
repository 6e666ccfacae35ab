//@ verdict: violated
//@ errors: 1
//@ states: 12
//@ transitions: 27
//@ violation: assertion
// Two producers and a consumer share a buffer of two places. A producer looks whether there is room
// and then puts something in, but between the two steps the other one may do the same: the count
// goes past the size. Checked with -DFIXED, look and put are one atomic step.

#define SIZE 2

byte count;

active [2] proctype producer()
{
end:
  do
#ifdef FIXED
  :: atomic { count < SIZE -> count++ }
#else
  :: count < SIZE -> count++
#endif
  od
}

active proctype consumer()
{
end:
  do
  :: atomic {
       count > 0 ->
       assert(count <= SIZE);
       count--
     }
  od
}
