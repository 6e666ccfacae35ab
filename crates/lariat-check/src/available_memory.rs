//! The available memory of the machine.

use std::fs;
use std::path::{Path, PathBuf};

/// The default memory limit: three quarters of the memory that is available to this process, so that the machine
/// never swaps. `None` if that is not known.
pub fn default_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| available(&text));
    let group = group_limit();
    let least = match (machine, group) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    least.map(|bytes| bytes / 4 * 3)
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The remaining memory of the control groups of this process (containers, batch systems): the least of its own group
/// and all parent groups.
fn group_limit() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups(&own)
        .into_iter()
        .filter_map(|group| left_in(&group))
        .min()
}

/// The folders of a control group and of its parents, from the text of `/proc/self/cgroup`.
fn groups(text: &str) -> Vec<PathBuf> {
    let own = text.lines().find_map(|line| line.strip_prefix("0::"));
    let own = own.unwrap_or("/").trim_start_matches('/');
    let root = Path::new("/sys/fs/cgroup");
    let own = match own {
        "" => root.to_path_buf(),
        own => root.join(own),
    };
    let around = own
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    around.map(Path::to_path_buf).collect()
}

/// The remaining memory of a control group, if it has a limit.
fn left_in(group: &Path) -> Option<u64> {
    let read = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(group.join(name)).ok()?;
        text.trim().parse().ok()
    };
    let limit = read("memory.max")?;
    Some(limit.saturating_sub(read("memory.current").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parent_groups_count() {
        let names = |text| {
            let groups = groups(text).into_iter();
            groups.map(|g| g.display().to_string()).collect::<Vec<_>>()
        };
        let root = "/sys/fs/cgroup";
        assert_eq!(
            names("1:cpu:/x\n0::/a/b\n"),
            [format!("{root}/a/b"), format!("{root}/a"), root.into()]
        );
        assert_eq!(names("0::/\n").last().unwrap(), root);
        assert_eq!(names(""), names("0::/\n"));
    }

    #[test]
    fn meminfo_is_read() {
        let text = "MemTotal:  100 kB\nMemAvailable:   42 kB\n";
        assert_eq!(available(text), Some(42 * 1024));
        assert_eq!(available("nonsense"), None);
    }
}
