//! The preprocessor: files and directives.
//!
//! SPIN hands its input to a C preprocessor before it reads it, and models rely on that. Ours
//! works on tokens and needs no other program. This file opens files and obeys directives;
//! `expand.rs` replaces macros; `condition.rs` evaluates `#if`.
//!
//! Nothing here can be made to run for long: every step is counted as work, and when
//! [`Limits::work`] is used up one diagnostic ends the preprocessing. This bounds macros that
//! double their text, files that include themselves twice, and the like.

mod condition;
mod expand;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::{ExpansionId, FileId, SourceMap, Span};

use crate::lexer::Lexer;
use crate::token::{Interner, Punct, Symbol, Token, TokenKind, shorten};
use lariat_ir::diagnostic::Sink;

use expand::Expander;
pub(crate) use expand::count;

/// Where `#include` finds its files.
pub trait Loader {
    /// The content of a file.
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// Reads from the disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskLoader;

impl Loader for DiskLoader {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        lariat_front::read_file(path)
    }
}

impl<F: Fn(&Path) -> std::io::Result<Vec<u8>>> Loader for F {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self(path)
    }
}

/// An option of the command line that changes the table of macros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// `-D NAME` or `-D NAME=VALUE`, without the `-D`; `NAME(a,b)=VALUE` works as well.
    Define(String),
    /// `-U NAME`, without the `-U`.
    Undef(String),
}

/// Bounds on what a model may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Tokens that reach the parser.
    pub tokens: usize,
    /// Steps of the preprocessor, roughly tokens moved.
    pub work: u64,
    /// Files that are open at the same time.
    pub include_depth: usize,
}

impl Limits {
    /// What a token of a model takes at most, in bytes: the token, its part of the syntax tree and of the model. Measured with
    /// models of short statements.
    const BYTES_PER_TOKEN: u64 = 1200;
    /// So many tokens are allowed in any case.
    const LEAST_TOKENS: u64 = 25_000;

    /// The limits for a model that may take so much memory.
    pub fn within(memory: Option<u64>) -> Self {
        let limits = Limits::default();
        let affordable = memory.map_or(u64::MAX, |memory| memory / Self::BYTES_PER_TOKEN);
        let affordable = affordable.max(Self::LEAST_TOKENS);
        Limits {
            tokens: limits.tokens.min(affordable as usize),
            ..limits
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tokens: 8_000_000,
            work: 16_000_000,
            include_depth: 200,
        }
    }
}

/// What helps if the limit on tokens comes from the memory.
pub(crate) const NO_MEMORY: &str =
    "that is what there is memory for; a larger --memory allows more";

/// The parameters of a function-like macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    names: Vec<Symbol>,
    /// The last of the names takes all further arguments.
    variadic: bool,
}

/// What a macro stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// Tokens, each with the number of the parameter that it names.
    Text(Arc<[(Token, Option<usize>)]>),
    /// `__FILE__`
    File,
    /// `__LINE__`
    Line,
}

/// A macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    params: Option<Params>,
    meaning: Meaning,
    span: Span,
}

/// The macros that are defined at some point of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Macros {
    pub(crate) table: HashMap<Symbol, Macro>,
}

/// One `#if` and what has been seen of it.
struct Conditional {
    span: Span,
    /// A group has been taken already, or none may be.
    done: bool,
    seen_else: bool,
}

struct OpenFile {
    lexer: Lexer,
    path: PathBuf,
    /// The number of conditionals that were open when the file was entered.
    conditionals: usize,
}

/// The open files, the macros, and everything that directives need.
pub(crate) struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    pub(crate) names: Interner,
    pub(crate) macros: Macros,
    sink: &'a mut Sink,
    loader: &'a dyn Loader,
    include_dirs: &'a [PathBuf],
    limits: Limits,
    work: u64,
    files: Vec<OpenFile>,
    /// The open conditionals of all open files.
    conditionals: Vec<Conditional>,
    /// Files that have been read, so that a second inclusion needs neither disk nor memory.
    cache: HashMap<PathBuf, (FileId, Arc<str>)>,
    expander: Expander,
}

