//@ verdict: error
//@ error: worker
// Two proctypes of the same name.
active proctype worker() { skip }
active proctype worker() { skip; skip }
