//! Command line arguments, taken one option at a time.

/// The remaining arguments.
pub struct Arguments(Vec<String>);

impl Arguments {
    /// All of them.
    pub fn new(arguments: impl IntoIterator<Item = String>) -> Arguments {
        Arguments(arguments.into_iter().collect())
    }

    /// Takes the first word, such as the name of a command.
    pub fn word(&mut self) -> Option<String> {
        if self.0.is_empty() {
            None
        } else {
            Some(self.0.remove(0))
        }
    }

    /// Takes a flag; whether it was there.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|argument| argument != name);
        self.0.len() < before
    }

    /// Takes an option with a value, `--name VALUE` or `--name=VALUE`.
    pub fn value(&mut self, name: &str) -> Result<Option<String>, String> {
        let prefix = format!("{name}=");
        if let Some(place) = self
            .0
            .iter()
            .position(|argument| argument.starts_with(&prefix))
        {
            return Ok(Some(self.0.remove(place)[prefix.len()..].to_owned()));
        }
        let Some(place) = self.0.iter().position(|argument| argument == name) else {
            return Ok(None);
        };
        if place + 1 == self.0.len() {
            return Err(format!("{name} needs a value"));
        }
        self.0.remove(place);
        Ok(Some(self.0.remove(place)))
    }

    /// Takes an option with a number.
    pub fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let Some(value) = self.value(name)? else {
            return Ok(None);
        };
        value
            .parse()
            .map(Some)
            .map_err(|_| format!("{name} needs a number, not `{value}`"))
    }

    /// Takes the remaining words; unknown options are an error.
    pub fn rest(&mut self) -> Result<Vec<String>, String> {
        match self.0.iter().find(|argument| argument.starts_with('-')) {
            Some(unknown) => Err(format!("unknown option `{unknown}`; see `xtask help`")),
            None => Ok(std::mem::take(&mut self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_any_order() {
        let words = "compare --jobs 3 a --filter=b=c d --flag"
            .split(' ')
            .map(str::to_owned);
        let mut arguments = Arguments::new(words);
        assert_eq!(arguments.word().as_deref(), Some("compare"));
        assert_eq!(arguments.number("--jobs"), Ok(Some(3)));
        assert_eq!(arguments.value("--filter"), Ok(Some("b=c".into())));
        assert!(arguments.rest().is_err(), "--flag is unknown");
        assert!(arguments.flag("--flag"));
        assert_eq!(arguments.rest(), Ok(vec!["a".into(), "d".into()]));
        assert_eq!(arguments.word(), None);
    }

    #[test]
    fn missing_and_wrong_values() {
        let mut arguments = Arguments::new(["--jobs".to_owned()]);
        assert!(arguments.number("--jobs").is_err());
        let mut arguments = Arguments::new(["--jobs".to_owned(), "two".to_owned()]);
        assert!(arguments.number("--jobs").is_err());
    }
}
