//! The shape of the tree over a state, which depends on its width and on the order of its leaves.
//!
//! Words are taken in fours: those are the leaves. They are put into an order that makes the tree
//! compress well (see the module `order`). The leaves are divided into two halves, which are the root
//! pair; a half of more than one leaf is a node with up to four parts of about the same size, and so
//! on. So a tree over 72 words has three levels, and no part is much larger than its siblings.

/// How many parts a node has at most, and how many words a leaf has.
pub(crate) const FAN: usize = 4;

/// The tree over states of one width. Nodes are numbered so that parts come before what they are
/// parts of; the nodes of the root pair are the last ones.
#[derive(Debug)]
pub(crate) struct Shape {
    nodes: Vec<Node>,
    /// The node of each leaf.
    node_of: Vec<u32>,
    /// How many nodes the root pair has: two unless there are fewer leaves.
    roots: usize,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What it is a part of; [`NOWHERE`] for those of the root pair.
    pub parent: u32,
    /// Its parts, the first of them once more in the places of those that it does not have; or its
    /// leaf.
    pub content: Content,
}

/// What a node is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// Four words, those of the leaf with this number.
    Leaf(u32),
    /// Other nodes: which, and how many.
    Parts([u32; FAN], u8),
}

/// The parent of a node that has none.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// How many leaves a width has.
pub(crate) fn leaves(width: usize) -> usize {
    width.div_ceil(FAN)
}

/// How many of `count` leaves belong to the first of `parts` parts of about the same size; the rest is
/// divided in the same way.
pub(crate) fn first_share(count: usize, parts: usize) -> usize {
    count.div_ceil(parts)
}

impl Shape {
    /// The shape for the leaves in this order.
    pub fn new(order: &[u32]) -> Self {
        let mut shape = Shape {
            nodes: Vec::with_capacity(2 * order.len()),
            node_of: vec![0; order.len()],
            roots: order.len().min(2),
        };
        // The nodes of the root pair come last, side by side.
        let half = first_share(order.len(), 2);
        let tops: Vec<Node> = [&order[..half], &order[half..]]
            .into_iter()
            .take(shape.roots)
            .map(|part| shape.make(part))
            .collect();
        for top in tops {
            shape.push(top);
        }
        shape
    }

    /// A node over these leaves, which is not numbered yet; the nodes below it are.
    fn make(&mut self, order: &[u32]) -> Node {
        let content = match order {
            [leaf] => Content::Leaf(*leaf),
            _ => {
                let mut parts = [0; FAN];
                let mut rest = order;
                let count = order.len().min(FAN);
                for (index, part) in parts[..count].iter_mut().enumerate() {
                    let (leaves, others) = rest.split_at(first_share(rest.len(), count - index));
                    let node = self.make(leaves);
                    *part = self.push(node);
                    rest = others;
                }
                Content::Parts(parts, count as u8)
            }
        };
        Node {
            parent: NOWHERE,
            content,
        }
    }

    fn push(&mut self, node: Node) -> u32 {
        let number = self.nodes.len() as u32;
        match node.content {
            Content::Leaf(leaf) => self.node_of[leaf as usize] = number,
            Content::Parts(parts, count) => {
                for &part in &parts[..usize::from(count)] {
                    self.nodes[part as usize].parent = number;
                }
            }
        }
        self.nodes.push(node);
        number
    }

    /// A node.
    #[inline(always)]
    pub fn node(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// The node of a leaf.
    #[inline(always)]
    pub fn node_of(&self, leaf: usize) -> usize {
        self.node_of[leaf] as usize
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes the root pair has.
    pub fn roots(&self) -> usize {
        self.roots
    }

    /// The memory behind this shape.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.node_of.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(shape: &Shape, mut node: usize) -> usize {
        let mut depth = 1;
        while shape.node(node).parent != NOWHERE {
            node = shape.node(node).parent as usize;
            depth += 1;
        }
        depth
    }

    #[test]
    fn trees_are_flat_and_balanced() {
        for width in (0..200).chain([1000, 5000]) {
            let order: Vec<u32> = (0..leaves(width) as u32).collect();
            let shape = Shape::new(&order);
            assert_eq!(shape.roots(), leaves(width).min(2));
            assert!(shape.nodes() <= 2 * leaves(width));
            let depths: Vec<usize> = (0..leaves(width))
                .map(|leaf| depth(&shape, shape.node_of(leaf)))
                .collect();
            let (least, most) = (depths.iter().min(), depths.iter().max());
            assert!(
                most.unwrap_or(&0) - least.unwrap_or(&0) <= 1,
                "width {width}"
            );
        }
        let of = |width: usize| {
            let order: Vec<u32> = (0..leaves(width) as u32).collect();
            let shape = Shape::new(&order);
            (shape.nodes(), depth(&shape, shape.node_of(0)))
        };
        assert_eq!(of(4), (1, 1));
        assert_eq!(of(8), (2, 1));
        assert_eq!(of(32), (10, 2));
        assert_eq!(of(72), (18 + 2 + 8, 3));
    }

    #[test]
    fn parts_come_before_the_whole() {
        let order: Vec<u32> = (0..50).rev().collect();
        let shape = Shape::new(&order);
        for number in 0..shape.nodes() {
            let node = shape.node(number);
            assert!(node.parent as usize > number);
            let is_root = number >= shape.nodes() - shape.roots();
            assert_eq!(node.parent == NOWHERE, is_root);
        }
    }
}
