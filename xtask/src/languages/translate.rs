//! Translates properties over propositions to formulas and conditions in the language of a model.
//!
//! In the pages of BEEM, names of propositions are written in lower case and temporal operators in upper case, and
//! they may be adjacent: `GFa`, `p1U(p1Uq)`. Propositions are expressions of DVE: `P.s` means that process `P` is in
//! the state `s`, and `P->v` is its variable `v`. In Promela, where states are labels, these are `P@s` and `P:v`. The
//! Promela versions have other names for those that contain a keyword of Promela.

use super::catalogue::Catalogue;

/// The languages that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Dve,
    Promela,
}

/// The replacements of keywords in names of the Promela versions.
const RENAMED: [(&str, &str); 2] = [("active", "actv"), ("chan", "chnl")];

/// Translates the formula of a property for an instance; the error names the part that cannot be translated.
pub fn formula(
    text: &str,
    catalogue: &Catalogue,
    instance: &str,
    language: Language,
) -> Result<String, String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let long = ["<->", "->", "&&", "||"];
        let length = match first {
            'a'..='z' | '_' => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            _ => {
                let operator = long.iter().find(|operator| rest.starts_with(**operator));
                operator.map_or(first.len_utf8(), |operator| operator.len())
            }
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        words.push(match word {
            "true" | "false" => word.to_owned(),
            _ if word.starts_with(is_name) && !word.starts_with(|c: char| c.is_ascii_digit()) => {
                let expression = catalogue.expression(word, instance)?;
                format!("({})", proposition(&expression, language)?)
            }
            "G" => "[]".into(),
            "F" => "<>".into(),
            "R" => "V".into(),
            "U" | "V" | "W" | "X" | "!" | "(" | ")" | "&&" | "||" | "->" | "<->" => word.into(),
            _ if first.is_whitespace() => continue,
            _ => return Err(format!("`{word}` in the formula `{text}`")),
        });
    }
    Ok(words.join(" "))
}

/// Letters of names of propositions.
fn is_name(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'
}

/// Translates a proposition, an expression of DVE, with operators that both languages have.
fn proposition(text: &str, language: Language) -> Result<String, String> {
    let tokens = tokens(text)?;
    if is_ambiguous(&tokens) {
        return Err(format!("`{text}` means different things in DVE and in C"));
    }
    let (location, variable) = match language {
        Language::Dve => (".", "->"),
        Language::Promela => ("@", ":"),
    };
    let mut translated = String::new();
    // The start of each open part, and the text at its end.
    let mut open = vec![(0, "")];
    for token in tokens {
        match token {
            "or" | "||" => translated.push_str(" || "),
            "and" | "&&" => translated.push_str(" && "),
            "not" => translated.push('!'),
            "." => translated.push_str(location),
            "->" => translated.push_str(variable),
            "imply" => {
                if let Some((start, end)) = open.last_mut() {
                    translated.insert_str(*start, "!(");
                    translated.push_str(") || (");
                    *end = ")";
                }
            }
            "(" | "[" => {
                translated.push_str(token);
                open.push((translated.len(), ""));
            }
            ")" | "]" => {
                translated.push_str(open.pop().map_or("", |(_, end)| end));
                translated.push_str(token);
            }
            _ => translated.push_str(&name(token, language)),
        }
    }
    translated.push_str(open.pop().map_or("", |(_, end)| end));
    Ok(translated)
}

/// A name in the syntax of a language; other tokens unchanged.
fn name(token: &str, language: Language) -> String {
    let renamed = RENAMED.iter().filter(|_| language == Language::Promela);
    renamed.fold(token.to_owned(), |name, (word, other)| {
        name.replace(word, other)
    })
}

/// Whether the reading depends on the precedence of `and`, `or` and `imply`, which is not that of C: the first two of
/// these have the same in DVE, and the third groups to the left.
fn is_ambiguous(tokens: &[&str]) -> bool {
    // The operators inside each open pair of parentheses.
    let mut open: Vec<Option<char>> = vec![None];
    for token in tokens {
        let kind = match *token {
            "(" | "[" => {
                open.push(None);
                continue;
            }
            ")" | "]" => {
                open.pop();
                continue;
            }
            "or" | "||" => '|',
            "and" | "&&" => '&',
            "imply" => '>',
            _ => continue,
        };
        match open.last_mut() {
            Some(before @ None) => *before = Some(kind),
            Some(Some(before)) if *before != kind || kind == '>' => return true,
            _ => {}
        }
    }
    false
}

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let long = ["->", "||", "&&", "==", "!=", "<=", ">="];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if let Some(operator) = long.iter().find(|operator| rest.starts_with(**operator)) {
            operator.len()
        } else if "()[]+-*/%<>!.".contains(first) {
            1
        } else {
            return Err(format!("`{first}` in the proposition `{text}`"));
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        let list = [
            ("p1", "p==1"),
            ("co", "cabin.open"),
            ("w", "P_0.wait or not P_0->v[2] > 1"),
            ("mixed", "a and b or c"),
            ("deep", "a and (b or c)"),
            ("chain", "a imply b imply c"),
            ("odd", "a ? b"),
            ("if", "(x==1 imply P.s) and y"),
            ("named", "channel_K.back_to_active"),
        ];
        let ap = |(name, expression): (&str, &str)| {
            let expression = expression.replace('>', "&gt;");
            format!("<ap><ap-name>{name}</ap-name><ap-expression>{expression}</ap-expression></ap>")
        };
        Catalogue::parse(&list.map(ap).concat())
    }

    #[test]
    fn both_languages() {
        let formula = |text, language| formula(text, &catalogue(), "1", language).unwrap();
        assert_eq!(
            formula("G(p1->(!p1U(p1U(p1&& co))))", Language::Dve),
            "[] ( (p==1) -> ( ! (p==1) U ( (p==1) U ( (p==1) && (cabin.open) ) ) ) )"
        );
        assert_eq!(
            formula("GFw", Language::Dve),
            "[] <> (P_0.wait || !P_0->v[2]>1)"
        );
        assert_eq!(
            formula("co R w", Language::Promela),
            "(cabin@open) V (P_0@wait || !P_0:v[2]>1)"
        );
        assert_eq!(formula("deep", Language::Promela), "(a && (b || c))");
        assert_eq!(
            formula("named", Language::Dve),
            "(channel_K.back_to_active)"
        );
        assert_eq!(
            formula("named", Language::Promela),
            "(chnlnel_K@back_to_actv)"
        );
        assert_eq!(
            formula("if", Language::Promela),
            "((!(x==1) || (P@s)) && y)"
        );
    }

    #[test]
    fn what_cannot_be_translated() {
        let fails = |text| formula(text, &catalogue(), "1", Language::Promela).is_err();
        for text in ["G Q", "F other", "mixed", "chain", "odd", "p1 + co", "3"] {
            assert!(fails(text), "{text}");
        }
        assert!(!fails("X true"));
    }
}
