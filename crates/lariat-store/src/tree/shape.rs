//! The shape of the tree over a state, which depends on nothing but its width.
//!
//! Words are taken in pairs: those are the leaves. Leaves are taken in pairs again, and so on, level
//! by level, until at most two nodes are left: they are the root pair. Where a level has an odd
//! number of nodes, the last one goes up as it is.

/// The levels of the tree over states of one width. All nodes together are numbered level by level,
/// leaves first.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Where each level starts, and where the last one ends.
    starts: Vec<u32>,
}

impl Shape {
    pub fn new(width: usize) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        let mut count = width.div_ceil(2) as u32;
        loop {
            end += count;
            starts.push(end);
            if count <= 2 {
                return Shape { starts };
            }
            count = count.div_ceil(2);
        }
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
        self.starts.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve() {
        let counts = |width: usize| -> Vec<usize> {
            let shape = Shape::new(width);
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
        assert_eq!(Shape::new(25).nodes(), 26);
    }
}
