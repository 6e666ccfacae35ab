//! Reports and trails as people read them.

use std::fmt::Write;

use crate::outcome::{
    EstimateResult, Guarantee, PropertyResult, Report, RunsResult, SamplingResult, StoppedBy,
    StoringResult, Verdict, Violation,
};
use crate::trail::{Trail, TrailStep};

/// How text is decorated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub color: bool,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn verdict(self, verdict: Verdict) -> String {
        let code = match verdict {
            Verdict::Holds => "1;32",
            Verdict::Violated => "1;31",
            Verdict::NoViolationFound | Verdict::Exhausted => "1;33",
        };
        self.paint(code, verdict.word())
    }
}

/// The most lines of unreached statements in a summary.
const MAX_UNREACHED: usize = 20;

/// The summary of a run.
pub fn summary(report: &Report, style: Style) -> String {
    let mut out = String::new();
    for (index, result) in report.results.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        result_summary(report, result, style, &mut out);
    }
    if !report.unchecked.is_empty() {
        let list = report.unchecked.join(", ");
        let _ = writeln!(out, "  {} {list}", style.bold("not checked:"));
    }
    out
}

fn result_summary(report: &Report, result: &PropertyResult, style: Style, out: &mut String) {
    let _ = writeln!(
        out,
        "{}: {} {}{}",
        report.model.file,
        result.property,
        style.verdict(result.verdict),
        under_fairness(&result.fairness),
    );
    let _ = writeln!(out, "  {}", guarantee(result));
    for (index, violation) in result.violations.iter().enumerate() {
        let is_same =
            |v: &&Violation| v.message == violation.message && v.statement == violation.statement;
        if result.violations[..index].iter().any(|v| is_same(&v)) {
            continue;
        }
        let place = match &violation.statement {
            Some(s) => format!(" ({}, {}:{})", s.process, s.file, s.line),
            None => String::new(),
        };
        let same = result.violations.iter().filter(is_same);
        let times = match same.map(|v| v.occurrences).sum() {
            1 => String::new(),
            n => format!(", seen {} times", number(n)),
        };
        let message = style.bold(&violation.message);
        let _ = writeln!(out, "  {message}{place}{times}");
    }
    match &result.sampling {
        Some(sampling) => sampling_summary(sampling, result, style, out),
        None => states_summary(result, out),
    }
    if let Some(storing) = &result.storing {
        storing_summary(storing, out);
    }
    if let Some(runs) = &result.runs {
        runs_summary(runs, out);
    }
    if let Some(automaton) = &result.automaton {
        let sets = match automaton.sets {
            0 | 1 => String::new(),
            n => format!(", {n} acceptance sets"),
        };
        let _ = writeln!(
            out,
            "  property automaton with {}{sets} ({}), search {}",
            plural(automaton.states, "state"),
            automaton.strength,
            result.search,
        );
    }
    unreached(result, out);
}

/// What was visited, and what it cost.
fn states_summary(result: &PropertyResult, out: &mut String) {
    let stored = match result.storing {
        Some(_) => "visits",
        None => "stored",
    };
    let _ = writeln!(
        out,
        "\n  states   {} {stored}, {} matched: {} transitions, {} atomic steps, depth {}",
        number(result.states_stored),
        number(result.states_matched),
        number(result.transitions),
        number(result.atomic_steps),
        number(result.max_depth),
    );
    let _ = writeln!(
        out,
        "  memory   {}, {:.0} bytes a state",
        bytes(result.memory_bytes),
        result.bytes_per_state,
    );
    let _ = writeln!(
        out,
        "  time     {:.2} s, {} states a second",
        result.elapsed_seconds,
        number(result.states_per_second as u64),
    );
}

