//! What changes between two states, from what `Debug` prints of them.
//!
//! The output of a derived `Debug` is read as a tree: a head (`Some`, `Envelope`, `3`) and, in brackets, items with or
//! without keys. What cannot be read as a tree is a single value. So nothing is asked of states but `Debug`.

use std::fmt::Write;

/// Collections whose text is longer than this are described by what came and what went.
const LONG: usize = 60;

/// A value as `Debug` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Value {
    /// The text before the brackets; all of it if there are none.
    head: String,
    /// What is in the brackets, if there are any: the opening one, and the items.
    items: Option<(char, Vec<Item>)>,
}

/// An element of a collection, or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    key: Option<String>,
    value: Value,
}

/// The fields of a state with their values.
pub(crate) fn fields(text: &str) -> Vec<(String, String)> {
    let value = read(text);
    match &value.items {
        Some((_, items)) if !items.is_empty() && items.iter().all(|item| item.key.is_some()) => {
            let field = |item: &Item| (item.key.clone().unwrap_or_default(), item.value.text());
            items.iter().map(field).collect()
        }
        _ => vec![("state".into(), text.into())],
    }
}

/// The parts that differ between two states, with their new values.
pub(crate) fn changes(before: &str, after: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    compare(&read(before), &read(after), "", &mut found);
    found
}

fn compare(before: &Value, after: &Value, path: &str, found: &mut Vec<(String, String)>) {
    if before == after {
        return;
    }
    if let (Some((open, old)), Some((other, new))) = (&before.items, &after.items)
        && (open, &before.head) == (other, &after.head)
    {
        let same_keys = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.key == b.key);
        let is_set = *open == '{' && new.iter().all(|item| item.key.is_none());
        // Of `Some(3)` the whole is shown, and not only what is inside.
        let is_wrapper = *open == '(' && matches!(&new[..], [only] if only.value.items.is_none());
        if same_keys && !is_set && !is_wrapper {
            for (index, (a, b)) in old.iter().zip(new).enumerate() {
                let path = extend(path, *open, index, b.key.as_deref(), &after.head);
                compare(&a.value, &b.value, &path, found);
            }
            return;
        }
        if after.text().len() > LONG {
            found.push((named(path), difference(old, new)));
            return;
        }
    }
    found.push((named(path), after.text()));
}

/// The name of a part; that of the whole state if it has none.
fn named(path: &str) -> String {
    match path {
        "" => "state".into(),
        path => path.into(),
    }
}

/// The path of an item.
fn extend(path: &str, open: char, index: usize, key: Option<&str>, head: &str) -> String {
    match (key, open) {
        // A field of a struct, and not an entry of a map.
        (Some(key), '{') if !head.is_empty() && path.is_empty() => key.into(),
        (Some(key), '{') if !head.is_empty() => format!("{path}.{key}"),
        (Some(key), _) => format!("{path}[{key}]"),
        // `Some(x)` and the like: what is inside has no name of its own.
        (None, '(') if index == 0 && !head.is_empty() && !path.is_empty() => path.into(),
        (None, '(') => format!("{path}.{index}"),
        (None, _) => format!("{path}[{index}]"),
    }
}

/// What came and what went between two long collections.
fn difference(old: &[Item], new: &[Item]) -> String {
    let text = |item: &Item| item.text();
    let (old, new): (Vec<_>, Vec<_>) = (
        old.iter().map(text).collect(),
        new.iter().map(text).collect(),
    );
    let mut parts = Vec::new();
    let mut left = old.clone();
    for item in &new {
        match left.iter().position(|other| other == item) {
            Some(index) => drop(left.remove(index)),
            None => parts.push(format!("+ {item}")),
        }
    }
    parts.extend(left.iter().map(|item| format!("- {item}")));
    match parts.is_empty() {
        true => "in another order".into(),
        false => parts.join(", "),
    }
}

impl Item {
    fn text(&self) -> String {
        match &self.key {
            Some(key) => format!("{key}: {}", self.value.text()),
            None => self.value.text(),
        }
    }
}

