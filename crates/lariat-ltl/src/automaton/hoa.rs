//! The Hanoi Omega-Automata format, version 1 (Babiak et al., "The Hanoi omega-automata format", CAV
//! 2015), read and written.
//!
//! Read are automata with the acceptance of this crate: a conjunction of `Inf`, which covers Büchi
//! and generalised Büchi, and `t` and `f`; on states or on edges; with any number of initial
//! states, aliases, labels on states or edges, or no labels at all. Other acceptance conditions,
//! alternation and unknown headers with meaning are refused.
//!
//! Nothing recurs, and what is allocated is bounded by the length of the text or by fixed limits.

mod lexer;

use super::{Automaton, Edge, Label, Labels};
use lexer::{Lexer, Token};
use std::collections::HashMap;
use std::fmt;
use std::fmt::Write;

/// The most states that an automaton in this format may have.
pub const MAX_STATES: u64 = 1 << 20;

/// Why a text is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The byte at which it was noticed.
    pub offset: usize,
    /// The line of that byte, from 1 on.
    pub line: usize,
    /// The column of that byte, from 1 on, in bytes.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}

/// What is wrong, and at which byte.
type Problem = (usize, String);

/// Reads the first automaton of a text.
pub fn parse(text: &str) -> Result<Automaton, HoaError> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        labels: Labels::new(),
        aliases: HashMap::new(),
        atoms: None,
        count: None,
        initial: Vec::new(),
        acceptance: None,
        states: Vec::new(),
        referred: Vec::new(),
    };
    parser.automaton().map_err(|(offset, message)| {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        HoaError {
            offset,
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: 1 + before.len() - line_start,
            message,
        }
    })
}

/// The acceptance condition of a text.
enum Acceptance {
    /// Nothing is accepted.
    None,
    /// The sets, by their numbers in the text, that must be visited for ever.
    All(Vec<u64>),
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    labels: Labels,
    aliases: HashMap<String, Label>,
    atoms: Option<Vec<String>>,
    count: Option<u64>,
    initial: Vec<u32>,
    /// The number of sets in the text, and the condition.
    acceptance: Option<(u64, Acceptance)>,
    states: Vec<Option<Vec<Edge>>>,
    /// States that are referred to, and where.
    referred: Vec<(u32, usize)>,
}

