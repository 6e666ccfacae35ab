//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 18
//@ check: --acceptance => violated
// Figure 2 of R. Grosu and S. A. Smolka ("Monte Carlo Model Checking", 2005): a chain of N
// steps, and from each place a way back to the start. Only the lasso through the whole chain is
// accepting; a random walk takes it with probability 2^-N. A walk that does not go back for as long as
// there is a way forward always takes it.
#ifndef N
#define N 8
#endif

byte at;

active proctype chain() {
on:
  if
  :: d_step { at < N - 1 -> at++ }; goto on
  :: d_step { at == N - 1 -> at++ }; goto accept_end
  :: at = 0; goto on
  fi;
accept_end:
  at = 0;
  goto on
}