/// What random walks have to tell.
fn sampling_summary(
    sampling: &SamplingResult,
    result: &PropertyResult,
    style: Style,
    out: &mut String,
) {
    if let Some(estimate) = &sampling.estimate {
        estimate_summary(estimate, sampling.cut > 0, style, out);
    }
    if let Some(epsilon) = sampling.ruled_out {
        let _ = writeln!(
            out,
            "  a random lasso violates it with a probability below {}, but for what --delta allows",
            probability(epsilon),
        );
    }
    let mut kinds = vec![format!("{} violating", number(sampling.violations))];
    for (count, words) in [
        (sampling.rejecting, "not"),
        (sampling.dead, "ended before a cycle"),
        (sampling.cut, "cut"),
    ] {
        if count > 0 {
            kinds.push(format!("{} {words}", number(count)));
        }
    }
    let planned = match sampling.planned {
        Some(planned) if planned > sampling.walks && sampling.violations == 0 => {
            format!(" of {} planned", number(planned))
        }
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "\n  walks    {}{planned}: {}; {}, seed {}",
        number(sampling.walks),
        kinds.join(", "),
        sampling.sampling,
        sampling.seed,
    );
    let _ = writeln!(
        out,
        "  steps    {}: {:.1} a walk, {} in the longest",
        number(sampling.steps),
        sampling.mean_length,
        number(sampling.longest),
    );
    let _ = writeln!(out, "  memory   {}", bytes(result.memory_bytes));
    let _ = writeln!(
        out,
        "  time     {:.2} s, {} steps a second",
        result.elapsed_seconds,
        number(sampling.steps_per_second as u64),
    );
}

fn estimate_summary(estimate: &EstimateResult, is_cut: bool, style: Style, out: &mut String) {
    let [low, high] = estimate.interval;
    let (low, high) = (probability(low), probability(high));
    let text = match estimate.value {
        Some(value) => format!(
            "a violation has the probability {}\n  within {} % of it, but for a probability of {} ({}); the mean of the walks is {}",
            probability(value),
            probability(100.0 * estimate.epsilon),
            probability(estimate.delta),
            estimate.method,
            probability(estimate.mean),
        ),
        None if is_cut => format!(
            "walks were cut, so that the probability of a violation is not known closely\n  between {low} and {high}, but for a probability of {}",
            probability(estimate.delta),
        ),
        None => format!(
            "the walks ended before the probability of a violation could be estimated as closely as was asked for\n  between {low} and {high}, but for a probability of {}; mean {}",
            probability(estimate.delta),
            probability(estimate.mean),
        ),
    };
    match text.split_once('\n') {
        Some((first, rest)) => {
            let _ = writeln!(out, "  {}\n{rest}", style.bold(first));
        }
        None => {
            let _ = writeln!(out, "  {}", style.bold(&text));
        }
    }
}

