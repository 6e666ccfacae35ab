//! States and their trees.
//!
//! A [`Context`] is a state of some width with the numbers of all nodes of its tree. Another state of the
//! same width is turned into a root pair relative to it: the words are compared, and only the nodes
//! above words that differ are looked up (the incremental insertion of Laarman, van de Pol and Weber,
//! "Parallel recursive state compression for free", SPIN 2011). In the other direction, a root
//! pair is turned into words by following only the nodes that differ from those of the context.

use super::shape::Shape;
use std::ops::Range;

/// Turns pairs into numbers.
pub(crate) trait Intern {
    /// The number of the node with this pair; anything if it cannot be had.
    fn number(&mut self, pair: u64) -> u32;
}

/// No node has this number.
const NONE: u32 = u32::MAX;

/// Two halves as a pair.
#[inline(always)]
pub(crate) fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

/// The halves of a pair.
#[inline(always)]
pub(crate) fn halves(pair: u64) -> (u32, u32) {
    (pair as u32, (pair >> 32) as u32)
}

/// The pair of words number `index` of a state.
#[inline(always)]
fn leaf(state: &[u32], index: usize) -> u64 {
    let right = state.get(2 * index + 1).copied().unwrap_or(0);
    pair(state[2 * index], right)
}

/// A state and its tree.
#[derive(Debug)]
pub(crate) struct Context {
    shape: Shape,
    words: Vec<u32>,
    /// The numbers of the nodes, level by level; [`NONE`] as long as there is no state.
    numbers: Vec<u32>,
    is_empty: bool,
    /// The nodes of the present level that differ.
    changed: Vec<u32>,
    /// Nodes that were overwritten, with their old numbers.
    undo: Vec<(u32, u32)>,
}

impl Context {
    /// An empty context for a width and an order of its leaves.
    pub fn new(width: usize, order: Vec<u32>) -> Self {
        let shape = Shape::new(width, order);
        Context {
            words: vec![0; width],
            numbers: vec![NONE; shape.nodes()],
            shape,
            is_empty: true,
            changed: Vec::new(),
            undo: Vec::new(),
        }
    }

    pub fn width(&self) -> usize {
        self.words.len()
    }

