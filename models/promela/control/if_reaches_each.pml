//@ verdict: violated
//@ errors: 3
//@ states: 6
//@ transitions: 8
//@ violation: assertion
// One assertion per option shows that each of the three options is taken: three errors.
active proctype main() {
  if
  :: true -> assert(false)
  :: true -> assert(false)
  :: skip; assert(false)
  :: false -> assert(false)
  fi
}
