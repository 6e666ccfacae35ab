//! The sizes of the automata of formulas, compared with those of other translators.
//!
//! A directory contains tables `<set>.sizes.tsv`: a formula in the first column, and in the others, named by the
//! first line, the sizes of other tools. Each formula and its negation are translated, and the sums are printed
//! beside those of the other tools.

use lariat_ltl::{Automaton, Formula, Formulas, Limits, TooLarge, buchi, parse, tgba};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is compared: our name and the column of the other tool.
const COLUMNS: [(&str, &str); 3] = [
    ("Büchi", "spot_ba_states"),
    ("Büchi, negated", "spot_ba_states_of_negation"),
    ("generalised", "spot_tgba_states"),
];

/// Prints the sums for every table of a directory and for all together. An error is a sentence about
/// a file or formula that cannot be read or translated.
pub fn run(directory: &Path) -> Result<(), String> {
    let mut tables = Vec::new();
    let listing = std::fs::read_dir(directory);
    for entry in listing.map_err(|e| format!("{}: {e}", directory.display()))? {
        let path = entry
            .map_err(|e| format!("{}: {e}", directory.display()))?
            .path();
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        if let Some(set) = name.strip_suffix(".sizes.tsv") {
            tables.push((set.to_string(), path.clone()));
        }
    }
    tables.sort();
    if tables.is_empty() {
        return Err(format!(
            "{}: no file ends in .sizes.tsv",
            directory.display()
        ));
    }
    println!("{}", headline());
    let mut total = Sums::default();
    for (set, path) in tables {
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|e| format!("{}: {e}", path.display()))?;
        let sums = table(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", sums.line(&set));
        println!(
            "    slowest, {:.3} s: {}",
            sums.slowest.as_secs_f64(),
            sums.slowest_formula
        );
        total.add(sums);
    }
    println!("{}", total.line("all"));
    println!(
        "    slowest, {:.3} s: {}",
        total.slowest.as_secs_f64(),
        total.slowest_formula
    );
    Ok(())
}

/// The sums over a table.
#[derive(Default)]
struct Sums {
    formulas: usize,
    ours: [usize; 3],
    theirs: [usize; 3],
    /// Formulas for which the other tool's Büchi automaton has fewer states than ours, and more.
    worse: usize,
    better: usize,
    time: Duration,
    slowest: Duration,
    slowest_formula: String,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.formulas += other.formulas;
        for k in 0..3 {
            self.ours[k] += other.ours[k];
            self.theirs[k] += other.theirs[k];
        }
        self.worse += other.worse;
        self.better += other.better;
        self.time += other.time;
        if other.slowest > self.slowest {
            self.slowest = other.slowest;
            self.slowest_formula = other.slowest_formula;
        }
    }

    fn line(&self, name: &str) -> String {
        let mut line = format!("{name:20} {:8}", self.formulas);
        for k in 0..3 {
            let ratio = self.ours[k] as f64 / self.theirs[k].max(1) as f64;
            // Writing to a string cannot fail.
            let _ = write!(line, " {:6} /{:6} {ratio:.3}", self.ours[k], self.theirs[k]);
        }
        let seconds = self.time.as_secs_f64();
        let _ = write!(line, " {:6} {:6} {seconds:8.2}", self.better, self.worse);
        line
    }
}

fn headline() -> String {
    let mut line = format!("{:20} {:>8}", "set", "formulas");
    for (name, _) in COLUMNS {
        let _ = write!(line, " {name:>20}");
    }
    let _ = write!(line, " {:>6} {:>6} {:>8}", "better", "worse", "seconds");
    line
}

fn table(text: &str) -> Result<Sums, String> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let columns: HashMap<&str, usize> = names.iter().enumerate().map(|(k, &n)| (n, k)).collect();
    let mut sums = Sums::default();
    for (number, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let text = cells[0];
        if text.is_empty() {
            continue;
        }
        let problem = |e: &dyn std::fmt::Display| format!("line {}: {text}: {e}", number + 2);
        let mut formulas = Formulas::new();
        let f = parse(&mut formulas, text).map_err(|e| problem(&e.message))?;
        let negated = formulas.not(f);
        let limits = Limits::default();
        let mut times = [Duration::ZERO; 3];
        let jobs: [(Formula, Translation); 3] = [(f, buchi), (negated, buchi), (f, tgba)];
        let mut sizes = [0; 3];
        for (k, (f, translate)) in jobs.into_iter().enumerate() {
            let begin = Instant::now();
            let automaton = translate(&mut formulas, f, &limits).map_err(|e| problem(&e))?;
            times[k] = begin.elapsed();
            sizes[k] = automaton.states.len();
        }
        for (k, (_, column)) in COLUMNS.iter().enumerate() {
            let cell = columns.get(column).and_then(|&c| cells.get(c));
            let Some(theirs) = cell.and_then(|c| c.parse::<usize>().ok()) else {
                continue;
            };
            sums.ours[k] += sizes[k];
            sums.theirs[k] += theirs;
            if k < 2 {
                sums.worse += usize::from(sizes[k] > theirs);
                sums.better += usize::from(sizes[k] < theirs);
            }
        }
        sums.formulas += 1;
        sums.time += times.iter().sum::<Duration>();
        let slowest = times.into_iter().max().unwrap_or_default();
        if slowest > sums.slowest {
            sums.slowest = slowest;
            sums.slowest_formula = text.to_string();
        }
    }
    Ok(sums)
}

type Translation = fn(&mut Formulas, Formula, &Limits) -> Result<Automaton, TooLarge>;
