//! quick
use lariat::check::*; use lariat::load::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let loaded = match load(std::path::Path::new(&path), &LoadOptions::default()) { Ok(l) => l, Err(e) => { for d in e.diagnostics { println!("{d:?}"); } return; } };
    let mut o = CheckOptions { all_errors: true, ..Default::default() };
    if std::env::args().nth(2).is_some() { o.order = SearchOrder::Depth; }
    o.budget.time = Some(std::time::Duration::from_secs(5));
    match check(&loaded, &o, &mut ()) { Ok(c) => println!("{} errors {} states {} transitions {} atomic {} in {}", c.result.verdict.word(), c.result.errors, c.result.states_stored, c.result.transitions, c.result.atomic_steps, c.result.elapsed_seconds), Err(e) => println!("REPLAY {}", e.0) }
}
