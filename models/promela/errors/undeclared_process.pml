//@ verdict: error
//@ error: wrker
// run of a proctype that does not exist.
proctype worker() { skip }

init { run wrker() }
