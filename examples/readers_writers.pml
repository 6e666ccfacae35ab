//@ verdict: holds
//@ errors: 0
//@ states: 31
//@ transitions: 88
// Readers and writers (P. J. Courtois, F. Heymans and D. L. Parnas, 1971): many may read at the same
// time, but who writes must be alone. Try --invariant 'writing + reading <= 1' to see readers
// together, and --invariant 'writing <= 1' for what does hold.

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte reading, writing;

active [READERS] proctype reader()
{
end:
  do
  :: atomic { writing == 0 -> reading++ };
     assert(writing == 0);
     reading--
  od
}

active [WRITERS] proctype writer()
{
end:
  do
  :: atomic { writing == 0 && reading == 0 -> writing++ };
     assert(writing == 1 && reading == 0);
     writing--
  od
}
