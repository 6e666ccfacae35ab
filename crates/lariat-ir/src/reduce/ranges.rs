//! Between which bounds the value of an expression lies, whatever the state.
//!
//! Types are enough to see that many an index is never out of range, and many a divisor never zero.

use crate::expr::{Binary, Expr, Place, Unary};
use crate::types::Scalar;

/// The least and the greatest value.
type Range = (i64, i64);

const ANY: Range = (i32::MIN as i64, i32::MAX as i64);
const BOOLEAN: Range = (0, 1);

/// Whether an index is always inside an array of this length.
pub(super) fn is_inside(index: &Expr, length: u32) -> bool {
    let (least, most) = range(index);
    least >= 0 && most < i64::from(length)
}

/// Whether all indices of a place are always inside their arrays.
pub(super) fn is_safe_place(place: &Place) -> bool {
    place.indices.iter().all(|i| is_inside(&i.value, i.length))
}

/// Whether a value can always be stored in a scalar without a fault.
pub fn fits(value: &Expr, scalar: Scalar) -> bool {
    let ((least, most), (from, to)) = (range(value), of_scalar(scalar));
    !scalar.checked || from <= least && most <= to
}

/// Whether what one scalar holds can always be stored in another without a fault.
pub fn scalar_fits(from: Scalar, to: Scalar) -> bool {
    let ((least, most), (from, to_most)) = (of_scalar(from), of_scalar(to));
    !to.checked || from <= least && most <= to_most
}

/// Whether a divisor is never zero.
pub(super) fn is_safe_divisor(divisor: &Expr) -> bool {
    let (least, most) = range(divisor);
    least > 0 || most < 0
}

fn range(e: &Expr) -> Range {
    match e {
        Expr::Const(value) => (i64::from(*value), i64::from(*value)),
        Expr::Load(place) => of_scalar(place.scalar),
        Expr::Unary(Unary::Not, _) => BOOLEAN,
        Expr::Unary(Unary::Negate, a) => {
            let (least, most) = range(a);
            without_overflow((-most, -least))
        }
        Expr::Unary(Unary::Complement, _) => ANY,
        Expr::Binary(op, a, b) => binary(*op, range(a), range(b)),
        Expr::Cond(parts) => {
            let (yes, no) = (range(&parts[1]), range(&parts[2]));
            (yes.0.min(no.0), yes.1.max(no.1))
        }
        _ => ANY,
    }
}

fn of_scalar(scalar: Scalar) -> Range {
    let bits = u32::from(scalar.bits);
    match scalar.signed {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        // 32 unsigned bits are read as a signed number.
        false if bits < 32 => (0, (1 << bits) - 1),
        false => ANY,
    }
}

fn binary(op: Binary, a: Range, b: Range) -> Range {
    match op {
        Binary::Add => without_overflow((a.0 + b.0, a.1 + b.1)),
        Binary::Subtract => without_overflow((a.0 - b.1, a.1 - b.0)),
        Binary::Multiply if a.0 >= 0 && b.0 >= 0 => without_overflow((a.0 * b.0, a.1 * b.1)),
        Binary::Divide if a.0 >= 0 && b.0 > 0 => (a.0 / b.1, a.1 / b.0),
        Binary::Remainder if a.0 >= 0 && b.0 > 0 => (0, a.1.min(b.1 - 1)),
        Binary::BitAnd if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        Binary::ShiftRight if a.0 >= 0 => (0, a.1),
        _ if op.is_truth() => BOOLEAN,
        _ => ANY,
    }
}

/// Arithmetic wraps around, and then nothing is known.
fn without_overflow(range: Range) -> Range {
    if range.0 >= ANY.0 && range.1 <= ANY.1 {
        range
    } else {
        ANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Owner;

    fn load(scalar: Scalar) -> Expr {
        Expr::Load(Place {
            owner: Owner::Local,
            variable: 0,
            offset: 0,
            indices: Vec::new(),
            scalar,
        })
    }

    #[test]
    fn types_bound_indices_and_divisors() {
        let bit = || load(Scalar::unsigned(1));
        let byte = || load(Scalar::unsigned(8));
        let int = || load(Scalar::signed(32));
        assert!(is_inside(&bit(), 2) && !is_inside(&bit(), 1));
        assert!(is_inside(&byte(), 256) && !is_inside(&byte(), 255));
        let sum = byte().binary(Binary::Add, Expr::Const(1));
        assert!(is_inside(
            &sum.clone().binary(Binary::Remainder, Expr::Const(4)),
            4
        ));
        assert!(is_safe_divisor(&sum));
        let difference = byte().binary(Binary::Subtract, Expr::Const(1));
        assert!(!is_inside(
            &difference.binary(Binary::Remainder, Expr::Const(4)),
            4
        ));
        assert!(!is_inside(
            &int().binary(Binary::Remainder, Expr::Const(4)),
            4
        ));
        assert!(!is_safe_divisor(&int().binary(Binary::Add, Expr::Const(1))));
        assert!(!is_safe_divisor(&byte()) && is_safe_divisor(&Expr::Const(-3)));
        assert!(is_inside(&int().binary(Binary::Less, byte()), 2));
    }

    /// Every value that an operator can have lies between the bounds.
    #[test]
    fn ranges_hold_what_operators_give() {
        use Binary::*;
        let ops = [
            Add,
            Subtract,
            Multiply,
            Divide,
            Remainder,
            BitAnd,
            BitOr,
            BitXor,
            ShiftLeft,
            ShiftRight,
            Less,
            LessEqual,
            Greater,
            GreaterEqual,
            Equal,
            NotEqual,
            And,
            Or,
        ];
        let scalars = [
            Scalar::unsigned(1),
            Scalar::unsigned(3),
            Scalar::signed(4),
            Scalar::signed(32),
        ];
        let values = |scalar: Scalar| {
            let few = (-9..10).map(move |v| scalar.truncate(v));
            few.chain([i32::MIN, i32::MAX].map(move |v| scalar.truncate(v)))
        };
        for op in ops {
            for a in scalars {
                for b in scalars {
                    let (least, most) = range(&load(a).binary(op, load(b)));
                    for (x, y) in values(a).flat_map(|x| values(b).map(move |y| (x, y))) {
                        if let Some(value) = op.apply(x, y).map(i64::from) {
                            assert!(least <= value && value <= most, "{op:?} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
