//! Amounts of memory and time, as numbers or as text.

use std::time::Duration;

/// An amount of memory, from a number of bytes or from a text such as `"2G"`.
///
/// ```
/// use lariat::Memory;
///
/// assert_eq!(Memory::from("2G"), Memory::from(2u64 << 30));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory(pub(crate) Result<u64, String>);

/// An amount of time, from a [`Duration`] or from a text such as `"5m"` or `"1h30m"`.
///
/// ```
/// use lariat::Time;
/// use std::time::Duration;
///
/// assert_eq!(Time::from("1h30m"), Time::from(Duration::from_secs(5400)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time(pub(crate) Result<Duration, String>);

impl From<u64> for Memory {
    fn from(bytes: u64) -> Self {
        Memory(Ok(bytes))
    }
}

impl From<&str> for Memory {
    fn from(text: &str) -> Self {
        let wrong = || format!("memory {text:?}: write a number with K, M, G or T, for example 2G");
        Memory(parse_memory(text).ok_or_else(wrong))
    }
}

impl From<Duration> for Time {
    fn from(time: Duration) -> Self {
        Time(Ok(time))
    }
}

impl From<&str> for Time {
    fn from(text: &str) -> Self {
        let wrong = || format!("time {text:?}: write for example 90s, 5m, 1h30m or 500ms");
        Time(parse_time(text).ok_or_else(wrong))
    }
}

fn parse_memory(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    let bytes = digits.parse::<f64>().ok()? * (1u64 << shift) as f64;
    (1.0..1e18).contains(&bytes).then_some(bytes as u64)
}

fn parse_time(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let digits = rest.find(|c| !is_number(c))?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest.find(is_number).unwrap_or(rest.len());
        seconds += number
            * match &rest[..letters] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 0.001,
                _ => return None,
            };
        rest = &rest[letters..];
    }
    (!text.is_empty() && (0.0..1e9).contains(&seconds)).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        assert_eq!(Memory::from("1.5GiB"), Memory(Ok(3 << 29)));
        assert_eq!(Memory::from("200M"), Memory::from(200 << 20));
        assert_eq!(Time::from("1h30m"), Time(Ok(Duration::from_secs(5400))));
        assert_eq!(Time::from("500ms"), Duration::from_millis(500).into());
        for wrong in ["", "G", "-1", "3X", "0"] {
            assert!(Memory::from(wrong).0.is_err(), "{wrong}");
        }
        for wrong in ["", "s", "5 m", "-3s", "1x", "7"] {
            assert!(Time::from(wrong).0.is_err(), "{wrong}");
        }
    }
}
