//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Comments between any two tokens, stars and slashes inside comments.
byte /* here */ x /**/ = /* * / ** */ 4 /***/ ; // the end
/* a comment */ active /* and */ proctype main( /* none */ ) { // brace
  assert(x /* in an expression */ == /* again */ 4); /* over
  two lines */ x = x / 2 /* divided */; // not a /* start
  assert(x == 2)
}
