//! The shape of the tree over a state, which depends on its width and on the order of its units.
//!
//! Four words are a *unit*. The units are put into an order that makes the tree compress well (see the module
//! `order`) and divided into two halves, the root pair. A half of at most two units is a leaf. A larger one is a node
//! with up to eight parts of about the same size, and so on, so that all leaves of a half have the same depth: with
//! 128 words or less, they are the parts of the root pair.

use std::ops::Range;

/// The number of words of a unit.
pub(crate) const UNIT: usize = 4;
/// The largest number of units of a leaf.
const LEAF: usize = 2;
/// The largest number of parts of a node.
pub(crate) const FAN: usize = 8;
/// The parent of a node that has none, and the second unit of a leaf that has only one.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The tree over states of one width. Nodes are numbered level by level, leaves first, so parts have lower numbers
/// than their parents, and the parts of a node are consecutive.
#[derive(Debug)]
pub(crate) struct Shape {
    leaves: Vec<Leaf>,
    /// The parts of each inner node.
    parts: Vec<Range<u32>>,
    /// The parent of each node.
    up: Vec<Up>,
    /// The leaf of each unit.
    leaf_of: Vec<u32>,
    /// The nodes of the root pair: two unless there are fewer units.
    roots: Vec<u32>,
}

/// A leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// Its units; the second is [`NOWHERE`] if there is only one.
    pub units: [u32; LEAF],
    pub up: Up,
}

/// The parent of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Up {
    /// The node; [`NOWHERE`] for those of the root pair.
    pub parent: u32,
    /// The index among the parts of the parent, or in the root pair.
    pub slot: u32,
}

/// The number of units of a width.
pub(crate) fn units(width: usize) -> usize {
    width.div_ceil(UNIT)
}

/// The number of units in the first of `parts` parts of about the same size; the rest is divided in the same way.
pub(crate) fn first_share(count: usize, parts: usize) -> usize {
    count.div_ceil(parts)
}

/// Nodes before they are numbered: the leaves, and the parts of the others, by level.
#[derive(Default)]
struct Levels {
    leaves: Vec<[u32; LEAF]>,
    above: Vec<Vec<Range<u32>>>,
}

impl Levels {
    /// Adds a tree over these units with `levels` levels above the leaves.
    fn add(&mut self, units: &[u32], height: usize) {
        let Some(below) = height.checked_sub(1) else {
            self.leaves
                .push([units[0], units.get(1).copied().unwrap_or(NOWHERE)]);
            return;
        };
        let start = self.count(below);
        let count = units.len().div_ceil(capacity(below));
        let mut rest = units;
        for index in 0..count {
            let (part, others) = rest.split_at(first_share(rest.len(), count - index));
            self.add(part, below);
            rest = others;
        }
        let parts = start..self.count(below);
        if self.above.len() < height {
            self.above.resize(height, Vec::new());
        }
        self.above[below].push(parts);
    }

    fn count(&self, height: usize) -> u32 {
        let count = match height.checked_sub(1) {
            None => self.leaves.len(),
            Some(level) => self.above.get(level).map_or(0, Vec::len),
        };
        count as u32
    }
}

/// The largest number of units of a tree with `levels` levels above the leaves.
fn capacity(height: usize) -> usize {
    LEAF.saturating_mul(FAN.saturating_pow(height as u32))
}

impl Shape {
    /// The shape for the units in this order.
    pub fn new(order: &[u32]) -> Self {
        let mut levels = Levels::default();
        let (left, right) = order.split_at(first_share(order.len(), 2));
        let mut tops = Vec::new();
        for half in [left, right] {
            if !half.is_empty() {
                let height = (0..).find(|&height| capacity(height) >= half.len());
                let height = height.unwrap_or(0);
                levels.add(half, height);
                tops.push((height, levels.count(height) - 1));
            }
        }
        Shape::numbered(levels, &tops, order.len())
    }

