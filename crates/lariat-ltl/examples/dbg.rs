use lariat_ltl::automaton::{Limits, buchi, tgba};
use lariat_ltl::{Formulas, parse};
fn main() {
    let mut fs = Formulas::new();
    let f = parse(&mut fs, &std::env::args().nth(1).unwrap()).unwrap();
    for a in [tgba(&mut fs, f, &Limits::default()).unwrap(), buchi(&mut fs, f, &Limits::default()).unwrap()] {
        println!("init {:?} sets {}", a.initial, a.sets);
        for (s, es) in a.states.iter().enumerate() { for e in es { println!("{s} -> {} [{}] {:b}", e.target, a.labels.text(e.label, &a.atoms), e.marks); } }
    }
}
