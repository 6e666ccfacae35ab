//! The syntax half of the front end on whole models and on hostile texts.
//!
//! Every model of the repository must parse, except those that say they are wrong. No text at
//! all may make the front end panic, overflow the stack or run for long. Random texts come from a
//! small generator; a failing case prints its seed.

use std::path::Path;
use std::time::{Duration, Instant};

use lariat_front::{Languages, decode};
use lariat_ir::diagnostic::Severity;
use lariat_ir::source::SourceMap;
use lariat_promela::{Parse, ParseOptions, Promela, parse};
use lariat_stats::Rng;
use lariat_testkit::files::{self, ModelFile};

/// Parses without a disk: every include fails.
fn parse_text(text: String) -> (SourceMap, Parse) {
    let options = ParseOptions {
        loader: Box::new(|_: &Path| Err(std::io::ErrorKind::NotFound.into())),
        ..ParseOptions::default()
    };
    let mut sources = SourceMap::default();
    let result = parse(&mut sources, &options, "random.pml", text);
    (sources, result)
}

/// Parses and checks what must hold for any text.
fn survives(text: String, what: &str) -> Parse {
    let length = text.len();
    let start = Instant::now();
    let (sources, result) = parse_text(text);
    let time = start.elapsed();
    assert!(
        time < Duration::from_secs(10),
        "{what}: {length} bytes took {time:?}"
    );
    assert!(result.diagnostics.len() <= 250, "{what}");
    for diagnostic in &result.diagnostics {
        let message = &diagnostic.message;
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
        let span = diagnostic.span;
        assert!(span.start <= span.end, "{message}");
        assert!(sources.position(span).line > 0, "{message}");
    }
    result
}

/// The models of the repository in this language.
fn models() -> Vec<ModelFile> {
    files::models(&Languages(&[&Promela]))
}

#[test]
fn every_model_of_the_repository_parses() {
    for model in models().iter().filter(|model| !model.header.is_refused()) {
        let text = decode(std::fs::read(&model.path).expect("the model can be read"));
        let mut sources = SourceMap::default();
        let name = model.path.display().to_string();
        let result = parse(&mut sources, &ParseOptions::default(), &name, text);
        let errors: Vec<String> = result
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| format!("{}: {}", sources.location(d.span), d.message))
            .collect();
        assert_eq!(errors, [] as [String; 0]);
    }
}

#[test]
fn random_bytes() {
    for seed in 0..400 {
        let mut random = Rng::new(seed);
        let length = random.index(2000);
        let bytes: Vec<u8> = (0..length).map(|_| random.next_u32() as u8).collect();
        survives(decode(bytes), &format!("bytes, seed {seed}"));
        let printable = (0..length).map(|_| char::from(b' ' + random.index(95) as u8));
        survives(printable.collect(), &format!("characters, seed {seed}"));
    }
}

const WORDS: &str = "active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track \
    D_proctype do chan else empty enabled eval false fi for full get_priority goto hidden if in \
    init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid printf \
    printm priority proctype provided return run d_step select set_priority short skip timeout \
    trace true show typedef unless unsigned xr xs ( ) { } [ ] ; , : :: . .. -> @ = == != < <= > \
    >= << >> + ++ - -- * / % & && | || ^ ~ ! !! ? ?? # ## x y f P T M _ _pid 0 1 42 0x1f 'a' \
    \"s\" U W V X always eventually <> [] <->";

#[test]
fn random_tokens() {
    let mut words: Vec<&str> = WORDS.split_whitespace().collect();
    words.extend([
        "\n",
        "\n",
        "\n#define M",
        "\n#define f(x)",
        "\n#if M\n",
        "\n#endif\n",
        "\\\n",
    ]);
    words.extend([
        "inline f(x) {",
        "proctype P(byte x) {",
        "init {",
        "if ::",
        "do ::",
        "fi",
        "od",
    ]);
    for seed in 0..3000 {
        let mut random = Rng::new(seed);
        let length = random.index(300);
        let soup: Vec<&str> = (0..length)
            .map(|_| words[random.index(words.len())])
            .collect();
        survives(soup.join(" "), &format!("tokens, seed {seed}"));
    }
}

#[test]
fn mutated_models() {
    let files = models();
    for seed in 0..1500 {
        let mut random = Rng::new(seed);
        let path = &files[random.index(files.len())].path;
        let text = decode(std::fs::read(path).expect("the model can be read"));
        let mut pieces: Vec<&str> = text
            .split_inclusive(|c: char| !c.is_alphanumeric())
            .collect();
        for _ in 0..=random.below(5) {
            if pieces.is_empty() {
                break;
            }
            let (a, b) = (random.index(pieces.len()), random.index(pieces.len()));
            match random.below(3) {
                0 => drop(pieces.remove(a)),
                1 => pieces.insert(a, pieces[b]),
                _ => pieces.swap(a, b),
            }
        }
        survives(pieces.concat(), &format!("{}, seed {seed}", path.display()));
    }
}

