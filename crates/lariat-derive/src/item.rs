//! The parts of a type definition that a derived implementation needs.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
use std::iter::Peekable;

type Tokens = Peekable<proc_macro::token_stream::IntoIter>;

/// A type definition.
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its generic parameters.
    pub parameters: Vec<Parameter>,
    /// The predicates of its `where` clause, without the keyword.
    pub predicates: String,
    /// What it is.
    pub body: Body,
}

/// A generic parameter.
pub struct Parameter {
    /// What stands in `impl<...>`: with bounds, without a default.
    pub declaration: String,
    /// What stands behind the name of the type.
    pub name: String,
    /// Whether it is a type.
    pub is_type: bool,
}

/// What a type is.
pub enum Body {
    /// A struct.
    Struct(Fields),
    /// An enum: its variants.
    Enum(Vec<(String, Fields)>),
}

/// The fields of a struct or of a variant.
pub enum Fields {
    /// None.
    Unit,
    /// This many, without names.
    Tuple(usize),
    /// These.
    Named(Vec<String>),
}

/// Reads a type definition.
pub fn parse(input: TokenStream) -> Result<Item, String> {
    let mut tokens = input.into_iter().peekable();
    skip_attributes_and_visibility(&mut tokens);
    let keyword = next_word(&mut tokens)?;
    let name = next_word(&mut tokens)?;
    let parameters = parse_parameters(&mut tokens);
    let mut predicates = parse_predicates(&mut tokens);
    let body = match keyword.as_str() {
        "struct" => Body::Struct(parse_struct_fields(&mut tokens)),
        "enum" => match tokens.next() {
            Some(TokenTree::Group(group)) => Body::Enum(parse_variants(&group)?),
            _ => return Err("expected the variants of the enum".into()),
        },
        _ => return Err("Encode can be derived for structs and enums only".into()),
    };
    if predicates.is_empty() {
        // A tuple struct has its `where` clause at the end.
        predicates = parse_predicates(&mut tokens);
    }
    Ok(Item {
        name,
        parameters,
        predicates,
        body,
    })
}

fn next_word(tokens: &mut Tokens) -> Result<String, String> {
    match tokens.next() {
        Some(TokenTree::Ident(word)) => Ok(word.to_string()),
        _ => Err("expected a struct or an enum".into()),
    }
}

fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

fn is_word(token: Option<&TokenTree>, text: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word.to_string() == text)
}

fn skip_attributes_and_visibility(tokens: &mut Tokens) {
    loop {
        if is_punct(tokens.peek(), '#') {
            tokens.next();
            tokens.next();
        } else if is_word(tokens.peek(), "pub") {
            tokens.next();
            let restricted = matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
            if restricted {
                tokens.next();
            }
        } else {
            return;
        }
    }
}

/// Takes tokens up to a comma or another end outside angle brackets, which is not taken.
fn take_until(tokens: &mut Tokens, is_end: impl Fn(&TokenTree) -> bool) -> Vec<TokenTree> {
    let mut taken = Vec::new();
    let mut depth = 0usize;
    let mut after_minus = false;
    while let Some(token) = tokens.peek() {
        if depth == 0 && is_end(token) {
            break;
        }
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if !after_minus => depth = depth.saturating_sub(1),
                _ => {}
            }
            after_minus = punct.as_char() == '-';
        } else {
            after_minus = false;
        }
        taken.extend(tokens.next());
    }
    taken
}

fn is_comma(token: &TokenTree) -> bool {
    is_punct(Some(token), ',')
}

fn text(tokens: &[TokenTree]) -> String {
    TokenStream::from_iter(tokens.iter().cloned()).to_string()
}

fn parse_parameters(tokens: &mut Tokens) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    if !is_punct(tokens.peek(), '<') {
        return parameters;
    }
    tokens.next();
    loop {
        let is_end = |token: &TokenTree| is_comma(token) || is_punct(Some(token), '>');
        let tokens_of_one = take_until(tokens, is_end);
        parameters.extend(parameter(&tokens_of_one));
        if !tokens.next().as_ref().is_some_and(is_comma) {
            return parameters;
        }
    }
}

fn parameter(tokens: &[TokenTree]) -> Option<Parameter> {
    // `=` stands in a default, and in a bound only inside angle brackets.
    let mut all = TokenStream::from_iter(tokens.iter().cloned())
        .into_iter()
        .peekable();
    let declaration = take_until(&mut all, |token| is_punct(Some(token), '='));
    let (name, is_type) = match tokens.first()? {
        TokenTree::Punct(_) => (text(tokens.get(..2)?), false),
        TokenTree::Ident(word) if word.to_string() == "const" => {
            (tokens.get(1)?.to_string(), false)
        }
        first => (first.to_string(), true),
    };
    Some(Parameter {
        declaration: text(&declaration),
        name,
        is_type,
    })
}

fn parse_predicates(tokens: &mut Tokens) -> String {
    if !is_word(tokens.peek(), "where") {
        return String::new();
    }
    tokens.next();
    let is_body = |token: &TokenTree| {
        is_punct(Some(token), ';')
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    text(&take_until(tokens, is_body))
}

fn parse_struct_fields(tokens: &mut Tokens) -> Fields {
    match tokens.peek() {
        Some(TokenTree::Group(group)) => {
            let fields = parse_fields(group);
            tokens.next();
            fields
        }
        _ => Fields::Unit,
    }
}

fn parse_fields(group: &Group) -> Fields {
    let mut tokens = group.stream().into_iter().peekable();
    let is_named = group.delimiter() == Delimiter::Brace;
    let (mut names, mut count) = (Vec::new(), 0);
    loop {
        skip_attributes_and_visibility(&mut tokens);
        if tokens.peek().is_none() {
            break;
        }
        if is_named && let Some(TokenTree::Ident(name)) = tokens.next() {
            names.push(name.to_string());
        }
        count += 1;
        take_until(&mut tokens, is_comma);
        tokens.next();
    }
    match is_named {
        true => Fields::Named(names),
        false => Fields::Tuple(count),
    }
}

fn parse_variants(group: &Group) -> Result<Vec<(String, Fields)>, String> {
    let mut tokens = group.stream().into_iter().peekable();
    let mut variants = Vec::new();
    loop {
        skip_attributes_and_visibility(&mut tokens);
        if tokens.peek().is_none() {
            return Ok(variants);
        }
        let name = next_word(&mut tokens)?;
        variants.push((name, parse_struct_fields(&mut tokens)));
        // A discriminant may follow.
        take_until(&mut tokens, is_comma);
        tokens.next();
    }
}
