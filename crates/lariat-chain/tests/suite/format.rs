//! The syntax of the files of a chain, and the messages about errors.

use lariat_chain::{Chain, Property, parse};
use lariat_graph::{Draw, Expansion, StateSpace};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::SourceMap;
use lariat_ltl::Limits;
use lariat_stats::Dice;

const MEMORY: u64 = 1 << 24;

fn read(transitions: &str, labels: Option<&str>) -> Result<Chain, (Vec<Diagnostic>, SourceMap)> {
    let mut sources = SourceMap::default();
    let labels = labels.map(|text| ("chain.lab", text));
    let chain = parse(&mut sources, ("chain.tra", transitions), labels, MEMORY);
    chain.map_err(|diagnostics| (diagnostics, sources))
}

fn good(transitions: &str, labels: Option<&str>) -> Chain {
    read(transitions, labels).unwrap_or_else(|(diagnostics, _)| panic!("{diagnostics:#?}"))
}

const COIN: &str = "3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n";

#[test]
fn every_way_to_write_a_chain_is_read() {
    let plain = good(COIN, None);
    for text in [
        "3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1",
        "3 4\r\n0 1 0.5\r\n0 2 0.5\r\n1 1 1\r\n2 2 1\r\n",
        "# a coin\n\n3 4 # states, transitions\n0 1 1/2\n\n0 2 5e-1\n1 1 1.0 # heads\n2 2 1e0\n\n# end",
        "dtmc\n3 4\n0 1 .5\n0 2 2/4\n1 1 1.\n2 2 +1\n",
        "  3\t4  \n\t0   1 0.5 toss\n0 2 0.5 toss\n1 1 1 stay\n2 2 1\n",
        "3 4\n2 2 1\n1 1 1\n0 2 0.5\n0 1 0.5\n",
        "3 4\n0 2 0.5\n0 1 0.5\n1 1 1\n2 2 1\n",
        "3 4\n0 1 0.500001\n0 2 0.500001\n1 1 0.999999\n2 2 1\n",
    ] {
        let chain = good(text, None);
        assert_eq!((chain.states(), chain.transitions()), (3, 4), "{text}");
        for state in 0..3 {
            assert_eq!(chain.targets(state), plain.targets(state), "{text}");
            assert_eq!(
                chain.probabilities(state),
                plain.probabilities(state),
                "{text}"
            );
        }
        assert_eq!(chain.initial_states(), [0]);
    }
}

#[test]
fn labels_are_read() {
    let text = "0=\"init\" 1=\"deadlock\" 4=\"goal\"\r\n1: 0 4\n 2 : 4\n";
    let chain = good(COIN, Some(text));
    assert_eq!(chain.labels(), ["init", "deadlock", "goal"]);
    assert_eq!(chain.initial_states(), [1]);
    assert_eq!((chain.label("goal"), chain.label("gaol")), (Some(2), None));
    let labels: Vec<&[u32]> = (0..4).map(|state| chain.labels_of(state)).collect();
    assert_eq!(labels, [&[][..], &[0, 2], &[2], &[]]);
    let chain = good(
        COIN,
        Some("0=\"init\" 1=\"heads\"\n0: 0\n2: 0 # two\n1: 1 1"),
    );
    assert_eq!(chain.initial_states(), [0, 2]);
    assert_eq!(chain.labels_of(1), [1]);
    let chain = good(COIN, Some("3=\"heads\"\n1: 3\n0:\n"));
    assert_eq!(chain.initial_states(), [0]);
}

/// The errors of two texts, each as `line:column text: message; help`.
fn mistakes(transitions: &str, labels: Option<&str>) -> Vec<String> {
    let Err((diagnostics, sources)) = read(transitions, labels) else {
        panic!("accepted: {transitions}");
    };
    let show = |d: &Diagnostic| {
        let position = sources.position(d.span);
        let text = sources.text(d.span);
        let help = d.help.as_deref().unwrap_or("-");
        format!(
            "{}:{} `{text}`: {}; {help}",
            position.line, position.column, d.message
        )
    };
    diagnostics.iter().map(show).collect()
}

#[track_caller]
fn wrong(transitions: &str, labels: Option<&str>, parts: &[&str]) {
    let found = mistakes(transitions, labels);
    assert_eq!(found.len(), 1, "{found:#?}");
    for part in parts {
        assert!(found[0].contains(part), "{part} is not in {found:#?}");
    }
}

