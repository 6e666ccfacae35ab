//! Tests of the preprocessor, on texts and in-memory files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::SourceMap;

use super::{Define, Limits, Macros, Preprocessor};
use crate::token::{Interner, Token, TokenKind};
use lariat_ir::diagnostic::Sink;

struct Run {
    text: String,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
}

fn run_with(files: &[(&str, &str)], defines: &[Define], dirs: &[PathBuf]) -> Run {
    let table: HashMap<PathBuf, String> = files
        .iter()
        .map(|(name, text)| (PathBuf::from(name), text.to_string()))
        .collect();
    let loader = |path: &Path| match table.get(path) {
        Some(text) => Ok(text.clone().into_bytes()),
        None => Err(std::io::ErrorKind::NotFound.into()),
    };
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add(files[0].0, files[0].1);
    let mut preprocessor = Preprocessor::new(
        &mut sources,
        Interner::default(),
        Macros::default(),
        &mut sink,
        &loader,
        dirs,
        Limits::default(),
    );
    preprocessor.command_line(defines);
    let tokens = preprocessor.run_file(file, Arc::from(files[0].1), PathBuf::from(files[0].0));
    let names = preprocessor.names;
    let text: Vec<String> = tokens
        .iter()
        .filter(|t| t.kind != TokenKind::Eof)
        .map(|t| t.text(&names))
        .collect();
    Run {
        text: text.join(" "),
        tokens,
        diagnostics: sink.diagnostics,
        sources,
    }
}

fn run(text: &str) -> Run {
    run_with(&[("m.pml", text)], &[], &[])
}

/// The text after preprocessing, which must not report anything.
fn clean(text: &str) -> String {
    let result = run(text);
    assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
    result.text
}

/// The first message, which must be an error.
fn error(text: &str) -> String {
    let result = run(text);
    let first = result.diagnostics.first().expect("an error is expected");
    assert_eq!(first.severity, Severity::Error);
    first.message.clone()
}

#[test]
fn objects_and_functions() {
    assert_eq!(clean("#define N 3\nx N y"), "x 3 y");
    assert_eq!(
        clean("#define f(x,y) (x+y)\nf(1,(2,3)) f"),
        "( 1 + ( 2 , 3 ) ) f"
    );
    assert_eq!(clean("#define f(x) <x>\nf\n(\n1 )"), "< 1 >");
    assert_eq!(clean("#define f() z\nf() f( )"), "z z");
    assert_eq!(clean("#define f(x) [x]\nf()"), "[ ]");
    assert_eq!(clean("#define N 1\n#undef N\nN"), "N");
    assert_eq!(clean("#define f (x)\nf"), "( x )");
}

#[test]
fn a_macro_is_not_expanded_inside_itself() {
    assert_eq!(clean("#define x x y\nx"), "x y");
    assert_eq!(clean("#define a b\n#define b a c\na b"), "a c b c");
    assert_eq!(clean("#define f(x) x f\nf(1)(2)"), "1 f ( 2 )");
    // From the C standard, 6.10.3.5.
    let standard = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n\
        #define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);";
    let expected = "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n\
        f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);";
    assert_eq!(clean(standard), clean(expected));
}

#[test]
fn strings_and_pasting() {
    assert_eq!(
        clean("#define s(x) #x\ns( a + \"b\\n\"  c )"),
        r#""a + \"b\\n\" c""#
    );
    assert_eq!(
        clean("#define c(a,b) a##b\nc(x,1) c(,y) c(z,) c(,)"),
        "x1 y z"
    );
    assert_eq!(
        clean("#define c(a,b) a ## _ ## b\n#define x 5\nc(x,x)"),
        "x_x"
    );
    assert_eq!(clean("#define c(a,b) a##b\n#define xy 7\nc(x,y)"), "7");
    assert_eq!(clean("#define c(a) a##1 a\n#define x 5\nc(x)"), "x1 5");
    assert!(error("#define c(a,b) a##b\nc(+,x)").contains("cannot make one token"));
    assert_eq!(clean("#define h 1 # 2\nh"), "1 # 2");
}

