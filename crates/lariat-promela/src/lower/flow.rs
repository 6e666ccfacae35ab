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

use std::borrow::Cow;
use std::rc::Rc;

use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::Span;

use super::scope::Scope;
use crate::ast::{
    BinaryOp, Block, Decl, Expr, ExprKind, Ident, RefPart, Step, Stmt, StmtKind, VarRef,
};

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

/// The elements of a body.
#[derive(Debug)]
pub struct Flow<'a> {
    /// All elements; entry zero is a dummy.
    pub elements: Vec<Element<'a>>,
    sequences: Vec<Sequence>,
    labels: Vec<Label>,
    jumps: Vec<LabelUse>,
    /// Where each loop's `break` leads.
    exits: Vec<ElementId>,
    body: SequenceId,
}

/// Declares variables while the control structure is built.
pub trait Declare<'a> {
    /// Declares the variables of `decl` in `scope`. If `at_start`, initial values belong to the
    /// creation of the process.
    fn declare(&mut self, decl: &'a Decl, scope: &Scope, at_start: bool) -> Scope;
    /// Declares a counter for a loop over the messages of a channel.
    fn declare_counter(&mut self, name: &str, scope: &Scope, span: Span) -> Scope;
    /// Whether a name stands for a channel rather than an array.
    fn is_channel(&self, var: &VarRef, scope: &Scope) -> bool;
    /// The length of an array.
    fn array_length(&self, var: &VarRef, scope: &Scope) -> Option<u32>;
    /// Whether a text comes from an inline.
    fn is_in_inline(&self, span: Span) -> bool;
    /// Reports a problem.
    fn report(&mut self, diagnostic: Diagnostic);
}

/// Builds the control structure of a body.
pub struct FlowBuilder<'a, 'd, D> {
    flow: Flow<'a>,
    context: &'d mut D,
    open: Vec<SequenceId>,
    breaks: Vec<usize>,
    scope: Scope,
    path: Vec<u32>,
    blocks: u32,
    /// No statement has been seen: declarations still belong to the start of the process.
    at_start: bool,
    in_dstep: Option<SequenceId>,
    prune: bool,
}