    /// The state.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        let words = self.words.capacity() + self.numbers.capacity() + self.changed.capacity();
        size_of::<Self>() + words * 4 + self.undo.capacity() * 8 + self.shape.bytes()
    }

    /// Forgets the state, after an encoding that went wrong.
    pub fn clear(&mut self) {
        self.numbers.fill(NONE);
        self.is_empty = true;
    }

    /// The root pair of a state of this width. `keep` makes it the state of the context.
    #[inline]
    pub fn encode(&mut self, state: &[u32], keep: bool, nodes: &mut impl Intern) -> (u32, u32) {
        let keep = keep || self.is_empty;
        self.compare(state);
        if let ([index], false) = (&self.changed[..], keep) {
            return self.encode_leaf(*index as usize, state, nodes);
        }
        self.encode_changed(state, nodes);
        let root = self.root();
        if keep {
            self.words.copy_from_slice(state);
            self.is_empty = false;
        } else {
            for &(node, number) in &self.undo {
                self.numbers[node as usize] = number;
            }
        }
        root
    }

    /// The numbers at the top.
    fn root(&self) -> (u32, u32) {
        let (start, end) = self.shape.level(self.shape.levels() - 1);
        match self.numbers[start..end] {
            [left, right] => (left, right),
            [left] => (left, 0),
            _ => (0, 0),
        }
    }

    /// Finds the leaves that differ.
    #[inline(always)]
    fn compare(&mut self, state: &[u32]) {
        self.changed.clear();
        if self.is_empty {
            self.changed.extend(0..state.len().div_ceil(2) as u32);
            return;
        }
        let (blocks, rest) = self.words.as_chunks::<8>();
        let (new_blocks, new_rest) = state.as_chunks::<8>();
        let mut index = 0;
        for (old, new) in blocks.iter().zip(new_blocks) {
            if old != new {
                for k in 0..4 {
                    if leaf(old, k) != leaf(new, k) {
                        self.changed.push(index + k as u32);
                    }
                }
            }
            index += 4;
        }
        let (pairs, last) = rest.as_chunks::<2>();
        let (new_pairs, new_last) = new_rest.as_chunks::<2>();
        for (old, new) in pairs.iter().zip(new_pairs) {
            if old != new {
                self.changed.push(index);
            }
            index += 1;
        }
        if let ([old], [new]) = (last, new_last)
            && old != new
        {
            self.changed.push(index);
        }
    }

    /// The root pair of a state that differs in one leaf.
    #[inline(always)]
    fn encode_leaf(&self, index: usize, state: &[u32], nodes: &mut impl Intern) -> (u32, u32) {
        let mut number = nodes.number(leaf(state, index));
        let (path, is_left) = self.shape.path(index);
        for step in path {
            let sibling = self.numbers[step.sibling()];
            // No branch: which side it is cannot be foretold.
            let pair = pair(number, sibling);
            let turned = pair.rotate_left(32);
            number = nodes.number(if step.is_left() { pair } else { turned });
        }
        let (left, right) = self.root();
        if is_left {
            (number, right)
        } else {
            (left, number)
        }
    }

    /// Looks up the leaves that differ and all nodes above them; notes in `undo` what they were.
    fn encode_changed(&mut self, state: &[u32], nodes: &mut impl Intern) {
        self.undo.clear();
        // From leaves to positions; nodes of a level are visited in order.
        for leaf in &mut self.changed {
            *leaf = self.shape.position(*leaf as usize) as u32;
        }
        self.changed.sort_unstable();
        for &index in &self.changed {
            let number = nodes.number(leaf(state, self.shape.leaf(index as usize)));
            let node = &mut self.numbers[index as usize];
            self.undo.push((index, std::mem::replace(node, number)));
        }
        for level in 1..self.shape.levels() {
            self.encode_level(level, nodes);
        }
    }

    /// Looks up the nodes above those that differ.
    #[inline(always)]
    fn encode_level(&mut self, level: usize, nodes: &mut impl Intern) {
        let (below, start) = self.shape.level(level - 1);
        let mut parents = 0;
        for k in 0..self.changed.len() {
            let index = self.changed[k] / 2;
            if parents > 0 && self.changed[parents - 1] == index {
                continue;
            }
            self.changed[parents] = index;
            parents += 1;
            let child = below + 2 * index as usize;
            let mut number = self.numbers[child];
            if child + 1 < start {
                number = nodes.number(pair(number, self.numbers[child + 1]));
            }
            let node = start + index as usize;
            let old = std::mem::replace(&mut self.numbers[node], number);
            self.undo.push((node as u32, old));
        }
        self.changed.truncate(parents);
    }

    /// Makes this the state with the given root pair.
    pub fn decode(&mut self, root: (u32, u32), pair_of: impl Fn(u32) -> u64) {
        self.changed.clear();
        let top = self.shape.levels() - 1;
        let (start, end) = self.shape.level(top);
        for (index, number) in [root.0, root.1].into_iter().take(end - start).enumerate() {
            self.visit(start, index, number);
        }
        // `changed` is a queue here: each level appends what differs in the level below.
        let mut from = 0;
        for level in (0..top).rev() {
            let to = self.changed.len();
            self.decode_level(level, from..to, &pair_of);
            from = to;
        }
        for &index in &self.changed[from..] {
            let (left, right) = halves(pair_of(self.numbers[index as usize]));
            let words = &mut self.words[2 * self.shape.leaf(index as usize)..];
            words[0] = left;
            if let Some(word) = words.get_mut(1) {
                *word = right;
            }
        }
        self.is_empty = false;
    }

    /// Sets a node and notes it if it differs.
    #[inline(always)]
    fn visit(&mut self, start: usize, index: usize, number: u32) {
        let node = &mut self.numbers[start + index];
        if *node != number {
            *node = number;
            self.changed.push(index as u32);
        }
    }

    /// Follows the nodes in a part of the queue, which differ, to the level below them.
    #[inline(always)]
    fn decode_level(&mut self, level: usize, parents: Range<usize>, pair_of: &impl Fn(u32) -> u64) {
        let (start, above) = self.shape.level(level);
        for k in parents {
            let index = self.changed[k] as usize;
            let number = self.numbers[above + index];
            let child = 2 * index;
            if start + child + 1 < above {
                let (left, right) = halves(pair_of(number));
                self.visit(start, child, left);
                self.visit(start, child + 1, right);
            } else {
                self.visit(start, child, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;
    use std::collections::HashMap;

    #[derive(Default)]
    struct Table {
        numbers: HashMap<u64, u32>,
        pairs: Vec<u64>,
    }

    impl Intern for Table {
        fn number(&mut self, pair: u64) -> u32 {
            let next = self.pairs.len() as u32;
            let number = *self.numbers.entry(pair).or_insert(next);
            if number == next {
                self.pairs.push(pair);
            }
            number
        }
    }

    /// States of all widths, encoded relative to others, are equal if and only if their root pairs
    /// are, and can be decoded relative to others.
    #[test]
    fn trees_are_exact() {
        for width in (0..40).chain([63, 64, 65, 129, 1000]) {
            let mut rng = stream(width as u64, "trees", 0);
            let mut table = Table::default();
            let mut order: Vec<u32> = (0..usize::div_ceil(width, 2) as u32).collect();
            if width % 2 == 0 {
                rng.shuffle(&mut order);
            }
            let mut context = Context::new(width, order);
            let mut roots: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
            let mut states: HashMap<Vec<u32>, (u32, u32)> = HashMap::new();
            let mut state = vec![0; width];
            for round in 0..400u32 {
                if width > 0 {
                    for _ in 0..rng.below(4) {
                        state[rng.below(width as u64) as usize] =
                            [0, 1, u32::MAX, round][rng.below(4) as usize];
                    }
                }
                let root = context.encode(&state, rng.below(4) == 0, &mut table);
                assert_eq!(roots.entry(root).or_insert(state.clone()), &state);
                assert_eq!(*states.entry(state.clone()).or_insert(root), root);
                if rng.below(2) == 0 {
                    let keys: Vec<_> = roots.keys().copied().collect();
                    let root = keys[rng.below(keys.len() as u64) as usize];
                    context.decode(root, |number| table.pairs[number as usize]);
                    assert_eq!(context.words(), roots[&root], "width {width}");
                    if rng.below(3) == 0 {
                        state.clone_from(&roots[&root]);
                    }
                }
            }
        }
    }
}
