//! States and their trees.
//!
//! A [`Context`] is a state of some width with the numbers of all nodes of its tree. Another state of the
//! same width is turned into a root pair relative to it: the words are compared, and only the nodes
//! above words that differ are looked up (the incremental insertion of Laarman, van de Pol and Weber,
//! "Parallel recursive state compression for free", SPIN 2011). In the other direction, a root
//! pair is turned into words by following only the nodes that differ from those of the context.
//!
//! Which nodes differ is a set of bits. Parts have smaller numbers than what they are parts of, so
//! going through the bits upwards visits parts first, and downwards visits them last.

use super::shape::{Content, FAN, NOWHERE, Shape};

/// What a node has: four words, or the numbers of up to four other nodes.
pub(crate) type Quad = [u32; FAN];

/// Turns what nodes have into their numbers.
pub(crate) trait Intern {
    /// The number of the node that has this; anything if it cannot be had.
    fn number(&mut self, quad: Quad) -> u32;
}

/// No node has this number.
const NONE: u32 = u32::MAX;

/// A state and its tree.
#[derive(Debug)]
pub(crate) struct Context {
    shape: Shape,
    width: usize,
    /// The state, with zeros up to a whole leaf.
    words: Vec<u32>,
    /// The numbers of the nodes; [`NONE`] as long as there is no state.
    numbers: Vec<u32>,
    /// The same while another state is encoded.
    draft: Vec<u32>,
    is_empty: bool,
    /// Nodes that differ and have to be visited.
    pending: Bits,
    /// Nodes whose draft differs from their numbers.
    drafted: Vec<u32>,
}

impl Context {
    /// An empty context for a width and an order of its leaves.
    pub fn new(width: usize, order: &[u32]) -> Self {
        let shape = Shape::new(order);
        Context {
            width,
            words: vec![0; order.len() * FAN],
            numbers: vec![NONE; shape.nodes()],
            draft: vec![NONE; shape.nodes()],
            is_empty: true,
            pending: Bits::new(shape.nodes()),
            drafted: Vec::with_capacity(shape.nodes()),
            shape,
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// The state.
    pub fn words(&self) -> &[u32] {
        &self.words[..self.width]
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        let numbers = self.numbers.capacity() + self.draft.capacity() + self.drafted.capacity();
        let words = self.words.capacity() + numbers;
        size_of::<Self>() + words * 4 + self.pending.bytes() + self.shape.bytes()
    }

    /// Forgets the state, after an encoding that went wrong.
    pub fn clear(&mut self) {
        self.numbers.fill(NONE);
        self.draft.fill(NONE);
        self.is_empty = true;
    }

    /// The root pair of a state of this width. `keep` makes it the state of the context.
    #[inline]
    pub fn encode(&mut self, state: &[u32], keep: bool, nodes: &mut impl Intern) -> (u32, u32) {
        let keep = keep || self.is_empty;
        self.encode_leaves(state, nodes);
        while let Some(number) = self.pending.pop_first() {
            if let Content::Parts(parts, count) = self.shape.node(number).content {
                let mut quad = parts.map(|part| self.draft[part as usize]);
                quad[usize::from(count)..].fill(0);
                self.write(number, nodes.number(quad));
            }
        }
        let root = root(&self.draft, &self.shape);
        if keep {
            self.words[..self.width].copy_from_slice(state);
            self.is_empty = false;
        }
        for &node in &self.drafted {
            let node = node as usize;
            if keep {
                self.numbers[node] = self.draft[node];
            } else {
                self.draft[node] = self.numbers[node];
            }
        }
        self.drafted.clear();
        root
    }

    /// Looks up the leaves that differ.
    #[inline(always)]
    fn encode_leaves(&mut self, state: &[u32], nodes: &mut impl Intern) {
        let (quads, rest) = state.as_chunks::<FAN>();
        for (leaf, quad) in quads.iter().enumerate() {
            if self.is_empty || quad != &self.words[leaf * FAN..leaf * FAN + FAN] {
                self.write(self.shape.node_of(leaf), nodes.number(*quad));
            }
        }
        if !rest.is_empty() {
            let mut quad = [0; FAN];
            quad[..rest.len()].copy_from_slice(rest);
            let leaf = quads.len();
            if self.is_empty || quad != self.words[leaf * FAN..leaf * FAN + FAN] {
                self.write(self.shape.node_of(leaf), nodes.number(quad));
            }
        }
    }

    /// Gives a node its number in the draft; what it is a part of has to be visited.
    #[inline(always)]
    fn write(&mut self, node: usize, number: u32) {
        self.draft[node] = number;
        self.drafted.push(node as u32);
        let parent = self.shape.node(node).parent;
        if parent != NOWHERE {
            self.pending.insert(parent as usize);
        }
    }

    /// Makes this the state with the given root pair.
    pub fn decode(&mut self, root: (u32, u32), quad_of: impl Fn(u32) -> Quad) {
        let first = self.shape.nodes() - self.shape.roots();
        for (node, number) in (first..self.shape.nodes()).zip([root.0, root.1]) {
            self.visit(node, number);
        }
        while let Some(node) = self.pending.pop_last() {
            let quad = quad_of(self.numbers[node]);
            match self.shape.node(node).content {
                Content::Leaf(leaf) => {
                    let start = leaf as usize * FAN;
                    self.words[start..start + FAN].copy_from_slice(&quad);
                }
                Content::Parts(parts, count) => {
                    for k in 0..usize::from(count) {
                        self.visit(parts[k] as usize, quad[k]);
                    }
                }
            }
        }
        self.is_empty = false;
    }

    /// Sets a node and notes it if it differs.
    #[inline(always)]
    fn visit(&mut self, node: usize, number: u32) {
        if self.numbers[node] != number {
            self.numbers[node] = number;
            self.draft[node] = number;
            self.pending.insert(node);
        }
    }
}

/// The numbers at the top.
#[inline(always)]
fn root(numbers: &[u32], shape: &Shape) -> (u32, u32) {
    match numbers[shape.nodes() - shape.roots()..] {
        [left, right] => (left, right),
        [left] => (left, 0),
        _ => (0, 0),
    }
}

/// A set of small numbers that knows its least and its greatest.
#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    /// No word before this one, or from that one on, has a bit.
    first: usize,
    end: usize,
}

impl Bits {
    fn new(count: usize) -> Self {
        let words = count.div_ceil(64).max(1);
        Bits {
            words: vec![0; words],
            first: words,
            end: 0,
        }
    }

