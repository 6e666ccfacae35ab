//! The machine and the tools that a benchmark ran with.

use std::path::Path;
use std::process::Command;

/// The facts that are needed to judge the figures.
pub fn description(lariat: &Path) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |what: &str, value: Option<String>| {
        let value = value.unwrap_or_else(|| "unknown".into());
        facts.push((what.to_owned(), value));
    };
    add("CPU", read("/proc/cpuinfo").as_deref().and_then(processor));
    add("caches", caches());
    add("memory", read("/proc/meminfo").as_deref().and_then(memory));
    add(
        "kernel",
        read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
    );
    add(
        "pages",
        read("/sys/kernel/mm/transparent_hugepage/enabled")
            .as_deref()
            .and_then(huge_pages),
    );
    add("load", read("/proc/loadavg").as_deref().map(load));
    add("gcc", first_line("gcc", "--version"));
    add("spin", first_line("spin", "-V"));
    add("lariat", first_line(lariat, "--version"));
    facts
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The name of the processors and their number.
fn processor(text: &str) -> Option<String> {
    let is_name = |line: &&str| line.starts_with("model name");
    let line = text.lines().find(is_name)?;
    let name = line.split_once(':')?.1.trim();
    Some(format!(
        "{name}, {} cores",
        text.lines().filter(is_name).count()
    ))
}

/// The caches that the first core can use.
fn caches() -> Option<String> {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    let mut caches = Vec::new();
    for index in 0..8 {
        let fact = |name: &str| {
            let path = folder.join(format!("index{index}")).join(name);
            std::fs::read_to_string(path).map(|text| text.trim().to_owned())
        };
        if let (Ok(level), Ok(kind), Ok(size)) = (fact("level"), fact("type"), fact("size")) {
            let kind = match kind.as_str() {
                "Data" => "d",
                "Instruction" => "i",
                _ => "",
            };
            caches.push(format!("L{level}{kind} {size}"));
        }
    }
    (!caches.is_empty()).then(|| caches.join(", "))
}

/// The memory, in gibibytes.
fn memory(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.1} GiB", kilobytes / f64::from(1 << 20)))
}

/// When the system provides huge pages: the word in brackets.
fn huge_pages(text: &str) -> Option<String> {
    let chosen = text.split_once('[')?.1.split_once(']')?.0;
    Some(format!("huge pages: {chosen}"))
}

/// The load of the machine at the start.
fn load(text: &str) -> String {
    let load = text.split_whitespace().next().unwrap_or("");
    let busy = load.parse().is_ok_and(|load: f64| load > 0.5);
    let remark = if busy {
        " at the start: others use the machine, too"
    } else {
        " at the start"
    };
    format!("{load}{remark}")
}

fn first_line(program: impl AsRef<std::ffi::OsStr>, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system() {
        let cpus =
            "processor : 0\nmodel name\t: Fast 9000\n\nprocessor : 1\nmodel name\t: Fast 9000\n";
        assert_eq!(processor(cpus).as_deref(), Some("Fast 9000, 2 cores"));
        assert_eq!(processor(""), None);
        assert_eq!(
            memory("MemTotal:    4194304 kB\n").as_deref(),
            Some("4.0 GiB")
        );
        assert_eq!(
            huge_pages("always [madvise] never\n").as_deref(),
            Some("huge pages: madvise")
        );
        assert_eq!(load("0.10 0.2 0.3 1/2 3\n"), "0.10 at the start");
        assert!(load("1.70 0.2").contains("others"));
    }

    #[test]
    fn there_is_a_description() {
        let facts = description(Path::new("/no/such/program"));
        assert!(facts.iter().any(|(what, _)| what == "CPU"));
        assert!(facts.contains(&("lariat".into(), "unknown".into())));
    }
}
