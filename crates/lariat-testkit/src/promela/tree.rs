//! Programs as trees of text, with enough structure to print them and to cut parts off.
//!
//! The generator builds such a tree and the minimiser removes parts of it. The minimiser need not know Promela: a
//! part whose removal makes the program invalid is restored.

/// How a node is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Just its text: a simple statement or a declaration.
    Leaf,
    /// Its text, `{`, the children as statements, `}`: a proctype, `atomic`, a block.
    Braces,
    /// Its text (`if` or `do`), the options, `fi` or `od`.
    Selection,
    /// `::` and the children as statements.
    Choice,
    /// Two nodes with braces and `unless` between them.
    Unless,
    /// Its text, then the children as they are: declarations of the whole program.
    Root,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How it is printed.
    pub shape: Shape,
    /// A label before it.
    pub label: Option<String>,
    /// Its own text.
    pub text: String,
    /// What is in it.
    pub children: Vec<Node>,
}

impl Node {
    /// A node without children.
    pub fn leaf(text: impl Into<String>) -> Node {
        Node {
            shape: Shape::Leaf,
            label: None,
            text: text.into(),
            children: Vec::new(),
        }
    }

    /// A node with children.
    pub fn new(shape: Shape, text: impl Into<String>, children: Vec<Node>) -> Node {
        Node {
            shape,
            label: None,
            text: text.into(),
            children,
        }
    }

    /// The program text.
    pub fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        if let Some(label) = &self.label {
            out.push_str(label);
            out.push_str(": ");
        }
        out.push_str(&self.text);
        match self.shape {
            Shape::Leaf => {}
            Shape::Braces => {
                out.push_str(if self.text.is_empty() { "{" } else { " {" });
                write_statements(&self.children, out, depth + 1);
                new_line(out, depth);
                out.push('}');
            }
            Shape::Selection => {
                for choice in &self.children {
                    new_line(out, depth);
                    choice.write(out, depth);
                }
                new_line(out, depth);
                out.push_str(if self.text == "do" { "od" } else { "fi" });
            }
            Shape::Choice => {
                out.push_str("::");
                write_statements(&self.children, out, depth + 1);
            }
            Shape::Unless => {
                for (index, child) in self.children.iter().enumerate() {
                    if index > 0 {
                        out.push_str(" unless ");
                    }
                    child.write(out, depth);
                }
            }
            Shape::Root => {
                for child in &self.children {
                    child.write(out, depth);
                    new_line(out, depth);
                }
            }
        }
    }

    /// The number of nodes below and including this one.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Node::size).sum::<usize>()
    }

    /// The node at a path of child positions.
    fn at(&mut self, path: &[usize]) -> Option<&mut Node> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => self.children.get_mut(*first)?.at(rest),
        }
    }

    /// All smaller trees after one cut, larger cuts first.
    pub fn cuts(&self) -> Vec<Node> {
        let mut paths = Vec::new();
        collect_paths(self, &mut Vec::new(), &mut paths);
        paths.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        let mut cuts = Vec::new();
        for (path, _) in &paths {
            let mut tree = self.clone();
            let Some((&last, parent_path)) = path.split_last() else {
                continue;
            };
            let Some(parent) = tree.at(parent_path) else {
                continue;
            };
            for replacement in parent.children[last].replacements(parent_path.is_empty()) {
                let mut cut = self.clone();
                if let Some(parent) = cut.at(parent_path) {
                    parent.children.splice(last..=last, replacement);
                    cuts.push(cut);
                }
            }
        }
        cuts
    }

    /// The replacements of this node: nothing, the statements in it, or itself without its label.
    fn replacements(&self, top_level: bool) -> Vec<Vec<Node>> {
        let mut all = vec![Vec::new()];
        let bodies: Vec<&Vec<Node>> = match self.shape {
            Shape::Braces if !top_level => vec![&self.children],
            Shape::Selection | Shape::Unless => self.children.iter().map(|c| &c.children).collect(),
            _ => Vec::new(),
        };
        all.extend(bodies.into_iter().filter(|body| !body.is_empty()).cloned());
        if self.label.is_some() {
            all.push(vec![Node {
                label: None,
                ..self.clone()
            }]);
        }
        all
    }
}

fn collect_paths(node: &Node, path: &mut Vec<usize>, paths: &mut Vec<(Vec<usize>, usize)>) {
    for (index, child) in node.children.iter().enumerate() {
        path.push(index);
        paths.push((path.clone(), child.size()));
        collect_paths(child, path, paths);
        path.pop();
    }
}

/// Statements with separators between them; a program without statements is invalid, so `skip` is printed.
fn write_statements(statements: &[Node], out: &mut String, depth: usize) {
    let choice = out.ends_with("::");
    for (index, statement) in statements.iter().enumerate() {
        if index > 0 {
            out.push_str(if choice && index == 1 { " ->" } else { ";" });
        }
        if choice && index == 0 {
            out.push(' ')
        } else {
            new_line(out, depth)
        }
        statement.write(out, depth);
    }
    if statements.is_empty() {
        out.push_str(" skip");
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Node {
        let choice = |guard: &str| {
            Node::new(
                Shape::Choice,
                "",
                vec![Node::leaf(guard), Node::leaf("x = 1")],
            )
        };
        let select = Node::new(
            Shape::Selection,
            "if",
            vec![choice("x == 0"), choice("else")],
        );
        let body = vec![Node::leaf("x = 2"), select];
        let process = Node::new(Shape::Braces, "active proctype P()", body);
        Node::new(Shape::Root, "", vec![Node::leaf("byte x;"), process])
    }

    #[test]
    fn printing() {
        let text = "byte x;\nactive proctype P() {\n  x = 2;\n  if\n  :: x == 0 ->\n    x = 1\n  :: else ->\n    x = 1\n  fi\n}\n\n";
        assert_eq!(program().print(), text);
    }

    #[test]
    fn empty_bodies_get_a_statement() {
        assert_eq!(
            Node::new(Shape::Braces, "init", vec![]).print(),
            "init { skip\n}\n"
        );
    }

    #[test]
    fn cuts_are_smaller_and_reach_everything() {
        let program = program();
        let cuts = program.cuts();
        assert!(cuts.iter().all(|cut| cut.size() < program.size()));
        assert!(cuts[0].size() == 2, "the largest cut comes first");
        assert!(cuts.iter().any(|cut| !cut.print().contains("x = 2")));
        assert!(
            cuts.iter()
                .any(|cut| !cut.print().contains("if") && cut.print().contains("x == 0;"))
        );
    }
}
