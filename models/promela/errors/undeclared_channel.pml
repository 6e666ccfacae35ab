//@ verdict: error
//@ error: qq
// A send to a channel that is not declared.
chan q = [1] of { byte };

active proctype main() {
  qq!1
}
