//! Statements.

use super::tree::{Node, Shape};
use super::{Generator, Place, Type, Variable};

/// The kinds of statements that are drawn from.
#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Step,
    Wait,
    Assert,
    Print,
    Send,
    Receive,
    If,
    Do,
    Atomic,
    DStep,
    Unless,
    Block,
    For,
    Select,
    Goto,
    Run,
    Inline,
    Priority,
    Skip,
}

impl Generator {
    /// Adds one statement, which may contain others, and takes it from the budget.
    pub(super) fn statement(&mut self, place: Place, code: &mut Vec<Node>) {
        self.budget = self.budget.saturating_sub(1);
        let kind = self.statement_kind(place);
        if let Some(node) = self.build(kind, place, code) {
            code.push(node);
        }
    }

    fn statement_kind(&mut self, place: Place) -> Kind {
        let Place {
            depth,
            in_loop,
            in_atomic,
            in_d_step,
            in_inline,
            in_unless,
            in_init,
        } = place;
        let if_ = |condition: bool, weight: usize| if condition { weight } else { 0 };
        let free = !in_d_step;
        let nest = depth < 3 && self.budget > 0;
        let waits = if self.features.blocking { 4 } else { 1 };
        self.prng.weighted(&[
            (26, Kind::Assign),
            (8, Kind::Step),
            (if_(free && !in_init, waits), Kind::Wait),
            (7, Kind::Assert),
            (3, Kind::Print),
            (if_(free, 14), Kind::Send),
            (if_(free, 14), Kind::Receive),
            (if_(nest, 12), Kind::If),
            (if_(nest && free && !in_atomic && !in_init, 12), Kind::Do),
            (if_(nest && free && !in_atomic, 6), Kind::Atomic),
            (if_(nest && free, 5), Kind::DStep),
            (
                if_(nest && free && !in_atomic && !in_unless && !in_inline, 4),
                Kind::Unless,
            ),
            (if_(nest && free, 3), Kind::Block),
            (if_(nest && !in_inline, 4), Kind::For),
            (if_(free && !in_inline, 3), Kind::Select),
            (
                if_(
                    free && !in_atomic
                        && !in_inline
                        && !in_init
                        && !in_unless
                        && !self.features.remote,
                    3,
                ),
                Kind::Goto,
            ),
            (if_(free && !in_loop && !in_inline, 2), Kind::Run),
            (if_(free && !self.inlines.is_empty(), 8), Kind::Inline),
            (
                if_(free && self.features.priorities && !in_inline, 5),
                Kind::Priority,
            ),
            (2, Kind::Skip),
        ])
    }

    fn build(&mut self, kind: Kind, place: Place, code: &mut Vec<Node>) -> Option<Node> {
        let leaf = |text: String| Some(Node::leaf(text));
        match kind {
            Kind::Assign => leaf(self.assignment()),
            Kind::Step => Some(self.step(place)),
            Kind::Wait => leaf(self.truth(1)),
            Kind::Assert => leaf(self.assertion()),
            Kind::Print => {
                let number = self.number(1);
                leaf(format!("printf(\"%d\\n\", {number})"))
            }
            Kind::Send => {
                let text = self.send(place)?;
                Some(self.soften(text, place))
            }
            Kind::Receive => {
                let text = self.receive()?;
                Some(self.soften(text, place))
            }
            Kind::If => Some(self.selection("if", place)),
            Kind::Do => Some(self.selection("do", place)),
            Kind::Atomic => {
                let body = self.sequence(
                    1,
                    3,
                    Place {
                        in_atomic: true,
                        ..place
                    },
                );
                Some(Node::new(Shape::Braces, "atomic", body))
            }
            Kind::DStep => {
                // SPIN takes the exit of a loop right before `d_step` for a jump into it.
                if code
                    .last()
                    .is_none_or(|last| last.text == "do" || last.text.starts_with("for "))
                {
                    code.push(Node::leaf("skip"));
                }
                Some(self.d_step(place))
            }
            Kind::Unless => Some(self.unless(place)),
            Kind::Block => Some(self.block(place)),
            Kind::For => Some(self.for_loop(place, code)),
            Kind::Select => Some(self.select(code)),
            Kind::Goto => {
                let label = match self.wanted_labels.last() {
                    Some(label) if self.prng.chance(50) => label.clone(),
                    _ => {
                        let label = self.fresh("L");
                        self.wanted_labels.push(label.clone());
                        label
                    }
                };
                // An unconditional jump would make what follows dead.
                if place.depth > 0 {
                    return leaf(format!("goto {label}"));
                }
                let guard = self.truth(1);
                let jump = choice(vec![Node::leaf(guard), Node::leaf(format!("goto {label}"))]);
                Some(Node::new(
                    Shape::Selection,
                    "if",
                    vec![jump, choice(vec![Node::leaf("else")])],
                ))
            }
            Kind::Run => {
                // Bounded, even in a loop.
                let index = self.prng.below(self.processes.len());
                let limit = self.prng.range(3, 4);
                let run = self.run(index);
                let start = choice(vec![
                    Node::leaf(format!("_nr_pr < {limit}")),
                    Node::leaf(run),
                ]);
                let select = Node::new(
                    Shape::Selection,
                    "if",
                    vec![start, choice(vec![Node::leaf("else")])],
                );
                Some(Node::new(Shape::Braces, "atomic", vec![select]))
            }
            Kind::Inline => {
                let name = self.prng.pick(&self.inlines).clone();
                // An argument becomes an index somewhere, and SPIN does not backtrack well over
                // an assignment to `a[a[0]]`.
                let target = self.plain_target()?;
                let value = self.plain_number();
                leaf(format!("{name}({target}, {value})"))
            }
            Kind::Priority => {
                let priority = self.prng.range(1, 3);
                leaf(format!("set_priority(_pid, {priority})"))
            }
            Kind::Skip => leaf("skip".into()),
        }
    }

