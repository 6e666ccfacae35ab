//! The macros in BEEM's parametrized propositions: as much of m4 as they need.
//!
//! Text between `` ` `` and `'` is copied, without the outer quotes. A word that is a parameter becomes its value.
//! `decr(n)` and `incr(n)` are numbers, `forloop(i, a, b, body)` is the body for every `i` from `a` to `b`, and
//! `myloop(i, a, b, body, between)` puts a text between them. As in m4, arguments are expanded before the call, and
//! so is the result of a loop.

use std::collections::BTreeMap;

/// The largest nesting of calls.
const DEPTH: u32 = 20;

/// The largest length of an expansion.
const LENGTH: usize = 1 << 16;

/// The largest number of rounds of a loop.
const ROUNDS: i64 = 1000;

/// The values of words.
pub type Parameters = BTreeMap<String, String>;

/// Expands a text; the error names the unsupported part.
pub fn expand(text: &str, parameters: &Parameters) -> Result<String, String> {
    expand_within(text, parameters, DEPTH)
}

fn expand_within(text: &str, parameters: &Parameters, depth: u32) -> Result<String, String> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err("macros are nested too deeply".into());
    };
    let mut rest = text;
    let mut expanded = String::new();
    while let Some(first) = rest.chars().next() {
        if expanded.len() > LENGTH {
            return Err("the expansion of macros is too long".into());
        }
        if first == '`' {
            let (quoted, after) = split_quoted(rest)?;
            expanded.push_str(quoted);
            rest = after;
        } else if is_letter(first) {
            let end = rest.find(|c| !is_letter(c) && !c.is_ascii_digit());
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            if is_macro(word) && after.starts_with('(') {
                let (arguments, after) = split_arguments(after)?;
                let arguments: Result<Vec<String>, String> = arguments
                    .into_iter()
                    .map(|argument| expand_within(argument.trim_start(), parameters, depth))
                    .collect();
                expanded.push_str(&call(word, &arguments?, parameters, depth)?);
                rest = after;
            } else {
                expanded.push_str(parameters.get(word).map_or(word, String::as_str));
            }
        } else {
            expanded.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(expanded)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_macro(word: &str) -> bool {
    matches!(word, "decr" | "incr" | "forloop" | "myloop")
}

/// Splits behind the quotes that the text begins with.
fn split_quoted(text: &str) -> Result<(&str, &str), String> {
    let mut open = 0;
    for (place, c) in text.char_indices() {
        match c {
            '`' => open += 1,
            '\'' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Ok((&text[1..place], &text[place + 1..]));
        }
    }
    Err("a quoted text does not end".into())
}

/// Splits the arguments of a call, which the text begins with, from what follows.
fn split_arguments(text: &str) -> Result<(Vec<&str>, &str), String> {
    let mut arguments = Vec::new();
    let (mut start, mut parentheses, mut quotes) = (1, 0, 0);
    for (place, c) in text.char_indices() {
        match c {
            '`' => quotes += 1,
            '\'' => quotes -= 1,
            _ if quotes > 0 => {}
            '(' => parentheses += 1,
            ',' if parentheses == 1 => {
                arguments.push(&text[start..place]);
                start = place + 1;
            }
            ')' => {
                parentheses -= 1;
                if parentheses == 0 {
                    arguments.push(&text[start..place]);
                    return Ok((arguments, &text[place + 1..]));
                }
            }
            _ => {}
        }
    }
    Err("the arguments of a macro do not end".into())
}

fn call(
    name: &str,
    arguments: &[String],
    parameters: &Parameters,
    depth: u32,
) -> Result<String, String> {
    match (name, arguments) {
        ("decr", [n]) => Ok((number(n)? - 1).to_string()),
        ("incr", [n]) => Ok((number(n)? + 1).to_string()),
        ("forloop", [variable, first, last, body]) => {
            repeat(variable, first, last, body, "", parameters, depth)
        }
        ("myloop", [variable, first, last, body, between]) => {
            repeat(variable, first, last, body, between, parameters, depth)
        }
        _ => Err(format!("`{name}` has {} arguments", arguments.len())),
    }
}

/// The body for every value of a variable.
fn repeat(
    variable: &str,
    first: &str,
    last: &str,
    body: &str,
    between: &str,
    parameters: &Parameters,
    depth: u32,
) -> Result<String, String> {
    let (first, last) = (number(first)?, number(last)?);
    if last - first >= ROUNDS {
        return Err(format!("a loop from {first} to {last} is too long"));
    }
    let mut parameters = parameters.clone();
    let mut whole = String::new();
    for value in first..=last {
        if whole.len() > LENGTH {
            return Err("the expansion of macros is too long".into());
        }
        if !whole.is_empty() {
            whole.push_str(between);
        }
        parameters.insert(variable.trim().to_owned(), value.to_string());
        whole.push_str(&expand_within(body, &parameters, depth)?);
    }
    Ok(whole)
}

/// A number that is small enough to count with.
fn number(text: &str) -> Result<i64, String> {
    let number: Result<i32, _> = text.trim().parse();
    let number = number.map_err(|_| format!("`{}` is no number", text.trim()))?;
    Ok(number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Parameters {
        let list = [("N", "3"), ("X", "4")];
        list.map(|(name, value)| (name.into(), value.into())).into()
    }

    #[test]
    fn loops_and_parameters() {
        let expand = |text| expand(text, &parameters()).unwrap();
        let sum = "myloop(i,0,decr(N), `P_`'i.CS', ` + ') > 1";
        assert_eq!(expand(sum), "P_0.CS + P_1.CS + P_2.CS > 1");
        assert_eq!(expand("Bottle_1.q`'X"), "Bottle_1.q4");
        assert_eq!(expand("forloop(k, 1, 3, `a[k]; ')"), "a[1]; a[2]; a[3]; ");
        assert_eq!(expand("on_right==N"), "on_right==3");
        assert_eq!(expand("NN + incr(incr(X)) + decr"), "NN + 6 + decr");
        assert_eq!(expand("myloop(i, 2, 1, `x', `,')"), "");
    }

    #[test]
    fn what_is_not_understood() {
        let fails = |text: &str| expand(text, &parameters()).is_err();
        assert!(fails("decr(M)"));
        assert!(fails("decr(1, 2)"));
        assert!(fails("decr(1"));
        assert!(fails("`P_"));
        let deep = format!("{}1{}", "decr(".repeat(10_000), ")".repeat(10_000));
        assert!(fails(&deep));
        assert!(fails("forloop(i, 0, 2000000000, `')"));
        let long = "forloop(i, 1, 999, `forloop(j, 1, 999, `forloop(k, 1, 999, `x')')')";
        assert!(fails(long));
    }
}
