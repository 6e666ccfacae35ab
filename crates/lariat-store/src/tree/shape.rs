//! The shape of the tree over a state, which depends on its width and on the order of its leaves.
//!
//! Words are taken in pairs: those are the leaves. They are put into an order that makes the tree compress
//! well (see the module `order`). Leaves are taken in pairs again, and so on, level
//! by level, until at most two nodes are left: they are the root pair. Where a level has an odd
//! number of nodes, the last one goes up as it is.

/// The levels of the tree over states of one width. All nodes together are numbered level by level,
/// leaves first.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Where each level starts, and where the last one ends.
    starts: Vec<u32>,
    /// The ways from all leaves to the top, one behind the other.
    steps: Vec<Step>,
    /// Where the way of each leaf starts, doubled, plus one if it ends at the left side of the top; and
    /// where the last one ends.
    paths: Vec<u32>,
    /// The leaf at each position, and the position of each leaf.
    leaf_at: Vec<u32>,
    position_of: Vec<u32>,
}

/// A step up: which node is the sibling, and whether it is to the right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step(u32);

impl Step {
    /// The node that is joined.
    #[inline(always)]
    pub fn sibling(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the way comes from the left, and the sibling is to the right.
    #[inline(always)]
    pub fn is_left(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Shape {
    /// The shape for a width. `order` has all its leaves.
    pub fn new(width: usize, order: Vec<u32>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        let mut count = width.div_ceil(2) as u32;
        loop {
            end += count;
            starts.push(end);
            if count <= 2 {
                break;
            }
            count = count.div_ceil(2);
        }
        let mut shape = Shape {
            starts,
            steps: Vec::new(),
            paths: Vec::new(),
            position_of: vec![0; order.len()],
            leaf_at: order,
        };
        for (position, &leaf) in shape.leaf_at.iter().enumerate() {
            shape.position_of[leaf as usize] = position as u32;
        }
        for leaf in 0..width.div_ceil(2) {
            shape.add_path(leaf);
        }
        shape.paths.push(2 * shape.steps.len() as u32);
        shape
    }

    fn add_path(&mut self, leaf: usize) {
        let start = self.steps.len() as u32;
        let mut index = self.position(leaf);
        for level in 0..self.levels() - 1 {
            let (first, end) = self.level(level);
            let sibling = first + (index ^ 1);
            if sibling < end {
                let is_left = index & 1 == 0;
                self.steps
                    .push(Step((sibling as u32) << 1 | u32::from(is_left)));
            }
            index /= 2;
        }
        self.paths.push(2 * start + u32::from(index == 0));
    }

    /// The way up from a leaf, and whether it ends at the left side of the top.
    #[inline(always)]
    pub fn path(&self, leaf: usize) -> (&[Step], bool) {
        let start = self.paths[leaf];
        let end = self.paths[leaf + 1];
        (
            &self.steps[(start >> 1) as usize..(end >> 1) as usize],
            start & 1 == 1,
        )
    }

    /// Where a leaf is among the leaves of the tree.
    #[inline(always)]
    pub fn position(&self, leaf: usize) -> usize {
        self.position_of[leaf] as usize
    }

    /// The leaf at a position.
    #[inline(always)]
    pub fn leaf(&self, position: usize) -> usize {
        self.leaf_at[position] as usize
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// The number of levels: at least one, which may be empty.
    pub fn levels(&self) -> usize {
        self.starts.len() - 1
    }

    /// The first node of a level and the one behind its last.
    #[inline(always)]
    pub fn level(&self, level: usize) -> (usize, usize) {
        (self.starts[level] as usize, self.starts[level + 1] as usize)
    }

    /// The memory behind this shape.
    pub fn bytes(&self) -> usize {
        let numbers = self.starts.capacity() + self.steps.capacity() + self.paths.capacity();
        (numbers + self.leaf_at.capacity() + self.position_of.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve() {
        let counts = |width: usize| -> Vec<usize> {
            let shape = Shape::new(width, (0..width.div_ceil(2) as u32).collect());
            let count = |level| {
                let (start, end) = shape.level(level);
                end - start
            };
            (0..shape.levels()).map(count).collect()
        };
        assert_eq!(counts(0), [0]);
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1]);
        assert_eq!(counts(4), [2]);
        assert_eq!(counts(5), [3, 2]);
        assert_eq!(counts(25), [13, 7, 4, 2]);
        assert_eq!(counts(34), [17, 9, 5, 3, 2]);
        assert_eq!(Shape::new(25, (0..13).collect()).nodes(), 26);
    }

    #[test]
    fn paths_lead_to_the_top() {
        let shape = Shape::new(25, (0..13).collect());
        let path = |leaf: usize| -> (Vec<(usize, bool)>, bool) {
            let (steps, is_left) = shape.path(leaf);
            let steps = steps.iter().map(|step| (step.sibling(), step.is_left()));
            (steps.collect(), is_left)
        };
        // Levels start at 0, 13, 20 and 24.
        assert_eq!(path(0), (vec![(1, true), (14, true), (21, true)], true));
        let path_of_11 = vec![(10, false), (17, false), (23, true)];
        assert_eq!(path(11), (path_of_11, false));
        assert_eq!(path(12), (vec![(22, false)], false));
    }
}