    /// Between `low` and `high` statements in a scope of their own; never none.
    fn sequence(&mut self, low: usize, high: usize, place: Place) -> Vec<Node> {
        let scope = self.scope.len();
        let mut code = Vec::new();
        for _ in 0..self.prng.range(low, high) {
            if self.budget > 0 || code.is_empty() {
                self.statement(
                    Place {
                        depth: place.depth + 1,
                        ..place
                    },
                    &mut code,
                );
            }
        }
        if code.is_empty() {
            code.push(Node::leaf("skip"));
        }
        self.scope.truncate(scope);
        code
    }

    pub(super) fn assignment(&mut self) -> String {
        match self.target() {
            Some((target, kind)) => {
                let value = self.value_for(kind);
                format!("{target} = {value}")
            }
            None => "skip".into(),
        }
    }

    /// `++` or `--`. A type of few values may wrap around; others are guarded.
    fn step(&mut self, place: Place) -> Node {
        let Some((target, kind)) = self.number_target() else {
            return Node::leaf("skip");
        };
        let small = matches!(kind, Type::Bit | Type::Bool)
            || matches!(kind, Type::Unsigned(bits) if bits < 4);
        let up = self.prng.chance(60);
        let operation = if up {
            format!("{target}++")
        } else {
            format!("{target}--")
        };
        if small {
            return Node::leaf(operation);
        }
        let guard = if up {
            format!("{target} < {}", self.prng.range(1, 3))
        } else {
            format!("{target} > 0")
        };
        let step = choice(vec![Node::leaf(guard), Node::leaf(operation)]);
        let waits = self.features.blocking && !place.in_d_step && self.prng.chance(10);
        let choices = if waits {
            vec![step]
        } else {
            vec![step, choice(vec![Node::leaf("else")])]
        };
        Node::new(Shape::Selection, "if", choices)
    }

    /// Mostly assertions that rarely fail, so that errors stay rare.
    fn assertion(&mut self) -> String {
        if let Some((process, variable)) = self.remote.clone()
            && self.prng.chance(70)
        {
            let operator = *self.prng.pick(&["<", "!=", ">="]);
            let number = self.prng.below(3);
            return if self.prng.chance(60) {
                format!("assert({process}[0]:{variable} {operator} {number})")
            } else {
                format!("assert({process}[0]@end_r || {process}[0]:{variable} {operator} {number})")
            };
        }
        if self.features.random_assertions {
            let condition = self.truth(1);
            return format!("assert({condition})");
        }
        match self.number_target() {
            Some((target, _)) => {
                let far = self.prng.range(400, 600);
                format!("assert({target} < {far})")
            }
            None => "assert(true)".into(),
        }
    }

    fn send(&mut self, place: Place) -> Option<String> {
        let (channel, signature) = self.channel()?;
        let signature = self.signatures[signature].clone();
        let values: Vec<String> = signature
            .fields
            .iter()
            .map(|kind| self.value_for(*kind))
            .collect();
        let has_channels = signature
            .fields
            .iter()
            .any(|kind| matches!(kind, Type::Chan(_)));
        let sorted = signature.capacity > 0 && !has_channels && self.prng.chance(12);
        let operator = if sorted { "!!" } else { "!" };
        let text = self.message(&format!("{channel}{operator}"), &values);
        // A full channel in `init` would often block everything from the start.
        (!(place.in_init && signature.capacity == 0)).then_some(text)
    }

