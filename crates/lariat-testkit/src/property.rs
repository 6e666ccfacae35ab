//! The syntax of liveness checks: the arguments of Lariat, and the `//@ check:` lines of our models.
//!
//! ```text
//! //@ check: --ltl p1 => holds
//! //@ check: --ltl p1 --fair weak => violated (spin: why its answer differs or cannot be had)
//! //@ check: --never => holds, states 33
//! ```

use std::fmt;
use std::path::Path;

/// The property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// An `ltl` block by its name.
    Ltl(String),
    /// A formula.
    Formula(String),
    /// The never claim in the model, by its name if there are several.
    Never(Option<String>),
    /// A file with a never claim, seen from the folder of the model.
    NeverFile(String),
    /// A file with an automaton, seen from the folder of the model.
    Hoa(String),
    /// The accept labels of the processes.
    Acceptance,
    /// Cycles without a progress label.
    NonProgress,
}

/// The fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fairness {
    /// All runs.
    None,
    /// Those in which no process is enabled from some point on without moving.
    Weak,
    /// Those in which no process is enabled again and again without moving.
    Strong,
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    /// The property.
    pub property: Property,
    /// The fairness.
    pub fairness: Fairness,
    /// Further arguments of Lariat, which do not change the answer.
    pub further: Vec<String>,
}

impl Check {
    /// A check without further arguments.
    pub fn new(property: Property, fairness: Fairness) -> Check {
        Check {
            property,
            fairness,
            further: Vec::new(),
        }
    }

    /// Reads arguments of Lariat.
    pub fn parse(text: &str) -> Result<Check, String> {
        let mut words = split(text)?.into_iter().peekable();
        let mut property = None;
        let mut fairness = Fairness::None;
        let mut further = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let named = match word.as_str() {
                "--ltl" => Property::Ltl(value()?),
                "--formula" => Property::Formula(value()?),
                "--hoa" => Property::Hoa(value()?),
                "--acceptance" => Property::Acceptance,
                "--non-progress" => Property::NonProgress,
                "--never" => match words.next_if(|next| !next.starts_with("--")) {
                    Some(file) if file.contains(['.', '/']) => Property::NeverFile(file),
                    name => Property::Never(name),
                },
                "--fair" => {
                    fairness = match value()?.as_str() {
                        "weak" => Fairness::Weak,
                        "strong" => Fairness::Strong,
                        other => return Err(format!("unknown fairness `{other}`")),
                    };
                    continue;
                }
                "--search" => {
                    further.extend(["--search".to_owned(), value()?]);
                    continue;
                }
                "--shortest" => {
                    further.push(word);
                    continue;
                }
                other => return Err(format!("unknown argument `{other}`")),
            };
            if property.replace(named).is_some() {
                return Err("more than one property".into());
            }
        }
        let property = property.ok_or("no property")?;
        Ok(Check {
            property,
            fairness,
            further,
        })
    }

    /// The arguments of Lariat.
    pub fn arguments(&self) -> Vec<String> {
        let words: Vec<&str> = match &self.property {
            Property::Ltl(name) => vec!["--ltl", name],
            Property::Formula(text) => vec!["--formula", text],
            Property::Never(None) => vec!["--never"],
            Property::Never(Some(name)) => vec!["--never", name],
            Property::NeverFile(file) => vec!["--never", file],
            Property::Hoa(file) => vec!["--hoa", file],
            Property::Acceptance => vec!["--acceptance"],
            Property::NonProgress => vec!["--non-progress"],
        };
        let fair = match self.fairness {
            Fairness::None => vec![],
            Fairness::Weak => vec!["--fair", "weak"],
            Fairness::Strong => vec!["--fair", "strong"],
        };
        let words = words.into_iter().chain(fair).map(str::to_owned);
        words.chain(self.further.iter().cloned()).collect()
    }

    /// The arguments of Lariat for a model, with the paths of files. Lariat checks all never claims of a model at
    /// once; [`Check::result`] selects the result.
    pub fn arguments_for(&self, model: &Path) -> Vec<String> {
        let beside = |file: &str| {
            let file = model.with_file_name(file);
            let file = std::path::absolute(&file).unwrap_or(file);
            file.to_string_lossy().into_owned()
        };
        let property = match &self.property {
            Property::NeverFile(file) => Property::NeverFile(beside(file)),
            Property::Hoa(file) => Property::Hoa(beside(file)),
            Property::Never(_) => Property::Never(None),
            other => other.clone(),
        };
        let check = Check {
            property,
            ..self.clone()
        };
        check.arguments()
    }

    /// The name of the result among several in a report of Lariat.
    pub fn result(&self) -> Option<String> {
        match &self.property {
            Property::Never(Some(name)) => Some(format!("never {name}")),
            _ => None,
        }
    }

    /// Whether both tools use the same automaton, so that the states of the product can be compared.
    pub fn same_automaton(&self) -> bool {
        let same = matches!(
            self.property,
            Property::Never(_)
                | Property::NeverFile(_)
                | Property::Acceptance
                | Property::NonProgress
        );
        same && self.fairness == Fairness::None
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.arguments().iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            let plain = word
                .chars()
                .all(|c| c.is_alphanumeric() || "-_./=".contains(c));
            match word.contains('\'') {
                _ if plain => write!(f, "{space}{word}")?,
                false => write!(f, "{space}'{word}'")?,
                true => write!(f, "{space}\"{word}\"")?,
            }
        }
        Ok(())
    }
}

