//@ verdict: error
//@ error: init
//@ spin: no - SPIN 6.5.2 accepts two init processes and runs both
// There can be only one init.
init { skip }
init { skip }
