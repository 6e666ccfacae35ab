//! Bounded tables compared with the best fixed probability: the first part.

use super::run::{Outcome, Plain, Runner};
use super::subjects::Subject;
use super::{Setting, median, times};
use crate::bench::report::{Progress, Report, Table, seconds, thousands};
use crate::bench::statistics::{geometric_mean, time_ratio};
use std::time::Duration;

/// The sizes of tables, as parts of the states.
const TABLES: [f64; 8] = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
const DYNAMIC: [f64; 6] = [0.9, 0.75, 0.5, 0.3, 0.1, 0.05];
const STATIC: [f64; 6] = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5];
/// Searches may take so many times as long as the plain one.
pub const LONGEST: f64 = 20.0;

/// Runs of the same kind that differ in their seeds.
#[derive(Clone, Debug)]
pub struct Runs(Vec<Outcome>);

impl Runs {
    /// The work of both searches, relative to a search that keeps all states: visits a state. `None` if a run did not
    /// end.
    pub fn work(&self, plain: &Plain) -> Option<f64> {
        let steps = median(&self.0, |run| run.storing.steps as f64);
        self.are_decided()
            .then(|| steps / plain.steps.max(1) as f64)
    }

    fn are_decided(&self) -> bool {
        self.0.iter().all(Outcome::is_decided)
    }

    fn cpu(&self) -> f64 {
        median(&self.0, |run| run.cpu)
    }

    /// The most states in a table of any run.
    fn peak(&self) -> u64 {
        let peaks = self.0.iter().map(|run| run.storing.peak);
        peaks.max().unwrap_or(0)
    }
}

/// A rule with a probability.
#[derive(Clone, Debug)]
struct Fixed {
    rule: String,
    runs: Runs,
}

/// A table of bounded size.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its states.
    pub bound: u64,
    auto: Runs,
    /// The fixed probability with the fewest visits.
    fixed: Option<Fixed>,
    /// The CPU seconds of the one that took the least of them.
    fastest: Option<f64>,
}

/// The results of a model.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The model.
    pub subject: Subject,
    /// Its plain search.
    pub plain: Plain,
    /// The tables, the large ones first.
    pub points: Vec<Point>,
    /// How many fixed probabilities ended, and the smallest of their tables.
    fixed: (usize, Option<u64>),
}

impl Point {
    /// The work with `sample:auto`.
    pub fn auto_work(&self, plain: &Plain) -> Option<f64> {
        self.auto.work(plain)
    }

    /// The work with the best fixed probability.
    pub fn fixed_work(&self, plain: &Plain) -> Option<f64> {
        self.fixed.as_ref()?.runs.work(plain)
    }

    /// The time of `sample:auto` relative to that of the best fixed probability.
    fn ratio(&self) -> Option<f64> {
        let fixed = self.fixed.as_ref()?;
        let both = self.auto.are_decided() && fixed.runs.are_decided();
        both.then(|| time_ratio(self.auto.cpu(), fixed.runs.cpu()))
    }

    /// The same relative to the fastest one. This favours the fixed one: it is the best of several measurements.
    fn ratio_to_fastest(&self) -> Option<f64> {
        let fastest = self.fastest?;
        let ends = self.auto.are_decided();
        ends.then(|| time_ratio(self.auto.cpu(), fastest))
    }
}

/// Measures all models; adds two tables to the report.
pub fn measure(
    runner: &Runner,
    subjects: &[Subject],
    setting: &Setting,
    report: &mut Report,
) -> Vec<Swept> {
    let mut progress = Progress::new(subjects.len());
    let mut all = Vec::new();
    for subject in subjects {
        progress.step(subject.name, "bounded tables");
        match sweep(runner, subject, setting.seeds) {
            Ok(swept) => {
                progress.done(subject.name, &summary(&swept));
                all.push(swept);
            }
            Err(reason) => {
                progress.done(subject.name, &reason);
                report.failures.push(format!("{}: {reason}", subject.name));
            }
        }
    }
    report.tables.push(models_table(&all));
    report.tables.push(tables_table(&all));
    report.failures.extend(defects(&all));
    all
}