/// A probability with four digits that mean something.
pub fn probability(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
        let text = format!("{value:.3e}");
        return match text.split_once('e') {
            Some((digits, exponent)) => {
                let digits = digits.trim_end_matches('0').trim_end_matches('.');
                format!("{digits}e{exponent}")
            }
            None => text,
        };
    }
    let digits = match value.abs().log10() {
        size if size.is_finite() => (3.0 - size.floor()).max(0.0) as usize,
        _ => 0,
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// What became of the states of a search that forgets some.
fn storing_summary(storing: &StoringResult, out: &mut String) {
    let about = if storing.distinct_is_exact {
        ""
    } else {
        "about "
    };
    let _ = writeln!(
        out,
        "  kept     {} states at the peak, {} at the end, of {about}{}: {:.0} % saved",
        number(storing.peak_states),
        number(storing.states_at_end),
        number(storing.distinct_states),
        100.0 * storing.saving,
    );
    let _ = writeln!(
        out,
        "  visits   {:.2} a state, {} forgotten when left, {} to make room",
        storing.overhead,
        number(storing.deletions),
        number(storing.evictions),
    );
    let _ = writeln!(out, "           {}", histogram(&storing.visits_histogram));
    let _ = writeln!(
        out,
        "  rule     {}, seed {}; {:.2} edges a state",
        storing.rule, storing.seed, storing.visitation_factor,
    );
    if let (Some(feasible), Some(work)) = (storing.feasible_states, storing.visits_per_new_state) {
        let _ = writeln!(
            out,
            "  forecast such a table is good for about {} states; {work:.1} visits for each new state lately",
            number(feasible as u64),
        );
    }
}

/// The parts of the states that were visited once, twice and so on.
fn histogram(counts: &[u64]) -> String {
    let all: u64 = counts.iter().sum();
    let share = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
    let mut parts = Vec::new();
    // The first few numbers by themselves, then as powers of two.
    let ranges = [(1, 1), (2, 2), (3, 3), (4, 7), (8, 15)];
    for (low, high) in ranges {
        let count: u64 = counts.iter().skip(low - 1).take(high - low + 1).sum();
        let times = match (low, high) {
            (1, 1) => "once".to_string(),
            (2, 2) => "twice".to_string(),
            (low, high) if low == high => format!("{low} times"),
            (low, high) => format!("{low} to {high} times"),
        };
        if count > 0 {
            parts.push(format!("{times} {:.0} %", share(count)));
        }
    }
    let often: u64 = counts.iter().skip(15).sum();
    if often > 0 {
        parts.push(format!("more often {:.0} %", share(often)));
    }
    parts.join(", ")
}

fn runs_summary(runs: &RunsResult, out: &mut String) {
    let last = runs.seed.wrapping_add(runs.made.saturating_sub(1));
    let seeds = match runs.made {
        1 => format!("seed {last}"),
        _ => format!("seeds {} to {last}", runs.seed),
    };
    let _ = writeln!(
        out,
        "  runs     {}, {seeds}: {} found a violation, {} states in all; shown is seed {}",
        plural(runs.made, "run"),
        number(runs.successes),
        number(runs.states.iter().sum()),
        runs.best_seed,
    );
}

/// Which runs a verdict is about, if not about all.
fn under_fairness(fairness: &str) -> String {
    match fairness {
        "none" => String::new(),
        kind => format!(" under {kind} fairness"),
    }
}

/// A number of things.
pub fn plural(n: u64, thing: &str) -> String {
    match n {
        1 => format!("1 {thing}"),
        n => format!("{} {thing}s", number(n)),
    }
}

fn unreached(result: &PropertyResult, out: &mut String) {
    // That a process never ends is what most models want.
    let statements: Vec<_> = result
        .unreached
        .iter()
        .filter(|s| s.text != "-end-")
        .collect();
    if statements.is_empty() {
        return;
    }
    let _ = writeln!(out, "  never reached:");
    for statement in statements.iter().take(MAX_UNREACHED) {
        let _ = writeln!(
            out,
            "    {}:{} {} ({})",
            statement.file, statement.line, statement.text, statement.process
        );
    }
    if let Some(more) = statements.len().checked_sub(MAX_UNREACHED + 1) {
        let _ = writeln!(out, "    and {} more; --json lists all", more + 1);
    }
}

/// How far a verdict can be trusted, in a sentence.
pub fn guarantee(result: &PropertyResult) -> String {
    match &result.guarantee {
        Guarantee::Proof => "proof: every reachable state was visited".into(),
        Guarantee::ReplayedCounterexample { shortest, complete } => {
            let mut text = String::from("counterexample, replayed step by step");
            if *shortest {
                let lasso = result.violations.iter().any(|v| v.kind == "lasso");
                text.push_str(match result.automaton {
                    None => "; none of its kind takes fewer transitions",
                    Some(_) if lasso => {
                        ";\n  no lasso of the product with the property automaton is shorter"
                    }
                    Some(_) => "; the property automaton recognises no shorter one",
                });
            }
            if *complete {
                text.push_str("; every reachable state was visited");
            }
            text
        }
        Guarantee::PartialCoverage {
            stopped_by,
            complete_depth,
        } => {
            let mut text = format!(
                "not a proof: the search ended early because {}",
                stopped_by.words()
            );
            match stopped_by {
                StoppedBy::Thrashing => text.push_str(&too_small(result)),
                StoppedBy::Memory | StoppedBy::States => text.push_str(no_room(result)),
                _ if result.sampling.is_some() => text.push_str(
                    ";\n  not a single walk came to its end; with --max-length they are cut, and tell about errors up to there",
                ),
                _ => {}
            }
            if let Some(depth) = complete_depth {
                let _ = write!(
                    text,
                    ";\n  no error within {} steps of the start (an atomic sequence is one step)",
                    number(*depth)
                );
            }
            text
        }
        test @ Guarantee::HypothesisTest { .. } => hypothesis_test(test, result),
    }
}

/// What it means that random walks have found nothing.
fn hypothesis_test(test: &Guarantee, result: &PropertyResult) -> String {
    let Guarantee::HypothesisTest {
        epsilon,
        delta,
        walks,
        unknown,
        violations,
        within_limit,
        distribution,
        stopped_by,
    } = test
    else {
        return String::new();
    };
    let found = match violations {
        0 => "none of them violates it".to_string(),
        n => format!("{} of them violate it", number(*n)),
    };
    let is_chain = result
        .sampling
        .as_ref()
        .is_some_and(|s| s.sampling == "chain");
    let thing = if is_chain { "run" } else { "lasso" };
    let mut text = format!(
        "not a proof: {} {} drawn, and {found}",
        plural(*walks, &format!("random {thing}")),
        if *walks == 1 { "was" } else { "were" },
    );
    let limit = result.sampling.as_ref().map_or(0, |s| s.max_length);
    if *unknown > 0 {
        let _ = write!(
            text,
            ";\n  {} were cut, because of the limit of {} steps, of memory or of a very long step, and are counted as violations (see --max-length)",
            number(*unknown),
            number(limit),
        );
    }
    let few = match violations {
        0 => "none".to_string(),
        n => format!("at most {}", number(*n)),
    };
    let mut rule_out = |where_: &str, epsilon: f64| {
        let _ = write!(
            text,
            ";\n  if a random {thing} violated it{where_} with a probability of {} or more,\n  the probability of drawing {few} that does would be at most {}",
            probability(epsilon),
            probability(*delta),
        );
    };
    match within_limit {
        Some(within) => {
            rule_out(&format!(" within {} steps", number(limit)), *within);
            if *epsilon < 1.0 {
                rule_out("", *epsilon);
            }
        }
        None if *epsilon >= 1.0 => text.push_str(";\n  so nothing is ruled out"),
        None => rule_out("", *epsilon),
    }
    let _ = write!(text, "\n  {thing}s: {distribution}");
    if let Some(by) = stopped_by {
        let _ = write!(text, "\n  no more were drawn because {}", by.words());
    }
    text
}

/// What to do about a table that is too small.
fn too_small(result: &PropertyResult) -> String {
    let Some(storing) = &result.storing else {
        return String::new();
    };
    let advice = match storing.rule.as_str() {
        "sample:auto" => "give it more memory, or a time (--time) to go on for",
        _ => "sample:auto gets on with less; or give it more, or a time (--time) to go on for",
    };
    format!(
        ";\n  {} states were seen so far, with {:.1} edges each, and there will be more; the table holds {};\n  {advice}",
        number(storing.distinct_states),
        storing.visitation_factor,
        number(storing.peak_states),
    )
}

/// What a table that replaces states needs room for.
fn no_room(result: &PropertyResult) -> &'static str {
    let replaces = |rule: &str| rule == "sample:auto" || rule.starts_with("cache:");
    match &result.storing {
        Some(storing) if replaces(&storing.rule) => {
            ";\n  the states on the path alone fill the table, and none of them can be forgotten"
        }
        _ => "",
    }
}