impl<'a> Preprocessor<'a> {
    pub(crate) fn new(
        sources: &'a mut SourceMap,
        names: Interner,
        macros: Macros,
        sink: &'a mut Sink,
        loader: &'a dyn Loader,
        include_dirs: &'a [PathBuf],
        limits: Limits,
    ) -> Self {
        let mut this = Preprocessor {
            sources,
            names,
            macros,
            sink,
            loader,
            include_dirs,
            limits,
            work: 0,
            files: Vec::new(),
            conditionals: Vec::new(),
            cache: HashMap::new(),
            expander: Expander::default(),
        };
        for (name, meaning) in [("__FILE__", Meaning::File), ("__LINE__", Meaning::Line)] {
            let name = this.names.intern(name);
            let builtin = Macro {
                params: None,
                meaning,
                span: Span::default(),
            };
            this.macros.table.insert(name, builtin);
        }
        this
    }

    /// Obeys `-D` and `-U`.
    pub(crate) fn command_line(&mut self, defines: &[Define]) {
        for define in defines {
            let line = match define {
                Define::Define(text) => match text.split_once('=') {
                    Some((name, value)) => format!("#define {name} {value}"),
                    None => format!("#define {text} 1"),
                },
                Define::Undef(name) => format!("#undef {name}"),
            };
            let file = self.sources.add("<command line>", line.as_str());
            self.run_file(file, Arc::from(line), PathBuf::new());
        }
    }

    /// Preprocesses a file; the result ends with an end-of-file token.
    pub(crate) fn run_file(&mut self, file: FileId, text: Arc<str>, path: PathBuf) -> Vec<Token> {
        self.files.push(OpenFile {
            lexer: Lexer::new(file, text),
            path,
            conditionals: self.conditionals.len(),
        });
        let mut tokens = Vec::new();
        loop {
            let token = self.next_expanded(0);
            if tokens.len() >= self.limits.tokens && token.kind != TokenKind::Eof {
                let message = format!(
                    "the model has more than {} tokens after preprocessing",
                    self.limits.tokens
                );
                let diagnostic = Diagnostic::error(token.span, message);
                self.sink
                    .fatal(match self.limits.tokens < Limits::default().tokens {
                        true => diagnostic.help(NO_MEMORY),
                        false => diagnostic,
                    });
            }
            let end = token.kind == TokenKind::Eof || self.sink.stopped;
            tokens.push(Token {
                kind: if end { TokenKind::Eof } else { token.kind },
                ..token
            });
            if end {
                self.files.clear();
                self.conditionals.clear();
                return tokens;
            }
        }
    }

    /// Counts work, and ends everything when there was too much of it.
    fn spend(&mut self, amount: u64, span: Span) {
        self.work += amount;
        if self.work > self.limits.work && !self.sink.stopped {
            self.sink.fatal(
                Diagnostic::error(span, "the model is too large after preprocessing")
                    .help("look for macros or includes that multiply their text"),
            );
        }
    }

    /// The next token of the open files, after obeying any directives before it.
    fn file_token(&mut self) -> Token {
        loop {
            let Some(open) = self.files.last_mut() else {
                return Token {
                    kind: TokenKind::Eof,
                    span: Span::default(),
                    newline: true,
                    space: true,
                    painted: false,
                };
            };
            let token = open.lexer.next(&mut self.names, self.sink);
            if token.kind == TokenKind::Eof {
                if let Some(span) = self.innermost().map(|c| c.span) {
                    let message = "this conditional is never closed";
                    self.sink.fatal(
                        Diagnostic::error(span, message)
                            .label("opened here")
                            .help("add `#endif`"),
                    );
                }
                if self.files.len() == 1 || self.sink.stopped {
                    return token;
                }
                self.files.pop();
                continue;
            }
            if token.newline && token.is(Punct::Hash) {
                self.directive(token);
                continue;
            }
            return token;
        }
    }

