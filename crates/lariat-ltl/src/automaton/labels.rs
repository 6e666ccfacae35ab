//! Boolean functions over atoms, the labels of edges, as reduced ordered decision diagrams.
//!
//! A [`Label`] is a number in a [`Labels`]; equal functions have equal numbers (Bryant,
//! "Graph-based algorithms for Boolean function manipulation", IEEE Transactions on Computers
//! 35(8), 1986). So a comparison of two labels is a comparison of two numbers, and nothing ever
//! enumerates the letters of an alphabet. There are no complemented edges: labels are small, and
//! the plain form is simpler to walk.
//!
//! The translation uses variables beyond the atoms, for what must hold next and for what is
//! postponed; they come after the atoms in the order.
//!
//! Recursion is as deep as there are variables, which [`Labels::VARIABLES`] bounds. A table that
//! outgrows its limit does not fail in the middle of an operation: it sets a flag
//! ([`Labels::is_full`]), gives `false` from then on, and the caller looks at the flag when it is
//! convenient.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A boolean function of a [`Labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// No letter.
    pub const FALSE: Label = Label(0);
    /// Every letter.
    pub const TRUE: Label = Label(1);

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A conjunction of variables and negated variables, in ascending order: `(number, value)`.
pub type Cube = Vec<(u32, bool)>;

/// A decision: `low` if the variable is false, `high` if it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Decision {
    variable: u32,
    low: Label,
    high: Label,
}

/// An arena of boolean functions.
#[derive(Clone, Debug)]
pub struct Labels {
    nodes: Vec<Decision>,
    numbers: Map<Decision, Label>,
    cache: Cache,
    limit: usize,
    full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    And,
    Or,
    Not,
    Meets,
}

/// Results of operations. A new result takes the place of an old one with the same hash.
#[derive(Debug, Default)]
struct Cache {
    results: Vec<Option<(Operation, Label, Label, Label)>>,
}

impl Cache {
    fn place(&self, operation: Operation, a: Label, b: Label) -> usize {
        let key = u64::from(a.0) << 32 | u64::from(b.0);
        let hash = (key ^ (operation as u64) << 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.results.len() - 1)
    }

    fn get(&self, operation: Operation, a: Label, b: Label) -> Option<Label> {
        if self.results.is_empty() {
            return None;
        }
        match self.results[self.place(operation, a, b)] {
            Some((o, x, y, result)) if (o, x, y) == (operation, a, b) => Some(result),
            _ => None,
        }
    }

    /// `nodes` is the size of the arena, with which the cache grows.
    fn insert(&mut self, operation: Operation, a: Label, b: Label, result: Label, nodes: usize) {
        if self.results.len() < Labels::CACHE && self.results.len() < 4 * nodes {
            let size = (4 * nodes).next_power_of_two().clamp(1 << 8, Labels::CACHE);
            self.results = vec![None; size];
        }
        let place = self.place(operation, a, b);
        self.results[place] = Some((operation, a, b, result));
    }
}

impl Clone for Cache {
    /// A copy begins without remembered results.
    fn clone(&self) -> Self {
        Cache::default()
    }
}

impl Default for Labels {
    fn default() -> Self {
        Self::new()
    }
}

impl Labels {
    /// Variables are below this number.
    pub const VARIABLES: u32 = 4096;

    /// The most results of operations that are remembered; a power of two.
    const CACHE: usize = 1 << 18;

    /// An arena with the constants.
    pub fn new() -> Self {
        Self::with_limit(1 << 22)
    }

    /// An arena with the constants and room for `limit` decisions.
    pub fn with_limit(limit: usize) -> Self {
        let constant = |number| Decision {
            variable: u32::MAX,
            low: Label(number),
            high: Label(number),
        };
        Labels {
            nodes: vec![constant(0), constant(1)],
            numbers: Map::default(),
            cache: Cache::default(),
            limit: limit.min(u32::MAX as usize - 1),
            full: false,
        }
    }

    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether an operation has hit the limit, so that results since then are worthless.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Gives the memory for remembered results back.
    pub fn drop_cache(&mut self) {
        self.cache = Cache::default();
    }

    /// Whether every letter has the label.
    pub fn is_true(&self, label: Label) -> bool {
        label == Label::TRUE
    }

    /// Whether no letter has the label.
    pub fn is_false(&self, label: Label) -> bool {
        label == Label::FALSE
    }

    /// The function that is the variable, or its negation.
    pub fn literal(&mut self, variable: u32, value: bool) -> Label {
        match value {
            true => self.decision(variable, Label::FALSE, Label::TRUE),
            false => self.decision(variable, Label::TRUE, Label::FALSE),
        }
    }

