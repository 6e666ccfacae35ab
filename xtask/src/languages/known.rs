//! Differences with an explanation: `xtask/languages.txt`.
//!
//! A line names an instance, a property, the three verdicts, and why they differ. Only these verdicts are explained:
//! if one of them changes, the line does not apply any more.

const TABLE: &str = include_str!("../../languages.txt");

/// The differences with an explanation.
#[derive(Debug, Default)]
pub struct Known(Vec<Entry>);

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    instance: String,
    property: String,
    verdicts: [String; 3],
    reason: String,
}

impl Known {
    /// The table of the project.
    pub fn built_in() -> Result<Known, String> {
        Known::parse(TABLE).map_err(|why| format!("languages.txt: {why}"))
    }

    /// Reads a table.
    pub fn parse(text: &str) -> Result<Known, String> {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entry = |line: &str| {
            let (facts, reason) = line.split_once(" -- ")?;
            let words: Vec<String> = facts.split_whitespace().map(str::to_owned).collect();
            let [instance, property, automaton, dve, promela]: [String; 5] =
                words.try_into().ok()?;
            Some(Entry {
                instance,
                property,
                verdicts: [automaton, dve, promela],
                reason: reason.trim().to_owned(),
            })
        };
        lines
            .map(|line| entry(line).ok_or_else(|| format!("not understood: {line}")))
            .collect::<Result<_, _>>()
            .map(Known)
    }

    /// Why the verdicts on a property differ, if there is an explanation.
    pub fn explanation(&self, instance: &str, property: &str, verdicts: [&str; 3]) -> Option<&str> {
        self.about(instance, property)
            .find(|entry| entry.verdicts == verdicts)
            .map(|entry| entry.reason.as_str())
    }

    /// Whether there is an entry about a property.
    pub fn mentions(&self, instance: &str, property: &str) -> bool {
        self.about(instance, property).next().is_some()
    }

    fn about(&self, instance: &str, property: &str) -> impl Iterator<Item = &Entry> {
        let about = move |entry: &&Entry| entry.instance == instance && entry.property == property;
        self.0.iter().filter(about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_for_exact_verdicts() {
        let text = "# a comment\n\na.1 2 holds holds violated -- because -- so\n";
        let known = Known::parse(text).unwrap();
        let ask = |property, last| known.explanation("a.1", property, ["holds", "holds", last]);
        assert_eq!(ask("2", "violated"), Some("because -- so"));
        assert_eq!(ask("2", "fault"), None);
        assert_eq!(ask("3", "violated"), None);
        assert!(known.mentions("a.1", "2") && !known.mentions("a.2", "2"));
        assert!(Known::parse("a.1 2 holds -- why").is_err());
        assert!(Known::parse("a.1 2 holds holds violated").is_err());
    }

    #[test]
    fn the_table_can_be_read() {
        Known::built_in().unwrap();
    }
}
