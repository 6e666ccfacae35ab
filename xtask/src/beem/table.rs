//! The table of counts.

use crate::bench::report::thousands;
use crate::facts::Counts;
use std::path::{Path, PathBuf};

/// An instance of a model, and its known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name: the family and a number.
    pub name: String,
    /// Its states.
    pub states: Option<u64>,
    /// Its transitions.
    pub transitions: Option<u64>,
    /// Whether the counts can be relied upon.
    pub confirmed: bool,
}

/// The judgement of the counts of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// All known counts are equal.
    Equal,
    /// A count differs.
    Differs,
    /// A count differs, but it is not confirmed.
    Unconfirmed,
    /// No count was known.
    New,
    /// The search ended early.
    Cut,
    /// There is no result.
    Failed,
}

impl Judgement {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Equal => "equal",
            Judgement::Differs => "DIFFERS",
            Judgement::Unconfirmed => "unconfirmed",
            Judgement::New => "new",
            Judgement::Cut => "cut short",
            Judgement::Failed => "FAILED",
        }
    }
}

impl Instance {
    /// Compares counts with those in the table.
    pub fn judge(&self, counts: Counts) -> Judgement {
        let Some(states) = self.states else {
            return Judgement::New;
        };
        let same = states == counts.states
            && self
                .transitions
                .is_none_or(|transitions| transitions == counts.transitions);
        match (same, self.confirmed) {
            (true, _) => Judgement::Equal,
            (false, true) => Judgement::Differs,
            (false, false) => Judgement::Unconfirmed,
        }
    }

    /// The counts in the table as text.
    pub fn expected(&self) -> String {
        let number = |n: Option<u64>| n.map_or("-".into(), thousands);
        format!("{} / {}", number(self.states), number(self.transitions))
    }

    /// The file of the instance, or of one of its variants.
    pub fn file(&self, folder: &Path, variant: &str) -> PathBuf {
        folder
            .join(self.family())
            .join(format!("{}{variant}.dve", self.name))
    }

    /// The name without the number.
    pub fn family(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }
}

/// Reads the table: columns with tabs between them, the first line names them.
pub fn read(file: &Path) -> Result<Vec<Instance>, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    parse(&text).map_err(|why| format!("{}: {why}", file.display()))
}

fn parse(text: &str) -> Result<Vec<Instance>, String> {
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let position = heads.iter().position(|head| head.trim() == name);
        position.ok_or_else(|| format!("there is no column `{name}`"))
    };
    let (name, states) = (column("instance")?, column("states")?);
    let (transitions, source) = (column("transitions")?, column("source")?);
    let instance = |line: &str| {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let number = |column: usize| match cell(column) {
            "" => Ok(None),
            digits => {
                let wrong = |_| format!("`{digits}` is no number");
                digits.parse().map(Some).map_err(wrong)
            }
        };
        let source = cell(source).to_lowercase();
        Ok(Instance {
            name: cell(name).to_owned(),
            states: number(states)?,
            transitions: number(transitions)?,
            confirmed: !source.contains("obelix") && !source.contains("unconfirmed"),
        })
    };
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines.map(instance).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let text = "instance\tstates\ttransitions\tsource\tmore\n\
                    a.1\t10\t20\tsource\tx\n\
                    a.2\t7\t\tobelix (UNCONFIRMED)\n\
                    b.1\t\t\t\ty\n";
        let table = parse(text).unwrap();
        assert_eq!(table.len(), 3);
        assert_eq!(table[0].expected(), "10 / 20");
        assert_eq!(table[1].expected(), "7 / -");
        assert!(table[0].confirmed && !table[1].confirmed);
        let file = table[2].file(Path::new("m"), ".prop2");
        assert_eq!(file, Path::new("m/b/b.1.prop2.dve"));
        assert!(parse("instance\tstates\n").is_err());
        assert!(parse("instance\tstates\ttransitions\tsource\nx\tmany\t\t\n").is_err());
    }

    #[test]
    fn judgements() {
        let instance = |states, transitions, confirmed| Instance {
            name: "a.1".into(),
            states,
            transitions,
            confirmed,
        };
        let counts = Counts {
            errors: 0,
            states: 10,
            transitions: 20,
        };
        let judge =
            |states, transitions, confirmed| instance(states, transitions, confirmed).judge(counts);
        assert_eq!(judge(Some(10), Some(20), true), Judgement::Equal);
        assert_eq!(judge(Some(10), None, false), Judgement::Equal);
        assert_eq!(judge(Some(10), Some(21), true), Judgement::Differs);
        assert_eq!(judge(Some(11), None, false), Judgement::Unconfirmed);
        assert_eq!(judge(None, None, true), Judgement::New);
    }
}