    /// The value for given values of the variables, which are asked for in ascending order, each at
    /// most once, and only if it matters.
    pub fn eval<E>(
        &self,
        label: Label,
        mut value: impl FnMut(u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut label = label;
        while label > Label::TRUE {
            let node = self.nodes[label.index()];
            label = match value(node.variable)? {
                true => node.high,
                false => node.low,
            };
        }
        Ok(label == Label::TRUE)
    }

    /// `!a`
    pub fn not(&mut self, a: Label) -> Label {
        match a {
            Label::FALSE => Label::TRUE,
            Label::TRUE => Label::FALSE,
            _ => self.remember((Operation::Not, a, a), |labels| {
                let node = labels.nodes[a.index()];
                let low = labels.not(node.low);
                let high = labels.not(node.high);
                labels.decision(node.variable, low, high)
            }),
        }
    }

    /// `a && b`
    pub fn and(&mut self, a: Label, b: Label) -> Label {
        match (a.min(b), a.max(b)) {
            (Label::FALSE, _) => Label::FALSE,
            (Label::TRUE, b) => b,
            (a, b) if a == b => a,
            (a, b) => self.apply(Operation::And, a, b, Labels::and),
        }
    }

    /// `a || b`
    pub fn or(&mut self, a: Label, b: Label) -> Label {
        match (a.min(b), a.max(b)) {
            (Label::FALSE, b) => b,
            (Label::TRUE, _) => Label::TRUE,
            (a, b) if a == b => a,
            (a, b) => self.apply(Operation::Or, a, b, Labels::or),
        }
    }

    /// `a && !b`
    pub fn minus(&mut self, a: Label, b: Label) -> Label {
        let b = self.not(b);
        self.and(a, b)
    }

    /// Whether some letter has both labels.
    pub fn meets(&mut self, a: Label, b: Label) -> bool {
        match (a.min(b), a.max(b)) {
            (Label::FALSE, _) => false,
            (Label::TRUE, _) => true,
            (a, b) if a == b => true,
            (a, b) => {
                let key = (Operation::Meets, a, b);
                self.remember(key, |labels| {
                    let (_, low, high) = labels.split(a, b);
                    let meets = labels.meets(low.0, low.1) || labels.meets(high.0, high.1);
                    Label(u32::from(meets))
                }) == Label::TRUE
            }
        }
    }

    /// Whether every letter that has label `a` has label `b`.
    pub fn implies(&mut self, a: Label, b: Label) -> bool {
        if a == b || a == Label::FALSE || b == Label::TRUE {
            return true;
        }
        let outside = self.not(b);
        !self.meets(a, outside)
    }

    /// `if variable { high } else { low }`; the variable must come before those of the other two.
    fn decision(&mut self, variable: u32, low: Label, high: Label) -> Label {
        if low == high {
            return low;
        }
        let node = Decision {
            variable,
            low,
            high,
        };
        if let Some(&label) = self.numbers.get(&node) {
            return label;
        }
        if self.nodes.len() >= self.limit || variable >= Self::VARIABLES {
            self.full = true;
            return Label::FALSE;
        }
        let label = Label(self.nodes.len() as u32);
        self.nodes.push(node);
        self.numbers.insert(node, label);
        label
    }

    /// The first variable of two functions, and both for its values.
    fn split(&self, a: Label, b: Label) -> (u32, (Label, Label), (Label, Label)) {
        let variable = self.top(a).min(self.top(b));
        let (a0, a1) = self.halves(a, variable);
        let (b0, b1) = self.halves(b, variable);
        (variable, (a0, b0), (a1, b1))
    }

    /// The first variable of a function; beyond all for a constant.
    pub(crate) fn top(&self, a: Label) -> u32 {
        self.nodes[a.index()].variable
    }

    /// The function for the values of a variable that is not after its first.
    pub(crate) fn halves(&self, a: Label, variable: u32) -> (Label, Label) {
        let node = self.nodes[a.index()];
        match node.variable == variable {
            true => (node.low, node.high),
            false => (a, a),
        }
    }

    fn apply(
        &mut self,
        operation: Operation,
        a: Label,
        b: Label,
        recurse: fn(&mut Labels, Label, Label) -> Label,
    ) -> Label {
        self.remember((operation, a, b), |labels| {
            let (variable, low, high) = labels.split(a, b);
            let low = recurse(labels, low.0, low.1);
            let high = recurse(labels, high.0, high.1);
            labels.decision(variable, low, high)
        })
    }

    fn remember(
        &mut self,
        key: (Operation, Label, Label),
        compute: impl FnOnce(&mut Labels) -> Label,
    ) -> Label {
        if self.full {
            return Label::FALSE;
        }
        let (operation, a, b) = key;
        if let Some(result) = self.cache.get(operation, a, b) {
            return result;
        }
        let result = compute(self);
        self.cache.insert(operation, a, b, result, self.nodes.len());
        result
    }

    /// The variables on which a function depends, in ascending order.
    pub fn support(&self, label: Label) -> Vec<u32> {
        self.support_of([label])
    }

    /// The variables on which some of the functions depend, in ascending order.
    pub fn support_of(&self, labels: impl IntoIterator<Item = Label>) -> Vec<u32> {
        let mut stack: Vec<Label> = labels.into_iter().collect();
        let mut seen = Map::default();
        let mut variables = Vec::new();
        while let Some(label) = stack.pop() {
            if label <= Label::TRUE || seen.insert(label, ()).is_some() {
                continue;
            }
            let node = self.nodes[label.index()];
            variables.push(node.variable);
            stack.extend([node.low, node.high]);
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The functions of the variables from `border` on that remain when those below have values,
    /// each with the values that lead to it; without `false`.
    ///
    /// The values come as a function of the variables below `border`. Together the functions have
    /// at most as many nodes as `label`.
    pub(crate) fn residuals(&mut self, label: Label, border: u32) -> Vec<(Label, Label)> {
        // For each decision above the border, from the last variable to the first: the functions
        // that remain, each with the values that lead to it.
        let mut below: Map<Label, Vec<(Label, Label)>> = Map::default();
        for node in self.above(label, border) {
            let Decision {
                variable,
                low,
                high,
            } = self.nodes[node.index()];
            let side = |child: Label| match (self.top(child) >= border, below.get(&child)) {
                (true, _) if child == Label::FALSE => Vec::new(),
                (true, _) => vec![(child, Label::TRUE)],
                (false, known) => known.cloned().unwrap_or_default(),
            };
            let (low, high) = (side(low), side(high));
            let merged = self.choose(variable, &low, &high);
            below.insert(node, merged);
        }
        match below.remove(&label) {
            Some(found) => found
                .into_iter()
                .map(|(rest, values)| (values, rest))
                .collect(),
            None if label == Label::FALSE => Vec::new(),
            None => vec![(Label::TRUE, label)],
        }
    }

    /// The decisions of a function with variables below `border`, from the last variable to the
    /// first.
    fn above(&self, label: Label, border: u32) -> Vec<Label> {
        let mut found = Vec::new();
        let mut seen: Map<Label, ()> = Map::default();
        let mut stack = vec![label];
        while let Some(node) = stack.pop() {
            if self.top(node) < border && seen.insert(node, ()).is_none() {
                found.push(node);
                let Decision { low, high, .. } = self.nodes[node.index()];
                stack.extend([low, high]);
            }
        }
        found.sort_unstable_by_key(|&node| (std::cmp::Reverse(self.top(node)), node));
        found
    }

    /// Functions with the values that lead to them, one list or the other by the value of a
    /// variable. Lists are sorted.
    fn choose(
        &mut self,
        variable: u32,
        low: &[(Label, Label)],
        high: &[(Label, Label)],
    ) -> Vec<(Label, Label)> {
        let mut merged = Vec::with_capacity(low.len().max(high.len()));
        let (mut i, mut j) = (0, 0);
        while i < low.len() || j < high.len() {
            let left = low.get(i).map_or(u32::MAX, |l| l.0.0);
            let right = high.get(j).map_or(u32::MAX, |h| h.0.0);
            let rest = Label(left.min(right));
            let mut values = [Label::FALSE; 2];
            if left == rest.0 {
                values[0] = low[i].1;
                i += 1;
            }
            if right == rest.0 {
                values[1] = high[j].1;
                j += 1;
            }
            merged.push((rest, self.decision(variable, values[0], values[1])));
        }
        merged
    }

    /// An irredundant sum of products (Minato, "Fast generation of prime-irredundant covers from
    /// binary decision diagrams", IEICE Transactions E76-A(6), 1993), at most `limit` products;
    /// nothing if there would be more.
    pub fn cover(&mut self, label: Label, limit: usize) -> Option<Vec<Cube>> {
        let mut cover = Cover {
            labels: self,
            cubes: Vec::new(),
            path: Vec::new(),
            limit,
        };
        cover.between(label, label)?;
        let cubes = cover.cubes;
        (!self.full).then_some(cubes)
    }

    /// The label as text that SPIN and Spot both read: a short sum of products.
    pub fn text(&self, label: Label, names: &[String]) -> String {
        self.sum_of_products(label, ["true", "false"], " && ", " || ", |atom| match names
            .get(atom as usize)
        {
            Some(name) => crate::print::operand(name),
            None => format!("a{atom}"),
        })
    }

    /// A sum of products with given operators and names.
    pub(crate) fn sum_of_products(
        &self,
        label: Label,
        constants: [&str; 2],
        and: &str,
        or: &str,
        name: impl Fn(u32) -> String,
    ) -> String {
        match label {
            Label::TRUE => return constants[0].to_string(),
            Label::FALSE => return constants[1].to_string(),
            _ => {}
        }
        let mut scratch = Labels::with_limit(usize::MAX);
        let label = scratch.copy(self, label, &mut HashMap::new());
        let cubes = scratch.cover(label, usize::MAX).unwrap_or_default();
        let single = cubes.len() == 1;
        let product = |cube: &Cube| {
            let literal = |&(v, value): &(u32, bool)| match value {
                true => name(v),
                false => format!("!{}", name(v)),
            };
            let text = cube.iter().map(literal).collect::<Vec<_>>().join(and);
            match single || cube.len() == 1 {
                true => text,
                false => format!("({text})"),
            }
        };
        cubes.iter().map(product).collect::<Vec<_>>().join(or)
    }

    /// The same function in this arena. `known` maps what has been copied already.
    pub fn copy(
        &mut self,
        from: &Labels,
        label: Label,
        known: &mut HashMap<Label, Label>,
    ) -> Label {
        if label <= Label::TRUE {
            return label;
        }
        if let Some(&copy) = known.get(&label) {
            return copy;
        }
        let node = from.nodes[label.index()];
        let low = self.copy(from, node.low, known);
        let high = self.copy(from, node.high, known);
        let copy = self.decision(node.variable, low, high);
        known.insert(label, copy);
        copy
    }

    /// As [`Labels::copy`], with `numbers[v]` in place of each variable `v`, in any order.
    pub(crate) fn copy_renamed(
        &mut self,
        from: &Labels,
        label: Label,
        numbers: &[u32],
        known: &mut HashMap<Label, Label>,
    ) -> Label {
        if label <= Label::TRUE {
            return label;
        }
        if let Some(&copy) = known.get(&label) {
            return copy;
        }
        let node = from.nodes[label.index()];
        let low = self.copy_renamed(from, node.low, numbers, known);
        let high = self.copy_renamed(from, node.high, numbers, known);
        let variable = numbers[node.variable as usize];
        let (no, yes) = (self.literal(variable, false), self.literal(variable, true));
        let low = self.and(no, low);
        let high = self.and(yes, high);
        let copy = self.or(low, high);
        known.insert(label, copy);
        copy
    }

    /// One letter with the label, as values of variables; nothing for `false`.
    pub fn letter(&self, label: Label) -> Option<Cube> {
        let mut label = label;
        let mut cube = Vec::new();
        while label > Label::TRUE {
            let node = self.nodes[label.index()];
            let value = node.low == Label::FALSE;
            cube.push((node.variable, value));
            label = if value { node.high } else { node.low };
        }
        (label == Label::TRUE).then_some(cube)
    }
}

/// The work on one cover.
struct Cover<'a> {
    labels: &'a mut Labels,
    cubes: Vec<Cube>,
    path: Cube,
    limit: usize,
}

impl Cover<'_> {
    /// Adds products that cover all of `lower` and nothing outside of `upper`; gives their union.
    fn between(&mut self, lower: Label, upper: Label) -> Option<Label> {
        if lower == Label::FALSE || self.labels.full {
            return Some(Label::FALSE);
        }
        if upper == Label::TRUE {
            if self.cubes.len() >= self.limit {
                return None;
            }
            self.cubes.push(self.path.clone());
            return Some(Label::TRUE);
        }
        let (variable, (l0, u0), (l1, u1)) = self.labels.split(lower, upper);
        // What needs the literal, and then the rest, which does without.
        let only0 = self.labels.minus(l0, u1);
        let low = self.under(variable, false, only0, u0)?;
        let only1 = self.labels.minus(l1, u0);
        let high = self.under(variable, true, only1, u1)?;
        let rest0 = self.labels.minus(l0, low);
        let rest1 = self.labels.minus(l1, high);
        let rest = self.labels.or(rest0, rest1);
        let both = self.labels.and(u0, u1);
        let free = self.between(rest, both)?;
        let low = self.labels.or(low, free);
        let high = self.labels.or(high, free);
        Some(self.labels.decision(variable, low, high))
    }

    fn under(&mut self, variable: u32, value: bool, lower: Label, upper: Label) -> Option<Label> {
        self.path.push((variable, value));
        let covered = self.between(lower, upper);
        self.path.pop();
        covered
    }
}

/// A hash map for small keys: a multiplication in place of the standard keyed hash.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

/// One multiplication and rotation for each word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multiply(u64);

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of four variables from its table of 16 values.
    fn from_table(labels: &mut Labels, table: u16) -> Label {
        let mut all = Label::FALSE;
        for row in 0..16 {
            if table >> row & 1 == 1 {
                let mut cube = Label::TRUE;
                for v in 0..4 {
                    let literal = labels.literal(v, row >> v & 1 == 1);
                    cube = labels.and(cube, literal);
                }
                all = labels.or(all, cube);
            }
        }
        all
    }

