//! The control structure of a body, as SPIN builds it.
//!
//! SPIN turns a body into *elements*: one per statement, and helpers such as the point where the
//! options of a selection meet again. An element is a point of control, and its number is the
//! process's program counter. Whether two points of control are one or two decides how many states
//! a model has, so this file follows the construction exactly: the order in which elements are
//! made, which of them are passed through ([`Flow::settle`]) and which are not, and how a selection,
//! an atomic sequence or an `unless` borrows the transitions of the elements inside it
//! ([`Flow::transitions`]).
//!
//! Nothing here looks into statements: they are carried along with the scope they stand in and are
//! lowered later.

mod build;

use std::borrow::Cow;
use std::rc::Rc;

use lariat_ir::source::Span;

use super::scope::Scope;
use crate::ast::{Decl, Expr, ExprKind, Ident, StmtKind};

pub use build::{Declare, FlowBuilder};

/// Index of an element; it is also its number in SPIN. Zero is not used.
pub type ElementId = usize;
/// Index of a sequence.
pub type SequenceId = usize;

/// What an element is.
#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// A statement that is executed in one step.
    Statement(Cow<'a, StmtKind>),
    /// The variable of a declaration in the middle of a body gets its initial value.
    Declare(&'a Decl, usize),
    /// `else`
    Else,
    /// A jump to an element.
    Goto(Target),
    /// Where options meet.
    Join,
    /// Where a `break` leads to.
    Exit,
    /// A selection or repetition; the options are in [`Element::options`].
    Choice,
    /// `main unless escape`: two entries in [`Element::options`].
    Unless,
    /// `atomic { }`
    Atomic(SequenceId),
    /// `{ }`
    Block(SequenceId),
    /// `d_step { }`
    DStep(SequenceId),
    /// The closing brace.
    End,
}

/// Where a jump leads.
#[derive(Clone, Debug)]
pub enum Target {
    /// Behind the loop with this number.
    Break(usize),
    /// To a label.
    Label(usize),
}

/// An element.
#[derive(Clone, Debug)]
pub struct Element<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// What follows in the text.
    pub next: Option<ElementId>,
    /// The options of a choice; main and escape of an `unless`.
    pub options: Vec<SequenceId>,
    /// The escapes that it is subject to, outermost first.
    pub escapes: Vec<SequenceId>,
    /// The process keeps control after it.
    pub atomic: bool,
    /// It is the last of an atomic sequence.
    pub last_atomic: bool,
    /// It is part of a `d_step`.
    pub inside: bool,
    /// It is the first of an option or of a sequence in braces, which borrows its transitions.
    pub first: bool,
    /// The labels that stand here.
    pub labels: Vec<String>,
    /// Where it stands.
    pub span: Span,
    /// The local variables that it can see.
    pub scope: Scope,
}

#[derive(Clone, Debug, Default)]
struct Sequence {
    first: Option<ElementId>,
    last: Option<ElementId>,
    /// What was the last before a join was appended.
    extent: Option<ElementId>,
}

/// A reference to a label, or its declaration.
#[derive(Clone, Debug)]
struct LabelUse {
    name: Ident,
    path: Rc<[u32]>,
    inside: Option<SequenceId>,
}

#[derive(Clone, Debug)]
struct Label {
    name: Ident,
    path: Rc<[u32]>,
    element: ElementId,
}

/// A transition as SPIN would list it: executing `element` leads to `target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The element whose statement is executed.
    pub element: ElementId,
    /// The rank: escapes of outer `unless` come before those of inner ones.
    pub rank: u32,
}

/// The loop of a `select`: its head, and the elements with which its two options begin.
#[derive(Clone, Copy, Debug)]
pub struct SelectLoop {
    /// The choice.
    pub head: ElementId,
    /// The jump out of the loop.
    pub leave: ElementId,
    /// The condition to go round.
    pub round: ElementId,
}

