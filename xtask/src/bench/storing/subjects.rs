//! The models on which randomized storing is measured.
//!
//! Those in Promela are examples of this repository, enlarged by `-D`. DVE has no such options, so two models are
//! generated here for any number of processes: Fischer's protocol, as in `models/dve/classics/fischer.dve`, and
//! Peterson's filter lock with uninterrupted steps, which has few edges a state.

use crate::lariat;
use std::io;
use std::path::{Path, PathBuf};

/// A model and its property.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in tables.
    pub name: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Options of the model and of reductions.
    pub options: &'static [&'static str],
    /// The property, with its search.
    pub property: Property,
    /// Whether it belongs to the quick ones.
    pub quick: bool,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A file of this repository.
    File(&'static str),
    /// Fischer's protocol for so many processes.
    Fischer(usize),
    /// The filter lock for so many processes.
    Filter(usize),
}

/// The property.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    /// Safety.
    Safety,
    /// The formula with this name.
    Ltl(&'static str),
    /// This formula.
    Formula(&'static str),
    /// The never claim.
    Never,
}

impl Property {
    /// The options for it. The searches are those that can remove states.
    pub fn options(self) -> Vec<String> {
        let options: &[&str] = match self {
            Property::Safety => &["--safety", "--search", "dfs"],
            Property::Ltl(name) => &["--ltl", name, "--search", "ndfs"],
            Property::Formula(text) => &["--formula", text, "--search", "ndfs"],
            Property::Never => &["--never", "--search", "ndfs"],
        };
        options.iter().map(|&word| word.to_owned()).collect()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Property::Safety => "safety",
            Property::Ltl(_) | Property::Formula(_) => "LTL",
            Property::Never => "never claim",
        }
    }
}

impl Subject {
    /// The file; a model that is made here is written to the directory.
    pub fn path(&self, directory: &Path) -> io::Result<PathBuf> {
        let (name, text) = match self.source {
            Source::File(file) => return Ok(lariat::workspace().join(file)),
            Source::Fischer(processes) => (format!("fischer{processes}.dve"), fischer(processes)),
            Source::Filter(processes) => (format!("filter{processes}.dve"), filter(processes)),
        };
        let path = directory.join(name);
        std::fs::write(&path, text)?;
        Ok(path)
    }

    /// The language of the model.
    pub fn language(&self) -> &'static str {
        match self.source {
            Source::File(_) => "Promela",
            Source::Fischer(_) | Source::Filter(_) => "DVE",
        }
    }
}

const fn subject(
    name: &'static str,
    source: Source,
    options: &'static [&'static str],
    property: Property,
    quick: bool,
) -> Subject {
    Subject {
        name,
        source,
        options,
        property,
        quick,
    }
}

/// For bounded tables: by the number of edges of a state.
pub const SWEPT: [Subject; 10] = [
    subject("filter 5", Source::Filter(5), &[], Property::Safety, true),
    subject(
        "filter 5, goes on",
        Source::Filter(5),
        &[],
        Property::Formula("[](P0.up -> <>(P0.mark || P0.in))"),
        false,
    ),
    subject(
        "exif 500",
        Source::File("examples/exif.pml"),
        &["-DSTEPS=500"],
        Property::Safety,
        false,
    ),
    subject(
        "exif 500, reached",
        Source::File("examples/exif.pml"),
        &["-DSTEPS=500", "-DDIFF=100"],
        Property::Never,
        false,
    ),
    subject(
        "fischer 7",
        Source::Fischer(7),
        &[],
        Property::Safety,
        false,
    ),
    subject(
        "peterson3 4, exclusion",
        Source::File("examples/peterson3.pml"),
        &["-DN=4"],
        Property::Ltl("exclusion"),
        true,
    ),
    subject(
        "leader 8",
        Source::File("examples/leader.pml"),
        &["-DN=8"],
        Property::Safety,
        false,
    ),
    subject(
        "philosophers_seats 6",
        Source::File("examples/philosophers_seats.pml"),
        &["-DN=6"],
        Property::Safety,
        true,
    ),
    subject(
        "stop_and_wait 14",
        Source::File("examples/stop_and_wait.pml"),
        &["-DREPEATS=14"],
        Property::Safety,
        false,
    ),
    subject(
        "philosophers_seats 6, eats",
        Source::File("examples/philosophers_seats.pml"),
        &["-DN=6"],
        Property::Ltl("somebody_eats"),
        false,
    ),
];

const NO_REDUCTIONS: &[&str] = &["--no-merge", "--no-dead"];

/// For bounded memory.
pub const BOUNDED: [Subject; 5] = [
    subject("filter 6", Source::Filter(6), &[], Property::Safety, false),
    subject(
        "exif 1000",
        Source::File("examples/exif.pml"),
        &[],
        Property::Safety,
        true,
    ),
    subject(
        "exif 1000, reached",
        Source::File("examples/exif.pml"),
        &["-DDIFF=100"],
        Property::Never,
        false,
    ),
    subject(
        "leader 8, all states",
        Source::File("examples/leader.pml"),
        &["-DN=8", "--no-merge", "--no-dead"],
        Property::Safety,
        false,
    ),
    subject(
        "philosophers_seats 7",
        Source::File("examples/philosophers_seats.pml"),
        &["-DN=7"],
        Property::Safety,
        false,
    ),
];