    fn table(labels: &Labels, label: Label) -> u16 {
        (0..16)
            .filter(|row| value(labels, label, *row))
            .map(|row| 1 << row)
            .sum()
    }

    fn value(labels: &Labels, label: Label, row: u16) -> bool {
        labels.eval::<()>(label, |v| Ok(row >> v & 1 == 1)).unwrap()
    }

    #[test]
    fn operations_agree_with_tables() {
        let mut labels = Labels::new();
        let tables: Vec<u16> = (0..60u32)
            .map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u16)
            .collect();
        for &a in &tables {
            let fa = from_table(&mut labels, a);
            assert_eq!(table(&labels, fa), a);
            let negated = labels.not(fa);
            assert_eq!(table(&labels, negated), !a);
            for &b in &tables {
                let fb = from_table(&mut labels, b);
                let (and, or) = (labels.and(fa, fb), labels.or(fa, fb));
                assert_eq!(table(&labels, and), a & b);
                assert_eq!(table(&labels, or), a | b);
                assert_eq!(labels.meets(fa, fb), a & b != 0);
                assert_eq!(labels.implies(fa, fb), a & !b == 0);
            }
        }
    }

    #[test]
    fn covers_are_exact_and_irredundant() {
        let mut labels = Labels::new();
        for i in 0..500u32 {
            let wanted = (i.wrapping_mul(0x9e37_79b9) >> 11) as u16;
            let f = from_table(&mut labels, wanted);
            let cubes = labels.cover(f, 100).unwrap();
            let products: Vec<u16> = cubes
                .iter()
                .map(|cube| {
                    let inside =
                        |row: &u16| cube.iter().all(|&(v, value)| (row >> v & 1 == 1) == value);
                    (0..16).filter(inside).map(|row| 1 << row).sum()
                })
                .collect();
            assert_eq!(products.iter().fold(0, |all, p| all | p), wanted);
            for skip in 0..products.len() {
                let rest = (0..products.len()).filter(|&k| k != skip);
                assert_ne!(rest.fold(0, |all, k| all | products[k]), wanted);
            }
        }
    }

    #[test]
    fn residuals_split_a_function() {
        let mut labels = Labels::new();
        for i in 0..200u32 {
            let wanted = (i.wrapping_mul(0x9e37_79b9) >> 12) as u16;
            let f = from_table(&mut labels, wanted);
            let mut all = Label::FALSE;
            for (values, rest) in labels.residuals(f, 2) {
                assert!(labels.support(values).iter().all(|&v| v < 2));
                assert!(labels.support(rest).iter().all(|&v| v >= 2));
                let part = labels.and(values, rest);
                all = labels.or(all, part);
            }
            assert_eq!(all, f);
        }
    }

    #[test]
    fn a_full_arena_says_so() {
        let mut labels = Labels::with_limit(10);
        let mut all = Label::TRUE;
        for v in 0..20 {
            let literal = labels.literal(v, true);
            all = labels.and(all, literal);
        }
        assert!(labels.is_full());
    }

    #[test]
    fn text_is_short() {
        let mut labels = Labels::new();
        let names: Vec<String> = ["a", "b", "c"].map(String::from).into();
        let a = labels.literal(0, true);
        let not_b = labels.literal(1, false);
        let c = labels.literal(2, true);
        let product = labels.and(a, not_b);
        let sum = labels.or(product, c);
        assert_eq!(labels.text(product, &names), "a && !b");
        assert_eq!(labels.text(sum, &names), "(a && !b) || c");
        assert_eq!(labels.text(Label::TRUE, &names), "true");
        assert_eq!(labels.text(Label::FALSE, &names), "false");
    }
}
