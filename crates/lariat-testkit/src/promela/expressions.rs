//! Expressions: numbers, truth values, assignable places, and values that fit a type.

use super::{Generator, Type, Variable};

impl Generator {
    /// A constant that is too large or negative for some of the types.
    pub(super) fn wild_constant(&mut self) -> String {
        (*self.prng.pick(&[
            "-1", "7", "31", "127", "128", "254", "255", "256", "300", "-129", "511",
        ]))
        .to_owned()
    }

    /// An index that is in range for a power of two. Masking works for negative numbers too.
    fn index(&mut self, elements: usize) -> String {
        if self.prng.chance(50) {
            return self.prng.below(elements).to_string();
        }
        let mask = elements - 1;
        let number = self.plain_number();
        format!("{number} & {mask}")
    }

    /// A number without an index in it: constants and plain variables.
    pub(super) fn plain_number(&mut self) -> String {
        let is_plain = |v: &&Variable| v.elements == 0 && is_number(v.kind);
        let plain: Vec<String> = self
            .scope
            .iter()
            .filter(is_plain)
            .map(|v| v.name.clone())
            .collect();
        if plain.is_empty() || self.prng.chance(15) {
            "_pid".into()
        } else {
            self.prng.pick(&plain).clone()
        }
    }

    /// The text of a variable or of a part of it, with the type of that part.
    fn part(&mut self, variable: &Variable) -> (String, Type) {
        let mut text = variable.name.clone();
        if variable.elements > 0 {
            let index = self.index(variable.elements);
            text = format!("{text}[{index}]");
        }
        let mut kind = variable.kind;
        while let Type::Structure(structure) = kind {
            let fields = self.structures[structure].clone();
            let (name, field_kind, elements) = self.prng.pick(&fields).clone();
            text = format!("{text}.{name}");
            if elements > 0 {
                let index = self.index(elements);
                text = format!("{text}[{index}]");
            }
            kind = field_kind;
        }
        (text, kind)
    }

    /// A place with a value of a type that `wanted` accepts.
    fn find(&mut self, assigned: bool, wanted: impl Fn(Type) -> bool) -> Option<(String, Type)> {
        // Structures are tried because a field may fit; a few draws are enough.
        let usable = |v: &&Variable| {
            !(assigned && v.fixed) && (wanted(v.kind) || matches!(v.kind, Type::Structure(_)))
        };
        let candidates: Vec<Variable> = self.scope.iter().filter(usable).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        for _ in 0..4 {
            let variable = self.prng.pick(&candidates).clone();
            let (text, kind) = self.part(&variable);
            if wanted(kind) {
                return Some((text, kind));
            }
        }
        None
    }

    /// A place for a value that is not a channel.
    pub(super) fn target(&mut self) -> Option<(String, Type)> {
        self.find(true, |kind| is_number(kind) || kind == Type::Mtype)
    }

    /// A plain variable for a number, wide enough for a byte.
    pub(super) fn plain_target(&mut self) -> Option<String> {
        let fits = |v: &&Variable| {
            v.elements == 0 && !v.fixed && is_number(v.kind) && holds(v.kind, Type::Byte)
        };
        let plain: Vec<String> = self
            .scope
            .iter()
            .filter(fits)
            .map(|v| v.name.clone())
            .collect();
        (!plain.is_empty()).then(|| self.prng.pick(&plain).clone())
    }

    /// A place for a number.
    pub(super) fn number_target(&mut self) -> Option<(String, Type)> {
        self.find(true, is_number)
    }

    /// A channel and its signature.
    pub(super) fn channel(&mut self) -> Option<(String, usize)> {
        match self.find(false, |kind| matches!(kind, Type::Chan(_)))? {
            (text, Type::Chan(signature)) => Some((text, signature)),
            _ => None,
        }
    }

    /// A channel of a signature with at least one place.
    fn buffered_channel(&mut self) -> Option<String> {
        let (text, signature) = self.channel()?;
        (self.signatures[signature].capacity > 0).then_some(text)
    }

