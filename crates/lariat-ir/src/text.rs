//! Conditions as text in one line, for people and for telling them apart.

use std::fmt::{self, Display, Formatter};

use crate::describe::process_name;
use crate::expr::{Binary, ChannelQuery, Expr, Owner, Place, Unary};
use crate::model::{Model, Pattern};
use crate::types::{Frame, Records, Type};

/// The text of an expression.
pub fn text(model: &Model, e: &Expr) -> String {
    Text { model, e, depth: 0 }.to_string()
}

/// Deeper expressions are cut, so that none is too deep to be printed.
const MAX_DEPTH: usize = 200;

#[derive(Clone, Copy)]
struct Text<'a> {
    model: &'a Model,
    e: &'a Expr,
    depth: usize,
}

impl<'a> Text<'a> {
    fn inner(self, e: &'a Expr) -> Self {
        Text {
            e,
            depth: self.depth + 1,
            ..self
        }
    }

    /// In parentheses, if it is made of several parts.
    fn part(self, e: &'a Expr) -> String {
        match e {
            Expr::Binary(..) => format!("({})", self.inner(e)),
            _ => self.inner(e).to_string(),
        }
    }

    fn process(self, process: usize, pid: Option<&'a Expr>) -> String {
        let name = &self.model.processes[process].name;
        match pid {
            Some(pid) => format!("{}[{}]", process_name(name), self.inner(pid)),
            None => process_name(name).to_string(),
        }
    }

    fn place(self, place: &'a Place) -> String {
        let (mut out, frame) = match &place.owner {
            Owner::Global => (String::new(), Some(&self.model.globals)),
            Owner::Local => (String::new(), None),
            Owner::Remote { process, pid } => (
                format!("{}:", self.process(*process, pid.as_deref())),
                Some(&self.model.processes[*process].frame),
            ),
        };
        let indices = place
            .indices
            .iter()
            .map(|i| self.inner(&i.value).to_string());
        match frame {
            Some(frame) => name(
                &self.model.records,
                frame,
                place,
                indices.collect(),
                &mut out,
            ),
            None => out.push_str(&format!("local@{}", place.offset)),
        }
        out
    }

    fn pattern(self, pattern: &'a [Pattern]) -> String {
        let field = |p: &'a Pattern| match p {
            Pattern::Equal(e) => self.inner(e).to_string(),
            Pattern::Any | Pattern::Store(_) => "_".into(),
        };
        pattern.iter().map(field).collect::<Vec<_>>().join(",")
    }
}

/// The name of a part of a variable: fields and indices in the order in which they apply.
fn name(records: &Records, frame: &Frame, place: &Place, indices: Vec<String>, out: &mut String) {
    let Some(variable) = frame.variables.get(place.variable) else {
        return out.push_str(&format!("variable@{}", place.offset));
    };
    out.push_str(&variable.name);
    let mut ty = &variable.ty;
    let mut offset = place.offset - variable.offset;
    let mut indices = indices.into_iter();
    loop {
        match ty {
            Type::Scalar(_) => return,
            Type::Array(element, _) => {
                // A constant index may have become part of the offset.
                match indices.next() {
                    Some(index) => out.push_str(&format!("[{index}]")),
                    None => {
                        let stride = records.size(element).map_or(1, |s| s.0.max(1));
                        out.push_str(&format!("[{}]", offset / stride));
                        offset %= stride;
                    }
                }
                ty = element;
            }
            Type::Record(record) => {
                let fields = &records.0[*record].fields;
                let Some(field) = fields.iter().rev().find(|f| f.offset <= offset) else {
                    return;
                };
                out.push_str(&format!(".{}", field.name));
                offset -= field.offset;
                ty = &field.ty;
            }
        }
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if self.depth > MAX_DEPTH {
            return f.write_str("...");
        }
        match self.e {
            Expr::Const(value) => write!(f, "{value}"),
            Expr::Load(place) => f.write_str(&self.place(place)),
            Expr::Unary(op, e) => write!(f, "{}{}", unary(*op), self.part(e)),
            Expr::Binary(op, a, b) => {
                write!(f, "{} {} {}", self.part(a), binary(*op), self.part(b))
            }
            Expr::Cond(parts) => {
                let [condition, yes, no] = &**parts;
                let part = |e| self.inner(e);
                write!(f, "({} -> {} : {})", part(condition), part(yes), part(no))
            }
            Expr::Channel(query, e) => {
                let word = match query {
                    ChannelQuery::Length => "len",
                    ChannelQuery::Full => "full",
                    ChannelQuery::NotFull => "nfull",
                    ChannelQuery::Empty => "empty",
                    ChannelQuery::NotEmpty => "nempty",
                };
                write!(f, "{word}({})", self.inner(e))
            }
            Expr::Poll {
                channel,
                pattern,
                anywhere,
            } => {
                let mark = if *anywhere { "??" } else { "?" };
                write!(
                    f,
                    "{}{mark}[{}]",
                    self.inner(channel),
                    self.pattern(pattern)
                )
            }
            Expr::Pid => f.write_str("_pid"),
            Expr::ProcessCount => f.write_str("_nr_pr"),
            Expr::Timeout => f.write_str("timeout"),
            Expr::NonProgress => f.write_str("np_"),
            Expr::Enabled(e) => write!(f, "enabled({})", self.inner(e)),
            Expr::LocationNumber(e) => write!(f, "pc_value({})", self.inner(e)),
            Expr::Priority(e) => write!(f, "get_priority({})", self.inner(e)),
            Expr::At {
                process,
                pid,
                location,
            } => {
                let process_type = &self.model.processes[*process];
                let location = process_type.locations.get(*location as usize);
                let label = location.and_then(|l| l.labels.first());
                write!(f, "{}@", self.process(*process, pid.as_deref()))?;
                match (label, location) {
                    (Some(label), _) => f.write_str(label),
                    (None, Some(location)) => write!(f, "{}", location.number),
                    (None, None) => f.write_str("?"),
                }
            }
        }
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Not => "!",
        Unary::Negate => "-",
        Unary::Complement => "~",
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}