/// The elements of a body.
#[derive(Debug)]
pub struct Flow<'a> {
    /// All elements; entry zero is a dummy.
    pub elements: Vec<Element<'a>>,
    /// The loops that stand for a `select`.
    pub selects: Vec<SelectLoop>,
    sequences: Vec<Sequence>,
    labels: Vec<Label>,
    jumps: Vec<LabelUse>,
    /// Where each loop's `break` leads.
    exits: Vec<ElementId>,
    body: SequenceId,
}

impl Flow<'_> {
    /// Where a process that executes the body starts.
    pub fn start(&self) -> ElementId {
        self.sequences[self.body]
            .first
            .map_or(0, |first| self.settle(first, false))
    }

    /// Where a `d_step` starts.
    pub fn entry(&self, sequence: SequenceId) -> ElementId {
        self.sequences[sequence]
            .first
            .map_or(0, |f| self.pass_joins(f))
    }

    /// The name of the label that a jump leads to, if it is not a `break`.
    pub fn jump_name(&self, element: ElementId) -> Option<&str> {
        match self.elements[element].kind {
            Kind::Goto(Target::Label(jump)) => Some(&self.jumps[jump].name.name),
            _ => None,
        }
    }

    /// The element with a label, seen from outside the process.
    pub fn labelled(&self, name: &str) -> Option<ElementId> {
        self.labels
            .iter()
            .rev()
            .find(|l| l.name.name == name)
            .map(|l| l.element)
    }

    /// All label names.
    pub fn label_names(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(|l| l.name.name.as_str())
    }

    /// Makes sure that a label that is asked for from outside is a state: a jump is none, so a
    /// `skip` takes its place and the jump moves behind it.
    pub fn make_visible(&mut self, element: ElementId) {
        if matches!(self.elements[element].kind, Kind::Goto(_)) {
            let mut jump = self.elements[element].clone();
            jump.labels.clear();
            jump.first = false;
            self.elements.push(jump);
            let behind = self.elements.len() - 1;
            let span = self.elements[element].span;
            self.elements[element].kind = skip_statement(span);
            self.elements[element].next = Some(behind);
        }
    }

    /// The transitions of a point of control, in SPIN's order.
    pub fn transitions(&self, at: ElementId) -> Vec<Edge> {
        let mut own = Vec::new();
        self.borrow_transitions(at, &mut own);
        // Escapes are put in front, so that what is put there last is outermost.
        let mut list: Vec<(ElementId, Option<SequenceId>)> =
            own.iter().map(|&element| (element, None)).collect();
        for &element in &own {
            if matches!(self.elements[element].kind, Kind::Join) {
                continue;
            }
            for &escape in self.elements[element].escapes.iter().rev() {
                let Some(first) = self.sequences[escape].first else {
                    continue;
                };
                let first = self.settle(first, self.elements[element].atomic);
                let mut edges = Vec::new();
                self.borrow_transitions(first, &mut edges);
                for edge in edges {
                    if list.iter().all(|(e, _)| *e != edge) {
                        list.insert(0, (edge, Some(escape)));
                    }
                }
            }
        }
        let mut ranked = Vec::with_capacity(list.len());
        let (mut rank, mut previous) = (0, None);
        for (element, escape) in list.into_iter().rev() {
            if escape != previous {
                rank += 1;
                previous = escape;
            }
            ranked.push(Edge { element, rank });
        }
        ranked.reverse();
        ranked
    }

    /// The elements whose statements can be executed at `at`.
    fn borrow_transitions(&self, at: ElementId, out: &mut Vec<ElementId>) {
        match &self.elements[at].kind {
            Kind::Choice => {
                for &option in &self.elements[at].options {
                    if let Some(first) = self.sequences[option].first {
                        self.borrow_transitions(self.pass_joins(first), out);
                    }
                }
            }
            Kind::Atomic(sequence) | Kind::Block(sequence) => {
                if let Some(first) = self.sequences[*sequence].first {
                    self.borrow_transitions(self.pass_joins(first), out);
                }
            }
            Kind::Unless => {
                if let Some(first) = self.sequences[self.elements[at].options[0]].first {
                    self.borrow_transitions(self.pass_joins(first), out);
                }
            }
            _ => {
                if !out.contains(&at) {
                    out.push(at);
                }
            }
        }
    }

    /// Where control is after an element has been executed.
    pub fn target(&self, element: ElementId) -> Option<ElementId> {
        let e = &self.elements[element];
        match &e.kind {
            Kind::Goto(target) => Some(self.settle(self.jump_target(target)?, e.atomic)),
            _ => e.next.map(|next| self.settle(next, e.atomic)),
        }
    }

    fn jump_target(&self, target: &Target) -> Option<ElementId> {
        match target {
            Target::Break(exit) => Some(self.exits[*exit]),
            Target::Label(jump) => self.find_label(*jump).map(|l| l.element),
        }
    }

    /// Passes through elements that are no states of their own. A process that holds control does
    /// not leave its atomic sequence by that: it stops at the border.
    fn settle(&self, from: ElementId, holding: bool) -> ElementId {
        let mut at = from;
        for _ in 0..self.elements.len() {
            let e = &self.elements[at];
            let next = match &e.kind {
                Kind::Goto(target) => self.jump_target(target),
                Kind::Join | Kind::Exit => e.next,
                Kind::Unless => self.sequences[e.options[0]]
                    .first
                    .map(|f| self.settle(f, holding)),
                _ => None,
            };
            match next {
                Some(next) if !holding || self.elements[next].atomic => at = next,
                _ => return at,
            }
        }
        at
    }

    fn pass_joins(&self, from: ElementId) -> ElementId {
        let mut at = from;
        for _ in 0..self.elements.len() {
            let e = &self.elements[at];
            let next = match &e.kind {
                Kind::Join => e.next,
                Kind::Unless => self.sequences[e.options[0]].first,
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return at,
            }
        }
        at
    }

    /// The label that a jump means: in the same block, else in an enclosing one, else anywhere.
    fn find_label(&self, jump: usize) -> Option<&Label> {
        let LabelUse { name, path, .. } = &self.jumps[jump];
        let named = || self.labels.iter().filter(|l| l.name.name == name.name);
        named()
            .find(|l| l.path == *path)
            .or_else(|| {
                named()
                    .filter(|l| path.starts_with(&l.path))
                    .max_by_key(|l| l.path.len())
            })
            .or_else(|| named().next_back())
    }

    /// The elements of a sequence up to `last`.
    fn elements_of(&self, first: Option<ElementId>, last: Option<ElementId>) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            found.push(id);
            if Some(id) == last || found.len() > self.elements.len() {
                break;
            }
            at = self.elements[id].next;
        }
        found
    }

    fn all_of(&self, sequence: SequenceId) -> Vec<ElementId> {
        let s = &self.sequences[sequence];
        self.elements_of(s.first, s.last)
    }

    /// The sequences below an element.
    fn inner(&self, element: ElementId) -> Vec<SequenceId> {
        match &self.elements[element].kind {
            Kind::Atomic(s) | Kind::Block(s) | Kind::DStep(s) => vec![*s],
            _ => self.elements[element].options.clone(),
        }
    }

    /// Removes the second and further `skip`s of a row that have no label.
    fn prune_skips(&mut self, sequence: SequenceId) {
        let s = self.sequences[sequence].clone();
        let mut row = 0;
        let mut before: Option<ElementId> = None;
        for id in self.all_of(sequence) {
            let e = &self.elements[id];
            let (is_skip, is_print) = match &e.kind {
                Kind::Statement(kind) => match kind.as_ref() {
                    StmtKind::Printf { .. } | StmtKind::Printm(_) => (true, true),
                    StmtKind::Expr(e) => (matches!(e.kind, ExprKind::Int(1)), false),
                    _ => (false, false),
                },
                _ => (false, false),
            };
            if is_skip && e.labels.is_empty() {
                row += 1;
                if row > 1 && !is_print && Some(id) != s.first && Some(id) != s.last {
                    if let Some(before) = before {
                        self.elements[before].next = self.elements[id].next;
                    }
                    continue;
                }
            } else {
                row = 0;
            }
            before = Some(id);
        }
    }

    fn make_atomic(&mut self, sequence: SequenceId, inside: bool) {
        self.walk_atomic(sequence, inside);
        let Some(last) = self.sequences[sequence].last else {
            return;
        };
        match self.elements[last].kind {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(inner, inside),
            Kind::Unless => self.make_atomic(self.elements[last].options[0], inside),
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, sequence: SequenceId, inside: bool) {
        for id in self.all_of(sequence) {
            self.elements[id].atomic = true;
            self.elements[id].inside |= inside;
            let kind = self.elements[id].kind.clone();
            match kind {
                Kind::Atomic(inner) => {
                    self.elements[id].kind = Kind::Block(inner);
                    self.walk_atomic(inner, inside);
                }
                Kind::DStep(inner) if inside => {
                    self.elements[id].kind = Kind::Block(inner);
                    self.walk_atomic(inner, inside);
                }
                Kind::Block(inner) => self.walk_atomic(inner, inside),
                _ => {}
            }
            for option in self.elements[id].options.clone() {
                self.walk_atomic(option, inside);
            }
        }
    }

    /// Subjects all elements of `sequence` to `escape`.
    fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        let s = self.sequences[sequence].clone();
        for id in self.elements_of(s.first, s.extent) {
            self.escape_element(id, escape);
        }
    }

    fn escape_element(&mut self, id: ElementId, escape: SequenceId) {
        if self.elements[id].escapes.contains(&escape) {
            return;
        }
        for lower in self.elements[id].escapes.clone() {
            self.attach_escape(lower, escape);
        }
        self.elements[id].escapes.insert(0, escape);
        match self.elements[id].kind.clone() {
            Kind::Unless => self.attach_escape(self.elements[id].options[0], escape),
            Kind::Choice => {
                for option in self.elements[id].options.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Kind::DStep(inner) => {
                if let Some(first) = self.sequences[inner].first {
                    self.escape_element(first, escape);
                }
            }
            Kind::Atomic(inner) | Kind::Block(inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }

    /// What follows a sequence in braces follows its last element.
    fn link(&mut self, sequence: SequenceId) {
        for id in self.all_of(sequence) {
            if let Kind::Atomic(inner) | Kind::Block(inner) | Kind::DStep(inner) =
                self.elements[id].kind
            {
                let next = self.elements[id].next;
                if let Some(last) = self.sequences[inner].last {
                    self.elements[last].next = next;
                }
            }
            for inner in self.inner(id) {
                self.link(inner);
            }
        }
    }

    /// A jump out of an atomic sequence gives control up, one from the end of an atomic sequence
    /// into another keeps it.
    fn patch_gotos(&mut self, sequence: SequenceId) {
        for id in self.all_of(sequence) {
            if let Kind::Goto(target) = &self.elements[id].kind
                && let Some(target) = self.jump_target(target)
            {
                let target = &self.elements[target];
                let lands_inside = target.atomic || target.last_atomic;
                let e = &mut self.elements[id];
                if e.atomic || e.last_atomic {
                    e.atomic = lands_inside;
                    e.last_atomic = !lands_inside;
                }
            }
            for inner in self.inner(id) {
                self.patch_gotos(inner);
            }
        }
    }
}

fn skip_statement<'a>(span: Span) -> Kind<'a> {
    Kind::Statement(Cow::Owned(StmtKind::Expr(Expr {
        kind: ExprKind::Int(1),
        span,
    })))
}
