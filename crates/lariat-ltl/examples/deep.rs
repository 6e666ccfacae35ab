use lariat_ltl::{Formulas, Limits, buchi, parse};
fn main() {
    let k: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let texts = [
        (0..k).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" && "),
        (0..k).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" || "),
        format!("[]({} -> <>({}))", (0..k/2).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" && "), (k/2..k).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" || ")),
        format!("{}p", "X ".repeat(k)),
        format!("{}p", "X (q && ".repeat(k)) + &")".repeat(k),
        format!("{}p", "[] <> X ".repeat(k)),
        format!("{}p", "(q U ".repeat(k)) + &")".repeat(k),
        (0..k).map(|i| format!("[]<>p{i}")).collect::<Vec<_>>().join(" && "),
        (0..k).map(|i| format!("<>p{i}")).collect::<Vec<_>>().join(" && "),
        (0..k).map(|i| format!("[](p{i} -> <>q{i})")).collect::<Vec<_>>().join(" && "),
        (0..k).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" xor "),
    ];
    for t in texts { for neg in [false, true] {
        let t = t.clone();
        std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            let b = std::time::Instant::now();
            let mut fs = Formulas::new();
            let f = parse(&mut fs, &t).unwrap();
            let f = if neg { fs.not(f) } else { f };
            let tp = b.elapsed();
            let r = buchi(&mut fs, f, &Limits::default());
            println!("{:.30} {neg} parse {tp:?} total {:?} {}", t, b.elapsed(), match r { Ok(a) => format!("{:?}", a.statistics()), Err(e) => e.to_string() });
        }).unwrap().join().unwrap();
    }}
}
