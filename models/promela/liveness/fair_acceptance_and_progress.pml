//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 23
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => violated
//@ check: --acceptance --fair strong => holds (spin: it has no strong fairness)
//@ check: --non-progress => violated
//@ check: --non-progress --fair weak => violated
//@ check: --non-progress --fair strong => holds (spin: it has no strong fairness)
// Labels and fairness: only a strongly fair scheduler gets the visitor in, who ends the game.
bool open, over;

active proctype door() {
  do
  :: !over -> open = true;
accept_playing:
     open = false
  :: over ->
progress_over:
     open = false
  od
}

active proctype visitor() {
  open -> over = true
}