#[test]
fn variadic_macros() {
    let p = "#define p(f, ...) printf(f, __VA_ARGS__)\n";
    assert_eq!(clean(&format!("{p}p(1, 2, 3)")), "printf ( 1 , 2 , 3 )");
    let p = "#define p(f, ...) printf(f, ## __VA_ARGS__)\n";
    assert_eq!(
        clean(&format!("{p}p(1) p(1,2)")),
        "printf ( 1 ) printf ( 1 , 2 )"
    );
    assert_eq!(
        clean("#define p(args...) <args>\np(1,2) p()"),
        "< 1 , 2 > < >"
    );
}

#[test]
fn wrong_calls_name_both_numbers() {
    let message = error("#define f(a,b) a\nf(1)");
    assert_eq!(message, "macro `f` takes 2 arguments, but 1 is given");
    assert!(error("#define f(a) a\nf(1").contains("never closed"));
}

#[test]
fn conditionals() {
    let taken = |condition: &str| clean(&format!("#if {condition}\nyes\n#else\nno\n#endif"));
    for condition in [
        "1 + 2 * 3 == 7",
        "!defined X && !defined(X)",
        "0x10 == 16 && 010 == 8 && 'A' == 65",
        "(2 > 1) ? 1 : 1 / 0",
        "defined(X) && 10 / X || 1",
        "-1 < 0 && ~0 == -1",
        "1 << 3 == 8 && 7 % 4 == 3",
        "5UL > 4",
        "!UNKNOWN",
    ] {
        assert_eq!(taken(condition), "yes", "{condition}");
    }
    assert_eq!(taken("2 - 2"), "no");
    assert_eq!(taken("0 && 1 / 0"), "no");
    let chain = "#if 0\na\n#elif 1\nb\n#elif 1 / 0\nc\n#else\nd\n#endif e";
    assert!(run(chain).text.starts_with("b"));
    let nested = "#ifdef X\n#if 1\na\n#else\nb\n#endif\n#else\n#ifndef X\nc\n#endif\n#endif\nd";
    assert_eq!(clean(nested), "c d");
    assert_eq!(clean("#if 0\nit's \"fine\n#garbage ' \n#endif\nx"), "x");
    assert_eq!(clean("#if 0\n/*\n#endif\n*/ y\n#endif\nx"), "x");
    assert!(error("#if 1 +\n#endif").contains("expected a value"));
    assert!(error("#if 1 / 0\n#endif").contains("division by zero"));
    assert!(error("x\n#endif").contains("without `#if`"));
    assert!(error("#if 1\n#else\n#else\n#endif").contains("already had"));
    let open = run("a\n#if 1\nb");
    assert_eq!(open.sources.position(open.diagnostics[0].span).line, 2);
}

#[test]
fn other_directives() {
    assert_eq!(error("#error no  way "), "the model says: no  way");
    let warning = run("#warning careful\nx");
    assert_eq!(warning.text, "x");
    assert_eq!(warning.diagnostics[0].severity, Severity::Warning);
    assert_eq!(
        clean("#pragma x\n#line 7 \"y\"\n# 3 \"z\" 1\n#\n#ident \"a\"\nb"),
        "b"
    );
    let wrong = run("#defin X 1\n");
    assert_eq!(
        wrong.diagnostics[0].help.as_deref(),
        Some("did you mean `#define`?")
    );
    let again = run("#define A 1\n#define A  1\n#define A 2\nA");
    assert_eq!((again.text.as_str(), again.diagnostics.len()), ("2", 1));
    assert_eq!(clean("a\n__LINE__ __FILE__"), "a 2 \"m.pml\"");
    assert_eq!(clean("#define L __LINE__\n\nL"), "3");
}

#[test]
fn the_command_line_is_obeyed_in_order() {
    let defines = [
        Define::Define("N=4".to_string()),
        Define::Define("YES".to_string()),
        Define::Define("f(x)=x+x".to_string()),
        Define::Define("GONE=1".to_string()),
        Define::Undef("GONE".to_string()),
    ];
    let result = run_with(&[("m.pml", "N YES f(N) GONE")], &defines, &[]);
    assert_eq!(result.text, "4 1 4 + 4 GONE");
    assert!(result.diagnostics.is_empty());
}