    fn operand(&mut self) -> String {
        match self
            .prng
            .weighted(&[(60, 0), (28, 1), (3, 2), (3, 3), (6, 4)])
        {
            0 => match self.find(false, is_number) {
                Some((text, _)) => text,
                None => "_pid".into(),
            },
            1 if self.features.wild_constants && self.prng.chance(15) => self.wild_constant(),
            1 => self.prng.below(4).to_string(),
            2 => "_pid".into(),
            3 => "_nr_pr".into(),
            _ => match self.buffered_channel() {
                Some(channel) => format!("len({channel})"),
                None => "1".into(),
            },
        }
    }

    /// An expression of small size and small value.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.prng.chance(30) {
            return self.operand();
        }
        let constant = self.prng.range(1, 3);
        match self.prng.below(12) {
            0..=3 => {
                let operator = *self.prng.pick(&["+", "-", "+", "-", "&", "|", "^"]);
                let (left, right) = (self.number(depth - 1), self.number(depth - 1));
                // Sometimes without parentheses, to test precedence.
                if self.prng.chance(35) {
                    format!("{left} {operator} {right}")
                } else {
                    format!("({left} {operator} {right})")
                }
            }
            4 => format!("{} * {constant}", self.operand()),
            5 => {
                let left = self.number(depth - 1);
                let operator = *self.prng.pick(&["/", "%"]);
                format!("({left}) {operator} {}", constant + 1)
            }
            6 => {
                let operator = *self.prng.pick(&["<<", ">>"]);
                format!("({} {operator} {constant})", self.operand())
            }
            7 => {
                let (condition, left, right) =
                    (self.comparison(0), self.number(depth - 1), self.operand());
                format!("({condition} -> {left} : {right})")
            }
            8 => format!("-({})", self.operand()),
            9 => format!("(~{} & 3)", self.operand()),
            10 => format!("({})", self.comparison(depth - 1)),
            _ => format!("{constant} - {}", self.operand()),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, depth: usize) -> String {
        if depth > 0 && self.prng.chance(30) {
            let operator = *self.prng.pick(&["&&", "||"]);
            let (left, right) = (self.truth(depth - 1), self.truth(depth - 1));
            return if self.prng.chance(40) {
                format!("{left} {operator} {right}")
            } else {
                format!("({left} {operator} {right})")
            };
        }
        match self
            .prng
            .weighted(&[(60, 0), (8, 1), (12, 2), (10, 3), (6, 4), (4, 5)])
        {
            2 if self.messages > 0 => match self.find(false, |kind| kind == Type::Mtype) {
                Some((text, _)) => {
                    let operator = *self.prng.pick(&["==", "!="]);
                    format!("{text} {operator} M{}", self.prng.below(self.messages))
                }
                None => "true".into(),
            },
            1 => {
                let number = self.number(depth);
                format!("!({number})")
            }
            3 => match self.find(false, |kind| matches!(kind, Type::Bit | Type::Bool)) {
                Some((text, _)) => text,
                None => self.comparison(depth),
            },
            4 => match self.buffered_channel() {
                Some(channel) => {
                    let test = *self.prng.pick(&["empty", "nempty", "full", "nfull"]);
                    format!("{test}({channel})")
                }
                None => self.comparison(depth),
            },
            5 => self.poll().unwrap_or_else(|| "true".into()),
            _ => self.comparison(depth),
        }
    }

    /// A condition that can be used as a number. Polls of channels cannot: they are conditions only.
    fn comparison(&mut self, depth: usize) -> String {
        let operator = *self.prng.pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
        let (left, right) = (self.number(depth), self.operand());
        format!("{left} {operator} {right}")
    }

    /// A poll of a buffered channel.
    fn poll(&mut self) -> Option<String> {
        let (channel, signature) = self.channel()?;
        if self.signatures[signature].capacity == 0 {
            return None;
        }
        let fields = self.signatures[signature].fields.clone();
        let patterns = self.patterns(&channel, &fields, true);
        let operator = *self.prng.pick(&["?", "??"]);
        Some(format!("{channel}{operator}[{}]", patterns.join(",")))
    }

    /// The arguments of a receive statement. SPIN does not take the same variable twice.
    pub(super) fn patterns(
        &mut self,
        channel: &str,
        fields: &[Type],
        match_only: bool,
    ) -> Vec<String> {
        let mut patterns: Vec<String> = Vec::new();
        for kind in fields {
            // A bit that is a message of its own is kept in a byte.
            let kind = match kind {
                Type::Bit | Type::Bool if fields.len() == 1 => Type::Byte,
                kind => *kind,
            };
            let pattern = self.pattern(kind, match_only);
            // Nor does it backtrack well over a receive that reads a variable that it also sets.
            let clash = share_a_name(channel, &pattern)
                || patterns.iter().any(|other| share_a_name(other, &pattern));
            patterns.push(if clash { "_".into() } else { pattern });
        }
        patterns
    }

    /// An argument of a receive statement: something to match or somewhere to put the value. A poll only matches.
    fn pattern(&mut self, kind: Type, match_only: bool) -> String {
        if let Type::Chan(_) = kind {
            let place = self.find(true, |k| k == kind);
            return match place {
                Some((text, _)) if !match_only && !text.starts_with('c') => text,
                _ => "_".into(),
            };
        }
        let message = kind == Type::Mtype;
        let store = if match_only { 0 } else { 75 };
        match self.prng.weighted(&[(store, 0), (14, 1), (6, 2), (6, 3)]) {
            0 => match self.find(true, |k| {
                if message {
                    k == Type::Mtype
                } else {
                    // SPIN restores a message from the variable that took it when it backtracks,
                    // so a narrower variable would change the message.
                    is_number(k) && holds(k, kind)
                }
            }) {
                Some((text, _)) => text,
                None => "_".into(),
            },
            1 if message => format!("M{}", self.prng.below(self.messages)),
            1 => self.prng.below(3).to_string(),
            2 => match self.find(false, |k| {
                if message {
                    k == Type::Mtype
                } else {
                    is_number(k)
                }
            }) {
                Some((text, _)) => format!("eval({text})"),
                None => "_".into(),
            },
            _ => "_".into(),
        }
    }

    /// A value to assign, send or pass: of the right kind, and of few possible values.
    pub(super) fn value_for(&mut self, kind: Type) -> String {
        match kind {
            Type::Mtype => match self.find(false, |k| k == Type::Mtype) {
                Some((text, _)) if self.prng.chance(30) => text,
                _ => format!("M{}", self.prng.below(self.messages)),
            },
            Type::Chan(_) => match self.find(false, |k| k == kind) {
                Some((text, _)) => text,
                // Every signature has a global channel, unless it was made for a local one: then nothing is sent.
                None => "0".into(),
            },
            Type::Bit | Type::Bool if self.prng.chance(40) => self.comparison(1),
            _ => match self.prng.weighted(&[(30, 0), (20, 1), (50, 2)]) {
                0 if self.features.wild_constants && self.prng.chance(25) => self.wild_constant(),
                0 => self.prng.below(4).to_string(),
                1 => self
                    .find(false, is_number)
                    .map_or_else(|| "1".into(), |(text, _)| text),
                _ => {
                    let number = self.number(2);
                    format!("({number}) % {}", self.prng.range(2, 4))
                }
            },
        }
    }
}

/// Whether values of the type are numbers to calculate with.
fn is_number(kind: Type) -> bool {
    !matches!(kind, Type::Mtype | Type::Chan(_) | Type::Structure(_))
}

/// Whether two texts mention the same variable.
fn share_a_name(a: &str, b: &str) -> bool {
    fn names(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.starts_with(char::is_alphabetic))
    }
    names(a).any(|name| name != "eval" && names(b).any(|other| other == name))
}

/// Whether a variable of one numeric type can hold every value of another.
fn holds(variable: Type, field: Type) -> bool {
    let range = |kind| match kind {
        Type::Bit | Type::Bool => (0, 1),
        Type::Unsigned(bits) => (0, (1i64 << bits) - 1),
        Type::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Type::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (0, 255),
    };
    let ((a, b), (c, d)) = (range(variable), range(field));
    a <= c && d <= b
}