    fn receive(&mut self) -> Option<String> {
        let (channel, signature) = self.channel()?;
        let signature = self.signatures[signature].clone();
        let patterns = self.patterns(&channel, &signature.fields, false);
        if signature.capacity == 0 {
            return Some(self.message(&format!("{channel}?"), &patterns));
        }
        let operator = if self.prng.chance(15) { "??" } else { "?" };
        if self.prng.chance(10) {
            return Some(format!("{channel}{operator}<{}>", patterns.join(",")));
        }
        Some(self.message(&format!("{channel}{operator}"), &patterns))
    }

    /// Guards a channel operation that may block for ever, in programs that should not all deadlock: waiting there is
    /// a valid end, or there is an alternative.
    fn soften(&mut self, text: String, place: Place) -> Node {
        let operation = Node::leaf(text);
        let softly = if self.features.blocking { 25 } else { 80 };
        if place.in_inline || !self.prng.chance(softly) {
            return operation;
        }
        match self.prng.below(4) {
            0 => {
                let other = self.assignment();
                Node::new(
                    Shape::Selection,
                    "if",
                    vec![choice(vec![operation]), choice(vec![Node::leaf(other)])],
                )
            }
            1 if !place.in_atomic => Node::new(
                Shape::Selection,
                "if",
                vec![choice(vec![operation]), choice(vec![Node::leaf("timeout")])],
            ),
            _ => Node {
                label: Some(self.fresh("end")),
                ..operation
            },
        }
    }

    /// The arguments of a message in one of the two notations.
    fn message(&mut self, head: &str, parts: &[String]) -> String {
        match parts {
            [first, rest @ ..]
                if !rest.is_empty()
                    && self.prng.chance(30)
                    && first.chars().all(char::is_alphanumeric) =>
            {
                format!("{head}{first}({})", rest.join(","))
            }
            _ => format!("{head}{}", parts.join(",")),
        }
    }

    /// `if` or `do` with two or three options, perhaps `else` or `timeout`.
    pub(super) fn selection(&mut self, word: &str, place: Place) -> Node {
        let is_loop = word == "do";
        let inner = Place {
            in_loop: place.in_loop || is_loop,
            ..place
        };
        if place.in_d_step {
            return self.deterministic_if(inner);
        }
        let mut choices = Vec::new();
        let mut channel_guard = false;
        for _ in 0..self.prng.weighted(&[(10, 1), (60, 2), (30, 3)]) {
            let guard = match self.prng.weighted(&[(55, 0), (20, 1), (13, 2), (12, 3)]) {
                1 => self.receive(),
                2 => self.send(place),
                3 => Some(self.assignment()),
                _ => None,
            };
            channel_guard |= guard
                .as_ref()
                .is_some_and(|text| text.contains('?') || text.contains('!'));
            let guard = guard.unwrap_or_else(|| self.truth(1));
            let self_loop = is_loop && guard == "true";
            let mut body = vec![Node::leaf(guard)];
            if self_loop || self.prng.chance(75) {
                body.extend(self.sequence(1, 2, inner));
            }
            choices.push(choice(body));
        }
        // An alternative that is always enabled keeps most programs running.
        let free = !place.in_atomic
            && self
                .prng
                .chance(if self.features.blocking { 20 } else { 45 });
        if free || (is_loop && place.depth == 0) {
            let mut body = vec![Node::leaf(self.assignment())];
            if self.prng.chance(50) {
                body.extend(self.sequence(1, 2, inner));
            }
            choices.push(choice(body));
        }
        // SPIN calls `else` beside channel operations dubious but accepts it, unless the channel is a rendezvous.
        let blocking = self.features.blocking;
        let otherwise = if channel_guard || free {
            4
        } else if blocking {
            60
        } else {
            92
        };
        if self.prng.chance(otherwise) {
            // `do :: else od` is a loop that SPIN's verifier refuses.
            let body = if is_loop || self.prng.chance(40) {
                self.sequence(1, 1, inner)
            } else {
                Vec::new()
            };
            choices.push(choice([vec![Node::leaf("else")], body].concat()));
        } else if !place.in_atomic && self.prng.chance(if blocking { 8 } else { 30 }) {
            choices.push(choice(vec![Node::leaf("timeout"), Node::leaf("skip")]));
        }
        if is_loop {
            self.add_break(&mut choices, place);
        }
        let mut selection = Node::new(Shape::Selection, word, choices);
        if !place.in_inline && self.prng.chance(if blocking { 15 } else { 60 }) {
            selection.label = Some(self.fresh("end"));
        }
        selection
    }

