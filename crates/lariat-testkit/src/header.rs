//! The `//@ key: value` lines at the start of our own models: expected facts and options.

use std::fmt::Write as _;

use lariat_front::{LoadOptions, OptionValue};

use crate::property::Expectation;

/// All keys, as CONTRIBUTING.md explains them.
const KEYS: [&str; 13] = [
    "verdict",
    "error",
    "errors",
    "states",
    "transitions",
    "atomic_steps",
    "violation",
    "unreached",
    "invariant",
    "args",
    "spin",
    "noclaim",
    CHECK,
];

/// The key of liveness checks, which may be repeated.
const CHECK: &str = "check";

/// The facts at the start of a model, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    entries: Vec<(String, String)>,
}

impl Header {
    /// Parses the header: the consecutive `//@` lines at the start. Models of others have an empty one.
    pub fn parse(text: &str) -> Header {
        let lines = text.lines().map_while(|line| line.strip_prefix("//@"));
        let entries = lines.map(|line| {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            (key.trim().to_owned(), value.trim().to_owned())
        });
        Header {
            entries: entries.collect(),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, value)| value.as_str())
    }

    /// What is wrong with the header of a model of ours.
    pub fn problems(text: &str) -> Vec<String> {
        let header = Header::parse(text);
        let mut problems = Vec::new();
        let own = header.entries.len();
        let late = text
            .lines()
            .skip(own)
            .filter(|l| l.trim_start().starts_with("//@"));
        problems.extend(late.map(|line| format!("`{line}` stands after the header")));
        for (index, (key, value)) in header.entries.iter().enumerate() {
            let again = header.entries[..index].iter().any(|(k, _)| k == key);
            if !KEYS.contains(&key.as_str()) {
                problems.push(format!("there is no key `{key}`"));
            } else if value.is_empty() && key != "unreached" {
                problems.push(format!("`{key}` has no value"));
            } else if again && key != CHECK {
                problems.push(format!("`{key}` is there twice"));
            }
        }
        match header.get("verdict") {
            Some("holds" | "violated" | "error") => {}
            Some(other) => problems.push(format!("unknown verdict `{other}`")),
            None => problems.push("there is no verdict".into()),
        }
        problems.extend(header.load_options().err());
        problems.extend(header.expectations().err());
        problems
    }

    /// Whether the model must be refused.
    pub fn is_refused(&self) -> bool {
        self.get("verdict") == Some("error")
    }

    /// How the model is read.
    pub fn load_options(&self) -> Result<LoadOptions, String> {
        let words = self.get("args").unwrap_or("").split_whitespace();
        let option = |word: &str| match (word, word.strip_prefix("-D"), word.strip_prefix("-U")) {
            ("-m", ..) => Ok(OptionValue::flag("lossy")),
            ("--wrap", ..) => Ok(OptionValue::flag("wrap")),
            (_, Some(define), _) => Ok(OptionValue::new("define", define)),
            (_, _, Some(undefine)) => Ok(OptionValue::new("undefine", undefine)),
            _ => Err(format!("args: unknown option `{word}`")),
        };
        Ok(LoadOptions {
            options: words.map(option).collect::<Result<_, _>>()?,
            ..LoadOptions::default()
        })
    }

    /// Whether there is none, as in models of others.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The liveness checks and their expected answers; the error names the wrong line.
    pub fn expectations(&self) -> Result<Vec<Expectation>, String> {
        let checks = self.entries.iter().filter(|(key, _)| key == CHECK);
        checks.map(|(_, value)| Expectation::parse(value)).collect()
    }

    /// Replaces the liveness checks: in the place of the first one, else after the other recorded facts.
    pub fn set_expectations(&mut self, expectations: &[Expectation]) {
        let first = self.entries.iter().position(|(key, _)| key == CHECK);
        let place = first.unwrap_or_else(|| self.after_recorded());
        self.remove(CHECK);
        let lines = expectations
            .iter()
            .map(|line| (CHECK.to_owned(), line.to_string()));
        self.entries.splice(place..place, lines);
    }

    /// The options of `args` that both tools understand: `-D`, `-U` and `-m`.
    pub fn options(&self) -> Vec<String> {
        let words = self.get("args").unwrap_or("").split_whitespace();
        words
            .filter(|word| word.starts_with("-D") || word.starts_with("-U") || *word == "-m")
            .map(str::to_owned)
            .collect()
    }

    /// The options of `args` for Lariat, also those that SPIN does not know.
    pub fn lariat_options(&self) -> Vec<String> {
        let words = self.get("args").unwrap_or("").split_whitespace();
        let own = words.filter(|word| *word == "--wrap").map(str::to_owned);
        self.options().into_iter().chain(own).collect()
    }

    /// The reason why SPIN is no reference for this model, if there is one.
    pub fn without_spin(&self) -> Option<&str> {
        let value = self.get("spin")?;
        value
            .strip_prefix("no")
            .map(|reason| reason.trim_start_matches([' ', '-', ':', ',']))
    }

    /// Sets a fact: in place if it is there, else after the other recorded facts.
    pub fn set(&mut self, key: &str, value: impl ToString) {
        let value = value.to_string();
        if let Some(entry) = self.entries.iter_mut().find(|(k, _)| k == key) {
            entry.1 = value;
            return;
        }
        let place = self.after_recorded();
        self.entries.insert(place, (key.to_owned(), value));
    }

    /// The position after the facts of the search for safety errors.
    fn after_recorded(&self) -> usize {
        const RECORDED: [&str; 4] = ["verdict", "errors", "states", "transitions"];
        self.entries
            .iter()
            .rposition(|(k, _)| RECORDED.contains(&k.as_str()))
            .map_or(0, |i| i + 1)
    }

    /// Removes a fact.
    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|(k, _)| k != key);
    }

    /// The model with this header in place of its own.
    pub fn replace_in(&self, text: &str) -> String {
        let old = text
            .lines()
            .take_while(|line| line.starts_with("//@"))
            .count();
        let mut result = String::new();
        for (key, value) in &self.entries {
            let _ = if value.is_empty() {
                writeln!(result, "//@ {key}")
            } else {
                writeln!(result, "//@ {key}: {value}")
            };
        }
        result.extend(text.split_inclusive('\n').skip(old));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "//@ verdict: holds\n//@ states: 3\n//@ args: -DN=4 -m --fair\n// text\n//@ states: 9\nbyte x;\n";

    #[test]
    fn keys_and_values() {
        let header = Header::parse(MODEL);
        assert_eq!(header.get("verdict"), Some("holds"));
        assert_eq!(
            header.get("states"),
            Some("3"),
            "lines after the header do not count"
        );
        assert_eq!(header.options(), ["-DN=4", "-m"]);
        let header_with_own = Header::parse("//@ args: --wrap -m\n");
        assert_eq!(header_with_own.options(), ["-m"]);
        assert_eq!(header_with_own.lariat_options(), ["-m", "--wrap"]);
        assert_eq!(header.without_spin(), None);
        assert_eq!(Header::parse("byte x;\n"), Header::default());
    }

    #[test]
    fn reasons_against_spin() {
        let reason = |text| Header::parse(text).without_spin().map(str::to_owned);
        assert_eq!(
            reason("//@ spin: no - it rejects this\n").as_deref(),
            Some("it rejects this")
        );
        assert_eq!(reason("//@ spin: no\n").as_deref(), Some(""));
        assert_eq!(reason("//@ spin: yes\n"), None);
    }

    #[test]
    fn facts_are_replaced_in_place() {
        let mut header = Header::parse(MODEL);
        header.set("states", 7);
        header.set("transitions", 8);
        let expected = "//@ verdict: holds\n//@ states: 7\n//@ transitions: 8\n//@ args: -DN=4 -m --fair\n// text\n//@ states: 9\nbyte x;\n";
        assert_eq!(header.replace_in(MODEL), expected);
        header.remove("verdict");
        assert!(header.replace_in(MODEL).starts_with("//@ states: 7\n"));
    }

    #[test]
    fn checks_are_read_and_replaced() {
        let text = "//@ states: 3\n//@ check: --ltl p => holds\n//@ check: --never => violated\n//@ args: -m\n";
        let mut header = Header::parse(text);
        let mut checks = header.expectations().unwrap();
        assert_eq!(checks.len(), 2);
        header.set_expectations(&checks);
        assert_eq!(header.replace_in(text), text);
        checks.remove(0);
        header.set_expectations(&checks);
        let one = "//@ states: 3\n//@ check: --never => violated\n//@ args: -m\n";
        assert_eq!(header.replace_in(text), one);
        let mut header = Header::parse("//@ states: 3\n//@ args: -m\n");
        header.set_expectations(&checks);
        assert_eq!(header.replace_in(""), one);
        assert!(Header::parse("//@ check: p\n").expectations().is_err());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let good =
            "//@ verdict: violated\n//@ args: -DN=3 -UX -m\n//@ check: --never => holds\nbyte x;\n";
        assert_eq!(Header::problems(good), [] as [String; 0]);
        for (text, problem) in [
            ("byte x;\n", "there is no verdict"),
            ("//@ verdict: fine\n", "unknown verdict `fine`"),
            (
                "//@ verdict: holds\n//@ state: 3\n",
                "there is no key `state`",
            ),
            ("//@ verdict: holds\n//@ states\n", "`states` has no value"),
            (
                "//@ verdict: holds\n//@ states: 3\n//@ states: 4\n",
                "`states` is there twice",
            ),
            (
                "//@ verdict: holds\n// text\n//@ states: 4\n",
                "`//@ states: 4` stands after the header",
            ),
            (
                "//@ verdict: holds\n//@ args: --fast\n",
                "args: unknown option `--fast`",
            ),
            (
                "//@ verdict: holds\n//@ check: --never\n",
                "check `--never`: expected `=>` and a verdict",
            ),
        ] {
            assert_eq!(Header::problems(text), [problem], "{text}");
        }
    }

    #[test]
    fn an_untouched_header_is_kept_as_it_is() {
        assert_eq!(Header::parse(MODEL).replace_in(MODEL), MODEL);
    }
}