    /// The next token of the directive's line.
    fn line_token(&mut self) -> Option<Token> {
        let open = self.files.last_mut()?;
        open.lexer.next_on_line(&mut self.names, self.sink)
    }

    /// All further tokens of the directive's line.
    fn line_tokens(&mut self) -> Vec<Token> {
        std::iter::from_fn(|| self.line_token()).collect()
    }

    fn skip_line(&mut self) {
        if let Some(open) = self.files.last_mut() {
            open.lexer.skip_line(&mut self.names, self.sink);
        }
    }

    /// Obeys one directive; the lexer stands behind the `#`.
    fn directive(&mut self, hash: Token) {
        self.spend(4, hash.span);
        let Some(word) = self.line_token() else {
            return;
        };
        let TokenKind::Ident(symbol) = word.kind else {
            if !matches!(word.kind, TokenKind::Number(_)) {
                let found = word.describe(&self.names);
                let message = format!("expected a directive behind `#`, found {found}");
                self.sink.report(Diagnostic::error(word.span, message));
            }
            // `# 12 "file"` is left behind by other preprocessors.
            self.skip_line();
            return;
        };
        let span = hash.span.to(word.span);
        match self.names.text(symbol) {
            "define" => self.define(span),
            "undef" => {
                if let Some(name) = self.macro_name(span) {
                    self.macros.table.remove(&name);
                }
                self.end_of_directive("undef");
            }
            "include" => self.include(span),
            kind @ ("ifdef" | "ifndef") => {
                let wanted = kind == "ifdef";
                let name = self.macro_name(span);
                self.end_of_directive(if wanted { "ifdef" } else { "ifndef" });
                let holds = name.is_some_and(|n| self.macros.table.contains_key(&n) == wanted);
                self.open_conditional(span, holds);
            }
            "if" => {
                let holds = self.condition(span);
                self.open_conditional(span, holds);
            }
            kind @ ("elif" | "else") => {
                let is_else = kind == "else";
                // The group before this was taken, so this one is not.
                self.skip_line();
                match self.innermost() {
                    Some(conditional) => {
                        if conditional.seen_else {
                            self.after_else(span);
                        } else {
                            conditional.seen_else = is_else;
                            conditional.done = true;
                            self.skip_group();
                        }
                    }
                    None => self.without_if(span, if is_else { "else" } else { "elif" }),
                }
            }
            "endif" => {
                self.end_of_directive("endif");
                if self.innermost().is_some() {
                    self.conditionals.pop();
                } else {
                    self.without_if(span, "endif");
                }
            }
            kind @ ("error" | "warning") => {
                let is_error = kind == "error";
                let text = self
                    .files
                    .last_mut()
                    .map_or(String::new(), |f| f.lexer.rest_of_line());
                if is_error {
                    let message = format!("the model says: {text}");
                    self.sink.fatal(Diagnostic::error(span, message));
                } else {
                    let message = format!("the model says: {text}");
                    self.sink.report(Diagnostic::warning(span, message));
                }
            }
            "line" | "pragma" | "ident" => self.skip_line(),
            other => {
                const KNOWN: [&str; 14] = [
                    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif",
                    "error", "warning", "line", "pragma", "ident",
                ];
                let mut diagnostic = Diagnostic::error(
                    word.span,
                    format!("unknown directive `#{}`", shorten(other)),
                );
                if other.len() <= 64
                    && let Some(near) = did_you_mean(other, KNOWN)
                {
                    diagnostic = diagnostic.help(format!("did you mean `#{near}`?"));
                }
                self.sink.report(diagnostic);
                self.skip_line();
            }
        }
    }