#[test]
fn deep_nesting_ends_in_a_message() {
    let n = 100_000;
    let inside = |open: &str, middle: &str, close: &str| {
        format!("init {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    for (text, what) in [
        (inside("(", "x", ")"), "parentheses"),
        (inside("{", "skip", "}"), "blocks"),
        (inside("a[", "1", "]"), "indices"),
        (inside("if :: ", "skip", " fi"), "selections"),
        (inside("do :: ", "skip", " od"), "loops"),
        (inside("atomic {", "skip", "}"), "atomic"),
        (inside("!", "x", ""), "negations"),
        (inside("- ", "x", ""), "minus"),
        (inside("x / ", "x", ""), "quotients"),
        (inside("(x -> ", "1", " : 2)"), "conditionals"),
        (inside("run P(", "1", ")"), "run"),
        (inside("enabled(", "1", ")"), "enabled"),
        (inside("for (i : 1 .. 2) {", "skip", "}"), "for"),
        (inside("x = (1 + ", "1", ")"), "assignments"),
        (inside("c!m(", "1", ")"), "sends"),
        (inside("skip unless {", "skip", "}"), "unless"),
        (format!("ltl {{ {} p }}", "[] ".repeat(n)), "always"),
        (format!("ltl {{ {} p }}", "X ".repeat(n)), "next"),
        (format!("ltl {{ {} p }}", "p U ".repeat(n)), "until"),
        (format!("#if {}1\n#endif\n", "(".repeat(n)), "conditions"),
        (
            format!("#if {}1\n#endif\n", "!".repeat(n)),
            "conditions with !",
        ),
        ("#if 1\n".repeat(n), "#if"),
        ("#if 0\n".repeat(n), "skipped #if"),
        ("init {".repeat(n), "init"),
        ("inline f() {".repeat(n), "inline"),
        ("(".repeat(n), "only parentheses"),
        ("}".repeat(n), "only closing braces"),
        ("proctype P(".repeat(n), "heads"),
        ("typedef T {".repeat(n), "typedefs"),
        (inside("c?(", "x", ""), "receives"),
        (inside("c_code {", "", "}"), "c_code"),
    ] {
        let result = survives(text, what);
        assert!(result.has_errors(), "{what}");
    }
    // These are long but not deep.
    for (text, what) in [
        (inside("L:", "skip", ""), "labels"),
        (inside("x = 1;", "skip", ""), "statements"),
        (inside("x = 1\n", "skip", ""), "lines"),
        (inside("x + ", "x", ""), "sums"),
        (inside("x - 1 == 2 && y || ", "x", ""), "conditions"),
        (inside("", "c!1", ",1"), "arguments of a send"),
        (inside("", "c?((((x))))", ""), "parentheses of a receive"),
    ] {
        let result = survives(text, what);
        assert!(!result.has_errors(), "{what}: {:?}", result.diagnostics[0]);
    }
}

#[test]
fn large_texts() {
    let mut random = Rng::new(1);
    let garbage: Vec<u8> = (0..10_000_000).map(|_| random.next_u32() as u8).collect();
    survives(decode(garbage), "10 MB of garbage");
    survives("x".repeat(10_000_000), "a long name");
    survives(
        format!("init {{ {}(1) }}", "x".repeat(10_000_000)),
        "a call of a long name",
    );
    survives("1".repeat(10_000_000), "a long number");
    survives(format!("\"{}", "s".repeat(10_000_000)), "a long string");
    survives(format!("/*{}", "*".repeat(10_000_000)), "a long comment");
    survives("\\\n".repeat(5_000_000), "continuations");
    survives("$ ".repeat(5_000_000), "runs of garbage");
    survives("byte x;\n".repeat(500_000), "declarations");
    survives("#define M M M\nM\n".repeat(100_000), "definitions");
    survives("\n".repeat(10_000_000), "newlines");
}

#[test]
fn inlines_that_multiply_end_in_a_message() {
    let mut text = String::from("inline f0(x) { x = 1; x = 2 }\n");
    for i in 1..60 {
        text += &format!("inline f{i}(x) {{ f{}(x); f{}(x) }}\n", i - 1, i - 1);
    }
    let result = survives(format!("{text} init {{ f59(y) }}"), "doubling inlines");
    assert_eq!(result.diagnostics.len(), 1);
    // Arguments that double at each level.
    let mut text = String::from("inline f0(x) { y = x }\n");
    for i in 1..60 {
        text += &format!("inline f{i}(x) {{ f{}(x + x) }}\n", i - 1);
    }
    let result = survives(format!("{text} init {{ f59(1) }}"), "doubling arguments");
    assert_eq!(result.diagnostics.len(), 1);
    // A long chain of different inlines.
    let mut text = String::from("inline f0() { skip }\n");
    for i in 1..5000 {
        text += &format!("inline f{i}() {{ f{}() }}\n", i - 1);
    }
    let result = survives(format!("{text} init {{ f4999() }}"), "a chain of inlines");
    assert_eq!(result.diagnostics.len(), 1);
    let recursive = "inline f() { g() } inline g() { f(); f() } init { f(); g() }";
    assert!(survives(recursive.to_string(), "recursion").has_errors());
}

#[test]
fn macros_that_multiply_end_in_a_message() {
    let mut text = String::from("#define A0 x = 1;\n");
    for i in 1..64 {
        text += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
    }
    let result = survives(format!("{text} init {{ A63 }}"), "a billion laughs");
    assert_eq!(result.diagnostics.len(), 1);
    let recursive = "#define A B A\n#define B A B\ninit { A; B }";
    survives(recursive.to_string(), "recursive macros");
}