fn sweep(runner: &Runner, subject: &Subject, seeds: u64) -> Result<Swept, String> {
    let plain = Plain::measure(runner, subject, &[], seeds)?;
    let limit = limit(&plain);
    let runs = |store: &str, more: &[String]| {
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            let mut options = vec![format!("--store={store}"), format!("--seed={seed}")];
            options.push("--order=model".into());
            options.extend_from_slice(more);
            let run = runner.run(subject, &options, limit)?;
            let is_decided = run.is_decided();
            runs.push(run);
            // One that takes too long does so with other seeds as well.
            if !is_decided {
                break;
            }
        }
        Ok::<Runs, String>(Runs(runs))
    };
    let mut fixed = Vec::new();
    for (kind, probabilities) in [("dynamic", DYNAMIC), ("static", STATIC)] {
        for probability in probabilities {
            let rule = format!("{kind} {probability}");
            let runs = runs(&format!("sample:{kind}:{probability}"), &[])?;
            let ends = runs.are_decided();
            fixed.push(Fixed { rule, runs });
            // Smaller probabilities store less, and take longer.
            if !ends {
                break;
            }
        }
    }
    let mut points = Vec::new();
    for bound in bounds(&plain) {
        let auto = runs("sample:auto", &[format!("--max-states={bound}")])?;
        points.push(Point {
            bound,
            auto,
            fixed: best(&fixed, bound, |fixed| fixed.runs.work(&plain)).cloned(),
            fastest: best(&fixed, bound, |fixed| Some(fixed.runs.cpu())).map(|f| f.runs.cpu()),
        });
    }
    let ended = fixed.iter().filter(|fixed| fixed.runs.are_decided());
    let peaks = ended.clone().map(|fixed| fixed.runs.peak());
    Ok(Swept {
        subject: *subject,
        plain,
        points,
        fixed: (ended.count(), peaks.min()),
    })
}

/// The sizes of tables: some parts of the states, as far as the stack fits and the search is expected to end, and the
/// smallest such table.
fn bounds(plain: &Plain) -> Vec<u64> {
    let states = plain.states() as f64;
    let least = (1.05 * plain.outcome.depth as f64).max(0.7 * plain.limit() * states);
    let wanted = TABLES.map(|part| part * states);
    let mut bounds: Vec<u64> = wanted.iter().map(|&size| size as u64).collect();
    bounds.retain(|&bound| bound as f64 > 1.02 * least);
    if least < TABLES[0] * states {
        bounds.push(least.ceil() as u64);
    }
    bounds
}

/// The rule with the lowest value of some measure, of those that ended and whose tables are small enough.
fn best(fixed: &[Fixed], bound: u64, of: impl Fn(&Fixed) -> Option<f64>) -> Option<&Fixed> {
    let fit = |fixed: &&Fixed| fixed.runs.are_decided() && fixed.runs.peak() <= bound;
    let costs = fixed.iter().filter(fit);
    let costs = costs.filter_map(|fixed| Some((of(fixed)?, fixed)));
    let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, fixed)| fixed)
}

fn summary(swept: &Swept) -> String {
    let last = swept.points.last();
    let work = last.and_then(|point| point.auto_work(&swept.plain));
    let worst = swept
        .points
        .iter()
        .filter_map(Point::ratio)
        .fold(0.0, f64::max);
    format!(
        "{} states, work {} in the smallest table, at most {worst:.2} times the time of a fixed probability",
        thousands(swept.plain.states()),
        times(work, LONGEST)
    )
}

const MODELS: &str = "One worker, all states kept in the compressed store; median of the rounds. k is the number of edges of a \
    state; a search that stores any states needs about 1 - 1/k of them; the stack is part of the table. Of the 12 fixed rules, \
    those with smaller probabilities are left out once one took too long.";