    /// The name that must follow a directive.
    fn macro_name(&mut self, directive: Span) -> Option<Symbol> {
        let token = self.line_token();
        match token.map(|t| t.kind) {
            Some(TokenKind::Ident(name)) if self.names.text(name) != "defined" => Some(name),
            _ => {
                let found = token.map_or("the end of the line".to_string(), |t| {
                    t.describe(&self.names)
                });
                let span = token.map_or(directive, |t| t.span);
                let message = format!("expected the name of a macro, found {found}");
                self.sink.report(Diagnostic::error(span, message));
                self.skip_line();
                None
            }
        }
    }

    /// Warns of further tokens on the line.
    fn end_of_directive(&mut self, directive: &str) {
        if let Some(token) = self.line_token() {
            let found = token.describe(&self.names);
            let message = format!("{found} behind `#{directive}` has no meaning");
            self.sink.report(Diagnostic::warning(token.span, message));
            self.skip_line();
        }
    }

    fn define(&mut self, directive: Span) {
        let Some(name) = self.macro_name(directive) else {
            return;
        };
        let mut tokens = self.line_tokens();
        self.spend(tokens.len() as u64, directive);
        let called = tokens
            .first()
            .is_some_and(|t| t.is(Punct::LParen) && !t.space);
        let params = if called {
            match self.define_params(&tokens) {
                Ok((params, used)) => {
                    tokens.drain(..used);
                    Some(params)
                }
                Err(diagnostic) => {
                    self.sink.report(diagnostic);
                    return;
                }
            }
        } else {
            None
        };
        for end in [tokens.first(), tokens.last()].into_iter().flatten() {
            if end.is(Punct::HashHash) {
                let message = "`##` cannot stand at an end of a macro";
                self.sink.report(Diagnostic::error(end.span, message));
                return;
            }
        }
        let body: Arc<[(Token, Option<usize>)]> = tokens
            .into_iter()
            .map(|token| {
                let param = match (&params, token.kind) {
                    (Some(params), TokenKind::Ident(s)) => {
                        params.names.iter().position(|p| *p == s)
                    }
                    _ => None,
                };
                (token, param)
            })
            .collect();
        let new = Macro {
            params,
            meaning: Meaning::Text(body),
            span: directive,
        };
        if let Some(old) = self.macros.table.get(&name)
            && !same_macro(old, &new)
        {
            let message = format!("macro `{}` is redefined", self.names.text(name));
            self.sink.report(
                Diagnostic::warning(directive, message)
                    .related(old.span, "it was defined here before"),
            );
        }
        self.macros.table.insert(name, new);
    }

    /// The parameters at the start of a definition, and the number of tokens they take.
    fn define_params(&mut self, tokens: &[Token]) -> Result<(Params, usize), Diagnostic> {
        let va_args = self.names.intern("__VA_ARGS__");
        let mut names: Vec<Symbol> = Vec::new();
        let mut variadic = false;
        let mut at = 1;
        let mut span = tokens.first().map_or(Span::default(), |t| t.span);
        let wrong = |span: Span, expected: &str| {
            Diagnostic::error(
                span,
                format!("expected {expected} in the list of parameters"),
            )
        };
        if tokens.get(at).is_some_and(|t| t.is(Punct::RParen)) {
            return Ok((Params { names, variadic }, at + 1));
        }
        loop {
            let token = tokens.get(at).copied();
            span = token.map_or(span, |t| t.span);
            match token.map(|t| t.kind) {
                Some(TokenKind::Ident(name)) => {
                    if names.contains(&name) {
                        let message = format!("parameter `{}` occurs twice", self.names.text(name));
                        return Err(Diagnostic::error(span, message));
                    }
                    names.push(name);
                    at += 1;
                }
                Some(TokenKind::Punct(Punct::DotDot)) => names.push(va_args),
                _ => return Err(wrong(span, "a name")),
            }
            if tokens.get(at).is_some_and(|t| t.is(Punct::DotDot))
                && tokens.get(at + 1).is_some_and(|t| t.is(Punct::Dot))
            {
                variadic = true;
                at += 2;
            }
            let token = tokens.get(at).copied();
            span = token.map_or(span, |t| t.span);
            match token.map(|t| t.kind) {
                Some(TokenKind::Punct(Punct::RParen)) => {
                    return Ok((Params { names, variadic }, at + 1));
                }
                Some(TokenKind::Punct(Punct::Comma)) if !variadic => at += 1,
                _ => return Err(wrong(span, "`,` or `)`")),
            }
        }
    }

