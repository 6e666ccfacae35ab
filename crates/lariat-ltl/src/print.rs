//! Formulas as text that [`parse`](crate::parse()) reads back as the same formula.
//!
//! Parentheses are left out only where all tools agree. SPIN's two parsers and Spot's order the
//! binary operators differently (`spin -f` knows one level for `&&`, `||` and `->`) and associate
//! them to different sides, so an operand with a binary operator always stands in parentheses,
//! except that operands of `&&` and `||` are joined into one chain.
//!
//! A formula is written as a tree. Where its arena shares many parts the text can be much longer
//! than the formula is large; [`Formulas::size`] says in advance how long.

use crate::formula::{Formula, Formulas, Node};
use crate::parse;

/// The formula in SPIN's syntax: `[] <> X ! && || -> <-> U V W`, and `M` and `xor`, which SPIN does
/// not know and [`for_spin`](crate::simplify::for_spin) removes.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "G(p -> F(q & x > 1))").unwrap();
/// assert_eq!(lariat_ltl::print::spin(&formulas, f), "[](p -> <>(q && (x > 1)))");
/// ```
pub fn spin(formulas: &Formulas, f: Formula) -> String {
    write(formulas, f, &SPIN)
}

/// The formula in Spot's syntax: `G F X ! & | -> <-> xor U R W M`; atoms that are no plain names
/// are quoted.
///
/// ```
/// let mut formulas = lariat_ltl::Formulas::new();
/// let f = lariat_ltl::parse(&mut formulas, "[](p -> <>(q && x > 1))").unwrap();
/// assert_eq!(lariat_ltl::print::spot(&formulas, f), "G(p -> F(q & \"x > 1\"))");
/// ```
pub fn spot(formulas: &Formulas, f: Formula) -> String {
    write(formulas, f, &SPOT)
}

/// The spellings of a syntax.
struct Syntax {
    constants: [&'static str; 2],
    next: &'static str,
    eventually: &'static str,
    always: &'static str,
    and: &'static str,
    or: &'static str,
    release: &'static str,
    /// Whether expressions are written without quotes.
    expressions: bool,
}

const SPIN: Syntax = Syntax {
    constants: ["true", "false"],
    next: "X",
    eventually: "<>",
    always: "[]",
    and: " && ",
    or: " || ",
    release: " V ",
    expressions: true,
};

const SPOT: Syntax = Syntax {
    constants: ["1", "0"],
    next: "X",
    eventually: "F",
    always: "G",
    and: " & ",
    or: " | ",
    release: " R ",
    expressions: false,
};

/// What is still to be written.
enum Todo {
    Text(&'static str),
    /// A formula, and whether it is an operand, so that it needs parentheses if it is binary.
    Formula(Formula, bool),
}

fn write(formulas: &Formulas, f: Formula, syntax: &Syntax) -> String {
    let mut names: Vec<Option<Name>> = vec![None; formulas.atoms().len()];
    let mut out = String::new();
    let mut todo = vec![Todo::Formula(f, false)];
    while let Some(next) = todo.pop() {
        let (f, operand) = match next {
            Todo::Text(text) => {
                out.push_str(text);
                continue;
            }
            Todo::Formula(f, operand) => (f, operand),
        };
        let node = formulas.node(f);
        match node {
            Node::True => out.push_str(syntax.constants[0]),
            Node::False => out.push_str(syntax.constants[1]),
            Node::Atom(number) => match names.get_mut(*number as usize) {
                Some(name) => name
                    .get_or_insert_with(|| Name::new(&formulas.atoms()[*number as usize], syntax))
                    .write(&mut out, operand),
                None => out.push_str(&format!("\"atom {number}\"")),
            },
            Node::Not(a) => push_unary(&mut out, &mut todo, "!", *a),
            Node::Next(a) => push_unary(&mut out, &mut todo, syntax.next, *a),
            Node::Eventually(a) => push_unary(&mut out, &mut todo, syntax.eventually, *a),
            Node::Always(a) => push_unary(&mut out, &mut todo, syntax.always, *a),
            _ => {
                if operand {
                    out.push('(');
                    todo.push(Todo::Text(")"));
                }
                let sign = binary_sign(node, syntax);
                for (i, &part) in node.parts().iter().enumerate().rev() {
                    todo.push(Todo::Formula(part, true));
                    if i > 0 {
                        todo.push(Todo::Text(sign));
                    }
                }
            }
        }
        // Letters need a space before a name, not before another sign or parenthesis.
        if let Node::Next(a) | Node::Eventually(a) | Node::Always(a) = node
            && out.ends_with(|c: char| c.is_ascii_alphabetic())
            && starts_with_word(formulas.node(*a))
        {
            out.push(' ');
        }
    }
    out
}

fn push_unary(out: &mut String, todo: &mut Vec<Todo>, sign: &str, operand: Formula) {
    out.push_str(sign);
    todo.push(Todo::Formula(operand, true));
}

fn starts_with_word(node: &Node) -> bool {
    matches!(node, Node::True | Node::False | Node::Atom(_))
}

fn binary_sign(node: &Node, syntax: &Syntax) -> &'static str {
    match node {
        Node::And(_) => syntax.and,
        Node::Or(_) => syntax.or,
        Node::Implies(..) => " -> ",
        Node::Equiv(..) => " <-> ",
        Node::Xor(..) => " xor ",
        Node::Until(..) => " U ",
        Node::Release(..) => syntax.release,
        Node::WeakUntil(..) => " W ",
        Node::StrongRelease(..) => " M ",
        _ => "",
    }
}

/// The name of an atom as an operand in SPIN's syntax.
pub(crate) fn operand(name: &str) -> String {
    let mut out = String::new();
    Name::new(name, &SPIN).write(&mut out, true);
    out
}

/// An atom's name as it is written.
#[derive(Clone)]
struct Name {
    text: String,
    /// Whether it needs parentheses as an operand.
    binary: bool,
}

impl Name {
    fn new(name: &str, syntax: &Syntax) -> Self {
        let word = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let plain = word && !name.starts_with(|c: char| c.is_ascii_digit());
        match parse::expression(name) {
            Some((normal, simple))
                if normal == name && (plain || syntax.expressions) && !parse::is_operator(name) =>
            {
                // Spot takes these letters for operators wherever a word starts.
                let operator = name.starts_with(['F', 'G', 'X']) && !syntax.expressions;
                if !operator {
                    return Name {
                        text: normal,
                        binary: !simple,
                    };
                }
            }
            _ => {}
        }
        let mut text = String::from("\"");
        for c in name.chars() {
            if matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push('"');
        Name {
            text,
            binary: false,
        }
    }

    fn write(&self, out: &mut String, operand: bool) {
        if self.binary && operand {
            out.push('(');
            out.push_str(&self.text);
            out.push(')');
        } else {
            out.push_str(&self.text);
        }
    }
}
