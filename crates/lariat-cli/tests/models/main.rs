//! One test for each model of the project and each thing that must hold of it: its facts are those in its header, found
//! by every search, executor and store.
//!
//! `cargo test -p lariat-cli --test models peterson` runs those of some models, `... --test models ::facts` those of one kind.

mod access;
mod checks;
mod facts;
mod lassos;
mod reduce;
mod reduced_runs;

#[path = "../support/api.rs"]
mod api;

use std::process::ExitCode;

use lariat::LANGUAGES;
use lariat_testkit::files::{self, ModelFile};
use lariat_testkit::harness::{self, Test, each};

fn main() -> ExitCode {
    let models = files::models(&LANGUAGES);
    let accepted = || models.iter().filter(|model| !model.header.is_refused());
    let has_checks = |model: &&ModelFile| model.header.get("check").is_some();
    let checked = || accepted().filter(has_checks);
    let promela = accepted().filter(|model| model.ends("pml"));
    let mut tests: Vec<Test> = each(models.iter(), "facts", facts::test);
    tests.extend(each(checked(), "checks", checks::test));
    tests.extend(each(checked(), "lassos", lassos::test));
    tests.extend(each(accepted(), "reduced_states", reduce::test));
    tests.extend(each(accepted(), "reduced_runs", reduced_runs::test));
    tests.extend(each(promela, "access", access::test));
    tests.extend(reduced_runs::random_programs());
    tests.push(Test::new("access::at_work", access::at_work));
    tests.push(Test::new("reduced_states::at_work", reduce::at_work));
    harness::main(tests)
}
