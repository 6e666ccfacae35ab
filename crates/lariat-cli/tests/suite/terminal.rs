//! What users see on a terminal: lines that fit, colours, and neither of them in a file.

use lariat_report::text::Style;
use lariat_report::trail::Trail;
use lariat_report::trail_text::trail_table;

use crate::support::{Folder, Ran};

/// Names and statements that fit into no narrow column.
const LONG: &str = r#"byte counter_of_requests[2], another_quite_long_name;
chan between_them = [0] of { byte, byte };
active proctype a_process_with_a_long_name() {
  do
  :: counter_of_requests[0] < 3 && another_quite_long_name <= 100 ->
     counter_of_requests[0] = counter_of_requests[0] + 1
  :: atomic { counter_of_requests[1] = 123; another_quite_long_name = 45;
              between_them!counter_of_requests[0],another_quite_long_name }
  :: counter_of_requests[0] == 3 ->
     printf("a message with quite a few words in it, so that it does not fit\n");
     assert(another_quite_long_name != 45)
  od
}
active proctype receiver() { byte x, y; do :: between_them?x,y od }"#;

fn trail() -> Trail {
    let folder = Folder::new();
    folder.write("long.pml", LONG);
    folder.run("check long.pml --trail t.json").exits_with(1);
    serde_json::from_str(&folder.read("t.json")).unwrap()
}

fn table(trail: &Trail, width: Option<usize>) -> String {
    let style = Style {
        color: false,
        width,
    };
    trail_table(trail, style, true)
}

/// Names and numbers are whole, and no line is longer than the terminal.
#[test]
fn tables_fit_into_the_terminal() {
    let trail = trail();
    let plain = table(&trail, None);
    assert!(plain.lines().any(|line| line.len() > 120), "{plain}");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = |text: &str| -> Vec<String> {
        let mut names: Vec<String> = text.split(|c| !is_name(c)).map(str::to_string).collect();
        // Words of the layout.
        let layout = ["", "now", "step", "process", "line", "statement", "changes"];
        names.retain(|name| !layout.contains(&name.as_str()));
        names.sort();
        names
    };
    for width in [40, 60, 80, 100, 120, 160, 300] {
        let text = table(&trail, Some(width));
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(width), "{width}:\n{text}");
        assert_eq!(names(&text), names(&plain), "{width}:\n{text}");
    }
}

/// A terminal of this width that runs the program with these arguments; what it shows.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Folder, line: &str, columns: u32, variable: (&str, &str)) -> Ran {
    let program = folder.command(&[]).get_program().to_owned();
    let command = format!(
        "stty rows 24 cols {columns}; {} {line}",
        program.to_string_lossy()
    );
    let mut script = std::process::Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path("."))
        .env_remove("NO_COLOR")
        .env(variable.0, variable.1)
        .stdin(std::process::Stdio::null());
    Ran::new(script.output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn colours_and_widths_are_for_terminals() {
    let folder = Folder::new();
    folder.write("long.pml", LONG);
    let line = "check long.pml --no-trail --no-warnings";
    let colours = "\x1b[1;31m";
    let on_screen = |variable| {
        on_terminal(&folder, line, 60, variable)
            .exits_with(1)
            .stdout
    };
    let shown = on_screen(("LANG", "C.UTF-8"));
    assert!(shown.contains(colours), "{shown}");
    let plain = on_screen(("NO_COLOR", "1"));
    assert!(!plain.contains('\x1b'), "{plain}");
    assert!(on_screen(("NO_COLOR", "")).contains(colours));
    let longest = plain.lines().map(|line| line.trim_end().chars().count());
    assert!(longest.max() <= Some(60), "{plain}");
    // What is no terminal gets whole lines without colours.
    let piped = folder.run(line).exits_with(1).stdout;
    assert!(!piped.contains('\x1b'), "{piped}");
    assert!(piped.lines().any(|line| line.chars().count() > 100));
}