    /// The innermost conditional that was opened in the current file.
    fn innermost(&mut self) -> Option<&mut Conditional> {
        let outer = self.files.last()?.conditionals;
        self.conditionals.get_mut(outer..)?.last_mut()
    }

    fn without_if(&mut self, span: Span, directive: &str) {
        let message = format!("`#{directive}` without `#if`");
        self.sink.report(Diagnostic::error(span, message));
    }

    fn after_else(&mut self, span: Span) {
        let message = "this conditional already had its `#else`";
        self.sink.report(Diagnostic::error(span, message));
    }

    fn open_conditional(&mut self, span: Span, holds: bool) {
        self.conditionals.push(Conditional {
            span,
            done: holds,
            seen_else: false,
        });
        if !holds {
            self.skip_group();
        }
    }

    /// Passes over text until a group of the innermost conditional is taken, or it ends.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        while let Some(open) = self.files.last_mut() {
            open.lexer.quiet = true;
            let token = open.lexer.next(&mut self.names, self.sink);
            if token.kind == TokenKind::Eof {
                open.lexer.quiet = false;
                return;
            }
            if !(token.newline && token.is(Punct::Hash)) {
                continue;
            }
            let Some(word) = open.lexer.next_on_line(&mut self.names, self.sink) else {
                continue;
            };
            open.lexer.quiet = false;
            let TokenKind::Ident(symbol) = word.kind else {
                continue;
            };
            let span = token.span.to(word.span);
            match self.names.text(symbol) {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.end_of_directive("endif");
                    self.conditionals.pop();
                    return;
                }
                kind @ ("elif" | "else") if depth == 0 => {
                    let is_else = kind == "else";
                    let state = self.innermost();
                    let (done, seen_else) = state.map_or((true, true), |c| (c.done, c.seen_else));
                    if seen_else {
                        self.skip_line();
                        self.after_else(span);
                        continue;
                    }
                    let holds = if done {
                        self.skip_line();
                        false
                    } else if is_else {
                        self.end_of_directive("else");
                        true
                    } else {
                        self.condition(span)
                    };
                    if let Some(conditional) = self.innermost() {
                        conditional.seen_else = is_else;
                        conditional.done |= holds;
                    }
                    if holds {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn include(&mut self, directive: Span) {
        let Some((name, span)) = self.include_name(directive) else {
            return;
        };
        if self.files.len() >= self.limits.include_depth {
            self.include_too_deep(span, &name);
            return;
        }
        let mut candidates: Vec<PathBuf> = Vec::new();
        if let Some(open) = self.files.last() {
            candidates.push(open.path.with_file_name("").join(&name));
        }
        candidates.extend(self.include_dirs.iter().map(|d| d.join(&name)));
        let mut failure = None;
        for path in &candidates {
            if let Some((file, text)) = self.cache.get(path).cloned() {
                self.enter(file, text, path.clone(), span);
                return;
            }
            match self.loader.load(path) {
                Ok(bytes) => {
                    let text = lariat_front::decode(bytes);
                    if text.len() >= u32::MAX as usize {
                        let message = format!("file `{name}` is too large");
                        self.sink.fatal(Diagnostic::error(span, message));
                        return;
                    }
                    let file = self.sources.add(path.to_string_lossy(), text.as_str());
                    let text: Arc<str> = Arc::from(text);
                    self.cache.insert(path.clone(), (file, text.clone()));
                    self.enter(file, text, path.clone(), span);
                    return;
                }
                Err(error) => {
                    if error.kind() != std::io::ErrorKind::NotFound {
                        failure = Some(error);
                    }
                }
            }
        }
        let diagnostic = match failure {
            Some(error) => {
                Diagnostic::error(span, format!("cannot read the file `{name}`: {error}"))
            }
            None => Diagnostic::error(span, format!("there is no file `{name}`")),
        };
        let tried: Vec<String> = candidates
            .iter()
            .map(|p| format!("`{}`", p.display()))
            .collect();
        self.sink.fatal(diagnostic.help(format!(
            "tried {}; add directories with -I",
            tried.join(", ")
        )));
    }

    fn enter(&mut self, file: FileId, text: Arc<str>, path: PathBuf, span: Span) {
        self.spend(100 + text.len() as u64 / 8, span);
        self.files.push(OpenFile {
            lexer: Lexer::new(file, text),
            path,
            conditionals: self.conditionals.len(),
        });
    }

    /// The file name of an `#include`, which may also come from a macro.
    fn include_name(&mut self, directive: Span) -> Option<(String, Span)> {
        let wrong = |this: &mut Self, span: Span, found: String| {
            let message = format!("expected a file name in quotes, found {found}");
            this.sink.fatal(Diagnostic::error(span, message));
            None
        };
        let Some(token) = self.line_token() else {
            return wrong(self, directive, "the end of the line".to_string());
        };
        match token.kind {
            TokenKind::Str(name) => {
                self.end_of_directive("include");
                Some((self.names.text(name).to_string(), token.span))
            }
            TokenKind::Punct(Punct::Lt) => {
                let name = self.files.last_mut().and_then(|f| f.lexer.until_angle());
                self.end_of_directive("include");
                match name {
                    Some(name) => Some((name, token.span)),
                    None => wrong(self, token.span, "`<` without `>`".to_string()),
                }
            }
            _ => {
                let mut line = vec![token];
                line.extend(self.line_tokens());
                let expanded = self.expand_list(line);
                match expanded.split_first() {
                    Some((first, rest)) => match first.kind {
                        TokenKind::Str(name) if rest.is_empty() => {
                            Some((self.names.text(name).to_string(), token.span))
                        }
                        TokenKind::Punct(Punct::Lt)
                            if rest.last().is_some_and(|t| t.is(Punct::Gt)) =>
                        {
                            let inner = &rest[..rest.len() - 1];
                            let name = inner.iter().map(|t| t.text(&self.names)).collect();
                            Some((name, token.span))
                        }
                        _ => wrong(self, token.span, first.describe(&self.names)),
                    },
                    None => wrong(self, token.span, "nothing".to_string()),
                }
            }
        }
    }

    /// Says which files include each other.
    fn include_too_deep(&mut self, span: Span, name: &str) {
        let paths: Vec<&PathBuf> = self.files.iter().map(|f| &f.path).collect();
        let mut chain: Vec<String> = Vec::new();
        if let Some(last) = paths.last() {
            let before = paths[..paths.len() - 1].iter().rposition(|p| p == last);
            let start = before.unwrap_or(paths.len().saturating_sub(5));
            chain.extend(paths[start..].iter().map(|p| p.display().to_string()));
        }
        chain.push(name.to_string());
        let depth = self.limits.include_depth;
        self.sink.fatal(
            Diagnostic::error(span, format!("includes are nested more than {depth} deep"))
                .help(format!("the chain ends with {}", chain.join(" -> "))),
        );
    }

    /// The location of a token, for `__FILE__` and `__LINE__`.
    fn location(&self, span: Span) -> (String, u32) {
        let location = self.sources.location(Span {
            expansion: ExpansionId::NONE,
            ..span
        });
        (location.file.to_string(), location.line)
    }
}

/// Whether two definitions say the same, so that the second one is harmless.
fn same_macro(a: &Macro, b: &Macro) -> bool {
    match (&a.meaning, &b.meaning) {
        (Meaning::Text(x), Meaning::Text(y)) => {
            a.params == b.params
                && x.len() == y.len()
                && x.iter().zip(y.iter()).all(|(x, y)| x.0.kind == y.0.kind)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
