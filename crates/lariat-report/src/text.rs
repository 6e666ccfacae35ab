//! Reports and trails as text.

use std::fmt::Write;

use lariat_check::outcome::{
    Coverage, Evidence, Method, Outcome, ProofKind, RunsMade, Verdict, Violation,
};
use lariat_ir::space::Fairness;
use lariat_search::{
    Cycles, Estimated, RandomizedStoring, SearchId, Stop, StoreClass, StoreKind, Storing,
    StoringRule, WalkConclusion, Walked,
};

use crate::convert;
use crate::omission::omission_claim;
use crate::wrap::wrapped;

/// The decoration of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// The width of the terminal; nothing if it is none, so that lines may have any length.
    pub width: Option<usize>,
}

impl Style {
    pub(crate) fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn verdict(self, verdict: &Verdict) -> String {
        let code = match verdict {
            Verdict::Holds(_) => "1;32",
            Verdict::Violated(_) => "1;31",
            Verdict::NoViolationFound(_) | Verdict::Exhausted(_) => "1;33",
        };
        self.paint(code, verdict.word())
    }
}

/// The largest number of lines of unreached statements in a summary.
const MAX_UNREACHED: usize = 20;

/// The summary of an outcome for a model in a file.
pub fn summary(file: &str, outcome: &Outcome, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{file}: {} {}{}",
        outcome.property.title,
        style.verdict(&outcome.verdict),
        under_fairness(outcome.fairness),
    );
    let _ = writeln!(out, "  {}", guarantee(outcome));
    violations(outcome.verdict.violations(), style, &mut out);
    match &outcome.walks {
        Some(walks) => walks_summary(walks, outcome, style, &mut out),
        None => states_summary(outcome, &mut out),
    }
    if let Some(count @ 1..) = outcome.ran.interpreted_locations {
        let _ = writeln!(
            out,
            "  nothing was compared at {}: there is no machine code for it",
            plural(count, "location"),
        );
    }
    if let (Some(rule), Some(storing)) = (rule(outcome), &outcome.statistics.storing) {
        storing_summary(rule, storing, &mut out);
    }
    if let Some(runs) = &outcome.runs {
        runs_summary(runs, &mut out);
    }
    if let Some(automaton) = &outcome.automaton {
        let sets = match automaton.sets {
            0 | 1 => String::new(),
            n => format!(", {n} acceptance sets"),
        };
        let _ = writeln!(
            out,
            "  property automaton with {}{sets} ({}), search {}",
            plural(automaton.states, "state"),
            convert::strength(automaton.strength),
            outcome.ran.method.name(),
        );
    }
    unreached(outcome, &mut out);
    wrapped(&out, style.width)
}

/// The properties that were not checked.
pub fn unchecked(list: &[String], style: Style) -> String {
    match list.is_empty() {
        true => String::new(),
        false => {
            let text = format!("\n  {} {}\n", style.bold("not checked:"), list.join(", "));
            wrapped(&text, style.width)
        }
    }
}

fn violations(all: &[Violation], style: Style, out: &mut String) {
    for (index, violation) in all.iter().enumerate() {
        let is_same = |other: &&Violation| other.text == violation.text;
        if all[..index].iter().any(|other| is_same(&other)) {
            continue;
        }
        let place = match &violation.text.statement {
            Some(s) => format!(" ({}, {}:{})", s.process, s.file, s.line),
            None => String::new(),
        };
        let same = all.iter().filter(is_same);
        let times = match same.map(|violation| violation.occurrences).sum() {
            1 => String::new(),
            n => format!(", seen {} times", number(n)),
        };
        let message = style.bold(&violation.text.message);
        let _ = writeln!(out, "  {message}{place}{times}");
    }
}

/// The counts of a search, its memory and its time.
fn states_summary(outcome: &Outcome, out: &mut String) {
    if outcome.ran.method == Method::None {
        return;
    }
    let statistics = &outcome.statistics;
    let seconds = statistics.elapsed.as_secs_f64();
    let stored = match statistics.storing {
        Some(_) => "visits",
        None => "stored",
    };
    let _ = writeln!(
        out,
        "\n  states   {} {stored}, {} matched: {}, {}, depth {}",
        number(statistics.states_stored),
        number(statistics.states_matched),
        plural(statistics.transitions(), "transition"),
        plural(statistics.internal_steps, "atomic step"),
        number(statistics.max_depth),
    );
    let (mut each, mut rate) = (String::new(), String::new());
    if statistics.states_stored > 0 {
        each = format!(
            ", {:.0} bytes a state",
            convert::bytes_per_state(statistics)
        );
        let states = statistics.states_stored as f64 / seconds.max(1e-9);
        rate = format!(", {} states a second", number(states as u64));
    }
    let memory = bytes(statistics.memory_bytes);
    let _ = writeln!(out, "  memory   {memory}{each}");
    if let Some(spilled) = statistics.spilled {
        let (written, peak) = (bytes(spilled.written), bytes(spilled.peak));
        let _ = writeln!(
            out,
            "  disk     {written} written, at most {peak} at a time"
        );
    }
    let _ = writeln!(out, "  time     {seconds:.2} s{rate}");
}