/// How many steps of a long trail are shown at each end, if it is cut.
const CUT: usize = 60;

/// A trail as a table. If `cut`, the middle of a long one is left out.
pub fn trail_table(trail: &Trail, style: Style, cut: bool) -> String {
    let rows: Vec<Row> = trail.steps.iter().map(|s| Row::new(s, trail)).collect();
    let atoms = trail.claim.as_ref().map_or(0, |c| c.atoms.len());
    let values = |values: &str| match atoms {
        0 => String::new(),
        // Twice the width, as there is a space between two.
        n => format!("  {:w$}", spaced(values), w = 2 * n - 1),
    };
    let width = |column: fn(&Row) -> &str, most: usize| {
        rows.iter()
            .map(|r| column(r).chars().count())
            .max()
            .unwrap_or(0)
            .min(most)
    };
    let process = width(|r| &r.process, 24).max(7);
    let place = width(|r| &r.place, 32).max(4);
    let statement = width(|r| &r.statement, 48).max(9);
    let mut out = String::new();
    legend(trail, &mut out);
    let letters: String = (0..atoms).map(letter).collect();
    let head = format!(
        " {:>5}{}  {:process$}  {:>place$}  {:statement$}  {}",
        "step",
        values(&letters),
        "process",
        "line",
        "statement",
        "changes"
    );
    let _ = writeln!(out, "{}", style.bold(head.trim_end()));
    if let (Some(claim), true) = (&trail.claim, atoms > 0) {
        let _ = writeln!(
            out,
            " {:>5}{}  (the initial state)",
            0,
            values(&claim.values)
        );
    }
    for (index, row) in rows.iter().enumerate() {
        if cut && rows.len() > 2 * CUT && index == CUT {
            let left_out = rows.len() - 2 * CUT;
            let _ = writeln!(out, "  ... {left_out} steps left out ...");
        }
        if cut && rows.len() > 2 * CUT && (CUT..rows.len() - CUT).contains(&index) {
            continue;
        }
        if trail.loop_start == Some(index) {
            let _ = writeln!(out, "  {}", style.bold("-- the loop starts here --"));
        }
        let line = format!(
            " {:>5}{}  {:process$}  {:>place$}  {:statement$}  {}",
            index + 1,
            values(&trail.steps[index].values),
            row.process,
            row.place,
            row.statement,
            row.changes
        );
        let _ = writeln!(out, "{}", line.trim_end());
        for printed in row.output.lines() {
            let _ = writeln!(out, " {:>5}  {}", "", style.dim(&format!("| {printed}")));
        }
    }
    if let Some(start) = trail.loop_start {
        let end = if start == rows.len() {
            "-- the run has ended: it stays in this state --"
        } else {
            "-- back to the start of the loop --"
        };
        let _ = writeln!(out, "  {}", style.bold(end));
    }
    let end = match trail.steps.len() {
        0 => format!("  in the initial state: {}", trail.violation.message),
        _ => format!("  then: {}", trail.violation.message),
    };
    let _ = writeln!(out, "{}", style.paint("1;31", &end));
    for line in &trail.violation.waiting {
        let _ = writeln!(out, "    {line}");
    }
    out
}

