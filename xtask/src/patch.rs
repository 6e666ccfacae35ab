//! Changes to the C code of SPIN's verifiers, where they would not answer the question.
//!
//! 1. Failed assertions end a search, and `pan -A` makes it ignore them, but then also the assertions in claims, by
//!    which SPIN expresses invariants. So the assertions of processes, and only those, are removed.
//! 2. Accept labels of processes can be hidden: SPIN treats them like those of a claim, which makes it report runs
//!    that satisfy a formula.
//! 3. Claims are renumbered: SPIN counts the processes between them, too, and so `pan -N` starts a claim that
//!    precedes a process in no state at all.
//! 4. The pair of states at which stuttering begins can be stored, see [`crate::liveness`].

use crate::claims::Offers;
use crate::pan::Translated;
use std::collections::BTreeMap;
use std::io;

/// Compile with this to hide the accept labels of processes.
pub const HIDE_ACCEPT_LABELS: &str = "-DXTASK_HIDE_ACCEPT_LABELS";

/// Compile with this to store the pairs at which stuttering begins.
pub const STORE_FIRST_STUTTER: &str = "-DXTASK_STORE_FIRST_STUTTER";

/// Applies all changes.
pub fn apply(translated: &Translated, offers: &Offers) -> io::Result<()> {
    let moves = without_assertions(&translated.file("pan.m"));
    translated.replace_file("pan.m", &moves)?;
    let (headers, tables) = (translated.file("pan.h"), translated.file("pan.c"));
    let mut result = String::with_capacity(tables.len());
    let numbers = claim_numbers(&tables);
    for line in tables.split_inclusive('\n') {
        if offers.marks_acceptance(line, &headers) {
            result += &format!("#ifndef {}\n{line}#endif\n", name(HIDE_ACCEPT_LABELS));
        } else if line.contains("trpt->tau |= 128; /* stutter mark */") {
            result += &format!("{line}{}", store_first_stutter());
        } else {
            result += &renumber(line, &numbers);
        }
    }
    translated.replace_file("pan.c", &result)
}

fn name(flag: &str) -> &str {
    flag.trim_start_matches("-D")
}

/// The C code of the transitions without the effect of assertions of processes.
fn without_assertions(moves: &str) -> String {
    let mut in_process = false;
    let mut result = String::with_capacity(moves.len());
    for line in moves.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with("/* PROC ") {
            in_process = true;
        } else if trimmed.starts_with("/* CLAIM ") {
            in_process = false;
        }
        if in_process && trimmed.contains("spin_assert(") {
            result.push_str(&line.replace("spin_assert(", "(void)("));
        } else {
            result.push_str(line);
        }
    }
    result
}

fn store_first_stutter() -> String {
    let store = "if (!((trpt-1)->tau&128) && h_store((char *)&now, vsize) == 0) nstates++;";
    format!("#ifdef {}\n{store}\n#endif\n", name(STORE_FIRST_STUTTER))
}

/// The numbers that SPIN gives to claims, and the correct ones.
fn claim_numbers(tables: &str) -> BTreeMap<u32, usize> {
    let given = tables.lines().filter_map(|line| {
        let (number, rest) = line.trim().strip_prefix("spin_c_typ[")?.split_once(']')?;
        rest.contains("/* ").then(|| number.parse().ok())?
    });
    given
        .enumerate()
        .map(|(rank, number)| (number, rank))
        .collect()
}

/// A line with the correct number in the three places where claims are numbered.
fn renumber(line: &str, numbers: &BTreeMap<u32, usize>) -> String {
    for (before, after) in [
        ("\tspin_c_typ[", "] = "),
        ("*)pptr(h))->c_cur[", "] = "),
        ("*)pptr(h))->_n = ", "; /* "),
    ] {
        let parts = line.split_once(before);
        let parts = parts.and_then(|(start, rest)| Some((start, rest.split_once(after)?)));
        if let Some((start, (number, rest))) = parts
            && let Some(rank) = number.parse().ok().and_then(|n: u32| numbers.get(&n))
        {
            return format!("{start}{before}{rank}{after}{rest}");
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_assertions_of_processes_are_removed() {
        let moves =
            "\t/* CLAIM a */\n\tspin_assert(x, \"x\");\n\t/* PROC P */\n\tspin_assert(y, \"y\");\n";
        let expected =
            "\t/* CLAIM a */\n\tspin_assert(x, \"x\");\n\t/* PROC P */\n\t(void)(y, \"y\");\n";
        assert_eq!(without_assertions(moves), expected);
    }

    #[test]
    fn claims_are_renumbered() {
        let code = "\t\tspin_c_typ[0] = 4; /* a */\n\t\t((P6 *)pptr(h))->c_cur[0] = 5;\n\
            \t\tspin_c_typ[4] = 0; /* b */\n\t\t((P6 *)pptr(h))->c_cur[4] = 7;\n\
            \t\t((P6 *)pptr(h))->_n = 4; /* b */\n\t\tother[4] = 4;\n";
        let numbers = claim_numbers(code);
        let lines: String = code
            .split_inclusive('\n')
            .map(|line| renumber(line, &numbers))
            .collect();
        let expected = code
            .replace("typ[4]", "typ[1]")
            .replace("cur[4]", "cur[1]")
            .replace("_n = 4", "_n = 1");
        assert_eq!(lines, expected);
    }
}
