//! No text makes the readers panic, run for long or take much memory.
//!
//! The texts are valid files in which bytes or words were changed or cut off, and random bytes. Walks are made on
//! every accepted chain. `LARIAT_SEED` sets another seed.

use lariat_chain::{ChainSampler, Input, Options, Property, read};
use lariat_ir::source::SourceMap;
use lariat_ltl::Limits;
use lariat_stats::{Rng, stream};
use lariat_testkit::seed;
use std::io::Cursor;
use std::sync::Arc;

const TRANSITIONS: &[u8] = b"# five states\n5 8\n0 1 0.5\n0 2 1/2\n1 3 2.5e-1\n1 0 0.75\n2 2 1\n3 3 1\n4 4 .5 go\n4 0 0.5\n";
const LABELS: &[u8] = b"0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0\n3: 2 # here\n4: 1 2\n";

const WORDS: &[&str] = &[
    "0",
    "1",
    "4",
    "5",
    "0.5",
    "1/2",
    "/",
    "1e-400",
    "1e400",
    "-1",
    "nan",
    "inf",
    "4294967295",
    "18446744073709551616",
    "0=\"a\"",
    "\"",
    "=",
    ":",
    "#",
    "\n",
    "\r",
    "\u{feff}",
    "\0",
    "dtmc",
    "mdp",
    "99999999999999999999999999999999999999",
    "0x10",
    "1_000",
    "٣",
    "é",
    " ",
];

fn mutate(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.index(bytes.len() + 1);
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = rng.next_u32() as u8,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => {
                let lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
                bytes.extend_from_slice(lines[rng.index(lines.len())]);
            }
            _ => {
                let word = WORDS[rng.index(WORDS.len())].bytes();
                let end = (at + rng.index(4)).min(bytes.len());
                bytes.splice(at..end, word);
            }
        }
    }
    bytes
}

fn attempt(transitions: &[u8], labels: &[u8]) -> bool {
    let mut sources = SourceMap::default();
    let (mut first, mut second) = (Cursor::new(transitions), Cursor::new(labels));
    let transitions = Input {
        name: "hostile.tra",
        source: &mut first,
    };
    let labels = Input {
        name: "hostile.lab",
        source: &mut second,
    };
    let chain = match read(&mut sources, transitions, Some(labels), 1 << 20) {
        Ok(chain) => chain,
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty() && diagnostics.len() <= 22);
            for diagnostic in diagnostics {
                assert!(!diagnostic.message.is_empty());
                assert!(sources.position(diagnostic.span).line > 0);
                let length = sources.file(diagnostic.span.file).text.len();
                assert!(diagnostic.span.end as usize <= length);
                assert!(diagnostic.span.start <= diagnostic.span.end);
            }
            return false;
        }
    };
    assert!(chain.memory_bytes() < 1 << 20);
    for state in 0..chain.states() as u32 {
        let row = chain.probabilities(state);
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(row.iter().all(|&p| p > 0.0));
    }
    let formula = ("formula", "F goal || G F deadlock");
    let Ok(property) = Property::parse(&mut sources, &chain, formula, &Limits::default()) else {
        return true;
    };
    let options = Options::default();
    let mut sampler = ChainSampler::new(&chain, Arc::new(property), options).unwrap();
    for number in 0..3 {
        sampler.walk(1, number, 1000).unwrap();
        sampler.lasso(1, number, 1000).unwrap();
    }
    true
}

#[test]
fn nothing_goes_wrong() {
    let seed = seed();
    let mut accepted = 0;
    for n in 0..20_000 {
        let mut rng = stream(seed, "hostile chain", n);
        let (mut transitions, mut labels) = (TRANSITIONS.to_vec(), LABELS.to_vec());
        match rng.below(8) {
            0 => transitions = (0..rng.below(200)).map(|_| rng.next_u32() as u8).collect(),
            1 => labels = (0..rng.below(200)).map(|_| rng.next_u32() as u8).collect(),
            2 | 3 => labels = mutate(LABELS, &mut rng),
            _ => transitions = mutate(TRANSITIONS, &mut rng),
        }
        accepted += u32::from(attempt(&transitions, &labels));
    }
    println!("LARIAT_SEED={seed}: {accepted} of 20000 accepted");
    assert!(accepted > 300 && accepted < 19_000);
}

#[test]
fn every_prefix_of_a_file_is_read_or_refused() {
    assert!(attempt(TRANSITIONS, LABELS));
    for end in 0..TRANSITIONS.len() {
        attempt(&TRANSITIONS[..end], LABELS);
    }
    for end in 0..LABELS.len() {
        attempt(TRANSITIONS, &LABELS[..end]);
    }
}

#[test]
fn long_lines_and_large_numbers_are_refused() {
    let long = [b"1 1\n0 0 ".to_vec(), vec![b'1'; 2 << 20]].concat();
    assert!(!attempt(&long, LABELS));
    assert!(!attempt(&vec![b' '; 3 << 20], LABELS));
    assert!(!attempt(TRANSITIONS, &vec![b'9'; 2 << 20]));
    assert!(!attempt(b"4294967294 4294967294\n0 0 1\n", LABELS));
    assert!(!attempt(b"1 4294967294\n0 0 1\n", LABELS));
    assert!(!attempt(b"4294967295 4294967295\n0 0 1\n", LABELS));
    let lines = [b"5 8\n".to_vec(), b"0 0 1\n".repeat(100_000)].concat();
    assert!(!attempt(&lines, LABELS));
}
