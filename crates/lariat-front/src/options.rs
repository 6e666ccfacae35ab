//! Options that belong to one language.

use std::fmt;
use std::str::FromStr;

/// An option of a language, as the command line shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageOption {
    /// Its long name: `--name`.
    pub name: &'static str,
    /// Its short name, if it has one: `-n`.
    pub short: Option<char>,
    /// What its value is called in help texts; nothing for a flag. Options with values can be repeated.
    pub value: Option<&'static str>,
    /// What it does.
    pub help: &'static str,
}

/// An option of a language as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue {
    /// The name of the option.
    pub name: String,
    /// Its value, unless it is a flag.
    pub value: Option<String>,
}

impl OptionValue {
    /// A flag.
    pub fn flag(name: &str) -> Self {
        OptionValue {
            name: name.into(),
            value: None,
        }
    }

    /// An option with a value.
    pub fn new(name: &str, value: impl Into<String>) -> Self {
        OptionValue {
            name: name.into(),
            value: Some(value.into()),
        }
    }
}

/// `name` or `name=value`, as in reports and trails.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            None => write!(f, "{}", self.name),
            Some(value) => write!(f, "{}={value}", self.name),
        }
    }
}

impl FromStr for OptionValue {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once('=') {
            Some((name, value)) => OptionValue::new(name, value),
            None => OptionValue::flag(text),
        })
    }
}

/// The options of a language that were given, in the order in which they were.
pub type OptionValues = Vec<OptionValue>;
