//! Random walks: steps a second compared with SPIN's random simulation, and memory that does not grow with their
//! number.
//!
//! SPIN makes one long run (`spin -n1 -uN`), Lariat many lassos, with one worker and without reductions, so that a
//! step is a statement in both. SPIN stores nothing; Lariat detects the end of each lasso. SPIN prints little during
//! a run; with `-p` it prints every step.

use super::report::{Progress, Report, Table, mebibytes, millions, seconds};
use super::statistics::{Ratios, median};
use crate::process::{self, Ended, TemporaryDirectory};
use crate::{lariat, measure::Usage};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A model whose runs do not end, and the options of its walks.
struct Subject {
    model: &'static str,
    what: &'static str,
    options: &'static [&'static str],
    spin_steps: u64,
}

const SUBJECTS: [Subject; 7] = [
    Subject {
        model: "peterson.pml",
        what: "safety",
        options: &["--safety", "--walks", "1e7"],
        spin_steps: 5_000_000,
    },
    Subject {
        model: "peterson_liveness.pml",
        what: "a formula",
        options: &["--ltl", "exclusion", "--walks", "5e6"],
        spin_steps: 5_000_000,
    },
    Subject {
        model: "traffic_lights.pml",
        what: "safety",
        options: &["--safety", "--walks", "1e7"],
        spin_steps: 5_000_000,
    },
    Subject {
        model: "starvation.pml",
        what: "safety",
        options: &["--safety", "--walks", "1e7"],
        spin_steps: 5_000_000,
    },
    Subject {
        model: "peterson3.pml",
        what: "safety, 14,485 states",
        options: &["--safety", "--walks", "3e5"],
        spin_steps: 3_000_000,
    },
    Subject {
        model: "peterson3.pml",
        what: "a formula, 14,485 states",
        options: &["--ltl", "exclusion", "--walks", "3e5"],
        spin_steps: 3_000_000,
    },
    Subject {
        model: "too_big.pml",
        what: "safety, walks of a million steps",
        options: &["--safety", "--walks", "20", "--max-length", "1e6"],
        spin_steps: 5_000_000,
    },
];

/// Measures everything and fills the report.
pub fn measure(rounds: usize, progress: &mut Progress, report: &mut Report) -> Result<(), String> {
    let lariat = lariat::binary()?;
    speed(&lariat, rounds, progress, report);
    memory(&lariat, report);
    Ok(())
}

/// How many lines [`measure`] tells its progress in.
pub fn subjects() -> usize {
    SUBJECTS.len()
}

fn speed(lariat: &Path, rounds: usize, progress: &mut Progress, report: &mut Report) {
    let explanation = "Million steps in a CPU second: Lariat with one worker and without reductions, `spin -n1`, and `spin -n1 -p`, which \
                       prints every step, as their whole processes take, start and compilation included; medians.";
    let columns = [
        "model", "steps", "Lariat", "SPIN", "ratio", "SPIN -p", "ratio -p",
    ];
    let mut table = Table::new("Steps of random walks", explanation, &columns);
    let mut ratios = Ratios::new("speed of Lariat over spin -n");
    for subject in &SUBJECTS {
        let name = format!("{} ({})", subject.model, subject.what);
        match rates(lariat, subject, rounds, progress, &name) {
            Ok([steps, ours, spin, printing]) => {
                ratios.add(&name, ours / spin);
                progress.done(&name, &format!("{:.1}", ours / spin));
                table.rows.push(vec![
                    name,
                    millions(steps),
                    millions(ours),
                    millions(spin),
                    format!("{:.1}", ours / spin),
                    millions(printing),
                    format!("{:.1}", ours / printing),
                ]);
            }
            Err(reason) => {
                progress.done(&name, &reason);
                report.failures.push(format!("walks, {name}: {reason}"));
            }
        }
    }
    table.notes.push(ratios.to_string());
    report.tables.push(table);
}