#[test]
fn mistakes_in_transitions_are_explained() {
    let cases: [(&str, &[&str]); 27] = [
        ("", &["no first line"]),
        ("# nothing\n\n", &["no first line"]),
        ("3\n", &["1:1 `3`", "numbers of states and transitions"]),
        ("x 4\n", &["`x 4`", "such as `4 7`"]),
        ("3 5 7\n0 0 1 0.5\n", &["MDP", "strategy"]),
        ("mdp\n3 5\n", &["MDP"]),
        ("ctmc\n1 1\n0 0 3\n", &["continuous", "`dtmc`"]),
        ("1 1\n0 0 0 1.0\n", &["2:1 `0 0 0 1.0`", "MDP"]),
        (
            "1 1\n0 0 1 stay here\n",
            &["source, a target and a probability"],
        ),
        ("1 1\n0 0\n", &["2:1 `0 0`", "source, a target"]),
        ("0 0\n", &["at least one state"]),
        ("3 2\n", &["3 states cannot do with 2", "probability 1"]),
        ("9999999999 99999999999\n", &["no more than"]),
        ("99999999999999999999999 9\n", &["numbers of states"]),
        (
            "1 1\n0 1 1\n",
            &["2:3 `1`: there is no state 1", "from 0 to 0"],
        ),
        ("1 1\n-1 0 1\n", &["2:1 `-1`", "not the number of a state"]),
        ("1 1\n0 0 -1\n", &["2:5 `-1`", "negative"]),
        ("1 1\n0 0 0.0\n", &["`0.0`", "zero", "leave out"]),
        ("1 1\n0 0 nan\n", &["`nan`", "not a probability", "1/4"]),
        ("1 1\n0 0 inf\n", &["not a probability"]),
        ("1 1\n0 0 1/0\n", &["not a probability"]),
        ("1 1\n0 0 2.5\n", &["greater than 1", "rates"]),
        (
            "2 2\n0 1 0.7\n1 1 1\n",
            &["2:1 `0 1 0.7`", "state 0 sum to 0.7"],
        ),
        (
            "2 2\n0 0 0.5\n0 1 0.5\n",
            &["1:1 `2`", "state 1 has no transition", "`1 1 1`"],
        ),
        (
            "2 3\n0 1 0.5\n1 1 1\n0 1 0.5\n",
            &["4:1 `0 1 0.5`", "two transitions from state 0 to 1", "sum"],
        ),
        (
            "2 5\n0 1 1\n1 1 1\n",
            &["1:3 `5`", "says 5 transitions, but there are 2"],
        ),
        (
            "1 1\n0 0 1\n0 0 1\n0 0 1\n",
            &["says 1 transitions, but there are 3"],
        ),
    ];
    for (text, parts) in cases {
        wrong(text, None, parts);
    }
}

#[test]
fn mistakes_in_labels_are_explained() {
    let cases: [(&str, &[&str]); 11] = [
        ("", &["names of the labels", "0=\"init\""]),
        ("0=init\n", &["1:1 `0=init`", "does not declare"]),
        ("x=\"a\"\n", &["does not declare"]),
        (
            "0=\"a\" 0=\"b\"\n",
            &["1:7", "two labels with the number 0"],
        ),
        ("0=\"a\" 1=\"a\"\n", &["two labels with the name `a`"]),
        ("0=\"a\"\n0 0\n", &["2:1 `0 0`", "colon"]),
        ("0=\"a\"\n7: 0\n", &["2:1 `7`", "no state 7", "from 0 to 2"]),
        (
            "0=\"a\"\n1: 3\n",
            &["2:4 `3`", "no label with the number 3"],
        ),
        ("0=\"a\"\n1: a\n", &["2:4 `a`", "not the number of a label"]),
        ("0=\"a\"\n1: 0\n1: 0\n", &["3:1 `1: 0`", "second line"]),
        (
            "0=\"init\"\n",
            &["no state has the label `init`", "state 0"],
        ),
    ];
    for (text, parts) in cases {
        wrong(COIN, Some(text), parts);
    }
}

#[test]
fn the_number_of_reported_mistakes_is_limited() {
    assert_eq!(mistakes("3 3\n0 7 1\n1 1 x\n2 2 0\n", None).len(), 3);
    let many: String = (0..100).map(|_| "0 9 1\n").collect();
    let found = mistakes(&format!("1 100\n{many}"), None);
    assert_eq!(found.len(), 21);
    assert!(found[20].contains("stopped after 20 errors"));
    // Rows are checked only if all lines are valid.
    let text = "4 4\n0 0 0.25\n2 2 0.5\n3 1 0.5\n3 2 0.5";
    assert_eq!(mistakes(text, None).len(), 3);
}

