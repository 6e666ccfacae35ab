//! The JSON schemas in `docs/` describe what the program writes, exactly.
//!
//! Real output is validated, and every property that a schema names must have been seen in some
//! output, so that neither side can gain or lose anything without the other.

use std::collections::BTreeSet;

use crate::api::searches;
use crate::support::{Folder, root};
use lariat_search::StoreId;
use serde_json::{Value, json};

/// A schema, with those of its properties that were met so far.
struct Schema {
    root: Value,
    seen: BTreeSet<String>,
}

/// Keywords that describe and do not constrain.
const SILENT: [&str; 5] = ["$schema", "$id", "title", "description", "$defs"];

impl Schema {
    fn load(name: &str) -> Self {
        let text = std::fs::read_to_string(root().join("docs").join(name)).unwrap();
        Schema {
            root: serde_json::from_str(&text).unwrap(),
            seen: BTreeSet::new(),
        }
    }

    /// What is wrong with `value`; nothing if it is valid.
    fn check(&mut self, value: &Value) -> Result<(), String> {
        let root = self.root.clone();
        self.validate(&root, value, "#")
    }

    #[track_caller]
    fn accepts(&mut self, value: &Value) {
        if let Err(complaint) = self.check(value) {
            panic!("{complaint}\n{value:#}");
        }
    }

    /// Validates `value`; `place` says which part of the schema this is.
    fn validate(&mut self, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
        if let Value::Bool(anything) = schema {
            return anything
                .then_some(())
                .ok_or(format!("{place}: not allowed"));
        }
        for (keyword, rule) in schema.as_object().unwrap() {
            self.apply(keyword, rule, schema, value, place)?;
        }
        Ok(())
    }

    fn apply(
        &mut self,
        keyword: &str,
        rule: &Value,
        schema: &Value,
        value: &Value,
        place: &str,
    ) -> Result<(), String> {
        let valid = match keyword {
            "$ref" => {
                let pointer = rule.as_str().unwrap();
                let target = self.root.pointer(&pointer[1..]).unwrap().clone();
                return self.validate(&target, value, pointer);
            }
            "oneOf" => {
                let mut matching = 0;
                for (index, option) in rule.as_array().unwrap().iter().enumerate() {
                    let place = format!("{place}/oneOf/{index}");
                    matching += u32::from(self.validate(option, value, &place).is_ok());
                }
                matching == 1
            }
            "properties" => {
                for (name, part) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        let place = format!("{place}/{name}");
                        self.validate(part, member, &place)?;
                        self.seen.insert(place);
                    }
                }
                true
            }
            "required" => {
                let names = rule.as_array().unwrap();
                names
                    .iter()
                    .all(|n| value.get(n.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false), "{place}");
                let known = schema["properties"].as_object().unwrap();
                let members = value.as_object().into_iter().flatten();
                members
                    .into_iter()
                    .all(|(name, _)| known.contains_key(name))
            }
            "items" => {
                let first = schema.get("prefixItems").map_or(0, array_length);
                for item in value.as_array().into_iter().flatten().skip(first) {
                    self.validate(rule, item, &format!("{place}/items"))?;
                }
                true
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (part, item) in rule.as_array().unwrap().iter().zip(items) {
                    self.validate(part, item, &format!("{place}/prefixItems"))?;
                }
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|t| has_type(value, t)),
                one => has_type(value, one),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "minimum" => value.as_f64().is_none_or(|v| v >= rule.as_f64().unwrap()),
            "minLength" => text_length(value).is_none_or(|n| n >= limit(rule)),
            "maxLength" => text_length(value).is_none_or(|n| n <= limit(rule)),
            "minItems" => !value.is_array() || array_length(value) >= limit(rule),
            "maxItems" => !value.is_array() || array_length(value) <= limit(rule),
            other => {
                assert!(SILENT.contains(&other), "{place}: keyword {other}");
                true
            }
        };
        valid
            .then_some(())
            .ok_or_else(|| format!("{place}: {keyword} {rule} does not allow {value}"))
    }

    /// The properties that were named but never seen.
    fn unseen(&self) -> Vec<String> {
        let mut all = BTreeSet::new();
        properties(&self.root, "#", &mut all);
        for (name, part) in self.root["$defs"].as_object().unwrap() {
            properties(part, &format!("#/$defs/{name}"), &mut all);
        }
        all.difference(&self.seen).cloned().collect()
    }
}

/// All properties that a part of a schema names, without those behind references.
fn properties(schema: &Value, place: &str, all: &mut BTreeSet<String>) {
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}/{name}");
        properties(part, &place, all);
        all.insert(place);
    }
    if let Some(options) = schema.get("oneOf").and_then(Value::as_array) {
        for (index, option) in options.iter().enumerate() {
            properties(option, &format!("{place}/oneOf/{index}"), all);
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        other => panic!("type {other}"),
    }
}

