use lariat_ltl::automaton::{Limits, buchi, tgba};
use lariat_ltl::{Formulas, parse};
fn cpu() -> f64 { std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9 }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let verbose = args.len() > 1 && args[1] == "-v";
    let only = args.get(2).cloned();
    let mut tot = [0usize; 6];
    for name in ["dwyer","etessami-holzmann","somenzi-bloem","liberouter","pelanek-beem","families","random"] {
        if let Some(o) = &only { if o != name { continue; } }
        let text = std::fs::read_to_string(format!("/work/shared/ltl/{name}.sizes.tsv")).unwrap();
        let mut sums = [0usize; 6];
        let mut slow = (0.0, String::new());
        let mut total = 0.0;
        for line in text.lines().skip(1) {
            let c: Vec<&str> = line.split('\t').collect();
            let spot = [c[1], c[3], c[5]].map(|x| x.parse::<usize>().unwrap());
            let mut fs = Formulas::new();
            let f = parse(&mut fs, c[0]).unwrap();
            let n = fs.not(f);
            let l = Limits::default();
            let t = cpu();
            let a = buchi(&mut fs, f, &l).map(|a| a.states.len()).unwrap_or(9999);
            let b = buchi(&mut fs, n, &l).map(|a| a.states.len()).unwrap_or(9999);
            let g = tgba(&mut fs, f, &l).map(|a| a.states.len()).unwrap_or(9999);
            let e = cpu() - t;
            total += e;
            if e > slow.0 { slow = (e, c[0].to_string()); }
            let ours = [a, b, g];
            for k in 0..3 { sums[k] += ours[k]; sums[3+k] += spot[k]; }
            if verbose {
                if a != spot[0] { println!("{:+} BA  {} {} {}", a as i64 - spot[0] as i64, a, spot[0], c[0]); }
                if b != spot[1] { println!("{:+} NEG {} {} !({})", b as i64 - spot[1] as i64, b, spot[1], c[0]); }
                if g != spot[2] { println!("{:+} TG  {} {} {}", g as i64 - spot[2] as i64, g, spot[2], c[0]); }
            }
        }
        for k in 0..6 { tot[k] += sums[k]; }
        println!("{name:18} BA {:4}/{:4}={:.3} NEG {:4}/{:4}={:.3} TGBA {:4}/{:4}={:.3} total {:.2}s slowest {:.3} {}", sums[0], sums[3], sums[0] as f64/sums[3] as f64, sums[1], sums[4], sums[1] as f64/sums[4] as f64, sums[2], sums[5], sums[2] as f64/sums[5] as f64, total, slow.0, &slow.1[..slow.1.len().min(60)]);
    }
    println!("{:18} BA {:4}/{:4}={:.3} NEG {:4}/{:4}={:.3} TGBA {:4}/{:4}={:.3}", "all", tot[0], tot[3], tot[0] as f64/tot[3] as f64, tot[1], tot[4], tot[1] as f64/tot[4] as f64, tot[2], tot[5], tot[2] as f64/tot[5] as f64);
}