#[test]
fn memory_is_limited() {
    let mut sources = SourceMap::default();
    let mut large = "1000 2000\n".to_string();
    for state in (0..1000).rev() {
        large += &format!("{state} {} 1/2\n{state} {state} 1/2\n", (state + 1) % 1000);
    }
    let mut with = |memory| {
        let chain = parse(&mut sources, ("chain.tra", &large), None, memory);
        chain.map(|chain| chain.memory_bytes())
    };
    let message = with(10_000).unwrap_err()[0].message.clone();
    assert!(message.contains("MB of memory"), "{message}");
    let unsorted = with(40_000).unwrap_err();
    assert!(
        unsorted[0]
            .help
            .as_ref()
            .unwrap()
            .contains("sort the lines")
    );
    let bytes = with(80_000).unwrap();
    assert!((24_000..40_000).contains(&bytes), "{bytes}");
    // A first line with large numbers does not allocate memory for them.
    assert_eq!(mistakes("1000 4000000\n0 0 1\n", None).len(), 1);
    let labels = "0=\"a\"\n0: 0\n";
    let chain = parse(&mut sources, ("", COIN), Some(("", labels)), 70);
    assert!(chain.unwrap_err()[0].message.contains("memory"));
}

fn formula_mistakes(text: &str) -> Vec<String> {
    let chain = good(
        COIN,
        Some("0=\"init\" 1=\"heads\" 2=\"tails\"\n0: 0\n1: 1\n2: 2\n"),
    );
    let mut sources = SourceMap::default();
    let property = Property::parse(&mut sources, &chain, ("formula", text), &Limits::default());
    let Err(diagnostics) = property else {
        return Vec::new();
    };
    let show = |d: &Diagnostic| {
        let help = d.help.as_deref().unwrap_or("-");
        format!("`{}`: {}; {help}", sources.text(d.span), d.message)
    };
    diagnostics.iter().map(show).collect()
}

#[test]
fn atoms_of_formulas_are_labels() {
    assert_eq!(formula_mistakes("F heads && !(tails U init)"), [""; 0]);
    assert_eq!(formula_mistakes("F \"heads\""), [""; 0]);
    assert_eq!(
        formula_mistakes("F haeds || G x"),
        [
            "`haeds`: the chain has no label `haeds`; did you mean `heads`?",
            "`x`: the chain has no label `x`; its labels are `init`, `heads`, `tails`",
        ]
    );
    assert!(formula_mistakes("F (heads")[0].contains("`)`"));
}

#[test]
fn a_chain_is_a_state_space() {
    let text = "3 4\n0 1 0.25\n0 2 0.75\n1 1 1\n2 2 1\n";
    let mut chain = good(text, Some("0=\"init\"\n1: 0\n0: 0\n"));
    let mut out = Expansion::new();
    chain.initial(&mut out);
    let edges: Vec<_> = out.edges().collect();
    assert_eq!(edges, [(&[0][..], 0), (&[1][..], 1)]);
    out.clear();
    chain.successors(&[0], &mut out);
    let edges: Vec<_> = out.edges().collect();
    assert_eq!(edges, [(&[1][..], 0), (&[2][..], 1)]);
    let mut second = 0;
    for key in 0..10_000 {
        out.clear();
        chain.draw(&[0], &mut Dice::new(key), &mut out);
        second += out.edge(0).1;
    }
    assert!((7_250..7_750).contains(&second), "{second}");
    for words in [&[][..], &[3], &[u32::MAX]] {
        out.clear();
        chain.successors(words, &mut out);
        chain.draw(words, &mut Dice::new(0), &mut out);
        assert!(out.is_empty());
    }
}

/// Rows of all lengths, so that cumulative probabilities start and end at every index.
#[test]
fn draws_follow_the_probabilities() {
    let lengths = [1usize, 2, 5, 16, 17, 100, 3, 33, 16, 1];
    let states = 100;
    let mut text = String::new();
    let mut count = 0;
    for state in 0..states {
        let length = lengths[state % lengths.len()];
        let weights: Vec<f64> = (1..=length).map(|i| (i * 7 % 5 + 1) as f64).collect();
        let sum: f64 = weights.iter().sum();
        for (target, weight) in weights.iter().enumerate() {
            text += &format!("{state} {target} {weight}/{sum}\n");
        }
        count += length;
    }
    let chain = good(&format!("{states} {count}\n{text}"), None);
    for state in 0..states as u32 {
        // The intervals that select the successors, from end to end.
        let mut sum = 0.0;
        for (index, p) in chain.probabilities(state).iter().enumerate() {
            assert_eq!(chain.choose(state, sum + 1e-9), index, "{state}");
            assert_eq!(chain.choose(state, sum + p - 1e-9), index, "{state}");
            sum += p;
        }
        assert_eq!(chain.choose(state, 0.0), 0);
        let last = chain.targets(state).len() - 1;
        assert_eq!(chain.choose(state, 1.0 - f64::EPSILON / 2.0), last);
    }
}
