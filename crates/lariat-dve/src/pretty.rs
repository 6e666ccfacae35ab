//! Expressions and transitions as text in one line, for trails and lists.
//!
//! What is printed can be parsed again and means the same. Parentheses stand where they are needed,
//! and where `&&` and `||` or different bit operators meet, because few people know how these bind.

use crate::ast::{BinaryOp, Communication, Expr, ExprKind, Message, Place, Transition, UnaryOp};

/// The text of an expression.
///
/// ```
/// use lariat_ir::source::SourceMap;
///
/// let mut sources = SourceMap::default();
/// let text = "not  P.idle||( x[ 2*i ]>3 )";
/// let e = lariat_dve::parse_part(&mut sources, "condition", text, 0..text.len()).unwrap();
/// assert_eq!(lariat_dve::expression_text(&e), "not P.idle || x[2 * i] > 3");
/// ```
pub fn expression_text(e: &Expr) -> String {
    let mut text = String::new();
    write_expression(&mut text, e);
    text
}

/// The text of a transition.
pub fn transition_text(t: &Transition) -> String {
    let mut text = format!("{} -> {} {{", t.source.name, t.target.name);
    if !t.guards.is_empty() {
        text.push_str(" guard ");
        write_list(&mut text, &t.guards);
        text.push(';');
    }
    if let Some(sync) = &t.sync {
        text.push_str(" sync ");
        write_sync(&mut text, sync);
        text.push(';');
    }
    for (i, effect) in t.effects.iter().enumerate() {
        text.push_str(if i == 0 { " effect " } else { ", " });
        write_place(&mut text, &effect.target);
        text.push_str(" = ");
        write_expression(&mut text, &effect.value);
    }
    if !t.effects.is_empty() {
        text.push(';');
    }
    text.push_str(" }");
    text
}

fn write_sync(text: &mut String, sync: &Communication) {
    text.push_str(&sync.channel.name);
    text.push(match sync.message {
        Message::Send(_) => '!',
        Message::Receive(_) => '?',
    });
    let list = sync.message.arity() > 1;
    if list {
        text.push('{');
    }
    match &sync.message {
        Message::Send(values) => write_list(text, values),
        Message::Receive(places) => {
            for (i, place) in places.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { ", " });
                write_place(text, place);
            }
        }
    }
    if list {
        text.push('}');
    }
}

fn write_list(text: &mut String, list: &[Expr]) {
    for (i, e) in list.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        write_expression(text, e);
    }
}

fn write_place(text: &mut String, place: &Place) {
    text.push_str(&place.name.name);
    if let Some(index) = &place.index {
        text.push('[');
        write_expression(text, index);
        text.push(']');
    }
}

fn write_expression(text: &mut String, e: &Expr) {
    match &e.kind {
        ExprKind::Number(value) => text.push_str(&value.to_string()),
        ExprKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        ExprKind::Var(place) => write_place(text, place),
        ExprKind::At { process, state } => {
            text.push_str(&process.name);
            text.push('.');
            text.push_str(&state.name);
        }
        ExprKind::Remote { process, var } => {
            text.push_str(&process.name);
            text.push_str("->");
            write_place(text, var);
        }
        ExprKind::Unary(op, a) => {
            text.push_str(match op {
                UnaryOp::Not => "not ",
                UnaryOp::Minus => "-",
                UnaryOp::Complement => "~",
            });
            let brackets = match a.kind {
                ExprKind::Binary(..) => true,
                ExprKind::Unary(inner, _) => inner != UnaryOp::Not || *op != UnaryOp::Not,
                _ => false,
            };
            write_operand(text, a, brackets);
        }
        ExprKind::Binary(op, a, b) => {
            write_operand(text, a, needs_brackets(*op, a, false));
            text.push(' ');
            text.push_str(op.text());
            text.push(' ');
            write_operand(text, b, needs_brackets(*op, b, true));
        }
    }
}

fn write_operand(text: &mut String, e: &Expr, brackets: bool) {
    if brackets {
        text.push('(');
    }
    write_expression(text, e);
    if brackets {
        text.push(')');
    }
}

/// Whether an operand of a binary operator is printed in parentheses.
fn needs_brackets(op: BinaryOp, operand: &Expr, right: bool) -> bool {
    let ExprKind::Binary(inner, ..) = operand.kind else {
        return false;
    };
    let unfamiliar = matches!(op.level(), 2 | 3) && inner != op;
    inner.level() < op.level() || inner.level() == op.level() && (right || unfamiliar)
}
