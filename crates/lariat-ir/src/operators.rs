//! Long sequences of operators as trees that are not deep.
//!
//! Operators associate to the left, so the tree of `a + b + c + ...` is as deep as the sequence is long,
//! and all that walks trees recurses. Where the operator is associative a long sequence becomes a
//! balanced tree instead. Arithmetic wraps around, so sums and products are associative, and
//! `a - b - c` is `a - (b + c)`; the operands are still evaluated from left to right.

/// Sequences with at most this number of operators keep the shape of the text.
const SHORT: usize = 32;

/// The tallest tree of an expression: operators, indices and arguments inside each other.
pub const MAX_HEIGHT: usize = 2000;

/// An expression with the height of its tree.
#[derive(Debug)]
pub struct Tall<E> {
    /// The expression.
    pub expr: E,
    /// The nodes on its longest path.
    pub height: usize,
}

/// The operators of a language.
pub trait Operator: Copy {
    /// Operators with the same number can be in one sequence; `None` for those that are not
    /// associative.
    fn group(self) -> Option<u8>;

    /// The operator in the place of this one behind an operator that is inverted: `+` for `-` and
    /// `-` for `+`; `None` if no operator of the group inverts.
    fn inverse(self) -> Option<Self>;

    /// Whether what follows is inverted, as behind `-`.
    fn inverts(self) -> bool;
}

/// Operands with operators of one group between them.
#[derive(Debug)]
pub struct OperatorSequence<O, E> {
    first: Tall<E>,
    rest: Vec<(O, Tall<E>)>,
}

impl<O: Operator, E> OperatorSequence<O, E> {
    /// A sequence of one operand.
    pub fn new(first: Tall<E>) -> Self {
        OperatorSequence {
            first,
            rest: Vec::new(),
        }
    }

    /// The first operand, if it is the only one.
    pub fn single(&self) -> Option<&E> {
        self.rest.is_empty().then_some(&self.first.expr)
    }

    /// Whether an operator goes on with the sequence, so that the sequence need not be joined before.
    pub fn continues(&self, operator: O) -> bool {
        match self.rest.last() {
            Some((last, _)) => operator.group().is_some() && last.group() == operator.group(),
            None => true,
        }
    }

    /// Adds an operand. The operator must go on with the sequence.
    pub fn push(&mut self, operator: O, operand: Tall<E>) {
        self.rest.push((operator, operand));
    }

    /// The tree of the sequence; `join` makes a node of two operands.
    pub fn join(self, join: &mut impl FnMut(O, E, E) -> E) -> Tall<E> {
        let mut pair = |operator: O, a: Tall<E>, b: Tall<E>| Tall {
            height: a.height.max(b.height) + 1,
            expr: join(operator, a.expr, b.expr),
        };
        if self.rest.len() <= SHORT {
            let rest = self.rest.into_iter();
            return rest.fold(self.first, |left, (operator, right)| {
                pair(operator, left, right)
            });
        }
        // Neighbours are joined in pairs until one is left. A pair is entered with the operator
        // before it; if that one inverts, the operator inside the pair is inverted.
        let mut items: Vec<(Option<O>, Tall<E>)> = vec![(None, self.first)];
        items.extend(self.rest.into_iter().map(|(o, e)| (Some(o), e)));
        while items.len() > 1 {
            let mut next = Vec::with_capacity(items.len().div_ceil(2));
            let mut todo = items.into_iter();
            while let Some((before, left)) = todo.next() {
                match todo.next() {
                    Some((Some(operator), right)) => {
                        let inner = match before.is_some_and(O::inverts) {
                            true => operator.inverse().unwrap_or(operator),
                            false => operator,
                        };
                        next.push((before, pair(inner, left, right)));
                    }
                    _ => next.push((before, left)),
                }
            }
            items = next;
        }
        let mut trees = items.into_iter().map(|(_, tree)| tree);
        let first = trees.next();
        first.expect("a sequence has a first operand")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Sum {
        Add,
        Subtract,
    }

    impl Operator for Sum {
        fn group(self) -> Option<u8> {
            Some(0)
        }

        fn inverse(self) -> Option<Self> {
            Some(match self {
                Sum::Add => Sum::Subtract,
                Sum::Subtract => Sum::Add,
            })
        }

        fn inverts(self) -> bool {
            self == Sum::Subtract
        }
    }

    fn apply(operator: Sum, a: i32, b: i32) -> i32 {
        match operator {
            Sum::Add => a.wrapping_add(b),
            Sum::Subtract => a.wrapping_sub(b),
        }
    }

    /// A balanced tree has the value of the sequence, and is not tall.
    #[test]
    fn long_sums_are_balanced() {
        let mut random = 7u32;
        for length in (0..200).chain([10_000]) {
            let leaf = |expr| Tall { expr, height: 1 };
            let mut sequence = OperatorSequence::new(leaf(1));
            let mut value = 1;
            for _ in 0..length {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let operand = random as i32;
                let operator = [Sum::Add, Sum::Subtract][(random >> 16 & 1) as usize];
                assert!(sequence.continues(operator));
                sequence.push(operator, leaf(operand));
                value = apply(operator, value, operand);
            }
            let tree = sequence.join(&mut apply);
            assert_eq!(tree.expr, value, "{length}");
            assert!(tree.height <= SHORT + 1, "{length}: {}", tree.height);
        }
    }
}
