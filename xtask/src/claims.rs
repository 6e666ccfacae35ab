//! The properties of a model for liveness checks, read from the files of `spin -a`.

use crate::cache::Cached;
use crate::pan::Translated;
use lariat_testkit::property::{Check, Fairness, Property};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The properties of a model, with the never claims that SPIN made of its `ltl` blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The properties.
    pub offers: Offers,
    /// The claims by their names.
    pub claims: BTreeMap<String, String>,
}

impl Survey {
    /// Reads it from SPIN's files.
    pub fn of(translated: &Translated) -> Survey {
        let offers = Offers::of(translated);
        let file = translated.file("_spin_nvr.tmp");
        let claim = |name: &String| Some((name.clone(), generated_claim(&file, name)?));
        let claims = offers.ltl.iter().filter_map(claim).collect();
        Survey { offers, claims }
    }
}

impl Cached for Survey {
    fn to_json(&self) -> Value {
        let Offers {
            ltl,
            never,
            accept,
            progress,
        } = &self.offers;
        json!({ "ltl": ltl, "never": never, "accept": accept, "progress": progress, "claims": self.claims })
    }

    fn from_json(value: &Value) -> Option<Survey> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let names = |key: &str| -> Option<Vec<String>> {
            value[key].as_array()?.iter().map(text).collect()
        };
        let offers = Offers {
            ltl: names("ltl")?,
            never: names("never")?,
            accept: value["accept"].as_bool()?,
            progress: value["progress"].as_bool()?,
        };
        let claims = value["claims"].as_object()?.iter();
        let claims = claims.map(|(name, claim)| Some((name.clone(), text(claim)?)));
        Some(Survey {
            offers,
            claims: claims.collect::<Option<_>>()?,
        })
    }

    fn cut_by_time(&self) -> bool {
        false
    }
}

/// The liveness properties in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Names of `ltl` blocks. SPIN names the unnamed ones `ltl_0`, `ltl_1` and so on.
    pub ltl: Vec<String>,
    /// Names of never claims. SPIN names the unnamed ones `never_0`, `never_1` and so on.
    pub never: Vec<String>,
    /// Whether processes have accept labels.
    pub accept: bool,
    /// Whether processes have progress labels.
    pub progress: bool,
}

impl Offers {
    /// Reads them from SPIN's files.
    pub fn of(translated: &Translated) -> Offers {
        let moves = translated.file("pan.m");
        let headers = translated.file("pan.h");
        let tables = translated.file("pan.c");
        Offers::read(&translated.messages, &moves, &headers, &tables)
    }

    fn read(messages: &str, moves: &str, headers: &str, tables: &str) -> Offers {
        let ltl: Vec<String> = messages
            .lines()
            .filter_map(|line| Some(line.strip_prefix("ltl ")?.split_once(':')?.0.to_owned()))
            .collect();
        // SPIN lists the claims in reverse order, and event traces, as `:trace:`, among them.
        let claims = moves.lines().rev().filter_map(|line| {
            let name = line.trim().strip_prefix("/* CLAIM ")?;
            name.strip_suffix(" */").map(str::to_owned)
        });
        let never = claims
            .filter(|claim| !claim.starts_with(':') && !ltl.contains(claim))
            .collect();
        let mut offers = Offers {
            ltl,
            never,
            accept: false,
            progress: false,
        };
        let processes = offers.processes(headers);
        let marked = |table| {
            tables
                .lines()
                .any(|line| marks_process(line, table, &processes))
        };
        (offers.accept, offers.progress) = (marked("accpstate["), marked("progstate["));
        offers
    }

    /// Whether a line of `pan.c` makes a state of a process an accepting one.
    pub fn marks_acceptance(&self, line: &str, headers: &str) -> bool {
        line.contains("accpstate[") && marks_process(line, "accpstate[", &self.processes(headers))
    }

