//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 9
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => violated
// Each process alone can run through its label for ever.
active [2] proctype P() {
  bit x;

  do
  :: x = 1;
accept:
     x = 0
  od
}
