//! temporary
mod naive;
use std::collections::{HashMap, VecDeque};
#[test]
fn dump() {
    let Ok(dir) = std::env::var("DVE_DUMP") else { return };
    let n: u64 = std::env::var("DVE_N").ok().and_then(|s| s.parse().ok()).unwrap_or(500);
    let mut lines = String::new();
    for seed in 0..n {
        let mut rng = lariat_stats::stream(seed, "dve", 0);
        let text = naive::generate::system(&mut |b| rng.below(b));
        let mut sources = lariat_ir::source::SourceMap::default();
        std::fs::write(format!("{dir}/{seed}.dve"), &text).unwrap();
        let parse = lariat_dve::parse(&mut sources, "x.dve", text.clone());
        if parse.has_errors() { println!("{seed}: {:?}\n{text}", parse.diagnostics); continue; }
        let naive = naive::Naive::new(&parse.system);
        let mut seen = HashMap::new();
        let init = naive.initial();
        let mut queue = VecDeque::from([init.clone()]);
        seen.insert(init, 0);
        let (mut trans, mut dead, mut inv) = (0, 0, 0);
        let mut faults = std::collections::BTreeMap::new();
        let mut ok = true;
        while let Some(s) = queue.pop_front() {
            let steps = naive.steps(&s);
            inv += naive.failed_assertions(&s);
            if steps.is_empty() { dead += 1; }
            for t in steps {
                match t {
                    Ok(t) => { trans += 1; if !seen.contains_key(&t) { seen.insert(t.clone(), 0); queue.push_back(t); } }
                    Err(f) => *faults.entry(format!("{f:?}").to_lowercase()).or_insert(0) += 1,
                }
            }
            if seen.len() > 5000 { ok = false; break; }
        }
        if ok { lines += &format!("{seed} {} {trans} {dead} {inv} {faults:?}\n", seen.len()); }
    }
    std::fs::write(format!("{dir}/counts.txt"), lines).unwrap();
}