impl Parser<'_> {
    fn automaton(&mut self) -> Result<Automaton, Problem> {
        self.header()?;
        let Some((count, acceptance)) = self.acceptance.take() else {
            return self.fail("the header has no acceptance condition (Acceptance:)");
        };
        let sets: Vec<u64> = match &acceptance {
            Acceptance::None => Vec::new(),
            Acceptance::All(sets) => sets.clone(),
        };
        self.body(count, &sets)?;
        if self.labels.is_full() {
            return self.fail("the labels are too large");
        }
        for &(state, offset) in &self.referred {
            if !matches!(self.states.get(state as usize), Some(Some(_))) {
                return Err((offset, format!("state {state} is not defined")));
            }
        }
        let states = std::mem::take(&mut self.states);
        let mut automaton = Automaton {
            atoms: self.atoms.take().unwrap_or_default(),
            labels: std::mem::take(&mut self.labels),
            states: states.into_iter().map(Option::unwrap_or_default).collect(),
            initial: std::mem::take(&mut self.initial),
            sets: sets.len() as u32,
        };
        if matches!(acceptance, Acceptance::None) {
            // One set that no edge is in.
            automaton.sets = 1;
            automaton
                .states
                .iter_mut()
                .flatten()
                .for_each(|e| e.marks = 0);
        }
        Ok(automaton)
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Problem> {
        Err((self.lexer.offset(), message.into()))
    }

    fn expect(&mut self, token: Token, name: &str) -> Result<(), Problem> {
        let at = self.lexer.offset();
        match self.lexer.next()? {
            found if found == token => Ok(()),
            found => Err((at, format!("expected {name}, found {found}"))),
        }
    }

    fn integer(&mut self, name: &str) -> Result<u64, Problem> {
        let at = self.lexer.offset();
        match self.lexer.next()? {
            Token::Integer(value) => Ok(value),
            found => Err((at, format!("expected {name}, found {found}"))),
        }
    }

    fn header(&mut self) -> Result<(), Problem> {
        self.expect(Token::Header("HOA".into()), "`HOA:`")?;
        let at = self.lexer.offset();
        match self.lexer.next()? {
            Token::Name(version) if version == "v1" || version.starts_with("v1.") => {}
            found => return Err((at, format!("expected version v1, found {found}"))),
        }
        loop {
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::Body => return Ok(()),
                Token::Header(name) => self.item(&name, at)?,
                found => return Err((at, format!("expected a header, found {found}"))),
            }
        }
    }

    fn item(&mut self, name: &str, at: usize) -> Result<(), Problem> {
        match name {
            "States" => {
                let count = self.integer("the number of states")?;
                if count > MAX_STATES {
                    return Err((at, format!("more than {MAX_STATES} states")));
                }
                self.count = Some(count);
                Ok(())
            }
            "Start" => {
                let state = self.state_number()?;
                if self.lexer.peek()? == Token::Symbol('&') {
                    return self.fail("alternation is not supported: several states at once");
                }
                if !self.initial.contains(&state) {
                    self.initial.push(state);
                }
                Ok(())
            }
            "AP" => self.atoms(at),
            "Alias" => self.alias(),
            "Acceptance" => self.acceptance(at),
            "HOA" => Err((at, "a second `HOA:`".into())),
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("`{name}:` has a meaning that is not supported");
                Err((at, message))
            }
            _ => self.skip_item(),
        }
    }

    fn skip_item(&mut self) -> Result<(), Problem> {
        loop {
            match self.lexer.peek()? {
                Token::Header(_) | Token::Body | Token::End => return Ok(()),
                _ => self.lexer.next()?,
            };
        }
    }

    fn atoms(&mut self, at: usize) -> Result<(), Problem> {
        if self.atoms.is_some() {
            return Err((at, "a second `AP:`".into()));
        }
        let count = self.integer("the number of atomic propositions")?;
        if count > u64::from(Labels::VARIABLES) {
            let limit = Labels::VARIABLES;
            return Err((at, format!("more than {limit} atomic propositions")));
        }
        let mut atoms: Vec<String> = Vec::new();
        for _ in 0..count {
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::String(name) if atoms.contains(&name) => {
                    return Err((at, format!("a second atomic proposition `{name}`")));
                }
                Token::String(name) => atoms.push(name),
                found => return Err((at, format!("expected a name in quotes, found {found}"))),
            }
        }
        self.atoms = Some(atoms);
        Ok(())
    }

    fn alias(&mut self) -> Result<(), Problem> {
        let at = self.lexer.offset();
        match self.lexer.next()? {
            Token::Alias(name) => {
                let label = self.label()?;
                match self.aliases.insert(name.clone(), label) {
                    Some(_) => Err((at, format!("a second alias `@{name}`"))),
                    None => Ok(()),
                }
            }
            found => Err((at, format!("expected `@` and a name, found {found}"))),
        }
    }

    /// `Acceptance:` — a conjunction of `Inf`, possibly in parentheses, or a constant.
    fn acceptance(&mut self, at: usize) -> Result<(), Problem> {
        if self.acceptance.is_some() {
            return Err((at, "a second `Acceptance:`".into()));
        }
        let refused = "only Büchi and generalised Büchi acceptance are supported: a conjunction of \
                       `Inf`, `t` or `f`";
        let count = self.integer("the number of acceptance sets")?;
        let mut needed = Vec::new();
        let mut none = false;
        let mut depth = 0usize;
        loop {
            while self.lexer.peek()? == Token::Symbol('(') {
                self.lexer.next()?;
                depth += 1;
            }
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::Name(name) if name == "t" => {}
                Token::Name(name) if name == "f" => none = true,
                Token::Name(name) if name == "Inf" => {
                    self.expect(Token::Symbol('('), "`(`")?;
                    let at = self.lexer.offset();
                    if self.lexer.peek()? == Token::Symbol('!') {
                        return Err((at, refused.into()));
                    }
                    let set = self.integer("an acceptance set")?;
                    if set >= count {
                        return Err((at, format!("there is no acceptance set {set}")));
                    }
                    needed.push(set);
                    self.expect(Token::Symbol(')'), "`)`")?;
                }
                Token::Name(name) if name == "Fin" => return Err((at, refused.into())),
                found => {
                    return Err((
                        at,
                        format!("expected an acceptance condition, found {found}"),
                    ));
                }
            }
            while depth > 0 && self.lexer.peek()? == Token::Symbol(')') {
                self.lexer.next()?;
                depth -= 1;
            }
            match self.lexer.peek()? {
                Token::Symbol('&') => self.lexer.next()?,
                Token::Symbol('|') => return self.fail(refused),
                _ if depth > 0 => return self.fail("expected `)`"),
                _ => break,
            };
        }
        needed.sort_unstable();
        needed.dedup();
        if needed.len() > 64 {
            return Err((at, "more than 64 acceptance sets".into()));
        }
        let condition = if none {
            Acceptance::None
        } else {
            Acceptance::All(needed)
        };
        self.acceptance = Some((count, condition));
        Ok(())
    }

    fn state_number(&mut self) -> Result<u32, Problem> {
        let at = self.lexer.offset();
        let state = self.integer("a state")?;
        let limit = self.count.unwrap_or(MAX_STATES);
        if state >= limit {
            return Err((at, format!("state {state} is beyond the {limit} states")));
        }
        self.referred.push((state as u32, at));
        Ok(state as u32)
    }

    fn body(&mut self, count: u64, sets: &[u64]) -> Result<(), Problem> {
        loop {
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::End => return Ok(()),
                Token::Header(name) if name == "State" => self.state(count, sets)?,
                found => {
                    return Err((at, format!("expected `State:` or `--END--`, found {found}")));
                }
            }
        }
    }

    fn state(&mut self, count: u64, sets: &[u64]) -> Result<(), Problem> {
        let common = self.label_in_brackets()?;
        let at = self.lexer.offset();
        let state = self.state_number()? as usize;
        if matches!(self.lexer.peek()?, Token::String(_)) {
            self.lexer.next()?;
        }
        let marks = self.marks(count, sets)?;
        let mut edges = Vec::new();
        // Edges without labels stand for the letters, one after the other.
        let mut letter = 0u64;
        loop {
            let label = match self.lexer.peek()? {
                Token::Symbol('[') if common.is_some() => {
                    return self.fail("a label on an edge of a state with a label");
                }
                Token::Symbol('[') => self.label_in_brackets()?,
                Token::Integer(_) => None,
                _ => break,
            };
            let label = match label.or(common) {
                Some(label) => label,
                None => {
                    letter += 1;
                    self.implicit(letter - 1)?
                }
            };
            let target = self.state_number()?;
            if self.lexer.peek()? == Token::Symbol('&') {
                return self.fail("alternation is not supported: several states at once");
            }
            let marks = marks | self.marks(count, sets)?;
            if label != Label::FALSE {
                edges.push(Edge {
                    target,
                    marks,
                    label,
                });
            }
        }
        if self.states.len() <= state {
            self.states.resize(state + 1, None);
        }
        match self.states[state].replace(edges) {
            Some(_) => Err((at, format!("a second state {state}"))),
            None => Ok(()),
        }
    }

    /// The letter with a number: bit for bit the values of the atoms.
    fn implicit(&mut self, letter: u64) -> Result<Label, Problem> {
        let atoms = self.atoms.as_ref().map_or(0, Vec::len);
        if atoms < 64 && letter >> atoms != 0 {
            return self.fail("more edges without label than letters");
        }
        let mut label = Label::TRUE;
        for atom in (0..atoms).rev() {
            let value = atom < 64 && letter >> atom & 1 == 1;
            let literal = self.labels.literal(atom as u32, value);
            label = self.labels.and(literal, label);
        }
        Ok(label)
    }

    /// `{0 2}`, as marks of the sets that count.
    fn marks(&mut self, count: u64, sets: &[u64]) -> Result<u64, Problem> {
        if self.lexer.peek()? != Token::Symbol('{') {
            return Ok(0);
        }
        self.lexer.next()?;
        let mut marks = 0;
        while self.lexer.peek()? != Token::Symbol('}') {
            let at = self.lexer.offset();
            let set = self.integer("an acceptance set or `}`")?;
            if set >= count {
                return Err((at, format!("there is no acceptance set {set}")));
            }
            if let Ok(index) = sets.binary_search(&set) {
                marks |= 1 << index;
            }
        }
        self.lexer.next()?;
        Ok(marks)
    }

    fn label_in_brackets(&mut self) -> Result<Option<Label>, Problem> {
        if self.lexer.peek()? != Token::Symbol('[') {
            return Ok(None);
        }
        self.lexer.next()?;
        let label = self.label()?;
        self.expect(Token::Symbol(']'), "an operator or `]`")?;
        Ok(Some(label))
    }

    /// A label expression, with a stack of its own: operators wait until a looser one comes.
    fn label(&mut self) -> Result<Label, Problem> {
        let mut operators: Vec<char> = Vec::new();
        let mut operands: Vec<Label> = Vec::new();
        loop {
            // An operand, with what stands before it.
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::Symbol(c @ ('!' | '(')) => {
                    operators.push(c);
                    continue;
                }
                Token::Name(name) if name == "t" => operands.push(Label::TRUE),
                Token::Name(name) if name == "f" => operands.push(Label::FALSE),
                Token::Integer(atom) => {
                    if atom >= self.atoms.as_ref().map_or(0, Vec::len) as u64 {
                        return Err((at, format!("there is no atomic proposition {atom}")));
                    }
                    operands.push(self.labels.literal(atom as u32, true));
                }
                Token::Alias(name) => match self.aliases.get(&name) {
                    Some(&label) => operands.push(label),
                    None => return Err((at, format!("there is no alias `@{name}`"))),
                },
                found => return Err((at, format!("expected a label, found {found}"))),
            }
            // What may follow an operand.
            loop {
                match self.lexer.peek()? {
                    Token::Symbol(c @ ('&' | '|')) => {
                        self.lexer.next()?;
                        self.reduce(&mut operators, &mut operands, c);
                        operators.push(c);
                        break;
                    }
                    Token::Symbol(')') if operators.contains(&'(') => {
                        self.lexer.next()?;
                        self.reduce(&mut operators, &mut operands, ')');
                        operators.pop();
                    }
                    _ => {
                        self.reduce(&mut operators, &mut operands, ')');
                        if !operators.is_empty() {
                            return self.fail("expected `)`");
                        }
                        return Ok(operands.pop().unwrap_or(Label::FALSE));
                    }
                }
            }
        }
    }

    /// Applies the waiting operators that bind at least as tightly as the next one.
    fn reduce(&mut self, operators: &mut Vec<char>, operands: &mut Vec<Label>, next: char) {
        let strength = |c: char| match c {
            '!' => 3,
            '&' => 2,
            '|' => 1,
            _ => 0,
        };
        while let Some(&operator) = operators.last() {
            if operator == '(' || strength(operator) < strength(next) {
                return;
            }
            operators.pop();
            let Some(b) = operands.pop() else { return };
            let result = match operator {
                '!' => self.labels.not(b),
                _ => {
                    let Some(a) = operands.pop() else { return };
                    match operator {
                        '&' => self.labels.and(a, b),
                        _ => self.labels.or(a, b),
                    }
                }
            };
            operands.push(result);
        }
    }
}

