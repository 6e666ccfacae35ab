//! When to check the clock.

use std::time::Duration;

/// Decides when to check the clock, which costs more than counting: about every 5 ms, whatever the time of an
/// expansion.
pub(crate) struct Pacer {
    until_due: u32,
    stride: u32,
    last_check: Duration,
    last_report: Duration,
}

const CHECK_INTERVAL: Duration = Duration::from_millis(5);
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
const MAX_STRIDE: u32 = 1024;

impl Default for Pacer {
    fn default() -> Self {
        Pacer {
            until_due: 0,
            stride: 1,
            last_check: Duration::ZERO,
            last_report: Duration::ZERO,
        }
    }
}

impl Pacer {
    /// Whether the clock is due; called before each expansion.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        let due = self.until_due == 0;
        self.until_due = self.until_due.wrapping_sub(1);
        due
    }

    /// Sets the next check, and returns whether a report is due.
    pub fn measure(&mut self, now: Duration) -> bool {
        if now.saturating_sub(self.last_check) < CHECK_INTERVAL {
            self.stride = (self.stride * 2).min(MAX_STRIDE);
        } else {
            self.stride = (self.stride / 2).max(1);
        }
        self.until_due = self.stride - 1;
        self.last_check = now;
        self.is_report_due(now)
    }

    /// Whether a report is due; resets the interval.
    pub fn is_report_due(&mut self, now: Duration) -> bool {
        let report = now.saturating_sub(self.last_report) >= REPORT_INTERVAL;
        if report {
            self.last_report = now;
        }
        report
    }
}
