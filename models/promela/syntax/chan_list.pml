//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
//@ spin: no - SPIN 6.5.2 takes the } for the end of the declaration; measured with two declarations
// Two channels with initialisers in one declaration.
chan a = [1] of { byte }, b = [1] of { byte, byte };

active proctype main() {
  a!1;
  b!2, 3;
  a?1;
  b?2, 3
}
