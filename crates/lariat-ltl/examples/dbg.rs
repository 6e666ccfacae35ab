use lariat_ltl::automaton::{Limits, buchi, tgba, hoa};
use lariat_ltl::{Formulas, parse};
fn cpu() -> f64 { std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9 }
fn main() {
    for text in std::env::args().skip(1) {
    let mut fs = Formulas::new();
    let f = parse(&mut fs, &text).unwrap();
    let n = fs.not(f);
    for f in [f, n] {
        let t = cpu();
        let a = tgba(&mut fs, f, &Limits::default());
        println!("tgba {:?} {:?}", a.as_ref().map(|a| a.statistics()), cpu() - t);
        let t = cpu();
        let b = buchi(&mut fs, f, &Limits::default());
        println!("ba   {:?} {:?}", b.as_ref().map(|a| a.statistics()), cpu() - t);
        if std::env::var("V").is_ok() { for a in [a,b] {println!("{}", hoa::print(&a.unwrap(), None));} }
    }}
}
