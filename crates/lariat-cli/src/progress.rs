//! Progress of a search: one line on a terminal, no output otherwise.

use std::time::Duration;

use console::Term;
use lariat_report::text::{self, number};
use lariat_search::{Progress, Table};

/// The characters that the terminal adds at the end of the line when the user presses Ctrl-C must be in the line, to
/// be erased with it.
const ROOM: usize = 4;

/// A line with the progress of a search.
pub struct SearchBar {
    memory: Option<u64>,
    terminal: Option<Term>,
    /// Whether a line is shown.
    shown: bool,
}

impl SearchBar {
    /// A line for searches with this limit on memory.
    pub fn new(memory: Option<u64>) -> Self {
        SearchBar {
            memory,
            terminal: Some(Term::stderr()).filter(Term::is_term),
            shown: false,
        }
    }

    /// Shows the progress of the check of a property with a time limit.
    pub fn show(&mut self, property: &str, time: Option<Duration>, progress: &Progress) {
        let Some(terminal) = &self.terminal else {
            return;
        };
        let width = usize::from(terminal.size().1).saturating_sub(ROOM);
        let line = fitted(property, &self.parts(time, progress), width);
        let _ = terminal.clear_line();
        let _ = terminal.write_str(&line);
        self.shown = true;
    }

    /// Erases the line.
    pub fn clear(&mut self) {
        if let (Some(terminal), true) = (&self.terminal, self.shown) {
            let _ = terminal.clear_line();
            self.shown = false;
        }
    }

    /// The parts of the line, the most important first.
    fn parts(&self, time: Option<Duration>, progress: &Progress) -> Vec<String> {
        let statistics = &progress.statistics;
        let seconds = statistics.elapsed.as_secs_f64().max(1e-9);
        let clock = match time {
            Some(limit) => format!(
                "{} s left",
                limit.saturating_sub(statistics.elapsed).as_secs()
            ),
            None => format!("{seconds:.0} s"),
        };
        let mut memory = text::bytes(statistics.memory_bytes);
        if let Some(limit) = self.memory {
            let share = 100.0 * statistics.memory_bytes as f64 / limit as f64;
            memory.push_str(&format!(" ({share:.0}%)"));
        }
        if let Some(walks) = &progress.walks {
            return vec![
                text::plural(walks.walks, "walk"),
                format!("{} violating", number(walks.violations)),
                clock,
                memory,
                format!("{} steps/s", number((walks.steps as f64 / seconds) as u64)),
                format!("{} cut", number(walks.cut)),
                format!("longest {}", number(walks.longest)),
            ];
        }
        let states = match progress.table {
            None => format!("{} states", number(statistics.states_stored)),
            Some(table) => format!(
                "{} visits of {} states, {} kept{}",
                number(statistics.states_stored),
                number(table.distinct),
                number(table.states),
                good_for(&table),
            ),
        };
        let rate = statistics.states_stored as f64 / seconds;
        let mut parts = vec![states, clock, memory, format!("{}/s", number(rate as u64))];
        if let Some(queue) = progress.queue {
            parts.push(format!("{} to expand", number(queue)));
        }
        if let Some(spilled) = statistics.spilled {
            parts.push(format!("{} written to disk", text::bytes(spilled.written)));
        }
        parts.push(format!("depth {}", number(progress.depth)));
        parts
    }
}

/// The title and as many of the parts, in order, as fit into a line; only the title is shortened.
fn fitted(title: &str, parts: &[String], width: usize) -> String {
    let title = format!("{}: ", shortened(title, width / 3));
    let first = parts.first().map_or(0, |part| part.chars().count());
    let mut line = match title.chars().count() + first <= width {
        true => title,
        false => String::new(),
    };
    let mut comma = "";
    for part in parts {
        if line.chars().count() + comma.len() + part.chars().count() > width {
            break;
        }
        line.push_str(comma);
        line.push_str(part);
        comma = ", ";
    }
    line
}

/// A title of at most so many characters.
fn shortened(title: &str, most: usize) -> String {
    match title.chars().count() <= most.max(4) {
        true => title.to_string(),
        false => {
            let start: String = title.chars().take(most.max(4) - 3).collect();
            format!("{start}...")
        }
    }
}

/// The forecast of a full table.
fn good_for(table: &Table) -> String {
    match table.feasible {
        Some(states) if states < table.distinct as f64 => {
            format!(" (too few: suffices for about {})", number(states as u64))
        }
        Some(states) if states.is_finite() => {
            format!(" (suffices for about {})", number(states as u64))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_whole() {
        let parts = ["12 states", "3 s", "4.0 MiB"].map(str::to_string);
        assert_eq!(
            fitted("safety", &parts, 80),
            "safety: 12 states, 3 s, 4.0 MiB"
        );
        assert_eq!(fitted("safety", &parts, 24), "safety: 12 states, 3 s");
        assert_eq!(
            fitted("ltl a_very_long_name", &parts, 24),
            "ltl a...: 12 states, 3 s"
        );
        assert_eq!(fitted("safety", &parts, 12), "12 states");
        assert_eq!(fitted("safety", &parts, 5), "");
    }
}
