//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 8
//@ check: --ltl globally => holds
//@ check: --ltl globally_wrong => violated
//@ check: --ltl before => holds
//@ check: --ltl before_wrong => violated
//@ check: --ltl after => holds
//@ check: --ltl after_wrong => violated
//@ check: --ltl between => holds
//@ check: --ltl between_wrong => violated
//@ check: --ltl after_until => holds
//@ check: --ltl after_until_wrong => violated
// Precedence in its five scopes: a shop that ships what was paid, or sends a sample without payment.
mtype = { idle, order, pay, ship, sample, bill };
mtype event = idle;

#define ordered (event == order)
#define paid (event == pay)
#define shipped (event == ship)
#define sampled (event == sample)
#define billed (event == bill)

ltl globally { !shipped W paid }
ltl globally_wrong { !sampled W paid }
ltl before { <> billed -> (!shipped U (paid || billed)) }
ltl before_wrong { <> billed -> (!sampled U (paid || billed)) }
ltl after { [] !ordered || <> (ordered && (!shipped W paid)) }
ltl after_wrong { [] !ordered || <> (ordered && (!paid W shipped)) }
ltl between { [] ((ordered && !billed && <> billed) -> (!shipped U (paid || billed))) }
ltl between_wrong { [] ((ordered && !billed && <> billed) -> (!paid U (shipped || billed))) }
ltl after_until { [] ((ordered && !billed) -> (!shipped W (paid || billed))) }
ltl after_until_wrong { [] ((ordered && !billed) -> (!shipped W (sampled || billed))) }

active proctype shop() {
  do
  :: event = order;
     event = pay;
     event = ship;
     event = bill;
     event = idle
  :: event = sample;
     event = idle
  od
}
