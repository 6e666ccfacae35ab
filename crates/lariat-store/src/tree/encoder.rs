//! Encoding of states as trees, and decoding.
//!
//! A [`Context`] is a state of some width with all nodes of its tree. Other states of the same width are
//! turned into root pairs relative to it: the words are compared, and only the nodes above words that
//! differ are looked up (the incremental insertion of Laarman, van de Pol and Weber, "Parallel recursive
//! state compression for free", SPIN 2011). In the other direction, a root pair is turned into words by
//! following only the nodes that differ from those of the context.
//!
//! Many states are encoded together, level by level: first all changed leaves of all states, then their parents, and
//! so on. So many lookups are in flight at any time. A draft copies what it needs from its context, so the context
//! may change before the draft is encoded.

use super::narrow::Arrangement;
use super::shape::{FAN, NOWHERE, Shape, UNIT};
use crate::differences::{BLOCK, SMALL, among_few, among_many};
use crate::fold::fold;

/// The content of a node: eight words, or the numbers of up to eight other nodes, two in each element here, padded
/// with zeros.
pub(crate) type Row = [u64; 4];

/// A row whose number is to be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub row: Row,
    pub hash: u64,
    /// The result.
    pub number: u32,
    /// The draft, and the node of its tree.
    draft: u32,
    node: u32,
    /// Where the number is written: to a part of a row of the next level; or, from [`ROOT`] on, to the root pair of a
    /// draft.
    slot: u32,
    target: u32,
}

/// The slots of the root pair start here.
const ROOT: u32 = FAN as u32;

/// A row directly above the leaves, to which more leaves may be added.
#[derive(Clone, Copy)]
struct Open {
    node: u32,
    place: u32,
}

const NOTHING_OPEN: Open = Open {
    node: NOWHERE,
    place: 0,
};

/// Maps rows to node numbers.
pub(crate) trait Intern {
    /// Prefetches the number of a row.
    fn announce(&self, hash: u64);

    /// Finds the numbers of all rows; unspecified if one cannot be added.
    fn resolve(&mut self, rows: &mut [Wanted]);
}

/// States that are being encoded.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    pub all: Vec<Draft>,
    /// The rows of the leaves, ordered by draft and node, and those of the levels above them.
    leaves: Vec<Wanted>,
    above: Vec<Vec<Wanted>>,
    /// For each leaf of a wide state whether it differs from the context.
    differing: Vec<bool>,
}

/// A state that is being encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    /// Its root pair, which is that of the context until it is encoded.
    pub root: [u32; 2],
    pub width: usize,
    pub class: u8,
}

impl Drafts {
    /// Computes the root pairs of all drafts.
    pub fn encode(&mut self, nodes: &mut impl Intern) {
        let Drafts {
            all, leaves, above, ..
        } = self;
        nodes.resolve(leaves);
        hand_up(leaves, above.first_mut(), all);
        for level in 0..above.len() {
            let (done, rest) = above.split_at_mut(level + 1);
            let rows = &mut done[level];
            for wanted in rows.iter_mut() {
                wanted.hash = hash_row(&wanted.row);
                nodes.announce(wanted.hash);
            }
            nodes.resolve(rows);
            hand_up(rows, rest.first_mut(), all);
        }
    }

    /// Removes all drafts.
    pub fn clear(&mut self) {
        self.all.clear();
        self.leaves.clear();
        self.above.iter_mut().for_each(Vec::clear);
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        let above: usize = self.above.iter().map(Vec::capacity).sum();
        (self.leaves.capacity() + above) * size_of::<Wanted>()
            + self.above.capacity() * size_of::<Vec<Wanted>>()
            + self.all.capacity() * size_of::<Draft>()
            + self.differing.capacity()
    }
}

/// Writes the numbers of rows to the rows above them.
#[inline(always)]
fn hand_up(rows: &[Wanted], next: Option<&mut Vec<Wanted>>, drafts: &mut [Draft]) {
    let next = next.map_or(&mut [][..], Vec::as_mut_slice);
    for wanted in rows {
        let target = wanted.target as usize;
        if wanted.slot >= ROOT {
            drafts[target].root[wanted.slot as usize & 1] = wanted.number;
        } else {
            set_part(&mut next[target].row, wanted.slot as usize, wanted.number);
        }
    }
}

