//! The page of a family (`FAMILY.xml`): atomic propositions, properties, and the parameters of instances.
//!
//! The pages are simple, and so is the parser: an element begins with its tag and ends with the next end tag of the
//! same name.

use super::macros::{self, Parameters};
use std::collections::BTreeMap;

/// An atomic proposition: an expression of DVE.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Proposition {
    expression: String,
    /// Macros and parameters have to be expanded.
    parametrized: bool,
}

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A formula that every run should satisfy.
    Ltl,
    /// A condition on states: is one reachable?
    Reachability,
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its number.
    pub id: String,
    /// Its kind; `None` if it is unknown.
    pub kind: Option<Kind>,
    /// A formula over the names of propositions.
    pub formula: String,
}

/// The page of a family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    propositions: BTreeMap<String, Proposition>,
    /// The properties, in their order.
    pub properties: Vec<Property>,
    /// By the numbers of instances.
    parameters: BTreeMap<String, Parameters>,
}

impl Catalogue {
    /// Reads a page.
    pub fn parse(page: &str) -> Catalogue {
        let page = without_comments(page);
        let mut catalogue = Catalogue::default();
        for element in elements(&page, "ap") {
            let proposition = Proposition {
                expression: element.text_of("ap-expression"),
                parametrized: element.attribute("parametrized") == Some("yes"),
            };
            let name = element.text_of("ap-name");
            catalogue.propositions.insert(name, proposition);
        }
        for element in elements(&page, "property") {
            catalogue.properties.push(Property {
                id: element.attribute("id").unwrap_or("?").to_owned(),
                kind: match element.attribute("prop-type") {
                    Some("LTL") => Some(Kind::Ltl),
                    Some("reachability") => Some(Kind::Reachability),
                    _ => None,
                },
                formula: element.text_of("formula"),
            });
        }
        for element in elements(&page, "instance") {
            let id = element.attribute("id").unwrap_or("?").to_owned();
            let parameters = parameters(&element.text_of("parameters"));
            catalogue.parameters.insert(id, parameters);
        }
        catalogue
    }

    /// The expression of a proposition in an instance.
    pub fn expression(&self, proposition: &str, instance: &str) -> Result<String, String> {
        let found = self.propositions.get(proposition);
        let found = found.ok_or_else(|| format!("there is no proposition `{proposition}`"))?;
        if !found.parametrized {
            return Ok(found.expression.clone());
        }
        let parameters = self.parameters.get(instance);
        let parameters = parameters.ok_or("the parameters of the instance are not known")?;
        macros::expand(&found.expression, parameters)
    }
}

/// Reads `N=3, ERROR=1`.
fn parameters(text: &str) -> Parameters {
    text.split(',')
        .filter_map(|one| one.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

/// A part of a page.
struct Element<'a> {
    attributes: &'a str,
    content: &'a str,
}

impl Element<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        let mut words = self.attributes.split_ascii_whitespace();
        words.find_map(|word| {
            let value = word.strip_prefix(name)?.strip_prefix('=')?;
            Some(value.trim_matches(['"', '\'']))
        })
    }

    /// The text of the first element with this name inside, or nothing.
    fn text_of(&self, name: &str) -> String {
        let inside = elements(self.content, name).next();
        inside.map_or(String::new(), |element| unescape(element.content.trim()))
    }
}

/// All elements with this name, outermost and one after the other.
fn elements<'a>(page: &'a str, name: &str) -> impl Iterator<Item = Element<'a>> {
    let (start, end) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = page;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once(&start)?;
            rest = after;
            // A longer name may begin with this one.
            if !after.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) {
                continue;
            }
            let (attributes, after) = after.split_once('>')?;
            let (content, after) = after.split_once(&end)?;
            rest = after;
            return Some(Element {
                attributes,
                content,
            });
        }
    })
}

fn without_comments(page: &str) -> String {
    let mut kept = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

fn unescape(text: &str) -> String {
    let entities = [("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")];
    let mut text = text.to_owned();
    for (name, character) in entities {
        text = text.replace(&format!("&{name};"), character);
    }
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<?xml version="1.0"?>
        <model type="mutex"> <!-- <property id="9"></property> -->
        <ap><ap-name>cs0</ap-name><ap-expression>P_0.CS</ap-expression></ap>
        <ap parametrized="yes">
          <ap-name>many</ap-name>
          <ap-expression> myloop(i,1,N, `P_`'i.CS', ` + ') &gt; 1 </ap-expression>
        </ap>
        <property id="1"  prop-type="reachability"><formula>many &amp;&amp; !cs0</formula></property>
        <property id="2" prop-type="LTL"><formula>GF cs0</formula><description>x</description></property>
        <instance id="1"><parameters>N=2, ERROR=1</parameters>
          <instance-comment>small</instance-comment></instance>
        </model>"#;

    #[test]
    fn pages_are_read() {
        let catalogue = Catalogue::parse(PAGE);
        let [first, second] = &catalogue.properties[..] else {
            panic!("not two properties: {catalogue:?}");
        };
        assert_eq!(first.kind, Some(Kind::Reachability));
        assert_eq!(first.formula, "many && !cs0");
        assert_eq!((second.id.as_str(), second.kind), ("2", Some(Kind::Ltl)));
        let expression = |name, instance| catalogue.expression(name, instance);
        assert_eq!(expression("cs0", "7"), Ok("P_0.CS".into()));
        assert_eq!(
            expression("many", "1"),
            Ok("P_1.CS + P_2.CS > 1".into()),
            "the trailing space is not part of it"
        );
        assert!(expression("many", "7").is_err(), "no such instance");
        assert!(expression("few", "1").is_err());
        assert_eq!(Catalogue::parse("<ap"), Catalogue::default());
    }
}
