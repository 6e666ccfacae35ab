//! No text at all may make the front end panic, overflow the stack or run for long.
//!
//! Random texts are soups of tokens, and valid systems in which tokens or bytes were changed. What
//! is accepted nevertheless is also run for some steps, so that a model that contradicts itself does
//! not stay hidden. A failing case prints its text and seed; `LARIAT_DVE_SEED` chooses another seed
//! and `LARIAT_DVE_TEXTS` how many texts there are.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use lariat_dve::{expression_text, lower, parse, parse_part, transition_text};
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::model::Model;
use lariat_ir::source::SourceMap;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_stats::{Rng, stream};
use lariat_testkit::number;

const SEED: u64 = 20;
const TEXTS: u64 = 3000;

/// A system with everything in it.
const VALID: &str = "\
const int n = 2; const byte t[3] = {4, 5, 6};
byte x = n, y, a[n + 1] = {1, 2}; int z = -3; // numbers
channel c, d, e; channel {byte, int} f[2], g[0];
process P { byte i; int k[2]; state q, r, s; commit r; init q; accept r; assert s: x < 2 or i == 0;
trans q -> r { guard x < 3, not (y == 2) && a[x] != t[i]; sync c!{x, y + 1}; effect i = 1 - i, k[i] = k[1 - i]; },
-> s { sync d!; }, r -> q { guard Q.p imply Q->j == 1; effect x = (x + 1) % 3; },
r -> s { sync f!{x, -1}; effect z = z + 1; } s -> q { sync g?{y, z}; }, s -> s { sync e?a[i]; effect i = 0; };
}
/* the other one */
process Q { byte j; state p, u; init p; trans
p -> u { sync c?{x, j}; effect j = j & 1; }, u -> p { sync d?; }, u -> u { guard x == 1 || 1 << 2 > 3; };
}
process R { byte v; int w; state o; init o; trans
o -> o { sync f?{v, w}; effect v = ~v & 3; }, o -> o { sync g!{v, w / 2}; }, o -> o { sync e!v; effect v = t[v]; }; }
process N { state m, l; init m; accept l; trans m -> m {}, m -> l { guard P.q and x == 1; }, l -> l { guard not P.q; }; }
system async property N;
";

const WORDS: &[&str] = &[
    "const",
    "int",
    "byte",
    "channel",
    "process",
    "state",
    "init",
    "accept",
    "commit",
    "assert",
    "trans",
    "guard",
    "sync",
    "effect",
    "system",
    "async",
    "property",
    "and",
    "or",
    "not",
    "imply",
    "true",
    "false",
    "P",
    "Q",
    "q",
    "r",
    "x",
    "a",
    "c",
    "0",
    "1",
    "7",
    "255",
    "32768",
    "2147483647",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    ".",
    "->",
    "=>",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    "<<",
    ">>",
    "&&",
    "||",
    "|",
    "&",
    "^",
    "~",
    "!",
    "?",
    "+",
    "-",
    "*",
    "/",
    "%",
    "//",
    "/*",
    "*/",
    "\n",
    "#",
    "\"",
    "é",
    "dnl",
    "define(",
];

fn check(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    assert!(diagnostics.len() <= 450, "too many messages");
    for diagnostic in diagnostics {
        let message = &diagnostic.message;
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
        assert!(message.len() < 400, "{message}");
        let related = diagnostic.related.iter().map(|(span, _)| *span);
        for span in related.chain([diagnostic.span]) {
            assert!(span.start <= span.end, "{message}");
            assert!(sources.position(span).line > 0, "{message}");
        }
    }
}

/// Some steps from the initial state.
fn run(model: &Model) {
    let mut space = ModelSpace::new(model, Checks::default());
    let mut out = Expansion::new();
    space.initial(&mut out);
    let mut open: Vec<Vec<u32>> = out.edges().map(|(words, _)| words.to_vec()).collect();
    for _ in 0..30 {
        let Some(state) = open.pop() else { break };
        out.clear();
        space.successors(&state, &mut out);
        open.extend(out.edges().map(|(words, _)| words.to_vec()));
    }
}

/// Whether a text is a system; all that must hold for any text is checked.
fn survives(text: &str) -> bool {
    let start = Instant::now();
    let mut sources = SourceMap::default();
    let result = parse(&mut sources, "random.dve", text.to_string());
    check(&sources, &result.diagnostics);
    let wrong = result.has_errors();
    // Not for eating, but a tree with errors must not do harm either.
    for process in &result.system.processes {
        for transition in &process.transitions {
            let _ = transition_text(transition);
        }
    }
    let mut diagnostics = result.diagnostics;
    let accepted = match lower(
        &result.system,
        sources,
        Default::default(),
        &mut diagnostics,
    ) {
        Ok(lowered) => {
            assert!(!wrong);
            check(&lowered.model.sources, &diagnostics);
            if lowered.model.globals.bits < 1 << 20 && !lowered.model.synchronous {
                run(&lowered.model);
            }
            let mut sources = SourceMap::default();
            let atoms = lowered.model.properties.iter().flat_map(|p| &p.atoms);
            for atom in atoms {
                // Several guards at once are a list.
                if !atom.text.contains(", ") {
                    parse_part(&mut sources, "atom", &atom.text, 0..atom.text.len())
                        .map(|e| assert_eq!(expression_text(&e), atom.text))
                        .expect("an atom can be parsed");
                }
            }
            true
        }
        Err(sources) => {
            check(&sources, &diagnostics);
            let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
            assert!(errors.count() > 0, "refused without a word");
            false
        }
    };
    let mut sources = SourceMap::default();
    let middle = text.len() / 2;
    if let Err(diagnostics) = parse_part(&mut sources, "part", text, middle..text.len()) {
        check(&sources, &diagnostics);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "took too long");
    accepted
}