/// No node has this number.
const NONE: u32 = u32::MAX;

/// A state and its tree.
#[derive(Debug)]
pub(crate) struct Context {
    shape: Shape,
    width: usize,
    /// The state, padded with zeros to a whole unit.
    words: Vec<u32>,
    /// The arrangement of a narrow state, and the rows of its halves.
    arrangement: Option<Arrangement>,
    halves: [Row; 2],
    /// The rows of the nodes above the leaves, and the root pair; each part is [`NONE`] as long as there is no state.
    inner: Vec<Row>,
    root: [u32; 2],
    is_empty: bool,
    /// Nodes that differ and have to be visited, with their new numbers.
    pending: Vec<(u32, u32)>,
}

/// The hash of a row.
#[inline(always)]
pub(crate) fn hash_row(row: &Row) -> u64 {
    let left = fold(
        row[0] ^ 0x243f_6a88_85a3_08d3,
        row[1] ^ 0x9e37_79b9_7f4a_7c15,
    );
    let right = fold(
        row[2] ^ 0xa409_3822_299f_31d1,
        row[3] ^ 0x082e_fa98_ec4e_6c89,
    );
    let both = left ^ right.rotate_left(29);
    fold(both ^ 0x1319_8a2e_0370_7345, 0xd6e8_feb8_6659_fd93)
}

/// Sets a part of a row.
#[inline(always)]
fn set_part(row: &mut Row, slot: usize, number: u32) {
    let shift = slot % 2 * 32;
    let half = &mut row[(slot / 2) & 3];
    *half = *half & !(0xffff_ffff << shift) | u64::from(number) << shift;
}

/// The words of a unit; zeros behind the end of the state.
#[inline(always)]
fn unit_of(state: &[u32], unit: u32) -> [u64; 2] {
    let start = unit as usize * UNIT;
    match state.get(start..).and_then(<[u32]>::first_chunk) {
        Some(words) => halves(words),
        None => halves(&rest_of(state, start)),
    }
}

#[inline(always)]
fn halves(words: &[u32; UNIT]) -> [u64; 2] {
    let [a, b, c, d] = words.map(u64::from);
    [a | b << 32, c | d << 32]
}

/// The words from `start` on, fewer than four, padded with zeros.
#[inline(always)]
fn rest_of(state: &[u32], start: usize) -> [u32; UNIT] {
    let word = |at: usize| state.get(start + at).copied().unwrap_or(0);
    [word(0), word(1), word(2), 0]
}

