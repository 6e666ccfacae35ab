//! Tests of the documents: console blocks, links, options.
//!
//! Every fenced block marked `console` in the documents is executed. A line `$ lariat ...` is a
//! command, and the lines up to the next command are what it must print: first standard error, then
//! standard output. `[..]` stands for anything inside a line, a line `...` for any number of lines,
//! and the lines `memory` and `time` of a summary for any amounts. `$ cat FILE` shows a file; one
//! that does not exist is created with the text shown, for the commands after it. The commands of a
//! document run one after the other in a folder that has the examples in `examples`.

use crate::support::{Folder, root};
use std::path::PathBuf;

fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [root(), root().join("docs"), root().join("docs/experiments")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A command and the lines that it must print.
#[derive(Debug, Default, PartialEq)]
struct Example {
    line: usize,
    command: String,
    expected: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match (inside, line.trim_end()) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => match line.strip_prefix("$ ") {
                Some(command) => found.push(Example {
                    line: index + 1,
                    command: command.into(),
                    expected: Vec::new(),
                }),
                None => {
                    let example = found.last_mut().expect("a block begins with a command");
                    example.expected.push(line.into());
                }
            },
            _ => {}
        }
    }
    assert!(!inside, "a block does not end");
    found
}

/// The words of a command line: quotes keep a word together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            (Some(q), c) if q == c => quote = None,
            (_, c) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

fn line_matches(expected: &str, actual: &str) -> bool {
    for amounts in ["  memory   ", "  time     "] {
        if expected.starts_with(amounts) {
            return actual.starts_with(amounts);
        }
    }
    let Some((before, after)) = expected.split_once("[..]") else {
        return expected == actual;
    };
    let Some(rest) = actual.strip_prefix(before) else {
        return false;
    };
    (0..=rest.len()).any(|i| rest.get(i..).is_some_and(|tail| line_matches(after, tail)))
}

fn lines_match(expected: &[String], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], []) => true,
        ([first, rest @ ..], _) if first == "..." => {
            (0..=actual.len()).any(|i| lines_match(rest, &actual[i..]))
        }
        ([first, rest @ ..], [line, lines @ ..]) => {
            line_matches(first, line.trim_end()) && lines_match(rest, lines)
        }
        _ => false,
    }
}

fn execute(folder: &Folder, example: &Example) -> String {
    let words = words(&example.command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["lariat", ref args @ ..] => {
            let ran = folder.run_args(args);
            ran.stderr + &ran.stdout
        }
        ["cat", file] => {
            if !folder.exists(file) {
                folder.write(file, example.expected.join("\n") + "\n");
            }
            folder.read(file)
        }
        _ => panic!("documents run `lariat` and `cat` only: {}", example.command),
    }
}

#[test]
fn console_blocks_are_real() {
    let mut failures = String::new();
    let (mut commands, mut prompts) = (0, 0);
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        prompts += text.lines().filter(|l| l.starts_with("$ ")).count();
        let folder = Folder::new();
        for example in examples(&text) {
            let actual = execute(&folder, &example);
            let actual_lines: Vec<&str> = actual.lines().collect();
            commands += 1;
            if !lines_match(&example.expected, &actual_lines) {
                let name = document.file_name().unwrap().to_string_lossy();
                failures += &format!(
                    "{name}:{}: $ {}\n--- the document says\n{}\n--- but this happens\n{actual}\n",
                    example.line,
                    example.command,
                    example.expected.join("\n"),
                );
            }
        }
    }
    assert_eq!(commands, prompts, "a command is not in a console block");
    assert!(failures.is_empty(), "{failures}");
}

/// A text without its fenced blocks and what stands between backquotes: `[](p)` is no link there.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if !inside {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

/// Links to files of this repository lead somewhere.
#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = prose(&std::fs::read_to_string(&document).unwrap());
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = document.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target}", document.display());
        }
    }
}

/// Every option of the program is explained in some document.
#[test]
fn options_are_documented() {
    let all: String = documents()
        .iter()
        .map(|d| std::fs::read_to_string(d).unwrap())
        .collect();
    let folder = Folder::new();
    for command in [
        "check",
        "estimate",
        "simulate",
        "replay",
        "ltl",
        "parse",
        "show",
        "experiment",
    ] {
        assert!(all.contains(&format!("lariat {command}")), "{command}");
        let help = folder.run(&format!("{command} --help")).stdout;
        for word in help.split([' ', ',', ':', '\n']) {
            if word.starts_with("--") && word != "--help" {
                assert!(all.contains(word), "{command} {word}");
            }
        }
    }
}

#[test]
fn wildcards_match_what_they_should() {
    assert!(line_matches("a [..] c", "a b c"));
    assert!(line_matches("[..]", ""));
    assert!(line_matches("x[..]y[..]z", "x--y--z"));
    assert!(!line_matches("a [..] c", "a b d"));
    assert!(line_matches(
        "  time     0.1 s",
        "  time     7 s, 3 states a second"
    ));
    let expected = ["a".to_string(), "...".into(), "c".into()];
    assert!(lines_match(&expected, &["a", "b", "b", "c"]));
    assert!(lines_match(&expected, &["a", "c"]));
    assert!(!lines_match(&expected, &["a", "b"]));
    assert!(!lines_match(&expected[..1], &["a", "b"]));
}

#[test]
fn code_is_no_prose() {
    let text = "see [`a`](b.md), `[](p)`\n```\n[](q)\n```\nand [c](d.md)\n";
    assert_eq!(prose(text), "see [](b.md), \nand [c](d.md)\n");
}

#[test]
fn blocks_are_found() {
    let text = "text\n```sh\n$ no\n```\n```console\n$ lariat a 'b c'\nout\n$ cat d\n```\n";
    let found = examples(text);
    assert_eq!(found.len(), 2);
    assert_eq!(words(&found[0].command), ["lariat", "a", "b c"]);
    assert_eq!(found[0].expected, ["out"]);
    assert_eq!((found[1].line, found[1].expected.len()), (8, 0));
}