/// Makes random texts and reports the first that does harm.
fn try_all(purpose: &str, make: impl Fn(&mut Rng) -> String) -> u64 {
    let (seed, texts) = (
        number("LARIAT_DVE_SEED", SEED),
        number("LARIAT_DVE_TEXTS", TEXTS),
    );
    let mut accepted = 0;
    for case in 0..texts {
        let text = make(&mut stream(seed, purpose, case));
        match catch_unwind(|| survives(&text)) {
            Ok(valid) => accepted += u64::from(valid),
            Err(_) => panic!("{purpose}, seed {seed}, case {case}:\n{text}"),
        }
    }
    println!("{purpose}, seed {seed}: {accepted} of {texts} texts are systems");
    accepted
}

fn soup(rng: &mut Rng) -> String {
    let length = rng.index(200);
    let mut text = String::new();
    if rng.chance(0.5) {
        text.push_str("process P { state q, r; init q; trans q -> r { ");
    }
    for _ in 0..length {
        text.push_str(rng.choose(WORDS).expect("a word"));
        text.push(' ');
    }
    if rng.chance(0.5) {
        text.push_str("; } } system async;");
    }
    text
}

/// The words of a text, with what stands between them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let letter = c.is_alphanumeric() || c == '_';
        match pieces.last_mut() {
            Some(last) if letter && word => last.push(c),
            _ => pieces.push(c.to_string()),
        }
        word = letter;
    }
    pieces
}

fn mutated_tokens(rng: &mut Rng) -> String {
    let mut pieces = pieces(VALID);
    for _ in 0..1 + rng.index(4) {
        let at = rng.index(pieces.len());
        let other = pieces[rng.index(pieces.len())].clone();
        match rng.index(5) {
            0 if pieces.len() > 1 => drop(pieces.remove(at)),
            1 => pieces.insert(at, format!(" {other} ")),
            2 => pieces[at] = other,
            3 => pieces[at] = format!(" {} ", rng.choose(WORDS).expect("a word")),
            _ => pieces.truncate(at.max(1)),
        }
    }
    pieces.concat()
}

fn mutated_bytes(rng: &mut Rng) -> String {
    let mut bytes = VALID.as_bytes().to_vec();
    for _ in 0..1 + rng.index(6) {
        let at = rng.index(bytes.len());
        match rng.index(3) {
            0 => bytes[at] = rng.next_u32() as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, rng.next_u32() as u8),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn the_valid_system_is_valid() {
    assert!(survives(VALID));
}

#[test]
fn soups_of_tokens() {
    try_all("soup", soup);
}

#[test]
fn changed_tokens() {
    let accepted = try_all("tokens", mutated_tokens);
    assert!(accepted > 0, "nothing was accepted, so nothing was run");
}

#[test]
fn changed_bytes() {
    try_all("bytes", mutated_bytes);
}

#[test]
fn large_texts_take_no_time() {
    let process = |i: usize, inside: &str| {
        format!("process P{i} {{ state q; init q; trans q -> q {{ {inside} }}; }}\n")
    };
    let many = |n: usize, f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let end = "system async;";
    let texts = [
        many(1500, &|i| process(i, "guard x < 1 && x < 2;")),
        format!(
            "byte x; {}",
            many(1500, &|i| process(i, "guard x < 1 || x < 2 && x < 3;"))
        ),
        many(20_000, &|i| format!("channel c{i};")) + &process(0, "sync c5!;"),
        many(20_000, &|i| {
            format!("byte v{i} = v{};", i.saturating_sub(1))
        }) + &process(0, ""),
        many(20_000, &|i| format!("byte v{i};")) + &process(0, "effect v19999 = v0;"),
        format!("byte a[20000] = {{{}1}}; ", "1, ".repeat(20_000)) + &process(0, ""),
        format!(
            "process P {{ state {}q; init q; }}",
            many(50_000, &|i| format!("q{i}, "))
        ),
        format!(
            "process P {{ state q; init q; trans {} }}",
            "q -> q { }, ".repeat(100_000)
        ),
        "{".repeat(1_000_000),
        "process P { ".repeat(100_000),
        "byte x = {".repeat(100_000),
        "q -> q { guard ".repeat(100_000),
        "/*".repeat(100_000),
        "$ ".repeat(100_000),
        "x".repeat(1_000_000),
    ];
    for text in texts {
        survives(&(text + end));
    }
}
