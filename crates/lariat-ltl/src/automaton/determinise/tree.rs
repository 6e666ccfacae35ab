//! The nodes of a Safra tree while a step is made, and sets of states as bits.

/// A node while a step is made.
pub(super) struct Node {
    /// The number of its parent in the same list, which is smaller than its own.
    pub parent: usize,
    pub states: Vec<u64>,
    /// The union of its children, as far as they have been looked at.
    pub taken: Vec<u64>,
    /// What became of it.
    pub fate: Fate,
}

/// What becomes of a node in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    Flashes,
    Removed,
}

impl Node {
    pub fn new(parent: usize, states: Vec<u64>) -> Self {
        Node {
            parent,
            taken: vec![0; states.len()],
            states,
            fate: Fate::Stays,
        }
    }
}

/// Leaves each state to the oldest child that has it, and to that child's ancestors. A parent comes
/// before its children and an older child before a younger one, so one pass is enough.
pub(super) fn share(nodes: &mut [Node]) {
    for number in 1..nodes.len() {
        let (older, rest) = nodes.split_at_mut(number);
        let node = &mut rest[0];
        let parent = &mut older[node.parent];
        let both = parent.states.iter().zip(&mut parent.taken);
        for (states, (all, taken)) in node.states.iter_mut().zip(both) {
            *states &= all & !*taken;
            *taken |= *states;
        }
    }
}

/// Finds out which nodes flash and which are removed: those without states, and those below a node
/// that flashes.
pub(super) fn settle(nodes: &mut [Node]) {
    for number in 0..nodes.len() {
        let node = &nodes[number];
        let above = nodes[node.parent].fate;
        let fate = if number > 0 && above != Fate::Stays || is_empty(&node.states) {
            Fate::Removed
        } else if node.taken == node.states {
            Fate::Flashes
        } else {
            Fate::Stays
        };
        nodes[number].fate = fate;
    }
}

/// The nodes that were not removed, as words: for each its parent's number and its states.
pub(super) fn packed(nodes: &[Node]) -> Vec<u64> {
    let mut numbers = vec![0; nodes.len()];
    let mut tree = Vec::new();
    let mut count = 0;
    for (number, node) in nodes.iter().enumerate() {
        if node.fate != Fate::Removed {
            tree.push(numbers[node.parent]);
            tree.extend_from_slice(&node.states);
            numbers[number] = count;
            count += 1;
        }
    }
    tree
}

/// Adds a state to a set.
pub(super) fn insert(set: &mut [u64], state: u32) {
    if let Some(word) = set.get_mut(state as usize / 64) {
        *word |= 1 << (state % 64);
    }
}

/// Whether a set has no state.
pub(super) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

/// Whether two sets have a state in common.
pub(super) fn meets(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The states of a set, ascending.
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(index as u32 * 64 + bit)
        })
    })
}
