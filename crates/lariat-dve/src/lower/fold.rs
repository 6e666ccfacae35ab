//! Expressions whose values are known in advance become constants.
//!
//! Nothing is left out that could go wrong at run time: a division by zero stays where it is, and an
//! operand is dropped only if it would not have been looked at anyway.

use lariat_ir::expr::{Binary, Expr, Unary};

/// `op a`
pub(super) fn unary(op: Unary, a: Expr) -> Expr {
    match a {
        Expr::Const(value) => Expr::Const(op.apply(value)),
        a => Expr::Unary(op, Box::new(a)),
    }
}

/// `a op b`
pub(super) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    if let (Expr::Const(x), Expr::Const(y)) = (&a, &b)
        && let Some(value) = op.apply(*x, *y)
    {
        return Expr::Const(value);
    }
    match (op, &a, &b) {
        (Binary::And, Expr::Const(0), _) => Expr::Const(0),
        (Binary::And, Expr::Const(_), _) if is_truth(&b) => b,
        (Binary::And, _, Expr::Const(y)) if *y != 0 && is_truth(&a) => a,
        (Binary::Or, Expr::Const(0), _) if is_truth(&b) => b,
        (Binary::Or, Expr::Const(x), _) if *x != 0 => Expr::Const(1),
        (Binary::Or, _, Expr::Const(0)) if is_truth(&a) => a,
        _ => a.binary(op, b),
    }
}

/// Whether an expression is always 0 or 1.
fn is_truth(e: &Expr) -> bool {
    match e {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Unary(op, _) => *op == Unary::Not,
        Expr::Binary(op, ..) => op.is_truth(),
        Expr::At { .. } => true,
        _ => false,
    }
}

/// The conjunction of conditions, as flat as possible: a list can be long, and code that walks an
/// expression recurses. The order is kept.
pub(super) fn all(mut conditions: Vec<Expr>) -> Expr {
    // Only whether the whole holds matters here, not its number.
    conditions.retain(|c| !matches!(c, Expr::Const(value) if *value != 0));
    while conditions.len() > 1 {
        let mut pairs = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut rest = conditions.into_iter();
        while let Some(a) = rest.next() {
            pairs.push(match rest.next() {
                Some(b) => binary(Binary::And, a, b),
                None => a,
            });
        }
        conditions = pairs;
    }
    conditions.pop().unwrap_or(Expr::TRUE)
}

/// Whether an expression has a value in every state: it neither divides nor looks into an array at
/// an index that could be wrong.
pub(super) fn is_total(e: &Expr) -> bool {
    let mut total = true;
    e.walk(&mut |part| match part {
        Expr::Binary(Binary::Divide | Binary::Remainder, ..) => total = false,
        Expr::Load(place) => {
            let inside = |value: &Expr, length: u32| match value {
                Expr::Const(value) => u32::try_from(*value).is_ok_and(|v| v < length),
                _ => false,
            };
            total &= place.indices.iter().all(|i| inside(&i.value, i.length));
        }
        _ => {}
    });
    total
}
