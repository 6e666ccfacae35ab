//@ verdict: error
//@ error: flase did you mean false
// A constant is suggested as well as a variable.
bool open;
active proctype P() { open = flase }
