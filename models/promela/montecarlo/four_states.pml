//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 8
//@ check: --acceptance => violated
// Figure 1 of R. Grosu and S. A. Smolka ("Monte Carlo Model Checking", 2005). There are four lassos: 11 with
// probability 1/2, 1244 with 1/4, 1231 and 12344 with 1/8 each; only 1231 is accepting.
show byte at = 1;              /* for people: it says what the labels say */

active proctype figure() {
one:
  if
  :: at = 1; goto one
  :: at = 2; goto two
  fi;
two:
  if
  :: at = 3; goto accept_three
  :: at = 4; goto four
  fi;
accept_three:
  if
  :: at = 1; goto one
  :: at = 4; goto four
  fi;
four:
  at = 4;
  goto four
}
