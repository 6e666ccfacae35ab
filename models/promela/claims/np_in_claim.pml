//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ noclaim: yes
// A claim that uses np_, _last and enabled, as only claims may.
bool b;

never {
  do
  :: np_ || _last == 0 || enabled(0)
  :: b -> break
  od
}

active proctype main() {
  b = true;
progress_now:
  b = false
}
