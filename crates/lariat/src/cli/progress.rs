//! Progress of a search on a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lariat_report::text::{self, number};
use lariat_search::Progress;

/// Progress on a terminal; nothing otherwise.
pub struct SearchBar {
    /// What is being checked, if it has to be said.
    pub title: String,
    bar: Option<ProgressBar>,
    /// The time that the search may take.
    pub time: Option<Duration>,
    memory: Option<u64>,
}

impl SearchBar {
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // Not `wide_msg`: `^C` must find room at the end of the line to be wiped away with it.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        SearchBar {
            title: String::new(),
            bar,
            time,
            memory,
        }
    }

    pub fn show(&mut self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let statistics = &progress.statistics;
        let seconds = statistics.elapsed.as_secs_f64();
        let rate = statistics.states_stored as f64 / seconds.max(1e-9);
        let mut message = format!(
            "{}{} states, {}/s, depth {}, {}",
            self.title,
            number(statistics.states_stored),
            number(rate as u64),
            number(progress.depth),
            text::bytes(statistics.memory_bytes),
        );
        if let Some(limit) = self.memory {
            let share = 100.0 * statistics.memory_bytes as f64 / limit as f64;
            message.push_str(&format!(" ({share:.0}%)"));
        }
        if let Some(queue) = progress.queue {
            message.push_str(&format!(", {} to expand", number(queue)));
        }
        match self.time {
            Some(limit) => {
                let left = limit.saturating_sub(statistics.elapsed).as_secs();
                message.push_str(&format!(", {left} s left"));
            }
            None => message.push_str(&format!(", {seconds:.0} s")),
        }
        bar.set_message(message);
        bar.tick();
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            // After Ctrl-C the terminal has put `^C` behind the line, and it stays.
            super::print_error("\r\x1b[2K");
        }
    }
}