/// The statistics of random walks.
fn walks_summary(walks: &Walked, outcome: &Outcome, style: Style, out: &mut String) {
    let tally = &walks.sampled.tally;
    if let Some(estimate) = &walks.estimate {
        estimate_summary(estimate, tally.cut > 0, style, out);
    }
    if let Some(epsilon) = walks.ruled_out {
        let _ = writeln!(
            out,
            "  a random lasso violates it with a probability below {}, at the confidence 1 - --delta",
            probability(epsilon),
        );
    }
    let mut kinds = vec![format!("{} violating", number(tally.violations))];
    for (count, words) in [
        (tally.rejecting, "not"),
        (tally.dead, "ended before a cycle"),
        (tally.cut, "cut"),
    ] {
        if count > 0 {
            kinds.push(format!("{} {words}", number(count)));
        }
    }
    let planned = match walks.planned {
        Some(planned) if planned > tally.walks && tally.violations == 0 => {
            format!(" of {} planned", number(planned))
        }
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "\n  walks    {}{planned}: {}; {}, seed {}",
        number(tally.walks),
        kinds.join(", "),
        convert::sampling_name(walks, outcome.ran.method),
        walks.task.options.seed,
    );
    let _ = writeln!(
        out,
        "  steps    {}: {:.1} a walk, {} in the longest",
        number(tally.steps),
        tally.mean_length(),
        number(tally.longest),
    );
    let statistics = &outcome.statistics;
    let _ = writeln!(out, "  memory   {}", bytes(statistics.memory_bytes));
    let _ = writeln!(
        out,
        "  time     {:.2} s, {} steps a second",
        statistics.elapsed.as_secs_f64(),
        number(convert::steps_per_second(walks) as u64),
    );
}