/// For the least memory, and for SPIN as well: Promela, safety, no reductions; these options are for both.
pub const LEAST: [Subject; 5] = [
    subject(
        "exif 600",
        Source::File("examples/exif.pml"),
        &["-DSTEPS=600"],
        Property::Safety,
        true,
    ),
    subject(
        "leader 8",
        Source::File("examples/leader.pml"),
        &["-DN=8"],
        Property::Safety,
        false,
    ),
    subject(
        "stop_and_wait 20",
        Source::File("examples/stop_and_wait.pml"),
        &["-DREPEATS=20"],
        Property::Safety,
        false,
    ),
    subject(
        "philosophers_seats 7",
        Source::File("examples/philosophers_seats.pml"),
        &["-DN=7"],
        Property::Safety,
        false,
    ),
    subject(
        "leader_election 9",
        Source::File("examples/leader_election.pml"),
        &["-DN=9"],
        Property::Safety,
        false,
    ),
];

/// Options that make Lariat store the same states as SPIN.
pub fn no_reductions() -> Vec<String> {
    NO_REDUCTIONS.iter().map(|&word| word.to_owned()).collect()
}

/// Conditions on all processes but one.
fn others(processes: usize, this: usize, condition: impl Fn(usize) -> String) -> String {
    let others = (0..processes).filter(|&other| other != this);
    others.map(condition).collect::<Vec<String>>().join(" && ")
}

/// M. Fischer's protocol: a process that has waited longer than a write takes and still reads its number may enter.
fn fischer(processes: usize) -> String {
    let all = |text: &dyn Fn(usize) -> String, separator: &str| {
        let texts: Vec<String> = (0..processes).map(text).collect();
        texts.join(separator)
    };
    let mut model = format!(
        "byte lock, {};\nprocess Clock {{\n  state q;\n  init q;\n  trans q -> q {{ guard {}; effect {}; }};\n}}\n",
        all(&|i| format!("t{i} = 9"), ", "),
        all(&|i| format!("t{i} != 0"), " && "),
        all(&|i| format!("t{i} = t{i} - (t{i} != 9)"), ", "),
    );
    for i in 0..processes {
        let (alone, number) = (others(processes, i, |j| format!("not P{j}.in")), i + 1);
        model += &format!(
            "process P{i} {{
  state out, set, wait, in;
  init out;
  assert in: {alone};
  trans
    out -> set {{ guard lock == 0; effect t{i} = 1; }},
    set -> wait {{ effect lock = {number}, t{i} = 2; }},
    wait -> in {{ guard t{i} == 0 && lock == {number}; effect t{i} = 9; }},
    wait -> out {{ guard t{i} == 0 && lock != {number}; effect t{i} = 9; }},
    in -> out {{ effect lock = 0; }};
}}
"
        );
    }
    model + "system async;\n"
}

/// G. L. Peterson's lock for several processes (Myths about the mutual exclusion problem, 1981): on each level the
/// last process waits. The steps between levels are not interrupted.
fn filter(processes: usize) -> String {
    let top = processes - 1;
    let mut model = format!("byte level[{processes}], last[{processes}], count;\n");
    for i in 0..processes {
        let alone = others(processes, i, |j| format!("not P{j}.in"));
        let below = others(processes, i, |j| format!("level[{j}] < l"));
        model += &format!(
            "process P{i} {{
  byte l;
  state out, mark, wait, up, in, leave;
  init out;
  commit up, leave, mark;
  assert in: {alone};
  trans
    out -> mark {{ effect l = 1, level[{i}] = 1; }},
    mark -> wait {{ effect last[l] = {i}; }},
    wait -> up {{ guard last[l] != {i} || ({below}); }},
    up -> mark {{ guard l < {top}; effect l = l + 1, level[{i}] = l; }},
    up -> in {{ guard l == {top}; effect count = count + 1; }},
    in -> leave {{ effect level[{i}] = 0, l = 0; }},
    leave -> out {{ effect count = count - 1; }};
}}
"
        );
    }
    model + "system async;\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::TemporaryDirectory;
    use std::collections::BTreeSet;

    #[test]
    fn files_exist_and_names_tell_models_apart() {
        let directory = TemporaryDirectory::new().unwrap();
        for list in [&SWEPT[..], &BOUNDED, &LEAST] {
            let names: BTreeSet<&str> = list.iter().map(|subject| subject.name).collect();
            assert_eq!(names.len(), list.len());
            assert!(list.iter().any(|subject| subject.quick));
            for subject in list {
                let path = subject.path(directory.path()).unwrap();
                assert!(path.exists(), "{}", path.display());
            }
        }
    }

    #[test]
    fn spin_can_read_those_for_the_least_memory() {
        for subject in LEAST {
            assert_eq!(subject.language(), "Promela");
            assert!(matches!(subject.property, Property::Safety));
            let defines = subject
                .options
                .iter()
                .all(|option| option.starts_with("-D"));
            assert!(defines, "{}", subject.name);
        }
    }

    #[test]
    fn every_process_of_a_written_model_knows_the_others() {
        for text in [fischer(3), filter(3)] {
            assert!(text.contains("assert in: not P0.in && not P2.in;"));
            assert_eq!(text.matches("process P").count(), 3);
        }
    }
}