impl Value {
    fn text(&self) -> String {
        let Some((open, items)) = &self.items else {
            return self.head.clone();
        };
        let mut text = self.head.clone();
        let is_struct = *open == '{' && !self.head.is_empty();
        let items: Vec<String> = items.iter().map(Item::text).collect();
        let close = closing(*open);
        let _ = match is_struct {
            true => write!(text, " {{ {} }}", items.join(", ")),
            false => write!(text, "{open}{}{close}", items.join(", ")),
        };
        text
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The deepest nesting that is read as a tree.
const DEEPEST: usize = 100;

/// Reads the output of `Debug`.
fn read(text: &str) -> Value {
    let mut reader = Reader { rest: text };
    match reader.value(0) {
        Some(value) if reader.rest.is_empty() => value,
        _ => Value {
            head: text.into(),
            items: None,
        },
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn take(&mut self, bytes: usize) -> String {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken.to_string()
    }

    /// A value: text up to a bracket, a separator or the end, and what is in the brackets.
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let end = self.plain();
        let head = self.take(end).trim().to_string();
        let open = self.rest.chars().next();
        let Some(open @ ('(' | '[' | '{')) = open else {
            return Some(Value { head, items: None });
        };
        self.take(1);
        let items = self.items(closing(open), depth)?;
        Some(Value {
            head,
            items: Some((open, items)),
        })
    }

    fn items(&mut self, close: char, depth: usize) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest;
                return Some(items);
            }
            let mut item = Item {
                key: None,
                value: self.value(depth + 1)?,
            };
            if let Some(rest) = self.rest.strip_prefix(':') {
                self.rest = rest.trim_start();
                item.key = Some(item.value.text());
                item.value = self.value(depth + 1)?;
            }
            items.push(item);
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with(close) => {}
                None => return None,
            }
        }
    }

    /// The length of the text up to a bracket or a separator outside quotes.
    fn plain(&self) -> usize {
        let mut quote = None;
        let mut escaped = false;
        for (at, character) in self.rest.char_indices() {
            match (quote, character) {
                _ if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(open), close) if open == close => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(character),
                (None, '(' | '[' | '{' | ')' | ']' | '}' | ',' | ':') => return at,
                (None, _) => {}
            }
        }
        self.rest.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[derive(Clone, Debug)]
    struct State {
        phase: Option<u8>,
        list: Vec<(u8, bool)>,
        map: BTreeMap<String, Inner>,
        set: BTreeSet<u8>,
    }

    #[derive(Clone, Debug)]
    struct Inner {
        text: String,
    }

    fn state() -> State {
        let inner = |text: &str| Inner { text: text.into() };
        State {
            phase: None,
            list: vec![(1, false), (2, true)],
            map: BTreeMap::from([("a, {".into(), inner("x")), ("b".into(), inner("\"}"))]),
            set: BTreeSet::from([1, 2]),
        }
    }

    fn changed(change: impl FnOnce(&mut State)) -> String {
        let (before, mut after) = (state(), state());
        change(&mut after);
        let found = changes(&format!("{before:?}"), &format!("{after:?}"));
        let text = |(name, value): (String, String)| format!("{name} = {value}");
        found.into_iter().map(text).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn changes_have_paths() {
        assert_eq!(changed(|_| {}), "");
        assert_eq!(changed(|s| s.phase = Some(3)), "phase = Some(3)");
        let text = |phase: Option<u8>| format!("{:?}", State { phase, ..state() });
        assert_eq!(
            changes(&text(Some(1)), &text(Some(2))),
            [("phase".to_string(), "Some(2)".to_string())]
        );
        assert_eq!(changed(|s| s.list[1].1 = false), "list[1].1 = false");
        assert_eq!(
            changed(|s| s.list.push((3, true))),
            "list = [(1, false), (2, true), (3, true)]"
        );
        assert_eq!(
            changed(|s| s.map.get_mut("b").unwrap().text = "y:".into()),
            "map[\"b\"].text = \"y:\""
        );
        assert_eq!(
            changed(|s| s.set = BTreeSet::from([1, 2, 9])),
            "set = {1, 2, 9}"
        );
        assert_eq!(
            changed(|s| s.list.extend((10..30).map(|i| (i, true)).take(6))),
            "list = + (10, true), + (11, true), + (12, true), + (13, true), + (14, true), + (15, true)"
        );
    }

    #[test]
    fn fields_are_listed() {
        let names: Vec<String> = fields(&format!("{:?}", state()))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["phase", "list", "map", "set"]);
        assert_eq!(fields("7"), [("state".to_string(), "7".to_string())]);
    }

    #[test]
    fn any_text_is_a_value() {
        for text in ["", "}", "a { b", "(]", "\"", "a b: c", &"(".repeat(10_000)] {
            assert!(changes(text, text).is_empty());
            assert_eq!(changes(text, "1"), [("state".to_string(), "1".to_string())]);
        }
    }
}