    /// Makes one of the options leave the loop, mostly. The process that others refer to never leaves its loop.
    fn add_break(&mut self, choices: &mut Vec<Node>, place: Place) {
        let immortal = self.features.remote && place.depth == 1 && self.remote.is_none();
        if immortal || !self.prng.chance(85) {
            return;
        }
        if self.prng.chance(40) {
            choices.push(choice(vec![Node::leaf("break")]));
            return;
        }
        let last = choices.len() - 1;
        let index = self.prng.range(0, last);
        let body = &mut choices[index].children;
        if !body
            .last()
            .is_some_and(|node| node.text.starts_with("goto"))
        {
            body.push(Node::leaf("break"));
        }
    }

    /// A selection that is always executable and has one choice.
    fn deterministic_if(&mut self, place: Place) -> Node {
        let guard = self.truth(1);
        let then = [vec![Node::leaf(guard)], self.sequence(1, 1, place)].concat();
        let otherwise = if self.prng.chance(50) {
            self.sequence(1, 1, place)
        } else {
            Vec::new()
        };
        let otherwise = [vec![Node::leaf("else")], otherwise].concat();
        Node::new(
            Shape::Selection,
            "if",
            vec![choice(then), choice(otherwise)],
        )
    }

    /// Deterministic code that blocks at most at its start.
    fn d_step(&mut self, place: Place) -> Node {
        let mut body = Vec::new();
        // A `d_step` that begins with `assert` or `printf` is executed by SPIN even in the middle
        // of a rendezvous of two others, so it always gets a condition.
        if !place.in_atomic && self.prng.chance(30) {
            body.push(Node::leaf(self.truth(1)));
        } else {
            body.push(Node::leaf("true"));
        }
        let inner = Place {
            in_d_step: true,
            in_loop: false,
            ..place
        };
        body.extend(self.sequence(1, 3, inner));
        Node::new(Shape::Braces, "d_step", body)
    }

    fn unless(&mut self, place: Place) -> Node {
        let inner = Place {
            in_unless: true,
            in_loop: false,
            ..place
        };
        let main = self.sequence(1, 3, inner);
        let guard = if self.prng.chance(25) {
            self.receive()
        } else {
            None
        };
        let guard = guard.unwrap_or_else(|| self.truth(1));
        let mut escape = vec![Node::leaf(guard)];
        if self.prng.chance(50) {
            escape.extend(self.sequence(1, 1, inner));
        }
        let braces = |body| Node::new(Shape::Braces, "", body);
        Node::new(Shape::Unless, "", vec![braces(main), braces(escape)])
    }

    /// A block with variables of its own, sometimes of a name that another block uses too.
    fn block(&mut self, place: Place) -> Node {
        let scope = self.scope.len();
        let kind = self.value_type();
        let mut declaration = self.declare_variable("b", kind, 0);
        if self.prng.chance(25)
            && !place.in_inline
            && !self.scope.iter().any(|v| v.name == "again")
            && let Some(variable) = self.scope.last_mut()
        {
            declaration.text = declaration.text.replacen(&variable.name, "again", 1);
            variable.name = "again".into();
        }
        let mut body = vec![declaration];
        body.extend(self.sequence(1, 3, place));
        self.scope.truncate(scope);
        Node::new(Shape::Braces, "", body)
    }

    /// Declares a loop variable before the statement.
    fn loop_variable(&mut self, code: &mut Vec<Node>) -> String {
        let kind = *self.prng.pick(&[Type::Byte, Type::Int, Type::Short]);
        let name = self.fresh("i");
        code.push(Node::leaf(self.declaration(kind, &name, 0)));
        self.scope.push(Variable {
            name: name.clone(),
            kind,
            elements: 0,
            fixed: true,
        });
        name
    }

    fn for_loop(&mut self, place: Place, code: &mut Vec<Node>) -> Node {
        if place.in_d_step {
            return Node::leaf(self.assignment());
        }
        let name = self.loop_variable(code);
        let array = self
            .scope
            .iter()
            .find(|v| v.elements > 0 && !matches!(v.kind, Type::Chan(_)))
            .cloned();
        let head = match array {
            Some(array) if self.prng.chance(40) => format!("for ({name} in {})", array.name),
            _ => {
                let low = self.prng.range(0, 1);
                format!("for ({name} : {low} .. {})", low + self.prng.range(0, 2))
            }
        };
        let inner = Place {
            in_loop: true,
            ..place
        };
        let mut body = self.sequence(1, 2, inner);
        if self.prng.chance(15) {
            body.push(Node::leaf("break"));
        }
        Node::new(Shape::Braces, head, body)
    }

    fn select(&mut self, code: &mut Vec<Node>) -> Node {
        let name = self.loop_variable(code);
        let low = self.prng.range(0, 1);
        Node::leaf(format!(
            "select ({name} : {low} .. {})",
            low + self.prng.range(1, 2)
        ))
    }
}

/// An option of a selection.
fn choice(body: Vec<Node>) -> Node {
    Node::new(Shape::Choice, "", body)
}
