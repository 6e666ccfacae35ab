//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --formula '[] (a -> <> b)' => holds
//@ check: --formula '[] (b -> <> !a)' => violated
//@ check: --formula '<> (a && b)' => holds
//@ check: --formula '!b U a' => holds
//@ check: --formula '!a U b' => violated
//@ check: --formula '[] (runner@ready -> a)' => holds
// A model without any formula of its own.
bool a, b;

active proctype runner() {
  a = true;
ready:
  b = true
}
