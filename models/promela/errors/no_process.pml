//@ verdict: error
//@ error: process
// A model without any process that could start.
byte x;

proctype never_run() { x = 1 }
