use super::super::Ending;
use super::super::tests::measured;
use super::*;

/// The law of the hash tables of the paper's searches.
#[test]
fn the_paper_follows_its_laws() {
    for (n, (_, entries), _) in &TABLE_1_DEADLOCK {
        assert!(entries.is_none_or(|e| e == 2f64.powi(*n as i32 + 1) - 1.0));
    }
    for (n, (_, entries), _) in &TABLE_1_STARVATION {
        assert!(entries.is_none_or(|e| e == f64::from(12 * n - 19)));
    }
    for (mr, (_, entries), _) in &TABLE_3 {
        let k = f64::from(mr + 1);
        let law = 2.0 * k.powi(3) + 12.0 * k.powi(2) + 10.0 * k + 7.0;
        assert!(entries.is_none_or(|e| e == law), "{mr}");
    }
}

#[test]
fn the_tables_are_those_of_the_paper() {
    let experiment = experiment(false);
    let numbers: Vec<u32> = experiment.tables.iter().map(|t| t.place.number()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    for (table, printed) in experiment.tables.iter().zip([28, 24, 20]) {
        // Random lassos, and searches as far as they are made here.
        let rows = table.rows.iter().filter(|row| !row.paper.is_empty());
        assert_eq!(rows.clone().count(), printed);
        assert!(
            rows.clone()
                .all(|row| row.paper.len() <= table.columns.len())
        );
        let column = |q| table.columns.iter().position(|c| *c == q).unwrap();
        for row in rows.filter(|row| matches!(row.config.search, Search::Walks(_))) {
            let number = |q| row.paper[column(q)].unwrap();
            let hundred = 100.0 * number(Quantity::Time) / number(Quantity::Walks);
            assert!((hundred - number(Quantity::Hundred)).abs() < 1e-9);
        }
    }
    let time = |row: &Row| row.paper.first().copied().flatten();
    let walks = |row: &&Row| matches!(row.config.search, Search::Walks(_));
    // Searches that are slower than random lassos: in table 3, one of those that ended.
    let table = &experiment.tables[2];
    let lassos: Vec<_> = table.rows.iter().filter(walks).filter_map(time).collect();
    let searches = table.rows.iter().filter(|r| !walks(r)).filter_map(time);
    let slower = searches
        .zip(&lassos)
        .filter(|(search, walk)| search > *walk);
    assert_eq!(slower.count(), 1);
}

#[test]
fn small_tables_have_the_answers_of_the_paper() {
    let experiment = experiment(true);
    for (number, found, none) in [(1, Ending::Violated, None), (3, Ending::Violated, None)] {
        let measured = measured(&experiment, number);
        for (row, samples) in measured.table.rows.iter().zip(&measured.samples) {
            assert_eq!(samples.len(), row.repetitions as usize);
            for sample in samples {
                assert_eq!(sample.ending, found, "{}", row.config);
                let walked = sample.walked.as_ref();
                let length = walked.map(|w| (w.counterexample, Some(w.longest)));
                assert!(length.is_none_or(|(c, longest)| c > none && c <= longest));
            }
        }
    }
}

/// The number of random lassos is that of the formula, for every automaton.
#[test]
fn all_lassos_of_a_correct_model_are_drawn() {
    let experiment = experiment(true);
    let measured = measured(&experiment, 2);
    let mut lengths = Vec::new();
    for (row, samples) in measured.table.rows.iter().zip(&measured.samples) {
        for sample in samples {
            let Some(walked) = &sample.walked else {
                assert_eq!(sample.ending, Ending::Holds, "{}", row.config);
                continue;
            };
            assert_eq!(sample.ending, Ending::NotFound, "{}", row.config);
            assert_eq!(walked.walks, 1279);
            lengths.push(walked.mean_length);
        }
    }
    let [deadlock, _, monitor, _, stuck, _] = lengths[..] else {
        panic!("there are three kinds of lassos, drawn twice")
    };
    // The paper has 21 and 21. Where the automaton of the formula is blocked, a lasso ends early.
    assert!((18.0..23.0).contains(&deadlock), "{deadlock}");
    assert!((19.0..28.0).contains(&monitor), "{monitor}");
    assert!(stuck < 10.0, "{stuck}");
}