fn models_table(all: &[Swept]) -> Table {
    let columns = [
        "model",
        "language",
        "checked",
        "verdict",
        "states",
        "k",
        "1 - 1/k",
        "stack",
        "CPU s",
        "MB",
        "fixed rules that ended",
        "their least table",
    ];
    let mut table = Table::new("Models", MODELS, &columns);
    for swept in all {
        let Swept { subject, plain, .. } = swept;
        let outcome = &plain.outcome;
        let (ended, least) = swept.fixed;
        let part = |peak: u64| format!("{:.2}", peak as f64 / plain.states() as f64);
        table.rows.push(vec![
            subject.name.into(),
            subject.language().into(),
            subject.property.name().into(),
            outcome.verdict.clone(),
            thousands(plain.states()),
            format!("{:.2}", plain.visitation),
            format!("{:.2}", plain.limit()),
            format!("{:.2}", outcome.depth as f64 / plain.states() as f64),
            seconds(outcome.cpu),
            format!("{:.1}", outcome.memory as f64 / 1e6),
            ended.to_string(),
            least.map_or_else(|| "-".into(), part),
        ]);
    }
    table
}

const BOUNDED: &str = "B is the number of states that the table may have, S that of the model; the last B of a model is the \
    larger one of 1.05 times the stack and 0.7 (1 - 1/k) S. Visits: edges that the search has looked at, against a search \
    that keeps all states. The fixed rule is the one with the fewest visits of 12 whose tables had at most B states; the fastest one is that of \
    them with the least CPU time. Medians over seeds; the peak is the largest. Times are CPU seconds.";

fn tables_table(all: &[Swept]) -> Table {
    let columns = [
        "model",
        "B/S",
        "peak/B",
        "verdict",
        "visits",
        "CPU s",
        "fixed rule",
        "visits, fixed",
        "CPU s, fixed",
        "auto/fixed time",
        "auto/fastest time",
    ];
    let mut table = Table::new("Tables of bounded size", BOUNDED, &columns);
    for swept in all {
        for point in &swept.points {
            table.rows.push(row(swept, point));
        }
    }
    table.notes = notes(all);
    table
}