/// The automaton as text. The atoms that no label uses are left out.
pub fn print(automaton: &Automaton, name: Option<&str>) -> String {
    let all = automaton.states.iter().flatten().map(|e| e.label);
    let used = automaton.labels.support_of(all);
    let state_based = automaton.is_state_based();
    let mut text = String::from("HOA: v1\n");
    // Writing to a string cannot fail.
    let _ = write_header(&mut text, automaton, name, &used, state_based);
    let _ = write_body(&mut text, automaton, &used, state_based);
    text
}

fn write_header(
    text: &mut String,
    automaton: &Automaton,
    name: Option<&str>,
    used: &[u32],
    state_based: bool,
) -> fmt::Result {
    if let Some(name) = name {
        writeln!(text, "name: {}", quoted(name))?;
    }
    writeln!(text, "tool: \"lariat\"")?;
    writeln!(text, "States: {}", automaton.states.len())?;
    for state in &automaton.initial {
        writeln!(text, "Start: {state}")?;
    }
    write!(text, "AP: {}", used.len())?;
    for &atom in used {
        let name = automaton.atoms.get(atom as usize);
        write!(text, " {}", quoted(name.map_or("", String::as_str)))?;
    }
    writeln!(text)?;
    let sets = automaton.sets;
    match sets {
        0 => writeln!(text, "acc-name: all")?,
        1 => writeln!(text, "acc-name: Buchi")?,
        _ => writeln!(text, "acc-name: generalized-Buchi {sets}")?,
    }
    let infinite: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    let condition = if sets == 0 {
        "t".to_string()
    } else {
        infinite.join("&")
    };
    writeln!(text, "Acceptance: {sets} {condition}")?;
    let place = if state_based {
        "state-acc"
    } else {
        "trans-acc"
    };
    write!(text, "properties: trans-labels explicit-labels {place}")?;
    if automaton.is_deterministic() {
        write!(text, " deterministic")?;
    }
    if automaton.is_complete() {
        write!(text, " complete")?;
    }
    writeln!(text)
}

