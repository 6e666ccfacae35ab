//@ verdict: error
//@ error: string
// The string is never closed.
active proctype main() {
  printf("hello);
  skip
}
