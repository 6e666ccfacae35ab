//! `lariat ltl`: the class and the automata of a formula.

use std::fmt::Write;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use lariat_ltl::automaton::product::are_disjoint;
use lariat_ltl::automaton::{
    self, Automaton, Limits, Strength, TooLarge, dot, hoa, minimal_dfa, never,
};
use lariat_ltl::classify::{class, is_next_free, stutter_free_form};
use lariat_ltl::simplify::simplify;
use lariat_ltl::{Formula, Formulas, parse_with_atoms, print};
use lariat_report::text::plural;
use lariat_report::wrap::wrapped;

pub fn run(matches: &ArgMatches) -> u8 {
    let Some(text) = matches.get_one::<String>("formula") else {
        return super::USAGE;
    };
    if matches.get_flag("tgba") && !matches.get_flag("hoa") && !matches.get_flag("dot") {
        return super::fail("--tgba goes with --hoa or --dot");
    }
    let mut formulas = Formulas::new();
    let parsed = match parse_with_atoms(&mut formulas, text) {
        Ok(parsed) => parsed,
        Err(error) => {
            super::print_error(&format!("{}\n", error.render(text).trim_end()));
            return super::USAGE;
        }
    };
    for warning in &parsed.warnings {
        super::print_error(&format!("{}\n", warning.render(text).trim_end()));
    }
    let formula = match matches.get_flag("negate") {
        true => formulas.not(parsed.formula),
        false => parsed.formula,
    };
    let time: Option<Duration> = matches.get_one("time").copied();
    let limits = Limits {
        deadline: time.and_then(|t| Instant::now().checked_add(t)),
        ..Limits::default()
    };
    match show(matches, &mut formulas, formula, &limits) {
        Ok(text) => {
            super::print(&text);
            0
        }
        Err(why) => super::fail(&why.to_string()),
    }
}

fn show(
    matches: &ArgMatches,
    formulas: &mut Formulas,
    formula: Formula,
    limits: &Limits,
) -> Result<String, TooLarge> {
    let name = print::spin(formulas, formula);
    let automaton = |formulas: &mut Formulas| match matches.get_flag("tgba") {
        true => automaton::tgba(formulas, formula, limits),
        false => automaton::buchi(formulas, formula, limits),
    };
    if matches.get_flag("hoa") {
        return Ok(hoa::print(&automaton(formulas)?, Some(&name)));
    }
    if matches.get_flag("dot") {
        return Ok(dot::print(&automaton(formulas)?));
    }
    if matches.get_flag("never") {
        let buchi = automaton::buchi(formulas, formula, limits)?;
        return Ok(never::print(&buchi, Some(&name)));
    }
    let text = statistics(formulas, formula, limits)?;
    Ok(wrapped(&text, super::style().width))
}

/// The facts about a formula and its automata.
fn statistics(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<String, TooLarge> {
    let mut out = String::new();
    let simple = simplify(formulas, f);
    let line = |out: &mut String, what: &str, text: &str| {
        let _ = writeln!(out, "{what:<18} {text}");
    };
    line(&mut out, "formula", &print::spin(formulas, f));
    line(&mut out, "in Spot's syntax", &print::spot(formulas, f));
    line(&mut out, "simplified", &print::spin(formulas, simple));
    line(&mut out, "class", &class(formulas, simple).to_string());
    let invariant = match is_next_free(formulas, simple) {
        true => "yes (no X)",
        false => match is_stutter_invariant(formulas, simple, limits) {
            Ok(true) => "yes",
            Ok(false) => "no",
            Err(why @ (TooLarge::Time | TooLarge::Stopped)) => return Err(why),
            Err(_) => "not known: the automaton of its form without X is too large",
        },
    };
    line(&mut out, "stutter invariant", invariant);
    let buchi = automaton::buchi(formulas, f, limits)?;
    line(&mut out, "Büchi automaton", &size(&buchi));
    let general = automaton::tgba(formulas, f, limits)?;
    line(&mut out, "generalised", &size(&general));
    if let Ok(Some(dfa)) = minimal_dfa(formulas, f, limits) {
        line(&mut out, "minimal DFA", &size(&dfa));
    }
    let negated = formulas.not(f);
    let violations = automaton::buchi(formulas, negated, limits)?;
    line(&mut out, "its violations", &size(&violations));
    Ok(out)
}

fn size(automaton: &Automaton) -> String {
    let size = automaton.statistics();
    let strength = match automaton.strength() {
        Strength::Empty => "accepts nothing",
        Strength::Terminal => "terminal",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    };
    let deterministic = match automaton.is_deterministic() {
        true => ", deterministic",
        false => "",
    };
    let sets = match size.sets {
        0 | 1 => String::new(),
        n => format!(", {n} acceptance sets"),
    };
    format!(
        "{}, {}{sets}, {strength}{deterministic}",
        plural(size.states as u64, "state"),
        plural(size.edges as u64, "edge"),
    )
}

/// Whether a formula is stutter invariant: it is equivalent to its form without `X` (D. Peled, Th. Wilke,
/// "Stutter-invariant temporal properties are expressible without the next-time operator", 1997).
fn is_stutter_invariant(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
) -> Result<bool, TooLarge> {
    let g = stutter_free_form(formulas, f);
    let pair = [f, g].map(|f| (f, formulas.not(f)));
    for (one, other) in [(pair[0].0, pair[1].1), (pair[1].0, pair[0].1)] {
        let one = automaton::tgba(formulas, one, limits)?;
        let other = automaton::tgba(formulas, other, limits)?;
        if !are_disjoint(&one, &other) {
            return Ok(false);
        }
    }
    Ok(true)
}