fn row(swept: &Swept, point: &Point) -> Vec<String> {
    let plain = &swept.plain;
    let bound = point.bound as f64;
    let verdict = match point.auto.are_decided() {
        true if is_right(swept, &point.auto) => "right",
        true => "WRONG",
        false => "none",
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let fixed = point.fixed.as_ref();
    vec![
        swept.subject.name.into(),
        format!("{:.2}", bound / plain.states() as f64),
        format!("{:.3}", point.auto.peak() as f64 / bound),
        verdict.into(),
        times(point.auto_work(plain), LONGEST),
        seconds(point.auto.cpu()),
        or_none(fixed.map(|fixed| fixed.rule.clone())),
        or_none(point.fixed_work(plain).map(|work| format!("{work:.2}"))),
        or_none(fixed.map(|fixed| seconds(fixed.runs.cpu()))),
        or_none(point.ratio().map(|ratio| format!("{ratio:.2}"))),
        or_none(point.ratio_to_fastest().map(|ratio| format!("{ratio:.2}"))),
    ]
}

fn is_right(swept: &Swept, runs: &Runs) -> bool {
    let verdict = &swept.plain.outcome.verdict;
    runs.0.iter().all(|run| run.verdict == *verdict)
}

/// What the tables show, in numbers.
fn notes(all: &[Swept]) -> Vec<String> {
    let points: Vec<(&Swept, &Point)> = all
        .iter()
        .flat_map(|swept| swept.points.iter().map(move |point| (swept, point)))
        .collect();
    let runs: usize = points.iter().map(|(_, point)| point.auto.0.len()).sum();
    let over = points.iter().filter(|(_, p)| p.auto.peak() > p.bound);
    let open = points.iter().filter(|(_, p)| !p.auto.are_decided());
    let alone = points.iter().filter(|(_, p)| p.fixed.is_none()).count();
    let mut notes = vec![
        format!(
            "sample:auto: {runs} runs, {} tables; peaks above B: {}; tables with a run that did not end: {}",
            points.len(),
            over.count(),
            open.count()
        ),
        format!("tables that none of the fixed rules fitted in: {alone}"),
    ];
    let by_visits = points
        .iter()
        .filter_map(|(swept, point)| Some((point.ratio()?, swept.subject.name)));
    notes.extend(compared("with the fewest visits", by_visits.collect()));
    let by_time = points
        .iter()
        .filter_map(|(swept, point)| Some((point.ratio_to_fastest()?, swept.subject.name)));
    notes.extend(compared("that was fastest", by_time.collect()));
    notes
}

/// How the times compare with those of a fixed rule, if there are any.
fn compared(which: &str, ratios: Vec<(f64, &str)>) -> Option<String> {
    let mean = geometric_mean(ratios.iter().map(|(ratio, _)| *ratio))?;
    let (highest, name) = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let above = |limit: f64| ratios.iter().filter(|(ratio, _)| *ratio > limit).count();
    Some(format!(
        "time of sample:auto over that of the fixed rule {which}: geometric mean {mean:.2}, highest {highest:.2} ({name}), \
         above 1 in {} of {} tables, above 1.1 in {}",
        above(1.0),
        ratios.len(),
        above(1.1)
    ))
}

/// All violations of what must hold.
fn defects(all: &[Swept]) -> Vec<String> {
    let mut defects = Vec::new();
    for swept in all {
        let name = swept.subject.name;
        for point in &swept.points {
            if point.auto.peak() > point.bound {
                let (peak, bound) = (point.auto.peak(), point.bound);
                defects.push(format!("{name}: {peak} states in a table of {bound}"));
            }
            for runs in [Some(&point.auto), point.fixed.as_ref().map(|f| &f.runs)] {
                let Some(runs) = runs else { continue };
                if runs.are_decided() && !is_right(swept, runs) {
                    defects.push(format!("{name}: wrong verdict, B = {}", point.bound));
                }
            }
        }
    }
    defects
}

/// The time limit of a search that may take this many times as long as the plain one.
pub fn limit(plain: &Plain) -> Duration {
    plain.times(LONGEST, 5.0)
}

#[cfg(test)]
mod tests {
    use super::super::run::Storing;
    use super::*;

    fn outcome(verdict: &str, peak: u64, steps: u64) -> Outcome {
        Outcome {
            verdict: verdict.into(),
            states: 1000,
            depth: 100,
            memory: 1,
            cpu: 1.0,
            wall: 1.0,
            storing: Storing {
                peak,
                visits: 0,
                steps,
                visitation: 2.0,
            },
        }
    }

    fn plain() -> Plain {
        Plain {
            outcome: outcome("holds", 0, 0),
            visitation: 2.0,
            steps: 2000,
        }
    }

    fn fixed(rule: &str, verdict: &str, peak: u64, steps: u64) -> Fixed {
        Fixed {
            rule: rule.into(),
            runs: Runs(vec![outcome(verdict, peak, steps)]),
        }
    }

    #[test]
    fn tables_end_at_the_smallest_that_may_do() {
        assert_eq!(bounds(&plain()), [950, 900, 800, 700, 600, 500, 400, 350]);
        let mut deep = plain();
        deep.outcome.depth = 700;
        assert_eq!(bounds(&deep), [950, 900, 800, 735]);
        deep.outcome.depth = 1000;
        assert!(bounds(&deep).is_empty());
    }

    #[test]
    fn comparisons_name_the_worst_model() {
        let text = compared("a", vec![(0.5, "x"), (2.0, "y")]).unwrap();
        let end = "rule a: geometric mean 1.00, highest 2.00 (y), above 1 in 1 of 2 tables, above 1.1 in 1";
        assert!(text.ends_with(end), "{text}");
        assert_eq!(compared("a", Vec::new()), None);
    }

    #[test]
    fn the_best_rule_fits_and_ends() {
        let rules = [
            fixed("large", "holds", 900, 2100),
            fixed("slow", "holds", 700, 9000),
            fixed("quick", "holds", 700, 4000),
            fixed("never", "exhausted", 100, 10),
        ];
        let work = |fixed: &Fixed| fixed.runs.work(&plain());
        let name = |bound| best(&rules, bound, work).map(|fixed| fixed.rule.as_str());
        assert_eq!(name(950), Some("large"));
        assert_eq!(name(800), Some("quick"));
        assert_eq!(name(600), None);
    }
}