#[test]
fn includes() {
    let files = [
        (
            "dir/m.pml",
            "#include \"a.h\"\n#include <b.h>\n#define F \"a.h\"\n#include F\nM A",
        ),
        ("dir/a.h", "#define A 1\nfrom_a"),
        ("lib/b.h", "#include \"c.h\"\n#define M A"),
        ("lib/c.h", "from_c"),
    ];
    let result = run_with(&files, &[], &[PathBuf::from("lib")]);
    assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
    assert_eq!(result.text, "from_a from_c from_a 1 1");
    let missing = run("#include \"nowhere.h\"\nx");
    assert_eq!(missing.diagnostics.len(), 1);
    assert_eq!(
        missing.diagnostics[0].message,
        "there is no file `nowhere.h`"
    );
}

#[test]
fn include_cycles_end_with_the_chain() {
    let files = [
        ("m.pml", "#include \"a.h\"\n"),
        ("a.h", "#include \"b.h\"\n"),
        ("b.h", "#include \"a.h\"\n"),
    ];
    let result = run_with(&files, &[], &[]);
    assert_eq!(result.diagnostics.len(), 1);
    let help = result.diagnostics[0].help.clone().unwrap_or_default();
    assert!(help.contains("a.h -> b.h"), "{help}");
    let guarded = [(
        "m.pml",
        "#ifndef G\n#define G\n#include \"m.pml\"\nx\n#endif\n",
    )];
    assert_eq!(run_with(&guarded, &[], &[]).text, "x");
    // Twice at every level: the number of inclusions is exponential.
    let twice = [("m.pml", "#include \"m.pml\"\n#include \"m.pml\"\n")];
    assert_eq!(run_with(&twice, &[], &[]).diagnostics.len(), 1);
}

#[test]
fn tokens_know_the_call_they_come_from() {
    let text = "#define INNER(a) (a + 1)\n#define OUTER INNER(x)\n  OUTER;\n INNER(y);";
    let result = run(text);
    let at = |i: usize| result.sources.text(result.tokens[i].span).to_string();
    assert_eq!(at(0), "OUTER");
    assert_eq!(at(1), "OUTER");
    let inner = result.sources.expansion(result.tokens[2].span.expansion);
    assert_eq!(inner.map(|e| e.name.as_str()), Some("INNER"));
    let outer = inner.and_then(|e| result.sources.expansion(e.call.expansion));
    assert_eq!(outer.map(|e| e.name.as_str()), Some("OUTER"));
    // An argument that was written here keeps its own place, a token of the body has the call's.
    assert_eq!(at(6), "INNER(y)");
    assert_eq!(at(7), "y");
}

#[test]
fn newlines_are_those_of_the_unexpanded_text() {
    let result = run("#define BODY a \\\n b\n#define NONE\nBODY\nNONE c\nd BODY(\n) e");
    let lines: Vec<(usize, bool)> = result
        .tokens
        .iter()
        .map(|t| t.newline)
        .enumerate()
        .collect();
    let starts: Vec<usize> = lines.iter().filter(|l| l.1).map(|l| l.0).collect();
    // a b | c | d a b ( | ) e | end
    assert_eq!(starts, [0, 2, 3, 7, 9]);
}

#[test]
fn exponential_macros_end_in_one_message() {
    let mut text = String::from("#define A0 lol lol\n");
    for i in 1..64 {
        text += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
    }
    text += "A63\n";
    let result = run(&text);
    assert_eq!(result.diagnostics.len(), 1);
    // The same, but nothing is produced, and the same with arguments, strings and names.
    let empty = text.replace("lol lol", "");
    assert_eq!(run(&empty).diagnostics.len(), 1);
    let mut calls = String::from("#define F(x) x x\n");
    calls += &"F(".repeat(100);
    calls += "y";
    calls += &")".repeat(100);
    assert_eq!(run(&calls).diagnostics.len(), 1);
    let mut names = String::from("#define P(a) Q(a,a)\n#define Q(a,b) a##b\n");
    names += &"P(".repeat(60);
    names += "y";
    names += &")".repeat(60);
    assert_eq!(run(&names).diagnostics.len(), 1);
    let deep = format!(
        "#define I(x) x\n{}y{}",
        "I(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(run(&deep).diagnostics.len(), 1);
}
