//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Comment signs, braces and keywords inside a string are just characters.
active proctype main() {
  printf("/* not a comment */ // nor this } od fi -> ;\n");
  printf("backslash \\ and quote \" end\n");
  skip
}