    #[inline(always)]
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        self.words[word] |= 1 << (number % 64);
        self.first = self.first.min(word);
        self.end = self.end.max(word + 1);
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<usize> {
        while self.first < self.end {
            let word = self.words[self.first];
            if word != 0 {
                self.words[self.first] = word & (word - 1);
                return Some(self.first * 64 + word.trailing_zeros() as usize);
            }
            self.first += 1;
        }
        self.rest()
    }

    #[inline(always)]
    fn pop_last(&mut self) -> Option<usize> {
        while self.first < self.end {
            let word = self.words[self.end - 1];
            if word != 0 {
                let bit = 63 - word.leading_zeros() as usize;
                self.words[self.end - 1] = word & !(1 << bit);
                return Some((self.end - 1) * 64 + bit);
            }
            self.end -= 1;
        }
        self.rest()
    }

    fn rest(&mut self) -> Option<usize> {
        self.first = self.words.len();
        self.end = 0;
        None
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::shape::leaves;
    use lariat_stats::stream;
    use std::collections::HashMap;

    #[derive(Default)]
    struct Table {
        numbers: HashMap<Quad, u32>,
        quads: Vec<Quad>,
    }

    impl Intern for Table {
        fn number(&mut self, quad: Quad) -> u32 {
            let next = self.quads.len() as u32;
            let number = *self.numbers.entry(quad).or_insert(next);
            if number == next {
                self.quads.push(quad);
            }
            number
        }
    }

    /// States of all widths, encoded relative to others, are equal if and only if their root pairs
    /// are, and can be decoded relative to others.
    #[test]
    fn trees_are_exact() {
        for width in (0..80).chain([127, 128, 129, 1000]) {
            let mut rng = stream(width as u64, "trees", 0);
            let mut table = Table::default();
            let mut order: Vec<u32> = (0..leaves(width) as u32).collect();
            if width % 2 == 0 {
                rng.shuffle(&mut order);
            }
            let mut context = Context::new(width, &order);
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
                    context.decode(root, |number| table.quads[number as usize]);
                    assert_eq!(context.words(), roots[&root], "width {width}");
                    if rng.below(3) == 0 {
                        state.clone_from(&roots[&root]);
                    }
                }
            }
        }
    }
}
