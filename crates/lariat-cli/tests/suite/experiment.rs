//! `lariat experiment`: a small run of every experiment, its files, and going on after an interruption.

use crate::support::Folder;
use serde_json::Value;

#[test]
fn experiments_are_listed() {
    let folder = Folder::new();
    folder.run("experiment").exits_with(0).prints(&[
        "brim2001",
        "Randomization Helps in LTL Model Checking",
        "grosu2005",
        "Monte Carlo Model Checking",
        "barnat2012",
        "Distributed LTL Model Checking with Hash Compaction",
    ]);
    let ran = folder.run("experiment brim2002").exits_with(2);
    assert!(
        ran.stderr.contains(
            "there is no experiment brim2002; there are: brim2001, grosu2005, barnat2012"
        )
    );
}

/// Everything is run, written, and not run again.
#[test]
fn a_quick_experiment_is_whole_and_can_be_resumed() {
    let folder = Folder::new();
    let quick = "experiment brim2001 --quick --out results";
    let first = folder.run(quick).exits_with(0);
    let first = first.prints(&[
        "Table 1.",
        "Table 2.",
        "Table 3.",
        "Table 4.",
        "Table 5.",
        "written to results",
    ]);
    let csv = folder.read("results/brim2001.csv");
    assert_eq!(csv.lines().count(), 326, "{csv}");
    let json: Value = serde_json::from_str(&folder.read("results/brim2001.json")).unwrap();
    assert!(json.is_object());
    let svg = folder.read("results/brim2001.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    let journal = folder.read("results/brim2001.jsonl");

    // The same again, with nothing to do.
    let again = folder.run(quick).exits_with(0);
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(folder.read("results/brim2001.jsonl"), journal);

    // As if it had been stopped in the middle of a line: what is missing is measured again.
    let lines: Vec<&str> = journal.lines().collect();
    let torn = format!("{}\n{}", lines[..20].join("\n"), &lines[20][..30]);
    std::fs::write(folder.path("results/brim2001.jsonl"), torn).unwrap();
    let resumed = folder.run(quick).exits_with(0);
    let without_memory = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("MB"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        without_memory(&resumed.stdout),
        without_memory(&first.stdout)
    );
}

/// Random lassos are repeated with the same seeds, and their numbers are in the files.
#[test]
fn random_lassos_are_an_experiment() {
    let folder = Folder::new();
    let quick = "experiment grosu2005 --quick --out results";
    let first = folder.run(quick).exits_with(0);
    let first = first.prints(&["Table 1.", "Table 2.", "Table 3.", "1279", "N/mr^2", "cxl"]);
    assert!(!first.stdout.contains("stopped by the limit"));
    let json: Value = serde_json::from_str(&folder.read("results/grosu2005.json")).unwrap();
    let row = &json["tables"][0]["rows"][0];
    let walked = &row["samples"][0]["walked"];
    assert!(walked["walks"].as_u64() >= Some(1), "{row}");
    assert!(walked["counterexample"].as_u64() <= walked["longest"].as_u64());
    let csv = folder.read("results/grosu2005.csv");
    assert!(csv.contains(",avl,") && csv.contains(",mxl,"), "{csv}");

    // What is in the journal is shown again as it was.
    let again = folder.run(quick).exits_with(0);
    assert_eq!(again.stdout, first.stdout);

    // Measured again, only times differ.
    let anew = folder
        .run("experiment grosu2005 --quick --out other")
        .exits_with(0);
    let json: Value = serde_json::from_str(&folder.read("results/grosu2005.json")).unwrap();
    let other: Value = serde_json::from_str(&folder.read("other/grosu2005.json")).unwrap();
    assert_eq!(all_walks(&json), all_walks(&other));
    anew.prints(&["written to other"]);
}

/// Stores are compared, with one and two workers, and algorithms on random graphs.
#[test]
fn fingerprints_are_an_experiment() {
    let folder = Folder::new();
    let quick = "experiment barnat2012 --quick --out results";
    let ran = folder.run(quick).exits_with(0).prints(&[
        "Table 1.",
        "Figure 3.",
        "Table 2.",
        "chains of seeds",
    ]);
    assert!(!ran.stdout.contains("stopped by the limit"));
    let svg = folder.read("results/barnat2012.svg");
    assert!(svg.contains("Figure 3") && !svg.contains("Table 1"));
    let csv = folder.read("results/barnat2012.csv");
    assert!(csv.contains("Figure 3,\"flat\",\"2\",workers,,2,"), "{csv}");
    let rows = folder.read("results/barnat2012-simulation.csv");
    assert_eq!(rows.lines().count(), 10, "{rows}");

    let figure = "experiment barnat2012 --quick --figure 3 --repetitions 1";
    let ran = folder.run(figure).exits_with(0);
    assert!(!ran.stdout.contains("Table"), "{}", ran.stdout);
}

/// Models that are not part of the program are read from a folder.
#[test]
fn models_of_an_experiment_are_in_a_folder() {
    let folder = Folder::new();
    for (options, message) in [
        ("", "`--models DIR` says where they are"),
        ("--table 1", "`--models DIR` says where they are"),
        ("--models .", "there is no leader_filters.5.prop2.dve in ."),
        ("--quick --models .", "are part of the program"),
        ("--table 2 --models .", "are part of the program"),
        ("--figure 7 --models .", "barnat2012 has no figure 7"),
    ] {
        let ran = folder.run(&format!("experiment barnat2012 {options}"));
        let ran = ran.exits_with(2);
        assert!(ran.stderr.contains(message), "{options}: {}", ran.stderr);
    }
}

/// What is known of the random lassos of all samples.
fn all_walks(report: &Value) -> Vec<Value> {
    let tables = report["tables"].as_array().unwrap().iter();
    let rows = tables.flat_map(|table| table["rows"].as_array().unwrap());
    let samples = rows.flat_map(|row| row["samples"].as_array().unwrap());
    samples.map(|sample| sample["walked"].clone()).collect()
}