/// The steps of Lariat, and the steps a CPU second of Lariat, SPIN, and SPIN when it prints.
fn rates(
    lariat: &Path,
    subject: &Subject,
    rounds: usize,
    progress: &Progress,
    name: &str,
) -> Result<[f64; 4], String> {
    let model = example(subject.model);
    let (mut ours, mut spin, mut printing) = (Vec::new(), Vec::new(), Vec::new());
    let mut steps = 0.0;
    for round in 1..=rounds {
        progress.step(name, &format!("round {round} of {rounds}"));
        let (walked, usage) = walk(lariat, &model, subject.options)?;
        steps = walked;
        ours.push(walked / usage.cpu.as_secs_f64());
        let defines = subject.options.iter().filter(|o| o.starts_with("-D"));
        let defines: Vec<String> = defines.map(|o| (*o).to_owned()).collect();
        let quiet = simulate(&model, subject.spin_steps, &defines, false)?;
        spin.push(subject.spin_steps as f64 / quiet.cpu.as_secs_f64());
        let some = subject.spin_steps / 10;
        let loud = simulate(&model, some, &defines, true)?;
        printing.push(some as f64 / loud.cpu.as_secs_f64());
    }
    Ok([steps, median(ours), median(spin), median(printing)])
}

fn example(name: &str) -> PathBuf {
    lariat::workspace().join("examples").join(name)
}

/// Makes walks and returns their steps.
fn walk(lariat: &Path, model: &Path, options: &[&str]) -> Result<(f64, Usage), String> {
    let directory = TemporaryDirectory::new().map_err(|error| error.to_string())?;
    let mut words = vec!["check".to_owned(), model.display().to_string()];
    let common = "--search monte-carlo --workers 1 --no-merge --no-dead --no-trail --json";
    words.extend(common.split(' ').map(str::to_owned));
    words.extend(options.iter().map(|&option| option.to_owned()));
    let limit = Duration::from_secs(600);
    let output = process::run_measured(lariat, &words, directory.path(), limit)
        .map_err(|error| error.to_string())?;
    if output.ended != Ended::Exit(3) {
        return Err(format!("lariat: {:?} {}", output.ended, output.stderr));
    }
    let report: Value = serde_json::from_str(&output.stdout).map_err(|e| e.to_string())?;
    let steps = report["results"][0]["sampling"]["steps"].as_f64();
    let usage = output.usage.ok_or("lariat: nothing was measured")?;
    Ok((steps.ok_or("lariat: no steps in the report")?, usage))
}

/// Lets SPIN make so many steps.
fn simulate(model: &Path, steps: u64, defines: &[String], print: bool) -> Result<Usage, String> {
    let directory = TemporaryDirectory::new().map_err(|error| error.to_string())?;
    let mut words = vec!["-n1".to_owned(), format!("-u{steps}")];
    if print {
        words.push("-p".into());
    }
    words.extend(defines.iter().cloned());
    words.push(model.display().to_string());
    let limit = Duration::from_secs(600);
    let output = process::run_measured("spin", &words, directory.path(), limit)
        .map_err(|error| error.to_string())?;
    // The output of a long run is cut; its end shows that all steps were made, if it is there.
    if !print && !output.stdout.contains(&format!("{steps}:")) {
        return Err(format!(
            "spin did not make {steps} steps: {}",
            output.stdout
        ));
    }
    output.usage.ok_or("spin: nothing was measured".into())
}

/// The peak memory of the process for more and more walks.
fn memory(lariat: &Path, report: &mut Report) {
    let explanation = "Peak memory of the whole process in MiB for more and more walks through examples/philosophers_fair.pml with 12 philosophers, \
                       whose states are too many to be remembered, and through examples/peterson.pml.";
    let columns = [
        "walks",
        "philosophers: MiB",
        "CPU s",
        "Peterson: MiB",
        "CPU s",
    ];
    let mut table = Table::new("Memory of random walks", explanation, &columns);
    let philosophers = example("philosophers_fair.pml");
    let peterson = example("peterson.pml");
    for walks in ["1e2", "1e3", "1e4", "1e5", "1e6", "1e7"] {
        let mut cells = vec![walks.to_owned()];
        let rounds = ["--ltl", "no_deadlock", "-DN=12", "--walks", walks];
        let small = ["--safety", "--walks", walks];
        for (model, options) in [(&philosophers, &rounds[..]), (&peterson, &small[..])] {
            if options.contains(&"-DN=12") && matches!(walks, "1e5" | "1e6" | "1e7") {
                cells.extend(["-".to_owned(), "-".to_owned()]);
                continue;
            }
            match walk(lariat, model, options) {
                Ok((_, usage)) => {
                    cells.push(mebibytes(usage.rss as f64));
                    cells.push(seconds(usage.cpu.as_secs_f64()));
                }
                Err(reason) => {
                    report
                        .failures
                        .push(format!("memory, {walks} walks: {reason}"));
                    cells.extend(["-".to_owned(), "-".to_owned()]);
                }
            }
        }
        table.rows.push(cells);
    }
    report.tables.push(table);
}