impl<'a, 'd, D: Declare<'a>> FlowBuilder<'a, 'd, D> {
    /// Builds the elements of a body. `prune` removes redundant `skip`s as SPIN does outside never
    /// claims.
    pub fn build(context: &'d mut D, body: &'a Block, scope: Scope, prune: bool) -> Flow<'a> {
        let mut builder = FlowBuilder {
            flow: Flow {
                elements: Vec::new(),
                sequences: Vec::new(),
                labels: Vec::new(),
                jumps: Vec::new(),
                exits: Vec::new(),
                body: 0,
            },
            context,
            open: Vec::new(),
            breaks: Vec::new(),
            scope,
            path: Vec::new(),
            blocks: 0,
            at_start: true,
            in_dstep: None,
            prune,
        };
        builder.new_element(Kind::Join, body.span);
        let sequence = builder.open_sequence();
        builder.at_start = true;
        builder.steps(&body.steps);
        let brace = Span {
            start: body.span.end.saturating_sub(1),
            ..body.span
        };
        builder.add_new(Kind::End, brace);
        builder.close_sequence();
        builder.flow.body = sequence;
        builder.check_jumps();
        let mut flow = builder.flow;
        flow.link(sequence);
        flow.patch_gotos(sequence);
        flow
    }

    fn open_sequence(&mut self) -> SequenceId {
        self.flow.sequences.push(Sequence::default());
        self.open.push(self.flow.sequences.len() - 1);
        self.at_start = false;
        self.flow.sequences.len() - 1
    }

    fn close_sequence(&mut self) -> SequenceId {
        let id = self.open.pop().unwrap_or(0);
        let sequence = &mut self.flow.sequences[id];
        sequence.extent = sequence.last;
        id
    }

    fn new_element(&mut self, kind: Kind<'a>, span: Span) -> ElementId {
        self.flow.elements.push(Element {
            kind,
            next: None,
            options: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            inside: false,
            first: false,
            labels: Vec::new(),
            span,
            scope: self.scope.clone(),
        });
        self.flow.elements.len() - 1
    }

    /// Appends an element to the innermost open sequence. A jump with a label that means something
    /// gets a `skip` before it, for a jump is no state.
    fn append(&mut self, id: ElementId) {
        let element = &self.flow.elements[id];
        let special = |l: &String| {
            ["accept", "end", "progress"]
                .iter()
                .any(|p| l.starts_with(p))
        };
        if matches!(element.kind, Kind::Goto(_)) && element.labels.iter().any(special) {
            let span = element.span;
            let skip = self.new_element(skip_statement(span), span);
            let labels = std::mem::take(&mut self.flow.elements[id].labels);
            self.flow.elements[skip].labels = labels;
            for label in self.flow.labels.iter_mut().filter(|l| l.element == id) {
                label.element = skip;
            }
            self.append_to(skip, *self.open.last().unwrap_or(&0));
        }
        self.append_to(id, *self.open.last().unwrap_or(&0));
    }

    fn append_to(&mut self, id: ElementId, sequence: SequenceId) {
        let sequence = &mut self.flow.sequences[sequence];
        match sequence.last {
            None => sequence.first = Some(id),
            Some(last) => self.flow.elements[last].next = Some(id),
        }
        sequence.last = Some(id);
    }

    fn add_new(&mut self, kind: Kind<'a>, span: Span) -> ElementId {
        let id = self.new_element(kind, span);
        self.append(id);
        id
    }

    fn label(&mut self, labels: &[Ident], element: ElementId) {
        for name in labels {
            let path: Rc<[u32]> = self.path.as_slice().into();
            if let Some(other) = self
                .flow
                .labels
                .iter()
                .find(|l| l.name.name == name.name && l.path == path)
            {
                let diagnostic = Diagnostic::error(
                    name.span,
                    format!("label `{}` is declared twice", name.name),
                )
                .related(other.name.span, "first declared here");
                self.context.report(diagnostic);
                continue;
            }
            self.flow.labels.push(Label {
                name: name.clone(),
                path,
                element,
            });
            self.flow.elements[element].labels.push(name.name.clone());
        }
    }

    /// Runs `body` inside a block scope of its own.
    fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.clone();
        self.blocks += 1;
        self.path.push(self.blocks);
        self.scope = outer.open_block(self.blocks);
        let result = body(self);
        self.path.pop();
        self.scope = outer;
        result
    }

    fn steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Decl(decl) => {
                    self.scope = self.context.declare(decl, &self.scope, self.at_start);
                    if !self.at_start {
                        for index in 0..decl.vars.len() {
                            let span = decl.vars[index].name.span;
                            self.add_new(Kind::Declare(decl, index), span);
                        }
                    }
                }
                Step::Exclusive { .. } => {}
                Step::Stmt(stmt) => {
                    self.statement(stmt);
                    self.at_start = false;
                }
            }
        }
    }

    /// Adds a statement to the innermost open sequence.
    fn statement(&mut self, stmt: &'a Stmt) {
        self.statement_labelled(stmt, &stmt.labels);
    }

    fn statement_labelled(&mut self, stmt: &'a Stmt, labels: &'a [Ident]) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(options) => {
                let options = self.options(options);
                self.choice(options, None, span, labels);
            }
            StmtKind::Do(options) => {
                let exit = self.push_break();
                let options = self.options(options);
                self.choice(options, Some(exit), span, labels);
            }
            StmtKind::ForRange {
                var,
                from,
                to,
                body,
            } => {
                self.assign(var, from.clone(), span);
                let exit = self.push_break();
                let condition = binary(BinaryOp::Le, load(var), to.clone());
                self.counted_loop(exit, var, condition, None, Some(body), span, labels);
            }
            StmtKind::ForIn {
                var,
                collection,
                body,
            } => self.for_in(var, collection, body, span, labels),
            StmtKind::Select { var, from, to } => {
                if let Some(values) = self.listed_range(var, from, to, span) {
                    let options = values.map(|v| self.value_option(var, v, span)).collect();
                    self.choice(options, None, span, labels);
                    return;
                }
                self.assign(var, from.clone(), span);
                let exit = self.push_break();
                let condition = binary(BinaryOp::Lt, load(var), to.clone());
                self.counted_loop(exit, var, condition, None, None, span, labels);
            }
            StmtKind::Unless(main, escape) => self.unless(main, escape, span, labels),
            _ => {
                if let Some(id) = self.simple(stmt) {
                    self.label(labels, id);
                    self.append(id);
                }
            }
        }
    }

    /// Makes the element of a statement that is one element.
    fn simple(&mut self, stmt: &'a Stmt) -> Option<ElementId> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            StmtKind::Break => match self.breaks.last() {
                Some(&exit) => Kind::Goto(Target::Break(exit)),
                None => {
                    self.context.report(
                        Diagnostic::error(span, "`break` outside a loop")
                            .help("`break` leaves the innermost `do` or `for`"),
                    );
                    return None;
                }
            },
            StmtKind::Goto(label) => {
                self.flow.jumps.push(LabelUse {
                    name: label.clone(),
                    path: self.path.as_slice().into(),
                    inside: self.in_dstep,
                });
                Kind::Goto(Target::Label(self.flow.jumps.len() - 1))
            }
            StmtKind::Else => Kind::Else,
            StmtKind::Block(block) => {
                let sequence = self.block(block);
                Kind::Block(sequence)
            }
            StmtKind::Atomic(block) => {
                let sequence = self.block(block);
                self.flow.make_atomic(sequence, false);
                Kind::Atomic(sequence)
            }
            StmtKind::DStep(block) => {
                let outer = self.in_dstep;
                let sequence = self.scoped(|this| {
                    let sequence = this.open_sequence();
                    if this.in_dstep.is_none() {
                        this.in_dstep = Some(sequence);
                    }
                    this.steps_of_block(block);
                    this.close_sequence()
                });
                self.in_dstep = outer;
                self.flow.make_atomic(sequence, true);
                Kind::DStep(sequence)
            }
            other => Kind::Statement(Cow::Borrowed(other)),
        };
        Some(self.new_element(kind, span))
    }

    fn block(&mut self, block: &'a Block) -> SequenceId {
        self.scoped(|this| {
            this.open_sequence();
            this.steps_of_block(block);
            this.close_sequence()
        })
    }

    /// The steps of a block; one that has none gets a `skip`.
    fn steps_of_block(&mut self, block: &'a Block) {
        self.steps(&block.steps);
        let sequence = *self.open.last().unwrap_or(&0);
        if self.flow.sequences[sequence].first.is_none() {
            self.add_new(skip_statement(block.span), block.span);
        }
        self.mark_first(sequence);
    }

    fn mark_first(&mut self, sequence: SequenceId) {
        if let Some(first) = self.flow.sequences[sequence].first {
            self.flow.elements[first].first = true;
        }
    }

    fn push_break(&mut self) -> usize {
        self.flow.exits.push(0);
        self.breaks.push(self.flow.exits.len() - 1);
        self.flow.exits.len() - 1
    }

    fn options(&mut self, options: &'a [Block]) -> Vec<SequenceId> {
        options
            .iter()
            .map(|option| {
                self.open_sequence();
                self.steps_of_block(option);
                let sequence = self.close_sequence();
                if self.prune {
                    self.flow.prune_skips(sequence);
                }
                sequence
            })
            .collect()
    }

    /// A selection, or a repetition if it has an exit.
    fn choice(
        &mut self,
        mut options: Vec<SequenceId>,
        exit: Option<usize>,
        span: Span,
        labels: &[Ident],
    ) {
        self.move_else_last(&mut options, span);
        let choice = self.new_element(Kind::Choice, span);
        let join = self.new_element(Kind::Join, span);
        for &option in &options {
            self.append_to(join, option);
        }
        self.flow.elements[choice].options = options;
        let mut behind = join;
        if let Some(exit) = exit {
            self.append(join);
            behind = self.new_element(Kind::Exit, span);
            self.flow.exits[exit] = behind;
            self.breaks.pop();
        }
        self.append(choice);
        self.append(behind);
        self.label(labels, choice);
    }

    fn move_else_last(&mut self, options: &mut [SequenceId], span: Span) {
        let flow = &self.flow;
        let is_else = |option: &SequenceId| {
            flow.sequences[*option]
                .first
                .is_some_and(|e| matches!(flow.elements[e].kind, Kind::Else))
        };
        let count = options.iter().filter(|o| is_else(o)).count();
        options.sort_by_key(is_else);
        if count > 1 {
            self.context.report(Diagnostic::error(
                span,
                "more than one `else` in one selection",
            ));
        }
    }

    fn assign(&mut self, var: &'a VarRef, value: Expr, span: Span) {
        let statement = StmtKind::Assign(var.clone(), value);
        self.add_new(Kind::Statement(Cow::Owned(statement)), span);
        self.at_start = false;
    }

    /// The values of a `select` that SPIN writes out as a selection with one option per value: a
    /// range of at most 33 numbers, given as numbers, outside inlines.
    fn listed_range(
        &mut self,
        var: &VarRef,
        from: &Expr,
        to: &Expr,
        span: Span,
    ) -> Option<std::ops::RangeInclusive<i64>> {
        let (ExprKind::Int(from), ExprKind::Int(to)) = (&from.kind, &to.kind) else {
            return None;
        };
        if from > to {
            self.context.report(Diagnostic::error(
                span,
                format!("there is no value from {from} to {to}"),
            ));
            return None;
        }
        let plain = match var.parts.as_slice() {
            [part] => part.index.is_none() && part.name.name.chars().all(char::is_alphanumeric),
            _ => false,
        };
        let listed = plain && to - from <= 32 && !self.context.is_in_inline(span);
        listed.then_some(*from..=*to)
    }

    fn value_option(&mut self, var: &'a VarRef, value: i64, span: Span) -> SequenceId {
        self.open_sequence();
        let kind = ExprKind::Int(value);
        self.assign(var, Expr { kind, span }, span);
        let sequence = self.close_sequence();
        self.mark_first(sequence);
        sequence
    }

    /// The loop of `for` and `select`: options to leave it and to go round.
    #[allow(clippy::too_many_arguments)]
    fn counted_loop(
        &mut self,
        exit: usize,
        counter: &VarRef,
        condition: Expr,
        rotate: Option<(&'a VarRef, &'a VarRef)>,
        body: Option<&'a Block>,
        span: Span,
        labels: &[Ident],
    ) {
        let statement = |kind| Kind::Statement(Cow::Owned(kind));
        self.blocks += 1;
        let round = {
            self.open_sequence();
            self.add_new(statement(StmtKind::Expr(condition)), span);
            if let Some((var, channel)) = rotate {
                let receive = StmtKind::Receive {
                    channel: channel.clone(),
                    random: false,
                    peek: false,
                    args: vec![crate::ast::RecvArg::Var(var.clone())],
                };
                self.add_new(statement(receive), span);
                let send = StmtKind::Send {
                    channel: channel.clone(),
                    sorted: false,
                    args: vec![load(var)],
                };
                self.add_new(statement(send), span);
            }
            if let Some(body) = body {
                self.scoped(|this| this.steps(&body.steps));
            }
            let one = Expr {
                kind: ExprKind::Int(1),
                span,
            };
            let next = binary(BinaryOp::Add, load(counter), one);
            self.add_new(statement(StmtKind::Assign(counter.clone(), next)), span);
            self.close_sequence()
        };
        let leave = {
            self.open_sequence();
            if body.is_some() {
                self.add_new(Kind::Else, span);
            }
            self.add_new(Kind::Goto(Target::Break(exit)), span);
            self.close_sequence()
        };
        self.mark_first(round);
        self.mark_first(leave);
        self.choice(vec![leave, round], Some(exit), span, labels);
    }

    fn for_in(
        &mut self,
        var: &'a VarRef,
        collection: &'a VarRef,
        body: &'a Block,
        span: Span,
        labels: &[Ident],
    ) {
        let number = |value: i64| Expr {
            kind: ExprKind::Int(value),
            span,
        };
        if self.context.is_channel(collection, &self.scope) {
            let name = format!("_for_{}", self.flow.elements.len());
            let outer = self.scope.clone();
            self.scope = self.context.declare_counter(&name, &self.scope, span);
            let counter = VarRef {
                parts: vec![RefPart {
                    name: Ident { name, span },
                    index: None,
                }],
                span,
            };
            let zero = StmtKind::Assign(counter.clone(), number(0));
            self.add_new(Kind::Statement(Cow::Owned(zero)), span);
            let exit = self.push_break();
            let length = Expr {
                kind: ExprKind::Channel(crate::ast::ChannelTest::Len, collection.clone()),
                span,
            };
            let condition = binary(BinaryOp::Lt, load(&counter), length);
            let rotate = Some((var, collection));
            self.counted_loop(exit, &counter, condition, rotate, Some(body), span, labels);
            self.scope = outer;
        } else if let Some(length) = self.context.array_length(collection, &self.scope) {
            self.assign(var, number(0), span);
            let exit = self.push_break();
            let last = number(i64::from(length) - 1);
            let condition = binary(BinaryOp::Le, load(var), last);
            self.counted_loop(exit, var, condition, None, Some(body), span, labels);
        } else {
            self.context.report(
                Diagnostic::error(collection.span, "not an array or a channel")
                    .help("`for (x in a)` goes over the indices of an array or the messages of a channel; for a range write `for (x : 1 .. 5)`"),
            );
        }
    }

    fn unless(&mut self, main: &'a Stmt, escape: &'a Stmt, span: Span, labels: &'a [Ident]) {
        if self.in_dstep.is_some() {
            self.context.report(Diagnostic::error(
                span,
                "`unless` cannot be used inside `d_step`",
            ));
        }
        let outside: Vec<Ident> = labels.iter().chain(&main.labels).cloned().collect();
        if outside.is_empty() {
            self.plain_unless(main, escape, span);
            return;
        }
        // A label stands before the whole: `L: { main unless escape }`.
        let sequence = self.open_sequence();
        self.plain_unless(main, escape, span);
        self.close_sequence();
        self.mark_first(sequence);
        let kind = match &main.kind {
            StmtKind::Atomic(_) => {
                self.flow.make_atomic(sequence, false);
                Kind::Atomic(sequence)
            }
            _ => Kind::Block(sequence),
        };
        let id = self.new_element(kind, span);
        self.label(&outside, id);
        self.append(id);
    }

    fn plain_unless(&mut self, main: &'a Stmt, escape: &'a Stmt, span: Span) {
        let main_sequence = self.braces_or_single(main, &[]);
        let escape_sequence = self.braces_or_single(escape, &escape.labels);
        let unless = self.new_element(Kind::Unless, span);
        let join = self.new_element(Kind::Join, span);
        self.append_to(join, main_sequence);
        self.append_to(join, escape_sequence);
        self.flow.elements[unless].options = vec![main_sequence, escape_sequence];
        self.flow.attach_escape(main_sequence, escape_sequence);
        self.append(unless);
        self.append(join);
    }

    /// A block as its sequence, any other statement as a sequence of its own.
    fn braces_or_single(&mut self, stmt: &'a Stmt, labels: &'a [Ident]) -> SequenceId {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            _ => {
                let id = self.open_sequence();
                self.statement_labelled(stmt, labels);
                if self.flow.sequences[id].first.is_none() {
                    self.add_new(skip_statement(stmt.span), stmt.span);
                }
                self.close_sequence()
            }
        }
    }

    /// Reports jumps to labels that do not exist, and jumps into or out of `d_step`.
    fn check_jumps(&mut self) {
        for jump in 0..self.flow.jumps.len() {
            let LabelUse { name, inside, .. } = self.flow.jumps[jump].clone();
            match self.flow.find_label(jump) {
                None => {
                    let known = self.flow.labels.iter().map(|l| l.name.name.as_str());
                    let mut diagnostic = Diagnostic::error(
                        name.span,
                        format!("label `{}` is not declared in this process", name.name),
                    );
                    if let Some(meant) = did_you_mean(&name.name, known) {
                        diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
                    }
                    self.context.report(diagnostic);
                }
                Some(label) => {
                    let target_inside = self.flow.elements[label.element].inside;
                    let problem = match (inside.is_some(), target_inside) {
                        (false, true) => "jump into a `d_step` sequence",
                        (true, false) => "jump out of a `d_step` sequence",
                        _ => continue,
                    };
                    let diagnostic = Diagnostic::error(name.span, problem)
                        .related(label.name.span, "the label stands here");
                    self.context.report(diagnostic);
                }
            }
        }
    }
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
            if let Kind::Goto(target) = &self.elements[id].kind {
                if let Some(target) = self.jump_target(target) {
                    let target = &self.elements[target];
                    let lands_inside = target.atomic || target.last_atomic;
                    let e = &mut self.elements[id];
                    if e.atomic || e.last_atomic {
                        e.atomic = lands_inside;
                        e.last_atomic = !lands_inside;
                    }
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

fn load(var: &VarRef) -> Expr {
    Expr {
        kind: ExprKind::Var(var.clone()),
        span: var.span,
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        span,
    }
}
