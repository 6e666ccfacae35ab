//! Which local variables a statement can see.
//!
//! A scope is a persistent list: declaring a variable gives a new scope and leaves the old one as
//! it is, so that every statement can keep the scope it stands in.

use std::rc::Rc;

/// The local variables that are visible at some point of the text.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    block: u32,
    newest: Option<Rc<Declared>>,
}

#[derive(Debug)]
struct Declared {
    name: String,
    variable: usize,
    block: u32,
    before: Option<Rc<Declared>>,
}

impl Scope {
    /// The scope at the beginning of a block inside this one.
    pub fn open_block(&self, block: u32) -> Scope {
        Scope {
            block,
            newest: self.newest.clone(),
        }
    }

    /// The scope behind the declaration of a variable.
    pub fn declare(&self, name: &str, variable: usize) -> Scope {
        Scope {
            block: self.block,
            newest: Some(Rc::new(Declared {
                name: name.to_string(),
                variable,
                block: self.block,
                before: self.newest.clone(),
            })),
        }
    }

    /// The variable that a name means.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.iter().find(|d| d.name == name).map(|d| d.variable)
    }

    /// The variable with this name that was declared in the innermost block.
    pub fn find_in_block(&self, name: &str) -> Option<usize> {
        self.iter()
            .find(|d| d.name == name && d.block == self.block)
            .map(|d| d.variable)
    }

    /// The names that can be seen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|d| d.name.as_str())
    }

    fn iter(&self) -> impl Iterator<Item = &Declared> {
        std::iter::successors(self.newest.as_deref(), |d| d.before.as_deref())
    }
}

impl Drop for Declared {
    /// Takes the list apart link by link: a long one must not exhaust the stack.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut declared) = next.and_then(Rc::into_inner) {
            next = declared.before.take();
        }
    }
}
