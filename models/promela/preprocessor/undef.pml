//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// #undef removes a macro; a new definition may follow; undefining an unknown name is fine.
#define K 1
byte a = K;
#undef K
#undef NEVER_DEFINED
#define K 2
byte b = K;
#undef K
byte K = 3;

active proctype main() {
  assert(a == 1 && b == 2 && K == 3)
}
