//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// printf is an executable step without effect on the state, whatever the conversion.
mtype = { red, green };
mtype m = red;
int i = -5;

active proctype main() {
  printf("%d %u %x %o %c %%\n", i, i, i, i, 'A');
  printf("%e and %e\n", m, green);
  printf("tab\tquote\" done\n");
  printf("no newline");
  printm(m);
  printm(green);
  assert(i == -5)
}
