use lariat_ltl::automaton::{Letter, product::are_disjoint};
use lariat_ltl::{Formulas, Limits, buchi, tgba, parse, never, lasso};
fn main() {
    let mut n = 0;
    std::fs::create_dir_all("/tmp/automata-never").unwrap();
    for name in ["dwyer","etessami-holzmann","somenzi-bloem","liberouter","pelanek-beem","families","random"] {
        let text = std::fs::read_to_string(format!("/work/shared/ltl/{name}.ltl")).unwrap();
        for (i, line) in text.lines().enumerate() {
            let mut fs = Formulas::new();
            let f = parse(&mut fs, line).unwrap();
            let g = fs.not(f);
            let l = Limits::default();
            let a = [buchi(&mut fs, f, &l).unwrap(), tgba(&mut fs, f, &l).unwrap()];
            let b = [buchi(&mut fs, g, &l).unwrap(), tgba(&mut fs, g, &l).unwrap()];
            for x in &a { for y in &b { assert!(are_disjoint(x, y), "{line}"); } }
            let mut rng = lariat_stats::stream(5, "bench", n);
            let atoms = fs.atoms().len() as u32;
            for _ in 0..200 {
                let mut letters = |k: u64| -> Vec<Letter> { let c = rng.below(k); let p = [0.5, 0.2, 0.8][rng.index(3)]; (0..c).map(|_| (0..atoms).filter(|_| rng.chance(p)).collect()).collect() };
                let w = lasso::Word { prefix: letters(5), cycle: { let mut c = letters(4); c.push(Letter::new()); c.extend(letters(2)); c } };
                let e = lasso::holds(&fs, f, &w);
                for x in &a { assert_eq!(x.accepts(&w.prefix, &w.cycle), e, "{line}"); }
                for x in &b { assert_eq!(x.accepts(&w.prefix, &w.cycle), !e, "{line}"); }
            }
            if n % 5 == 0 {
                let mut pml = String::new();
                for at in fs.atoms() { pml += &format!("bool {at};\n"); }
                pml += "active proctype m() { do :: skip od }\n";
                pml += &never::print(&a[0], Some(line));
                std::fs::write(format!("/tmp/automata-never/{name}-{i}.pml"), pml).unwrap();
            }
            n += 1;
        }
    }
    println!("{n} formulas checked");
}