fn write_body(
    text: &mut String,
    automaton: &Automaton,
    used: &[u32],
    state_based: bool,
) -> fmt::Result {
    let marks = |marks: u64| {
        let sets = (0..automaton.sets).filter(|set| marks >> set & 1 == 1);
        let sets: Vec<String> = sets.map(|set| set.to_string()).collect();
        match sets.is_empty() {
            true => String::new(),
            false => format!(" {{{}}}", sets.join(" ")),
        }
    };
    writeln!(text, "--BODY--")?;
    for (state, edges) in automaton.states.iter().enumerate() {
        let own = edges.first().map_or(0, |e| e.marks);
        let own = if state_based {
            marks(own)
        } else {
            String::new()
        };
        writeln!(text, "State: {state}{own}")?;
        for edge in edges {
            let number = |atom: u32| match used.binary_search(&atom) {
                Ok(number) | Err(number) => number.to_string(),
            };
            let labels = &automaton.labels;
            let label = labels.sum_of_products(edge.label, ["t", "f"], "&", " | ", number);
            let marks = if state_based {
                String::new()
            } else {
                marks(edge.marks)
            };
            writeln!(text, "  [{label}] {}{marks}", edge.target)?;
        }
    }
    writeln!(text, "--END--")
}

/// A string in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