fn array_length(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

fn text_length(value: &Value) -> Option<usize> {
    value.as_str().map(|s| s.chars().count())
}

fn limit(rule: &Value) -> usize {
    rule.as_u64().unwrap() as usize
}

/// A model with a rendezvous, a timeout, something printed and several errors.
const VARIED: &str = "
chan meet = [0] of { byte };
byte got, index;
active proctype sender() {
  atomic { printf(\"before\\n\"); got = 1 };
  meet!7;
  timeout;
  assert(got == 8);
  false
}
active proctype receiver() {
  byte table[2];
  meet?got;
  index = got;
  if
  :: table[index] = 1
  :: skip
  fi
}
";

/// A model with accept and progress labels and every kind of property.
const LIVELY: &str = "
byte n;
active proctype counter() {
  do
  :: n < 3 -> accept_low: n++
  :: n == 3 -> progress: n = 0
  :: n > 0 -> n--
  od
}
ltl back { []<>(n == 0) }
ltl low { [](n < 3) }
never { do :: n == 2 -> break :: else od }
";

/// The runs that must not happen: those in which `n` is 1 again and again.
const FORBIDDEN: &str = "HOA: v1
States: 1
Start: 0
AP: 1 \"n == 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
";

/// A folder with these models.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("varied.pml", VARIED);
    folder.write("lively.pml", LIVELY);
    folder.write("claim.pml", "never { do :: true od; accept: skip }");
    folder.write("forbidden.hoa", FORBIDDEN);
    folder
}

/// Runs that together show everything that a report can say.
const RUNS: [&str; 24] = [
    "check examples/peterson.pml --json -DX=1 -UX -I examples",
    "check examples/philosophers.pml --json",
    "check examples/farmer.pml --json --search dfs --no-trail",
    "check varied.pml --json --all-errors --invariant got!=7",
    "check examples/too_big.pml --json --max-states 1000",
    "check examples/peterson.pml --json --spill .",
    "check examples/too_big.pml --json --memory 1M --search dfs",
    "check examples/too_big.pml --json --time 100ms",
    "check examples/scheduler.pml --json -m --no-deadlock --no-assert",
    "check lively.pml --json --fair weak --shortest --no-trail",
    "check lively.pml --json --fair strong --search scc --no-trail --acceptance --non-progress",
    "check lively.pml --json --search ndfs --no-trail --formula []<>(n>9) --hoa forbidden.hoa",
    "check lively.pml --json --no-trail --never claim.pml",
    "check lively.pml --json --max-states 1 --formula []<>(n<5)",
    "check lively.pml --json --formula (n<5)||!(n<5)",
    "check examples/ferry.dve --json --language dve --wrap",
    "check examples/philosophers_seats.pml --json --store sample:auto --max-states 1000",
    "check examples/philosophers_seats.pml --json --search rest --store sample:static:0.8",
    "check examples/farmer.pml --json --no-trail --search dfs --order random --runs 3",
    "check examples/peterson.pml --json --search monte-carlo --walks 100",
    "check examples/too_big.pml --json --search monte-carlo --time 50ms --max-length 100",
    "check examples/request_answer.pml --json --no-trail --search monte-carlo --ltl answered",
    "check examples/needham_schroeder.pml --json --no-trail --search monte-carlo --ltl safe --epsilon 0.05 --max-errors 50",
    "estimate examples/request_answer.pml --json --no-trail --ltl answered --sampling multi-lasso",
];

#[test]
fn reports_are_as_the_schema_says() {
    let folder = folder();
    let mut schema = Schema::load("report.schema.json");
    let mut words = BTreeSet::new();
    for run in RUNS {
        let report = folder.run(run).json();
        schema.accepts(&report);
        for result in report["results"].as_array().unwrap() {
            for key in ["verdict", "kind", "search", "fairness"] {
                words.insert(format!("{key} {}", result[key].as_str().unwrap()));
            }
            for violation in result["violations"].as_array().unwrap() {
                words.insert(format!("error {}", violation["kind"].as_str().unwrap()));
            }
        }
    }
    for guarantee in omission_bounds() {
        let mut report = folder.run("check examples/peterson.pml --json").json();
        report["results"][0]["guarantee"] = guarantee;
        schema.accepts(&report);
        serde_json::from_value::<lariat_report::report::Report>(report).unwrap();
    }
    assert_eq!(schema.unseen(), [""; 0]);
    for expected in [
        "verdict exhausted, verdict holds, verdict violated, verdict no violation found",
        "kind acceptance, kind hoa, kind ltl, kind never, kind non-progress, kind safety",
        "search bfs, search dfs, search ndfs, search scc, search rest, search monte-carlo",
        "fairness none, fairness strong, fairness weak",
        "error bad prefix, error lasso, error never claim",
    ] {
        for word in expected.split(", ") {
            assert!(words.contains(word), "no {word} in {words:?}");
        }
    }
}

/// The schema needs no change for a new search, store or language.
#[test]
fn reports_of_every_search_and_store_are_as_the_schema_says() {
    let folder = folder();
    let mut schema = Schema::load("report.schema.json");
    for search in searches(|info| info.faults) {
        let line = format!(
            "check varied.pml --json --no-trail --search {}",
            search.name()
        );
        let report = folder.run(&line).json();
        schema.accepts(&report);
        assert_eq!(report["results"][0]["search"], search.name());
    }
    for store in StoreId::ALL.iter().map(|id| id.info().name) {
        let line = format!("check varied.pml --json --no-trail --store {store}");
        let report = folder.run(&line).json();
        schema.accepts(&report);
        assert_eq!(report["results"][0]["store"], store);
    }
}

#[test]
fn trails_are_as_the_schema_says() {
    let folder = folder();
    let mut schema = Schema::load("trail.schema.json");
    let ran = folder.run("check varied.pml --json --all-errors --invariant got!=7");
    let report = ran.exits_with(1).json();
    let violations = report["results"][0]["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 4, "{violations:#?}");
    for violation in violations {
        let file = violation["trail"].as_str().unwrap();
        schema.accepts(&serde_json::from_str(&folder.read(file)).unwrap());
    }
    for run in [
        "check lively.pml --json",
        "check lively.pml --json --formula []<>(n>9) --fair strong",
        "check lively.pml --json --hoa forbidden.hoa --acceptance --non-progress",
        "check examples/ferry.dve --json --language dve --wrap --formula []<>Car_0.aboard",
    ] {
        let report = folder.run(run).exits_with(1).json();
        for result in report["results"].as_array().unwrap() {
            if let Some(file) = result["trail"].as_str() {
                schema.accepts(&serde_json::from_str(&folder.read(file)).unwrap());
            }
        }
    }
    assert_eq!(schema.unseen(), [""; 0]);
}

/// The guarantees of searches that may have omitted states.
fn omission_bounds() -> [Value; 2] {
    let bound = |distinction: Value, missed_state: Value, missed_lasso: Value| {
        json!({
            "kind": "omission_bound", "distinction": distinction, "states": 1000, "seed": 42, "searches": 2,
            "any": 1e-9, "single": 1e-12, "expected": null, "missed_state": missed_state,
            "missed_lasso": missed_lasso, "stopped_by": "time",
        })
    };
    [
        bound(
            json!({"kind": "fingerprints", "bits": 40}),
            json!({"steps": 23, "probability": 1e-10}),
            json!(null),
        ),
        bound(
            json!({"kind": "bloom", "bits": 1024, "ones": 512, "probes": 3}),
            json!(null),
            json!({"states": 1000, "probability": 1e-10}),
        ),
    ]
}

/// Words that no short run can bring about are in the schema, too.
#[test]
fn rare_words_are_in_the_schema() {
    let folder = Folder::new();
    let mut schema = Schema::load("report.schema.json");
    let report = folder.run("check examples/too_big.pml --json --max-states 10");
    let mut report = report.json();
    let result = &mut report["results"][0];
    result["guarantee"]["stopped_by"] = json!("interrupt");
    schema.accepts(&report);
    serde_json::from_value::<lariat_report::report::Report>(report.clone()).unwrap();
    report["results"][0]["verdict"] = json!("no violation found");
    schema.accepts(&report);
    serde_json::from_value::<lariat_report::report::Report>(report).unwrap();
}

/// A schema that accepts everything would pass the other tests.
#[test]
fn the_schemas_reject_what_is_wrong() {
    let folder = Folder::new();
    let report = folder.run("check examples/philosophers.pml --json").json();
    let trail: Value = serde_json::from_str(&folder.read("philosophers.trail.json")).unwrap();
    let wrong = [
        ("/surprise", json!(1)),
        ("/results/0/surprise", json!(1)),
        ("/results/0/guarantee/surprise", json!(1)),
        ("/results/0/verdict", json!("fine")),
        ("/results/0/states_stored", json!(-1)),
        ("/results/0/states_stored", json!(1.5)),
        ("/results/0/violations/0/kind", json!("bad luck")),
        ("/model/hash", json!("short")),
        ("/seed", json!("seven")),
    ];
    reject_all(Schema::load("report.schema.json"), &report, &wrong);
    let wrong = [
        ("/surprise", json!(1)),
        ("/format", json!(1)),
        ("/steps/0/surprise", json!(1)),
        ("/steps/0/pid", json!("first")),
        ("/steps/0/changes", json!([["x"]])),
        ("/steps/0/changes", json!([["x", "1", "2"]])),
        ("/violation/code", Value::Null),
        ("/options/search", json!(7)),
    ];
    reject_all(Schema::load("trail.schema.json"), &trail, &wrong);
}

fn reject_all(mut schema: Schema, good: &Value, wrong: &[(&str, Value)]) {
    schema.accepts(good);
    for (pointer, value) in wrong {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        bad.pointer_mut(parent).unwrap()[key] = value.clone();
        assert!(schema.check(&bad).is_err(), "{pointer} = {value}");
    }
    for key in good.as_object().unwrap().keys() {
        let mut bad = good.clone();
        bad.as_object_mut().unwrap().remove(key);
        assert!(schema.check(&bad).is_err(), "without {key}");
    }
}