/// Splits at spaces; quotes of either kind keep words together.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character.is_whitespace() {
            in_word = false;
            continue;
        }
        if !in_word {
            words.push(String::new());
            in_word = true;
        }
        let Some(word) = words.last_mut() else {
            continue;
        };
        if !matches!(character, '\'' | '"') {
            word.push(character);
            continue;
        }
        loop {
            match characters.next() {
                Some(end) if end == character => break,
                Some(inner) => word.push(inner),
                None => return Err(format!("a quote is not closed in `{text}`")),
            }
        }
    }
    Ok(words)
}

/// A `//@ check:` line: a check and its expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The check.
    pub check: Check,
    /// Whether the property holds.
    pub holds: bool,
    /// The states of the product, in a full nested depth-first search.
    pub states: Option<u64>,
    /// Why SPIN answers differently or not at all, if so.
    pub without_spin: Option<String>,
}

impl Expectation {
    /// For a check without a known answer.
    pub fn unknown(check: Check) -> Expectation {
        Expectation {
            check,
            holds: false,
            states: None,
            without_spin: None,
        }
    }

    /// Reads the value of a `check` line.
    pub fn parse(text: &str) -> Result<Expectation, String> {
        let wrong = |what: String| format!("check `{text}`: {what}");
        let (arguments, rest) = text
            .rsplit_once("=>")
            .ok_or_else(|| wrong("expected `=>` and a verdict".into()))?;
        let check = Check::parse(arguments).map_err(wrong)?;
        let (facts, without_spin) = match rest.split_once("(spin:") {
            None => (rest, None),
            Some((facts, reason)) => {
                let reason = reason.trim().strip_suffix(')');
                let reason = reason.ok_or_else(|| wrong("expected `)` at the end".into()))?;
                (facts, Some(reason.trim().to_owned()))
            }
        };
        let (verdict, states) = match facts.split_once(',') {
            None => (facts, None),
            Some((verdict, states)) => {
                let number = states.trim().strip_prefix("states ");
                let number = number.and_then(|number| number.trim().parse().ok());
                let number =
                    number.ok_or_else(|| wrong("expected `states` and a number".into()))?;
                (verdict, Some(number))
            }
        };
        let holds = match verdict.trim() {
            "holds" => true,
            "violated" => false,
            other => {
                return Err(wrong(format!(
                    "expected `holds` or `violated`, not `{other}`"
                )));
            }
        };
        Ok(Expectation {
            check,
            holds,
            states,
            without_spin,
        })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds { "holds" } else { "violated" };
        write!(f, "{} => {verdict}", self.check)?;
        if let Some(states) = self.states {
            write!(f, ", states {states}")?;
        }
        match &self.without_spin {
            Some(reason) => write!(f, " (spin: {reason})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_reading_and_writing() {
        for line in [
            "--ltl p1 => holds",
            "--ltl p1 --fair weak => violated (spin: misses (some) runs)",
            "--formula '[]<>(x == 1) -> p' => holds",
            "--formula \"c == 'a' => b\" --fair strong --search scc => violated",
            "--never => violated",
            "--never some_claim --shortest => holds, states 12",
            "--never claims/a.pml => holds",
            "--hoa a.hoa => holds (spin: knows no automata)",
            "--acceptance => holds, states 33",
            "--non-progress --fair weak => holds",
        ] {
            let parsed = Expectation::parse(line).unwrap();
            assert_eq!(parsed.to_string(), line);
        }
    }

    #[test]
    fn the_parts_of_a_line() {
        let line = Expectation::parse("--fair weak  --never a.pml=>holds , states 3").unwrap();
        assert_eq!(line.check.property, Property::NeverFile("a.pml".into()));
        assert_eq!(line.check.fairness, Fairness::Weak);
        assert_eq!((line.holds, line.states), (true, Some(3)));
        assert!(!line.check.same_automaton(), "fairness adds states");
        let named = Check::parse("--never a").unwrap();
        assert_eq!(named.property, Property::Never(Some("a".into())));
        assert!(named.same_automaton());
    }

    #[test]
    fn wrong_lines_are_refused() {
        for line in [
            "--ltl p",
            "--ltl p => true",
            "--ltl => holds",
            "=> holds",
            "--ltl p --never => holds",
            "--ltl p --fair very => holds",
            "--fast --ltl p => holds",
            "--formula '[] p => holds",
            "--never => holds, states many",
            "--never => holds (spin: why",
        ] {
            assert!(Expectation::parse(line).is_err(), "{line}");
        }
    }
}
