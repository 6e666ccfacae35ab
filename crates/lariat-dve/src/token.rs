//! The tokens of DVE.

use lariat_ir::source::Span;

/// A token. Its text is found in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name.
    Name,
    /// A number.
    Number,
    /// A reserved word.
    Keyword(Keyword),
    /// An operator, a bracket or a separator.
    Punct(Punct),
    /// Behind the last token.
    Eof,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// Reserved words.
    Keyword {
        Accept = "accept",
        And = "and",
        Assert = "assert",
        Async = "async",
        Byte = "byte",
        Channel = "channel",
        Commit = "commit",
        Const = "const",
        Effect = "effect",
        False = "false",
        Guard = "guard",
        Imply = "imply",
        Init = "init",
        Int = "int",
        Not = "not",
        Or = "or",
        Process = "process",
        Property = "property",
        State = "state",
        Sync = "sync",
        System = "system",
        Trans = "trans",
        True = "true",
    }
}

words! {
    /// Operators, brackets and separators. A longer one stands before those that it begins with.
    Punct {
        Arrow = "->",
        FatArrow = "=>",
        Equal = "==",
        NotEqual = "!=",
        LessEqual = "<=",
        GreaterEqual = ">=",
        ShiftLeft = "<<",
        ShiftRight = ">>",
        AndAnd = "&&",
        OrOr = "||",
        Assign = "=",
        Bang = "!",
        Question = "?",
        Less = "<",
        Greater = ">",
        And = "&",
        Or = "|",
        Caret = "^",
        Tilde = "~",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        Dot = ".",
        Comma = ",",
        Colon = ":",
        Semi = ";",
        LParen = "(",
        RParen = ")",
        LBracket = "[",
        RBracket = "]",
        LBrace = "{",
        RBrace = "}",
    }
}

impl Keyword {
    /// The keyword that is written so.
    pub fn find(word: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|k| k.text() == word)
    }
}

impl Punct {
    /// The longest one that a text begins with.
    pub fn find(text: &[u8]) -> Option<Punct> {
        let mut all = Punct::ALL.iter().copied();
        all.find(|p| text.starts_with(p.text().as_bytes()))
    }
}

/// A text that fits into a message.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