    /// Numbers the nodes of all levels.
    fn numbered(levels: Levels, tops: &[(usize, u32)], units: usize) -> Self {
        let mut starts = vec![0, levels.leaves.len() as u32];
        let mut parts = Vec::new();
        for (below, level) in levels.above.iter().enumerate() {
            let start = starts[below];
            parts.extend(level.iter().map(|p| start + p.start..start + p.end));
            starts.push(starts[below + 1] + level.len() as u32);
        }
        let leaves = levels.leaves.len();
        let nowhere = Up {
            parent: NOWHERE,
            slot: 0,
        };
        let mut shape = Shape {
            up: vec![nowhere; leaves + parts.len()],
            leaf_of: vec![0; units],
            roots: tops.iter().map(|&(level, at)| starts[level] + at).collect(),
            leaves: Vec::with_capacity(leaves),
            parts,
        };
        for (node, parts) in (leaves as u32..).zip(&shape.parts) {
            for (slot, part) in parts.clone().enumerate() {
                shape.up[part as usize] = Up {
                    parent: node,
                    slot: slot as u32,
                };
            }
        }
        for (slot, &root) in shape.roots.iter().enumerate() {
            shape.up[root as usize].slot = slot as u32;
        }
        for (leaf, units) in levels.leaves.into_iter().enumerate() {
            for unit in units.into_iter().filter(|&unit| unit != NOWHERE) {
                shape.leaf_of[unit as usize] = leaf as u32;
            }
            let up = shape.up[leaf];
            shape.leaves.push(Leaf { units, up });
        }
        shape
    }

    /// The leaves.
    #[inline(always)]
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The parts of all other nodes, in the order of their numbers.
    pub fn parts(&self) -> &[Range<u32>] {
        &self.parts
    }

    /// The parent of a node.
    #[inline(always)]
    pub fn up(&self, node: u32) -> Up {
        self.up[node as usize]
    }

    /// The leaf that has a unit.
    #[inline(always)]
    pub fn leaf_of(&self, unit: usize) -> u32 {
        self.leaf_of[unit]
    }

    /// The nodes of the root pair.
    #[inline(always)]
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The bytes of this shape.
    pub fn bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<Leaf>()
            + self.parts.capacity() * size_of::<Range<u32>>()
            + self.up.capacity() * size_of::<Up>()
            + (self.leaf_of.capacity() + self.roots.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(width: usize) -> Shape {
        let order: Vec<u32> = (0..units(width) as u32).rev().collect();
        Shape::new(&order)
    }

    fn depth(shape: &Shape, mut node: u32) -> usize {
        let mut depth = 1;
        while shape.up(node).parent != NOWHERE {
            node = shape.up(node).parent;
            depth += 1;
        }
        depth
    }

    #[test]
    fn trees_are_flat_and_balanced() {
        for width in (0..600).chain([1000, 5000]) {
            let shape = shape(width);
            assert_eq!(shape.roots().len(), units(width).min(2));
            let leaves = shape.leaves().len() as u32;
            assert!(leaves as usize <= units(width));
            let depths: Vec<usize> = (0..leaves).map(|leaf| depth(&shape, leaf)).collect();
            let (least, most) = (depths.iter().min(), depths.iter().max());
            assert!(
                most.unwrap_or(&0) - least.unwrap_or(&0) <= 1,
                "width {width}"
            );
            assert!(width > 128 || most.unwrap_or(&0) <= &2);
        }
        let of = |width: usize| {
            let shape = shape(width);
            (shape.leaves().len(), shape.parts().len(), depth(&shape, 0))
        };
        assert_eq!(of(4), (1, 0, 1));
        assert_eq!(of(16), (2, 0, 1));
        assert_eq!(of(20), (3, 1, 2));
        assert_eq!(of(90), (12, 2, 2));
        assert_eq!(of(132), (5 + 4 + 8, 2 + 1 + 1, 3));
    }

    /// Every unit is in one leaf, every node has the right parent, and parts have lower numbers.
    #[test]
    fn nothing_is_lost() {
        for width in (0..600).chain([5000]) {
            let shape = shape(width);
            let mut seen = vec![0; units(width)];
            for (leaf, held) in shape.leaves().iter().enumerate() {
                for &unit in held.units.iter().filter(|&&unit| unit != NOWHERE) {
                    seen[unit as usize] += 1;
                    assert_eq!(shape.leaf_of(unit as usize) as usize, leaf);
                }
            }
            assert!(seen.iter().all(|&count| count == 1));
            let leaves = shape.leaves().len() as u32;
            let mut parents = vec![0; shape.up.len()];
            for (node, parts) in (leaves..).zip(shape.parts()) {
                assert!((1..=FAN).contains(&parts.len()) && parts.end <= node);
                for (slot, part) in parts.clone().enumerate() {
                    parents[part as usize] += 1;
                    let up = shape.up(part);
                    assert_eq!((up.parent, up.slot), (node, slot as u32));
                }
            }
            for (slot, &root) in shape.roots().iter().enumerate() {
                parents[root as usize] += 1;
                let up = shape.up(root);
                assert_eq!((up.parent, up.slot), (NOWHERE, slot as u32));
            }
            assert!(parents.iter().all(|&count| count == 1), "width {width}");
        }
    }
}