impl Context {
    /// An empty context for a width and an order of its units, or of its words if it is narrow.
    pub fn new(width: usize, order: &[u32]) -> Self {
        let arrangement = Arrangement::new(width, order);
        let in_turn: Vec<u32> = match &arrangement {
            Some(arrangement) => arrangement.order(),
            None => order.to_vec(),
        };
        let order = &in_turn[..];
        let shape = Shape::new(order);
        let mut inner = vec![[0; 4]; shape.parts().len()];
        for (row, parts) in inner.iter_mut().zip(shape.parts()) {
            (0..parts.len()).for_each(|slot| set_part(row, slot, NONE));
        }
        let mut root = [0; 2];
        root[..shape.roots().len()].fill(NONE);
        Context {
            width,
            words: vec![0; order.len() * UNIT],
            arrangement,
            halves: [[0; 4]; 2],
            inner,
            root,
            is_empty: true,
            pending: Vec::with_capacity(shape.parts().len() + shape.leaves().len()),
            shape,
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// The bytes of a draft in which everything differs.
    pub fn draft_bytes(&self) -> usize {
        (self.shape.leaves().len() + self.inner.len()) * size_of::<Wanted>()
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The state.
    pub fn words(&self) -> &[u32] {
        &self.words[..self.width]
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.words.capacity() * size_of::<u32>()
            + self.inner.capacity() * size_of::<Row>()
            + self.pending.capacity() * size_of::<(u32, u32)>()
            + self.shape.bytes()
    }

    /// Begins to encode a state of this width.
    #[inline]
    pub fn draft(&self, state: &[u32], class: u8, drafts: &mut Drafts, nodes: &impl Intern) {
        let draft = drafts.all.len() as u32;
        drafts.all.push(Draft {
            root: self.root,
            width: self.width,
            class,
        });
        if let Some(arrangement) = &self.arrangement {
            return self.draft_halves(arrangement.rows(state), draft, drafts, nodes);
        }
        let mut open = NOTHING_OPEN;
        let leaves = self.shape.leaves();
        if leaves.len() <= 64 {
            let mut bits = 0u64;
            self.compare(state, |leaf| bits |= 1 << leaf);
            while bits != 0 {
                let leaf = bits.trailing_zeros();
                bits &= bits - 1;
                self.draft_leaf(state, leaf, draft, &mut open, drafts, nodes);
            }
        } else {
            drafts.differing.resize(leaves.len(), false);
            self.compare(state, |leaf| drafts.differing[leaf as usize] = true);
            for leaf in 0..leaves.len() {
                if std::mem::take(&mut drafts.differing[leaf]) {
                    self.draft_leaf(state, leaf as u32, draft, &mut open, drafts, nodes);
                }
            }
        }
    }

    /// Adds the halves of a narrow state that differ.
    #[inline(always)]
    fn draft_halves(&self, rows: [Row; 2], draft: u32, drafts: &mut Drafts, nodes: &impl Intern) {
        for (half, row) in (0..).zip(rows) {
            let known = &self.halves[half as usize];
            let differs = (0..4).fold(0, |bits, part| bits | (row[part] ^ known[part]));
            if differs == 0 && !self.is_empty {
                continue;
            }
            let hash = hash_row(&row);
            nodes.announce(hash);
            drafts.leaves.push(Wanted {
                row,
                hash,
                number: 0,
                draft,
                node: half,
                slot: ROOT + half,
                target: draft,
            });
        }
    }

    /// Adds the row of a leaf of a state, and those of the nodes above it, unless the previous leaf has the same
    /// parent.
    #[inline(always)]
    fn draft_leaf(
        &self,
        state: &[u32],
        node: u32,
        draft: u32,
        open: &mut Open,
        drafts: &mut Drafts,
        nodes: &impl Intern,
    ) {
        let leaf = &self.shape.leaves()[node as usize];
        let [a, b] = unit_of(state, leaf.units[0]);
        let [c, d] = match leaf.units[1] {
            NOWHERE => [0, 0],
            second => unit_of(state, second),
        };
        let row = [a, b, c, d];
        let hash = hash_row(&row);
        nodes.announce(hash);
        let (target, slot) = if leaf.up.parent == NOWHERE {
            (draft, ROOT + leaf.up.slot)
        } else {
            if open.node != leaf.up.parent {
                *open = self.draft_above(leaf.up.parent, draft, drafts);
            }
            (open.place, leaf.up.slot)
        };
        drafts.leaves.push(Wanted {
            row,
            hash,
            number: 0,
            draft,
            node,
            slot,
            target,
        });
    }

    /// Adds the row of a node above the leaves, and its ancestors.
    fn draft_above(&self, node: u32, draft: u32, drafts: &mut Drafts) -> Open {
        let leaves = self.shape.leaves().len();
        let mut wanted = Wanted {
            row: self.inner[node as usize - leaves],
            hash: 0,
            number: 0,
            draft,
            node,
            slot: 0,
            target: 0,
        };
        let place = drafts.above.first().map_or(0, Vec::len) as u32;
        for level in 0.. {
            if drafts.above.len() == level {
                drafts.above.push(Vec::new());
            }
            let up = self.shape.up(wanted.node);
            if up.parent == NOWHERE {
                wanted.target = draft;
                wanted.slot = ROOT + up.slot;
                drafts.above[level].push(wanted);
                break;
            }
            let next = drafts.above.get(level + 1).map_or(&[][..], Vec::as_slice);
            let last = next.last().map(|last| (last.draft, last.node));
            let is_there = last == Some((draft, up.parent));
            wanted.target = next.len() as u32 - u32::from(is_there);
            wanted.slot = up.slot;
            drafts.above[level].push(wanted);
            if is_there {
                break;
            }
            wanted.row = self.inner[up.parent as usize - leaves];
            wanted.node = up.parent;
        }
        Open { node, place }
    }

    /// Reports the leaves that differ, some of them more than once.
    #[inline(always)]
    fn compare(&self, state: &[u32], mut differs: impl FnMut(u32)) {
        let words = self.words();
        if self.is_empty {
            (0..self.shape.leaves().len() as u32).for_each(differs);
            return;
        }
        let mut note = |first: usize, mut bits: u32| {
            while bits != 0 {
                let word = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                differs(self.shape.leaf_of(word / UNIT));
            }
        };
        let (blocks, rest) = state.as_chunks::<BLOCK>();
        let (my_blocks, my_rest) = words.as_chunks::<BLOCK>();
        for (block, (a, b)) in blocks.iter().zip(my_blocks).enumerate() {
            note(block * BLOCK, among_many(a, b));
        }
        let start = blocks.len() * BLOCK;
        let pieces = rest.as_chunks::<SMALL>().0.iter();
        for (piece, (a, b)) in pieces.zip(my_rest.as_chunks::<SMALL>().0).enumerate() {
            note(start + piece * SMALL, among_few(a, b));
        }
        if state.len().is_multiple_of(SMALL) {
            return;
        }
        // The rest is compared together with some words before it, or is the whole state.
        if let (Some(a), Some(b)) = (state.last_chunk(), words.last_chunk()) {
            note(state.len() - SMALL, among_few(a, b));
        } else {
            for (word, (a, b)) in state.iter().zip(words).enumerate() {
                note(word, u32::from(a != b));
            }
        }
    }

    /// Makes the last draft, which is that of `state` and is encoded, the state of the context.
    pub fn adopt(&mut self, state: &[u32], drafts: &Drafts) {
        let Some((last, before)) = drafts.all.split_last() else {
            return;
        };
        let inner = drafts.above.iter().flatten();
        for wanted in inner.filter(|wanted| wanted.draft as usize == before.len()) {
            self.inner[wanted.node as usize - self.shape.leaves().len()] = wanted.row;
        }
        self.root = last.root;
        self.words[..self.width].copy_from_slice(state);
        if let Some(arrangement) = &self.arrangement {
            self.halves = arrangement.rows(state);
        }
        self.is_empty = false;
    }

    /// Loads the state with the given root pair. `announce` is called with the nodes that will be read.
    #[inline]
    pub fn decode(
        &mut self,
        root: [u32; 2],
        announce: impl Fn(u32),
        mut row_of: impl FnMut(u32) -> Row,
    ) {
        if self.arrangement.is_some() {
            return self.decode_halves(root, announce, row_of);
        }
        for (slot, &node) in self.shape.roots().iter().enumerate() {
            if self.root[slot] != root[slot] {
                announce(root[slot]);
                self.root[slot] = root[slot];
                self.pending.push((node, root[slot]));
            }
        }
        let leaves = self.shape.leaves().len();
        while let Some((node, number)) = self.pending.pop() {
            let row = row_of(number);
            let node = node as usize;
            if node < leaves {
                self.write_leaf(node, row);
                continue;
            }
            let inner = node - leaves;
            let old = std::mem::replace(&mut self.inner[inner], row);
            let first = self.shape.parts()[inner].start;
            // Behind the last part, both are zero.
            for (pair, (old, new)) in old.into_iter().zip(row).enumerate() {
                for (side, shift) in [0, 32].into_iter().enumerate() {
                    let number = (new >> shift) as u32;
                    if number != (old >> shift) as u32 {
                        announce(number);
                        let part = first + (2 * pair + side) as u32;
                        self.pending.push((part, number));
                    }
                }
            }
        }
        self.is_empty = false;
    }

    /// The same for a narrow state.
    #[inline(always)]
    fn decode_halves(
        &mut self,
        root: [u32; 2],
        announce: impl Fn(u32),
        mut row_of: impl FnMut(u32) -> Row,
    ) {
        let Some(arrangement) = &self.arrangement else {
            return;
        };
        let differs = [self.root[0] != root[0], self.root[1] != root[1]];
        for half in (0..2).filter(|&half| differs[half]) {
            announce(root[half]);
        }
        for half in (0..2).filter(|&half| differs[half]) {
            let row = row_of(root[half]);
            arrangement.restore(half, &row, &mut self.words);
            self.halves[half] = row;
        }
        self.root = root;
        self.is_empty = false;
    }

    #[inline(always)]
    fn write_leaf(&mut self, leaf: usize, row: Row) {
        let units = self.shape.leaves()[leaf].units;
        for (unit, halves) in units.into_iter().zip([[row[0], row[1]], [row[2], row[3]]]) {
            let start = (unit as usize).saturating_mul(UNIT);
            if let Some(words) = self
                .words
                .get_mut(start..)
                .and_then(|w| w.first_chunk_mut())
            {
                let [low, high] = halves;
                *words = [
                    low as u32,
                    (low >> 32) as u32,
                    high as u32,
                    (high >> 32) as u32,
                ];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::narrow;
    use crate::tree::shape::units;
    use lariat_stats::stream;
    use std::collections::HashMap;

    #[derive(Default)]
    struct Table {
        numbers: HashMap<Row, u32>,
        rows: Vec<Row>,
    }

    impl Intern for Table {
        fn announce(&self, _: u64) {}

        fn resolve(&mut self, rows: &mut [Wanted]) {
            for wanted in rows {
                assert_eq!(wanted.hash, hash_row(&wanted.row));
                let next = self.rows.len() as u32;
                wanted.number = *self.numbers.entry(wanted.row).or_insert(next);
                if wanted.number == next {
                    self.rows.push(wanted.row);
                }
            }
        }
    }

    /// States of all widths, encoded relative to others, are equal if and only if their root pairs
    /// are, and can be decoded relative to others.
    #[test]
    fn trees_are_exact() {
        for width in (0..150).chain([255, 256, 257, 600, 1000]) {
            let mut rng = stream(width as u64, "trees", 0);
            let mut table = Table::default();
            let mut order: Vec<u32> = match width <= narrow::MOST {
                true => narrow::usual(width),
                false => (0..units(width) as u32).collect(),
            };
            if width % 2 == 0 {
                rng.shuffle(&mut order);
            }
            let mut context = Context::new(width, &order);
            let mut drafts = Drafts::default();
            let mut roots: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
            let mut states: HashMap<Vec<u32>, [u32; 2]> = HashMap::new();
            let mut state = vec![0; width];
            let mut drafted = Vec::new();
            for round in 0..400u32 {
                if width > 0 {
                    for _ in 0..rng.below(4) {
                        state[rng.below(width as u64) as usize] =
                            [0, 1, u32::MAX, round][rng.below(4) as usize];
                    }
                }
                for _ in 0..rng.below(5) {
                    if context.is_empty() {
                        break;
                    }
                    context.draft(&state, 0, &mut drafts, &table);
                    drafted.push(state.clone());
                    if width > 0 {
                        state[rng.below(width as u64) as usize] ^= rng.below(3) as u32;
                    }
                }
                let adopts = context.is_empty() || rng.below(8) == 0;
                if adopts {
                    context.draft(&state, 0, &mut drafts, &table);
                    drafted.push(state.clone());
                }
                if adopts || rng.below(2) == 0 {
                    drafts.encode(&mut table);
                    for (state, draft) in drafted.drain(..).zip(&drafts.all) {
                        assert_eq!(roots.entry(draft.root).or_insert(state.clone()), &state);
                        assert_eq!(*states.entry(state).or_insert(draft.root), draft.root);
                    }
                    if adopts {
                        context.adopt(&state, &drafts);
                        assert_eq!(context.words(), state);
                    }
                    drafts.clear();
                }
                if !roots.is_empty() && rng.below(2) == 0 {
                    let keys: Vec<_> = roots.keys().copied().collect();
                    let root = keys[rng.below(keys.len() as u64) as usize];
                    context.decode(root, |_| (), |number| table.rows[number as usize]);
                    assert_eq!(context.words(), roots[&root], "width {width}");
                    if rng.below(3) == 0 {
                        state.clone_from(&roots[&root]);
                    }
                }
                if rng.below(50) == 0 {
                    context = Context::new(width, &order);
                }
            }
        }
    }
}