fn estimate_summary(estimate: &Estimated, is_cut: bool, style: Style, out: &mut String) {
    let [low, high] = estimate.interval;
    let (low, high) = (probability(low), probability(high));
    let text = match estimate.value {
        Some(value) => format!(
            "the probability of a violation is {}\n  with a relative error of at most {} %, except with probability {} ({}); the mean of the walks is {}",
            probability(value),
            probability(100.0 * estimate.epsilon),
            probability(estimate.delta),
            estimate.method.word(),
            probability(estimate.mean),
        ),
        None if is_cut => format!(
            "the probability of a violation cannot be estimated, because walks were cut\n  it is between {low} and {high}, except with probability {}",
            probability(estimate.delta),
        ),
        None => format!(
            "the walks ended before the estimate of the probability of a violation was complete\n  it is between {low} and {high}, except with probability {}; the mean of the walks is {}",
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

/// A probability with four significant digits.
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

/// The statistics of a search that removes states.
fn storing_summary(rule: RandomizedStoring, storing: &Storing, out: &mut String) {
    let about = if storing.exact { "" } else { "about " };
    let _ = writeln!(
        out,
        "  kept     {} states at the peak, {} at the end, of {about}{}: {:.0} % saved",
        number(storing.peak_states),
        number(storing.states_at_end),
        number(storing.distinct as u64),
        100.0 * storing.saving(),
    );
    let _ = writeln!(
        out,
        "  visits   {:.2} a state, {} removed when left, {} replaced",
        storing.overhead(),
        number(storing.deletions),
        number(storing.evictions),
    );
    let _ = writeln!(out, "           {}", histogram(&storing.visits));
    let _ = writeln!(
        out,
        "  rule     {}, seed {}; {:.2} edges a state",
        rule.rule, rule.seed, storing.visitation,
    );
    if let Some(forecast) = storing
        .forecast
        .filter(|forecast| forecast.feasible.is_finite())
    {
        let _ = writeln!(
            out,
            "  forecast this table suffices for about {} states; {:.1} recent visits for each new state",
            number(forecast.feasible as u64),
            forecast.work,
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

fn runs_summary(runs: &RunsMade, out: &mut String) {
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

/// The fairness assumption of a verdict, if there is one.
fn under_fairness(fairness: Fairness) -> String {
    match fairness {
        Fairness::None => String::new(),
        kind => format!(" under {} fairness", kind.word()),
    }
}

/// A number with its noun.
pub fn plural(n: u64, thing: &str) -> String {
    match n {
        1 => format!("1 {thing}"),
        n => format!("{} {thing}s", number(n)),
    }
}

fn unreached(outcome: &Outcome, out: &mut String) {
    // Most models intend that a process does not end.
    let statements: Vec<_> = outcome
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

/// The guarantee of a verdict, in a sentence.
pub fn guarantee(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Holds(proof) => match proof.kind() {
            ProofKind::EveryStateVisited => "proof: every reachable state was visited".into(),
            ProofKind::NoRunCanViolate => {
                "proof: no run can violate this property, whatever the model does".into()
            }
        },
        Verdict::Violated(violations) => {
            let mut text = String::from("counterexample, replayed step by step");
            if violations.shortest {
                let lasso = violations
                    .list()
                    .iter()
                    .any(|v| v.trace().loop_start.is_some());
                text.push_str(match outcome.automaton {
                    None => "; none of its kind takes fewer transitions",
                    Some(_) if lasso => {
                        ";\n  no lasso of the product with the property automaton is shorter"
                    }
                    Some(_) => "; the property automaton recognises no shorter one",
                });
            }
            if violations.complete {
                text.push_str("; every reachable state was visited");
            }
            text
        }
        Verdict::NoViolationFound(Evidence::Walks(claim)) => hypothesis_test(claim, outcome),
        Verdict::NoViolationFound(Evidence::Search(claim)) => omission_claim(claim),
        Verdict::Exhausted(coverage) => partial_coverage(coverage, outcome),
    }
}

/// The reason for the end of a search.
pub(crate) fn stopped_by(stop: Stop) -> &'static str {
    match stop {
        Stop::Memory => "the memory limit was reached",
        Stop::Time => "the time limit was reached",
        Stop::States => "the limit on states was reached",
        Stop::Thrashing => "the table is too small for this model",
        Stop::DiskFull => "the disk for waiting states is full",
        Stop::DiskLimit => "the limit on waiting states on disk was reached",
        Stop::DiskError => "waiting states could not be written to disk or read from it",
        Stop::Interrupted => "it was interrupted",
        Stop::Complete | Stop::Fault => "it was complete",
    }
}

fn partial_coverage(coverage: &Coverage, outcome: &Outcome) -> String {
    if coverage.unreplayed {
        return unreplayed(coverage.stopped_by, outcome);
    }
    let why = stopped_by(coverage.stopped_by);
    let mut text = match outcome.ran.method {
        Method::None => format!("not a proof: {why} before the search began"),
        _ => format!("not a proof: the search ended early because {why}"),
    };
    match coverage.stopped_by {
        Stop::Thrashing => text.push_str(&too_small(outcome)),
        Stop::Memory | Stop::States => text.push_str(no_room(outcome)),
        _ if outcome.walks.is_some() => text.push_str(
            ";\n  no walk was completed; --max-length cuts walks, and then bounds the probability of errors up to that length",
        ),
        _ => {}
    }
    if let Some(depth @ 1..) = coverage.complete_depth {
        let _ = write!(
            text,
            ";\n  no error within {} of the start (an atomic sequence is one step)",
            plural(depth, "step")
        );
    }
    if let Some(advice) = advice(coverage.stopped_by, outcome) {
        let _ = write!(text, ";\n  to get further: {advice}");
    }
    text
}

/// Something was found that was not replayed.
fn unreplayed(stop: Stop, outcome: &Outcome) -> String {
    let mut text = format!(
        "neither a proof nor a counterexample: the search found one that was not replayed to its end because {}",
        stopped_by(stop)
    );
    let more = match stop {
        Stop::Memory => "more --memory",
        Stop::Time => "more --time",
        _ => return text,
    };
    let _ = write!(text, ";\n  to get further: {more}");
    if matches!(outcome.ran.method, Method::Search(search, _) if search == SearchId::Dfs) {
        text.push_str(", or --search bfs, which finds short ones");
    }
    text
}

/// What to try after a limit was reached; nothing that would be refused under the same fairness.
fn advice(stop: Stop, outcome: &Outcome) -> Option<String> {
    let keeps = matches!(
        outcome.ran.method,
        Method::Search(_, Some(StoreKind::Keep(_)))
    );
    let is_fair = outcome.fairness != Fairness::None;
    match stop {
        Stop::DiskFull => {
            return Some("--spill with a directory on a larger disk, or more --memory".into());
        }
        Stop::DiskLimit => {
            return Some("a larger SIZE in --spill DIR:SIZE, or more --memory".into());
        }
        _ => {}
    }
    let limit = match stop {
        Stop::Memory => "--memory",
        Stop::Time => "--time",
        Stop::States => "--max-states",
        _ => return None,
    };
    // The report on random walks contains this advice.
    if outcome.walks.is_some() {
        return None;
    }
    // A search for cycles that cannot remove states may have been asked for.
    let needs_ndfs = matches!(outcome.ran.method, Method::Search(search, _)
        if search.info().cycles > Cycles::None && search.info().stores == [StoreClass::Keeping]);
    let others = match (keeps, is_fair, stop) {
        (_, true, _) => ", or --search monte-carlo without --fair",
        (true, false, Stop::Memory) if needs_ndfs => {
            ", --search ndfs --store sample:auto, or --search monte-carlo"
        }
        (true, false, Stop::Memory) => ", --store sample:auto, or --search monte-carlo",
        _ => ", or --search monte-carlo",
    };
    Some(format!("more {limit}{others}"))
}

/// The conclusion from random walks without a violation.
fn hypothesis_test(claim: &WalkConclusion, outcome: &Outcome) -> String {
    let found = match claim.violations {
        0 => "none of them violates it".to_string(),
        n => format!("{} of them violate it", number(n)),
    };
    let thing = match outcome.ran.method {
        Method::ChainRuns => "run",
        _ => "lasso",
    };
    let mut text = format!(
        "not a proof: {} {} drawn, and {found}",
        plural(claim.walks, &format!("random {thing}")),
        if claim.walks == 1 { "was" } else { "were" },
    );
    let options = outcome.walks.as_ref().map(|walks| walks.task.options);
    let limit = options.map_or(0, |options| options.max_length);
    if claim.unknown > 0 {
        let _ = write!(
            text,
            ";\n  {} were cut, because of the limit of {} steps, of memory or of a very long step, and are counted as violations (see --max-length)",
            number(claim.unknown),
            number(limit),
        );
    }
    let few = match claim.violations {
        0 => "none".to_string(),
        n => format!("at most {}", number(n)),
    };
    let mut rule_out = |where_: &str, epsilon: f64| {
        let _ = write!(
            text,
            ";\n  if a random {thing} violated it{where_} with a probability of {} or more,\n  the probability of drawing {few} that does would be at most {}",
            probability(epsilon),
            probability(claim.delta),
        );
    };
    match claim.within_limit {
        Some(within) => {
            rule_out(&format!(" in fewer than {} steps", number(limit)), within);
            if claim.epsilon < 1.0 {
                rule_out("", claim.epsilon);
            }
        }
        None if claim.epsilon >= 1.0 => text.push_str(";\n  so nothing is ruled out"),
        None => rule_out("", claim.epsilon),
    }
    if let Some(options) = options {
        let distribution = convert::distribution(&options, outcome.ran.method);
        let _ = write!(text, "\n  {thing}s: {distribution}");
    }
    let stop = outcome.walks.as_ref().map(|walks| walks.sampled.stop);
    if let Some(stop) = stop.filter(|stop| !matches!(stop, Stop::Complete | Stop::Fault)) {
        let _ = write!(text, "\n  no more were drawn because {}", stopped_by(stop));
    }
    text
}

/// The rule by which states were removed, if any were.
fn rule(outcome: &Outcome) -> Option<RandomizedStoring> {
    match outcome.ran.method {
        Method::Search(_, Some(StoreKind::Forget(rule))) => Some(rule),
        _ => None,
    }
}

/// The advice about a table that is too small.
fn too_small(outcome: &Outcome) -> String {
    let (Some(rule), Some(storing)) = (rule(outcome), &outcome.statistics.storing) else {
        return String::new();
    };
    let advice = match rule.rule {
        StoringRule::Auto => "increase --memory, or set --time to continue for that long",
        _ => {
            "--store sample:auto needs less; or increase the table, or set --time to continue for that long"
        }
    };
    format!(
        ";\n  {} states were visited so far, with {:.1} edges each, and more are expected; the table holds {};\n  {advice}",
        number(storing.distinct as u64),
        storing.visitation,
        number(storing.peak_states),
    )
}

/// What fills a table that replaces states.
fn no_room(outcome: &Outcome) -> &'static str {
    match rule(outcome).map(|rule| rule.rule) {
        Some(StoringRule::Auto | StoringRule::Cache(_)) => {
            ";\n  the states on the stack fill the table, and none of them can be removed"
        }
        _ => "",
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
