//! The variables of a frame, taken apart into their scalars.

use crate::access::Set;
use crate::expr::{Expr, Place};
use crate::types::{Frame, Records, Type};

/// A frame with more scalars than this is not looked into.
const MAX_CELLS: usize = 1 << 14;
/// An index expression that can denote more elements than this is taken to denote the whole variable.
const MAX_ELEMENTS: usize = 1 << 10;

/// The scalars of a frame, in the order of their bits.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// First bit and number of bits.
    cells: Vec<(u32, u32)>,
    /// The cells of each variable: the first, and the one after the last.
    variables: Vec<(usize, usize)>,
}

/// Which cells a place can be.
#[derive(Debug)]
pub(super) enum Reach {
    /// This one.
    One(usize),
    /// One of these.
    Some(Set),
}

impl Reach {
    /// Whether it can be one of these.
    pub(super) fn meets(&self, cells: &Set) -> bool {
        match self {
            Reach::One(cell) => cells.contains(*cell),
            Reach::Some(set) => set.meets(cells),
        }
    }
}

impl Cells {
    /// Takes a frame apart; `None` if it is too large.
    pub(super) fn new(records: &Records, frame: &Frame) -> Option<Self> {
        let mut cells = Cells::default();
        for variable in &frame.variables {
            let first = cells.cells.len();
            // A stack instead of recursion: types can be nested deeply.
            let mut todo = vec![(&variable.ty, variable.offset)];
            while let Some((ty, offset)) = todo.pop() {
                if cells.cells.len() + todo.len() > MAX_CELLS {
                    return None;
                }
                match ty {
                    Type::Scalar(scalar) => cells.cells.push((offset, u32::from(scalar.bits))),
                    Type::Array(element, length) => {
                        if *length as usize > MAX_CELLS {
                            return None;
                        }
                        let stride = records.size(element).ok()?.0;
                        todo.extend(
                            (0..*length)
                                .rev()
                                .map(|i| (&**element, offset + i * stride)),
                        );
                    }
                    Type::Record(index) => {
                        let fields = records.0[*index].fields.iter().rev();
                        todo.extend(fields.map(|f| (&f.ty, offset + f.offset)));
                    }
                }
            }
            cells.variables.push((first, cells.cells.len()));
        }
        Some(cells)
    }

    /// The cells of a variable.
    pub(super) fn of_variable(&self, variable: usize) -> std::ops::Range<usize> {
        let (first, end) = self.variables[variable];
        first..end
    }

    /// The word of the frame in which a cell lies, and its bits there.
    pub(super) fn mask(&self, cell: usize) -> (u32, u32) {
        let (bit, bits) = self.cells[cell];
        (bit / 32, (u32::MAX >> (32 - bits)) << (bit % 32))
    }

    /// The cells that a place of this frame can be.
    pub(super) fn reach(&self, place: &Place) -> Reach {
        let mut bits = vec![place.offset];
        for index in &place.indices {
            match constant_index(&index.value, index.length) {
                Some(value) => bits.iter_mut().for_each(|b| *b += value * index.stride),
                None => {
                    if bits.len().saturating_mul(index.length as usize) > MAX_ELEMENTS {
                        return Reach::Some(self.of_variable(place.variable).collect());
                    }
                    bits = bits
                        .iter()
                        .flat_map(|b| (0..index.length).map(move |i| b + i * index.stride))
                        .collect();
                }
            }
        }
        let width = u32::from(place.scalar.bits);
        let (first, end) = self.variables[place.variable];
        let own = &self.cells[first..end];
        let mut set = Set::default();
        for &bit in &bits {
            match own.binary_search_by_key(&bit, |c| c.0) {
                Ok(at) if own[at].1 == width => set.insert(first + at),
                _ => return Reach::Some((first..end).collect()),
            }
        }
        let first = set.iter().next();
        match (bits.len(), first) {
            (1, Some(cell)) => Reach::One(cell),
            _ => Reach::Some(set),
        }
    }
}

/// An index that is a constant inside its array.
fn constant_index(value: &Expr, length: u32) -> Option<u32> {
    match value {
        Expr::Const(value) => u32::try_from(*value).ok().filter(|&v| v < length),
        _ => None,
    }
}
