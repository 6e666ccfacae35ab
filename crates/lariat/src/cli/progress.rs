//! Progress of a search: one line on a terminal, nothing anywhere else.

use std::time::Duration;

use console::Term;
use lariat_report::text::{self, number};
use lariat_search::{Progress, Table};

/// What the terminal writes at the end of the line when the user presses Ctrl-C must still be in the
/// line, to be wiped away with it.
const ROOM: usize = 4;

/// A line that tells how far a search is.
pub struct SearchBar {
    /// What is being checked, if it has to be said.
    pub title: String,
    /// The time that the search may take.
    pub time: Option<Duration>,
    memory: Option<u64>,
    terminal: Option<Term>,
}

impl SearchBar {
    /// A line for searches with these limits.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        SearchBar {
            title: String::new(),
            time,
            memory,
            terminal: Some(Term::stderr()).filter(Term::is_term),
        }
    }

    /// Shows how far the search is.
    pub fn show(&mut self, progress: &Progress) {
        let Some(terminal) = &self.terminal else {
            return;
        };
        let width = usize::from(terminal.size().1).saturating_sub(ROOM);
        let line: String = self.line(progress).chars().take(width).collect();
        let _ = terminal.clear_line();
        let _ = terminal.write_str(&line);
    }

    /// Wipes the line away.
    pub fn clear(&self) {
        if let Some(terminal) = &self.terminal {
            let _ = terminal.clear_line();
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let statistics = &progress.statistics;
        let seconds = statistics.elapsed.as_secs_f64();
        if let Some(walks) = &progress.walks {
            let line = format!(
                "{}{}, {} violating, {} cut, {} steps/s, longest {}, {}",
                self.title,
                text::plural(walks.walks, "walk"),
                number(walks.violations),
                number(walks.cut),
                number((walks.steps as f64 / seconds.max(1e-9)) as u64),
                number(walks.longest),
                text::bytes(statistics.memory_bytes),
            );
            return line + &self.clock(statistics.elapsed);
        }
        let rate = statistics.states_stored as f64 / seconds.max(1e-9);
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
        let mut line = format!(
            "{}{states}, {}/s, depth {}, {}",
            self.title,
            number(rate as u64),
            number(progress.depth),
            text::bytes(statistics.memory_bytes),
        );
        if let Some(limit) = self.memory {
            let share = 100.0 * statistics.memory_bytes as f64 / limit as f64;
            line.push_str(&format!(" ({share:.0}%)"));
        }
        if let Some(queue) = progress.queue {
            line.push_str(&format!(", {} to expand", number(queue)));
        }
        line + &self.clock(statistics.elapsed)
    }

    /// The time that is left or, if there is no limit, the time up to now.
    fn clock(&self, elapsed: Duration) -> String {
        match self.time {
            Some(limit) => format!(", {} s left", limit.saturating_sub(elapsed).as_secs()),
            None => format!(", {:.0} s", elapsed.as_secs_f64()),
        }
    }
}

/// How far a full table will get.
fn good_for(table: &Table) -> String {
    match table.feasible {
        Some(states) if states < table.distinct as f64 => {
            format!(" (too few: good for about {})", number(states as u64))
        }
        Some(states) if states.is_finite() => {
            format!(" (good for about {})", number(states as u64))
        }
        _ => String::new(),
    }
}