    /// The numbers of the processes: of all that have states and are not claims.
    fn processes<'a>(&self, headers: &'a str) -> BTreeSet<&'a str> {
        let states = headers.lines().filter_map(|line| {
            let (number, rest) = line.strip_prefix("#define _nstates")?.split_once('\t')?;
            let name = rest.split_once("/* ")?.1.strip_suffix(" */")?;
            Some((number, name))
        });
        let claim = |name: &str| {
            name == "np_"
                || self
                    .ltl
                    .iter()
                    .chain(&self.never)
                    .any(|other| other == name)
        };
        let processes = states.filter(|(_, name)| !claim(name));
        processes.map(|(number, _)| number).collect()
    }

    /// The properties, in a fixed order.
    pub fn properties(&self) -> Vec<Property> {
        let mut properties: Vec<Property> = self.ltl.iter().cloned().map(Property::Ltl).collect();
        match self.never.as_slice() {
            [_] => properties.push(Property::Never(None)),
            several => properties.extend(several.iter().cloned().map(Some).map(Property::Never)),
        }
        if self.accept {
            properties.push(Property::Acceptance);
        }
        if self.progress {
            properties.push(Property::NonProgress);
        }
        properties
    }

    /// Every check, without and with weak fairness.
    pub fn checks(&self) -> Vec<Check> {
        let both = [Fairness::None, Fairness::Weak];
        let properties = self.properties().into_iter();
        properties
            .flat_map(|property| both.map(|fairness| Check::new(property.clone(), fairness)))
            .collect()
    }

    /// SPIN's name for the claim of a property.
    pub fn claim(&self, property: &Property) -> Option<&str> {
        let known = |name: &String, list: &[String]| list.contains(name);
        match property {
            Property::Ltl(name) if known(name, &self.ltl) => {
                self.ltl.iter().find(|other| *other == name)
            }
            Property::Never(Some(name)) if known(name, &self.never) => {
                self.never.iter().find(|other| *other == name)
            }
            Property::Never(None) | Property::NeverFile(_) => self.never.last(),
            Property::Formula(_) => self.ltl.last(),
            _ => None,
        }
        .map(String::as_str)
    }
}

/// Whether a line of C enters a state of a process into a table of labels.
fn marks_process(line: &str, table: &str, processes: &BTreeSet<&str>) -> bool {
    line.trim().strip_prefix(table).is_some_and(|rest| {
        let number = rest.split(']').next().unwrap_or("");
        rest.ends_with("] = 1;") && processes.contains(number)
    })
}

/// The never claim that SPIN made of an `ltl` block, from its file of such claims. It gets another name, as the name
/// of the block is taken.
pub fn generated_claim(file: &str, name: &str) -> Option<String> {
    let start = format!("never {name} {{");
    let mut lines = file.lines().skip_while(|line| !line.starts_with(&start));
    lines.next()?;
    let mut claim = "never spin_claim {\n".to_owned();
    loop {
        let line = lines.next()?;
        claim.push_str(line);
        claim.push('\n');
        if line == "}" {
            return Some(claim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_properties_are_found() {
        let moves = "\t\t /* CLAIM :trace: */\n\t\t /* CLAIM ltl_0 */\n\t\t /* CLAIM p1 */\n\t\t /* CLAIM foo */\n\t\t /* PROC P */\n";
        let headers = "#define _nstates3\t4\t/* ltl_0 */\n#define _nstates2\t4\t/* p1 */\n\
                       #define _nstates1\t4\t/* foo */\n#define _nstates0\t9\t/* P */\n#define _nstates4\t3 /* np_ */\n";
        let messages = "ltl p1: [] (<> (x))\nltl ltl_0: [] ((n<3))\n";
        let tables = "\t\taccpstate[4][1] = 1;\n\taccpstate[0] = (uchar *) emalloc(9);\n\taccpstate[2][1] = 1;\n";
        let offers = Offers::read(messages, moves, headers, tables);
        assert_eq!(offers.ltl, ["p1", "ltl_0"]);
        assert_eq!(offers.never, ["foo"]);
        assert!(!offers.accept && !offers.progress);
        let tables = format!("{tables}\tprogstate[0][4] = 1;\n\taccpstate[0][2] = 1;\n");
        let offers = Offers::read(messages, moves, headers, &tables);
        assert!(offers.accept && offers.progress);
        assert_eq!(offers.properties().len(), 5);
        assert_eq!(offers.checks().len(), 10);
        let accepting = tables
            .lines()
            .filter(|line| offers.marks_acceptance(line, headers));
        assert_eq!(accepting.collect::<Vec<_>>(), ["\taccpstate[0][2] = 1;"]);
        assert_eq!(offers.claim(&Property::Never(None)), Some("foo"));
        assert_eq!(offers.claim(&Property::Ltl("foo".into())), None);
        assert_eq!(offers.claim(&Property::Ltl("p1".into())), Some("p1"));
    }

    #[test]
    fn surveys_are_read_back_from_the_cache() {
        let survey = Survey {
            offers: Offers {
                ltl: vec!["p".into()],
                never: vec!["never_0".into()],
                accept: true,
                progress: false,
            },
            claims: [("p".to_owned(), "never p { skip }".to_owned())].into(),
        };
        assert_eq!(Survey::from_json(&survey.to_json()), Some(survey));
    }

    #[test]
    fn claims_are_cut_out() {
        let file = "never a {    /* !(x) */\nT0:\n}\nnever b {    /* x */\nskip\n}\n";
        assert_eq!(
            generated_claim(file, "b").as_deref(),
            Some("never spin_claim {\nskip\n}\n")
        );
        assert_eq!(generated_claim(file, "c"), None);
    }
}
