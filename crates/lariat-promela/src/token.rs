//! Tokens, and the table of names that they refer to.
//!
//! The preprocessor and the parser share one kind of token, small enough to be copied. Names,
//! numbers and strings are kept once, in an [`Interner`]; keywords are the first entries of every
//! interner, so that a name is a keyword exactly if its [`Symbol`] is small. Whether a word is a
//! keyword is asked only by the parser: a macro may be called `skip`.

use std::collections::HashMap;
use std::sync::Arc;

use lariat_ir::source::Span;

/// An entry of an [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The keyword of this spelling, if it is one.
    pub fn keyword(self) -> Option<Keyword> {
        Keyword::ALL.get(self.0 as usize).copied()
    }

    /// A dense index, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All spellings of a model, each stored once.
#[derive(Clone, Debug)]
pub struct Interner {
    texts: Vec<Arc<str>>,
    symbols: HashMap<Arc<str>, Symbol>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner {
            texts: Vec::new(),
            symbols: HashMap::new(),
        };
        for keyword in Keyword::ALL {
            interner.intern(keyword.text());
        }
        interner
    }
}

impl Interner {
    /// The symbol of a spelling.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = Arc::from(text);
        self.texts.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The spelling of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.index()).map_or("", |t| t)
    }
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands; for the product of a macro, where the macro was called.
    pub span: Span,
    /// A line of the text ended before it. Newlines inside a macro call do not count.
    pub newline: bool,
    /// White space stood before it.
    pub space: bool,
    /// A name that must never be expanded again: it was met inside its own macro.
    pub painted: bool,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Ident(Symbol),
    /// Digits and what sticks to them, not yet checked.
    Number(Symbol),
    /// A character constant: the text between the quotes.
    Char(Symbol),
    /// A string: the text between the quotes.
    Str(Symbol),
    /// An operator or a bracket.
    Punct(Punct),
    /// The end of the input.
    Eof,
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

spelled! {
    /// The reserved words of Promela. `in` and the words of temporal logic are names like any
    /// other, except where they are expected.
    Keyword {
        Active "active" Assert "assert" Atomic "atomic" Bit "bit" Bool "bool" Break "break"
        Byte "byte" CCode "c_code" CDecl "c_decl" CExpr "c_expr" CState "c_state"
        CTrack "c_track" DProctype "D_proctype" Do "do" Chan "chan" Else "else" Empty "empty"
        Enabled "enabled" Eval "eval" False "false" Fi "fi" For "for" Full "full"
        GetPriority "get_priority" Goto "goto" Hidden "hidden" If "if" Init "init"
        Inline "inline" Int "int" Len "len" Local "local" Ltl "ltl" Mtype "mtype"
        Nempty "nempty" Never "never" Nfull "nfull" Notrace "notrace" Np "np_" Od "od" Of "of"
        PcValue "pc_value" Pid "pid" Printf "printf" Printm "printm" Priority "priority"
        Proctype "proctype" Provided "provided" Return "return" Run "run" DStep "d_step"
        Select "select" SetPriority "set_priority" Short "short" Skip "skip" Timeout "timeout"
        Trace "trace" True "true" Show "show" Typedef "typedef" Unless "unless"
        Unsigned "unsigned" Xr "xr" Xs "xs"
    }
}

spelled! {
    /// Operators and brackets.
    Punct {
        LParen "(" RParen ")" LBrace "{" RBrace "}" LBracket "[" RBracket "]"
        Semi ";" Comma "," Colon ":" ColonColon "::" Dot "." DotDot ".." Arrow "->" At "@"
        Assign "=" Eq "==" Ne "!=" Lt "<" Le "<=" Gt ">" Ge ">=" Shl "<<" Shr ">>"
        Plus "+" PlusPlus "++" Minus "-" MinusMinus "--" Star "*" Slash "/" Percent "%"
        And "&" AndAnd "&&" Or "|" OrOr "||" Caret "^" Tilde "~"
        Bang "!" BangBang "!!" Question "?" QuestionQuestion "??" Hash "#" HashHash "##"
    }
}

impl Token {
    /// The keyword, if it is one.
    pub fn keyword(&self) -> Option<Keyword> {
        match self.kind {
            TokenKind::Ident(symbol) => symbol.keyword(),
            _ => None,
        }
    }

    /// Whether it is this operator or bracket.
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    /// The token as the user would write it.
    pub fn text(&self, names: &Interner) -> String {
        match self.kind {
            TokenKind::Ident(s) | TokenKind::Number(s) => names.text(s).to_string(),
            TokenKind::Char(s) => format!("'{}'", names.text(s)),
            TokenKind::Str(s) => format!("\"{}\"", names.text(s)),
            TokenKind::Punct(p) => p.text().to_string(),
            TokenKind::Eof => String::new(),
        }
    }

    /// The token as diagnostics name it.
    pub fn describe(&self, names: &Interner) -> String {
        match self.kind {
            TokenKind::Eof => "the end of the file".to_string(),
            TokenKind::Str(_) => "a string".to_string(),
            _ => format!("`{}`", shorten(&self.text(names))),
        }
    }
}

/// At most forty characters of a text.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
