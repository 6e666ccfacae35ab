//! Building the elements of a body, in the order in which SPIN makes them.

use std::borrow::Cow;
use std::rc::Rc;

use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::Span;

use super::{
    Element, ElementId, Flow, Kind, Label, LabelUse, SelectLoop, Sequence, SequenceId, Target,
    skip_statement,
};
use crate::ast::{
    BinaryOp, Block, ChannelTest, Decl, Expr, ExprKind, Ident, RecvArg, RefPart, Step, Stmt,
    StmtKind, VarRef,
};
use crate::lower::scope::Scope;

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
    /// The loops around, with the `d_step` that they stand in.
    breaks: Vec<(usize, Option<SequenceId>)>,
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
                selects: Vec::new(),
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
                Some(&(_, inside)) if inside != self.in_dstep => {
                    self.context.report(Diagnostic::error(
                        span,
                        "`break` cannot leave a loop outside the `d_step` that it stands in",
                    ));
                    return None;
                }
                Some(&(exit, _)) => Kind::Goto(Target::Break(exit)),
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
        self.breaks.push((self.flow.exits.len() - 1, self.in_dstep));
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

    /// A selection, or a repetition if it has an exit. Returns the element where the choice is.
    fn choice(
        &mut self,
        mut options: Vec<SequenceId>,
        exit: Option<usize>,
        span: Span,
        labels: &[Ident],
    ) -> ElementId {
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
        choice
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

    /// The loop of `for` and `select`: options to leave it and to go round. That of a `select` has no
    /// body.
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
                    args: vec![RecvArg::Var(var.clone())],
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
        let firsts = [leave, round].map(|option| self.flow.sequences[option].first);
        let head = self.choice(vec![leave, round], Some(exit), span, labels);
        if let (None, [Some(leave), Some(round)]) = (body, firsts) {
            let select = SelectLoop { head, leave, round };
            self.flow.selects.push(select);
        }
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
                kind: ExprKind::Channel(ChannelTest::Len, collection.clone()),
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
        // Its first statement is executed at the statements of the main sequence.
        self.mark_first(escape_sequence);
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
