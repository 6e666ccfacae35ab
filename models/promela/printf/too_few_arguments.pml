//@ verdict: holds
//@ errors: 0
//@ states: 4
// A conversion without an argument is suspicious, not wrong.
active proctype P() {
  printf("%d %d\n", 1);
  printf("%d\n")
}
