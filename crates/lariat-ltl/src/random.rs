//! Random formulas and words for tests and measurements.
//!
//! The source of randomness is a closure that gives a number below its argument, so that the caller
//! decides about the generator and its seed.

use crate::formula::{Formula, Formulas};
use crate::lasso::{Letter, Word};

/// Which operators a random formula has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operators {
    /// All.
    All,
    /// All but `X`.
    NextFree,
    /// Only those of propositional logic.
    Propositional,
}

enum Todo {
    Make(u32),
    Unary(u32),
    Binary(u32),
}

/// A random formula over atoms named `p0`, `p1`, ..., with about `size` nodes (exactly, as long as
/// the constructors of the arena simplify nothing away).
pub fn formula(
    formulas: &mut Formulas,
    size: u32,
    atoms: u32,
    operators: Operators,
    below: &mut impl FnMut(u32) -> u32,
) -> Formula {
    let mut todo = vec![Todo::Make(size)];
    let mut done: Vec<Formula> = Vec::new();
    while let Some(next) = todo.pop() {
        match next {
            Todo::Make(0 | 1) => done.push(leaf(formulas, atoms, below)),
            Todo::Make(size) => {
                if size == 2 || below(3) == 0 {
                    todo.push(Todo::Unary(unary(operators, below)));
                    todo.push(Todo::Make(size - 1));
                } else {
                    let left = 1 + below(size - 2);
                    todo.push(Todo::Binary(binary(operators, below)));
                    todo.push(Todo::Make(size - 1 - left));
                    todo.push(Todo::Make(left));
                }
            }
            Todo::Unary(operator) => {
                let a = done.pop().unwrap_or(Formula::TRUE);
                done.push(match operator {
                    0 => formulas.not(a),
                    1 => formulas.eventually(a),
                    2 => formulas.always(a),
                    _ => formulas.next(a),
                });
            }
            Todo::Binary(operator) => {
                let b = done.pop().unwrap_or(Formula::TRUE);
                let a = done.pop().unwrap_or(Formula::TRUE);
                done.push(match operator {
                    0 | 1 => formulas.and([a, b]),
                    2 | 3 => formulas.or([a, b]),
                    4 => formulas.implies(a, b),
                    5 => formulas.equiv(a, b),
                    6 => formulas.xor(a, b),
                    7 | 8 => formulas.until(a, b),
                    9 => formulas.release(a, b),
                    10 => formulas.weak_until(a, b),
                    _ => formulas.strong_release(a, b),
                });
            }
        }
    }
    done.pop().unwrap_or(Formula::TRUE)
}

fn leaf(formulas: &mut Formulas, atoms: u32, below: &mut impl FnMut(u32) -> u32) -> Formula {
    match below(20) {
        0 => Formula::TRUE,
        1 => Formula::FALSE,
        _ => {
            let number = below(atoms.max(1));
            formulas.atom(&format!("p{number}"))
        }
    }
}

fn unary(operators: Operators, below: &mut impl FnMut(u32) -> u32) -> u32 {
    match operators {
        Operators::All => below(4),
        Operators::NextFree => below(3),
        Operators::Propositional => 0,
    }
}

fn binary(operators: Operators, below: &mut impl FnMut(u32) -> u32) -> u32 {
    match operators {
        Operators::All | Operators::NextFree => below(12),
        Operators::Propositional => below(7),
    }
}

/// A random ultimately periodic word over the atoms with numbers below `atoms`, with a prefix of
/// fewer than `length` letters and a cycle of at most `length`.
pub fn word(atoms: u32, length: u32, below: &mut impl FnMut(u32) -> u32) -> Word {
    let mut letters = |count: u32| -> Vec<Letter> {
        (0..count)
            .map(|_| (0..atoms).filter(|_| below(2) == 1).collect())
            .collect()
    };
    let length = length.max(1);
    let all = letters(2 * length);
    let prefix = below(length) as usize;
    let cycle = 1 + below(length) as usize;
    Word {
        prefix: all[..prefix].to_vec(),
        cycle: all[prefix..prefix + cycle].to_vec(),
    }
}
