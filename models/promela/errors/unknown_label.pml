//@ verdict: error
//@ error: nowhere
// goto to a label that does not exist in this process.
active proctype main() {
  goto nowhere
}
