//! Properties for random programs: accept and progress labels, formulas over the globals, and never claims.
//!
//! They are added to a finished program and draw their numbers after it, so that the program of a number is the same
//! with and without them.

use super::tree::{Node, Shape};
use super::{Generator, Type, collect_label_places, remove_first_labels};

impl Generator {
    /// Adds properties to a program that this generator has made.
    pub(super) fn add_properties(&mut self, program: &mut Node) {
        replace_number_of_processes(program);
        let (accept, progress) = (self.prng.chance(50), self.prng.chance(50));
        for node in &mut program.children {
            let process = node.text.contains("proctype ") || node.text == "init";
            if !process {
                continue;
            }
            for (wanted, prefix) in [(accept, "accept"), (progress, "progress")] {
                if wanted && self.prng.chance(75) {
                    self.add_label(node, prefix);
                }
            }
        }
        for index in 0..self.prng.weighted(&[(10, 0), (60, 1), (30, 2)]) {
            let formula = self.formula(3);
            let text = format!("ltl p{index} {{ {formula} }}");
            program.children.push(Node::leaf(text));
        }
        for index in 0..self.prng.weighted(&[(40, 0), (50, 1), (10, 2)]) {
            let claim = self.claim(index);
            program.children.push(claim);
        }
    }

    /// Adds a label somewhere in a process, if possible.
    fn add_label(&mut self, process: &mut Node, prefix: &str) {
        let label = self.fresh(prefix);
        let mut places = Vec::new();
        for statement in &mut process.children {
            collect_label_places(statement, &mut places);
        }
        if places.is_empty() {
            return;
        }
        let index = self.prng.below(places.len());
        places.swap_remove(index).label = Some(label);
        process.children.iter_mut().for_each(remove_first_labels);
    }

    /// A condition over the globals.
    fn condition(&mut self) -> String {
        let mut terms = Vec::new();
        for variable in &self.scope {
            let element = if variable.elements > 0 { "[1]" } else { "" };
            match variable.kind {
                Type::Chan(signature) if self.signatures[signature].capacity > 0 => {
                    terms.push((format!("len({}{element})", variable.name), false));
                }
                Type::Chan(_) | Type::Structure(_) => {}
                kind => terms.push((format!("{}{element}", variable.name), kind == Type::Mtype)),
            }
        }
        if terms.is_empty() {
            return "true".into();
        }
        let (term, is_message) = self.prng.pick(&terms).clone();
        let value = if is_message && self.messages > 0 {
            format!("M{}", self.prng.below(self.messages))
        } else {
            self.prng.below(3).to_string()
        };
        let operator = self.prng.pick(&["==", "==", "!=", ">"]);
        format!("({term} {operator} {value})")
    }

    /// A formula with operators nested up to `depth`.
    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || self.prng.chance(15) {
            return self.condition();
        }
        let unary = ["[]", "<>", "[]<>", "<>[]", "!"];
        if self.prng.chance(60) {
            let operator = *self.prng.pick(&unary);
            return format!("{operator} ({})", self.formula(depth - 1));
        }
        let operator = *self.prng.pick(&["U", "V", "W", "&&", "||", "->"]);
        let (left, right) = (self.formula(depth - 1), self.formula(depth - 1));
        format!("({left}) {operator} ({right})")
    }

    /// A never claim: a random automaton, sometimes with an end and an assertion.
    fn claim(&mut self, index: usize) -> Node {
        let names = ["s0", "s1", "s2"];
        let mut labels: Vec<String> = names[..self.prng.range(1, 3)]
            .iter()
            .map(|name| match self.prng.chance(50) {
                true => format!("accept_{name}"),
                false => (*name).to_owned(),
            })
            .collect();
        let states = labels.len();
        let ends = self.prng.chance(20);
        if ends {
            labels.push("done".into());
        }
        let mut body: Vec<Node> = Vec::new();
        for label in &labels[..states] {
            let mut choices: Vec<Node> = Vec::new();
            for _ in 0..self.prng.range(1, 3) {
                choices.push(self.claim_choice(&labels));
            }
            body.push(Node {
                label: Some(label.clone()),
                ..Node::new(Shape::Selection, "do", choices)
            });
        }
        if ends {
            body.push(Node {
                label: Some("done".into()),
                ..Node::leaf("skip")
            });
        }
        Node::new(Shape::Braces, format!("never n{index}"), body)
    }

    /// An outgoing transition of a state of a claim.
    fn claim_choice(&mut self, labels: &[String]) -> Node {
        let guard = match self.prng.weighted(&[(70, 0), (25, 1), (5, 2)]) {
            0 => self.condition(),
            1 => "true".into(),
            _ => {
                let condition = self.condition();
                let text = format!("atomic {{ {condition} -> assert(!{condition}) }}");
                return Node::new(Shape::Choice, "", vec![Node::leaf(text)]);
            }
        };
        let target = self.prng.pick(labels).clone();
        let jump = Node::leaf(format!("goto {target}"));
        Node::new(Shape::Choice, "", vec![Node::leaf(guard), jump])
    }
}

/// SPIN counts a claim as a process, so that `_nr_pr` is another number for every check.
fn replace_number_of_processes(node: &mut Node) {
    node.text = node.text.replace("_nr_pr", "2");
    node.children
        .iter_mut()
        .for_each(replace_number_of_processes);
}
