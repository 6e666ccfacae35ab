//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 18
//@ check: --never => violated
//@ check: --formula '[] (pressed -> (pressed U open))' => violated
//@ check: --formula '[]<> open && []<> !open -> []<> pressed' => holds
// A never claim describes what must not happen: it runs beside the model and looks at the state before
// each step. Here: the button is pressed, and from then on the door stays shut. The claim guesses the
// moment (the second option) and stays in its accepting loop while the door is shut. It finds a run
// where the lift takes no notice.

bool pressed, open;

active proctype person() {
  do
  :: pressed = true
  :: pressed = false
  od
}

active proctype lift() {
  do
  :: pressed -> open = true; open = false
  od
}

never {
  do
  :: true
  :: pressed && !open -> goto accept_shut
  od;
accept_shut:
  do
  :: !open
  od
}