/// What the columns of a property's conditions mean.
fn legend(trail: &Trail, out: &mut String) {
    let Some(claim) = &trail.claim else { return };
    for (index, atom) in claim.atoms.iter().enumerate() {
        let _ = writeln!(out, "  {}: {atom}", letter(index));
    }
    if !claim.atoms.is_empty() {
        out.push('\n');
    }
}

/// The letter that stands for a condition; from the 27th on they come again.
fn letter(index: usize) -> char {
    (b'a' + (index % 26) as u8) as char
}

/// Characters with spaces between them.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

struct Row {
    process: String,
    place: String,
    statement: String,
    changes: String,
    output: String,
}

impl Row {
    fn new(step: &TrailStep, trail: &Trail) -> Row {
        let place = |file: &str, line: u32| {
            if file == trail.model.file {
                line.to_string()
            } else {
                format!("{file}:{line}")
            }
        };
        let mut row = Row {
            process: format!("{}[{}]", step.process, step.pid),
            place: place(&step.file, step.line),
            statement: step.statements(),
            changes: step
                .changes
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect::<Vec<_>>()
                .join(", "),
            output: step.output.clone(),
        };
        if let Some(partner) = &step.partner {
            let _ = write!(row.process, " -> {}[{}]", partner.process, partner.pid);
            let _ = write!(row.place, " -> {}", place(&partner.file, partner.line));
        }
        row
    }
}

/// A number with groups of three digits.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// An amount of memory.
pub fn bytes(n: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} bytes");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_000), "1,000");
        assert_eq!(number(1_234_567), "1,234,567");
    }

    #[test]
    fn probabilities_have_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.125, "0.125"),
            (0.001, "0.001"),
            (0.000_999_97, "0.001"),
            (0.012_345_6, "0.01235"),
            (1.25e-7, "1.25e-7"),
            (1e-5, "1e-5"),
            (10.0, "10"),
        ] {
            assert_eq!(probability(value), text);
        }
    }

    #[test]
    fn amounts_have_units() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(5 << 30), "5.0 GiB");
    }
}
