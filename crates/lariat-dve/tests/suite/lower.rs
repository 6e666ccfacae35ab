//! From text to model: what the IR looks like.

use crate::support::{model, shown, system};
use lariat_dve::parse_part;
use lariat_ir::expr::{Expr, Owner};
use lariat_ir::model::{Action, Effect, Model, Pattern};
use lariat_ir::property::{Claim, PropertyKind};
use lariat_ir::source::SourceMap;
use lariat_ir::text::text;

#[test]
fn processes_become_types_with_one_instance_each() {
    let lowered = model(
        "process A { state p, q; init q; accept p; commit q; trans q -> p {}, -> q {}; }
         process N { state s; init s; }
         process B { state p; init p; trans p -> p { guard A.p; }; }
         system async property N;",
    );
    let m = &lowered.model;
    let names: Vec<_> = m.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
    let start: Vec<_> = m.start.iter().map(|s| (s.process, s.priority)).collect();
    assert_eq!(start, [(0, 1), (1, 1)]);
    let a = &m.processes[0];
    assert_eq!(a.initial, 1);
    assert_eq!(a.locations[1].transitions, [0, 1]);
    assert_eq!(a.locations[1].labels, ["q"]);
    let flags: Vec<_> = a
        .locations
        .iter()
        .map(|l| (l.accept, l.committed))
        .collect();
    assert_eq!(flags, [(true, false), (false, true)]);
    assert!(a.locations[0].statement.is_none());
    let text = a.locations[1].statement.as_ref().map(|s| s.text.as_str());
    assert_eq!(text, Some("state q"));
    assert_eq!(a.transitions[1].statement.text, "q -> q { }");
    let Action::Guarded { condition, .. } = &m.processes[1].transitions[0].action else {
        panic!("not a guard");
    };
    let Expr::At {
        process: 0,
        pid: Some(pid),
        location: 0,
    } = condition
    else {
        panic!("{condition:?}");
    };
    assert!(matches!(**pid, Expr::Const(0)));
    assert!(!m.synchronous);
    assert!(
        model("process P { state q; init q; } system sync;")
            .model
            .synchronous
    );
}

#[test]
fn variables_are_checked_and_have_their_initial_values() {
    let lowered = model(
        "const int n = 2; byte x = n + 1, a[n * 2] = {0, x, 7}; int y;
         process P { int z = -n; const byte k[3] = {4, 5, 6}; state q; init q;
           trans q -> q { guard z > k[2], x; effect y = k[1], a[z] = y, z = P->z; }; }
         system async;",
    );
    let m = &lowered.model;
    let names: Vec<_> = m
        .globals
        .variables
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["x", "a", "y"]);
    let set = |e: &Effect| match e {
        Effect::Assign(place, Expr::Const(value)) => {
            let index = place.indices.first().map(|i| text(m, &i.value));
            (
                place.variable,
                index.unwrap_or_default(),
                *value,
                place.scalar.checked,
            )
        }
        other => panic!("{other:?}"),
    };
    let init: Vec<_> = m.init.iter().map(set).collect();
    let one = |v, i: &str, value| (v, i.to_string(), value, true);
    assert_eq!(init, [one(0, "", 3), one(1, "1", 3), one(1, "2", 7)]);
    let init: Vec<_> = m.processes[0].init.iter().map(set).collect();
    assert_eq!(init, [one(0, "", -2)]);
    assert_eq!(m.processes[0].frame.variables.len(), 1);
    let Action::Guarded { effects, .. } = &m.processes[0].transitions[0].action else {
        panic!("not a guard");
    };
    // One's own variable is local even if it is written as that of a process.
    assert!(matches!(&effects[2],
        Effect::Assign(_, Expr::Load(place)) if matches!(place.owner, Owner::Local)));
    assert!(matches!(&effects[0], Effect::Assign(_, Expr::Const(5))));
}

#[test]
fn a_constant_array_becomes_a_variable_only_where_it_must() {
    let lowered = model(&system(
        "const byte t[2] = {8, 9}, u[2] = {1, 2}; byte i;",
        "q -> q { guard t[i] + u[1] == 9; effect i = 1; };",
    ));
    let m = &lowered.model;
    let names: Vec<_> = m
        .globals
        .variables
        .iter()
        .map(|v| (v.name.as_str(), v.internal))
        .collect();
    assert_eq!(names, [("i", false), ("t", false)]);
    assert_eq!(m.init.len(), 2);
    let condition = |text: &str| {
        let mut sources = SourceMap::default();
        let e = parse_part(&mut sources, "", text, 0..text.len()).expect(text);
        lowered.expression(&e)
    };
    assert!(condition("t[i] == 8").is_ok());
    assert!(matches!(condition("u[0] == 1"), Ok(Expr::Const(1))));
    assert!(condition("u[i] == 1").is_err());
}

#[test]
fn what_is_constant_is_computed() {
    let lowered = model(&system(
        "const int n = 2; byte x;",
        "q -> q { effect x = 1; };",
    ));
    for (condition, expected) in [
        ("n + 3 * 2 == 8", "1"),
        ("false && x / 0 == 1", "0"),
        ("true || x == 1", "1"),
        ("x == 1 && true", "x == 1"),
        ("false imply x == 1", "1"),
        ("n << 3 >> 1 | 1", "9"),
        ("-7 / 2 % 2", "-1"),
        ("~0 ^ 1", "-2"),
        ("not n", "0"),
        ("1 && x", "1 && x"),
        ("1 / 0 == 1", "1 / 0 == 1"),
    ] {
        let mut sources = SourceMap::default();
        let e = parse_part(&mut sources, "", condition, 0..condition.len()).expect(condition);
        let e = lowered.expression(&e).expect(condition);
        let shown = text(&lowered.model, &e).replace(['(', ')'], "");
        assert_eq!(
            shown.replace('/', " / ").replace("  ", " "),
            expected,
            "{condition}"
        );
    }
}

#[test]
fn a_long_list_of_guards_does_not_become_a_deep_tree() {
    let guards = vec!["x == 1"; 100_000].join(", ");
    let lowered = model(&system(
        "byte x;",
        &format!("q -> q {{ guard {guards}; effect x = 1; }};"),
    ));
    fn depth(e: &Expr) -> usize {
        match e {
            Expr::Binary(_, a, b) => 1 + depth(a).max(depth(b)),
            _ => 1,
        }
    }
    let Action::Guarded { condition, .. } = &lowered.model.processes[0].transitions[0].action
    else {
        panic!("not a guard");
    };
    assert!(depth(condition) < 25);
}

#[test]
fn channels_have_the_shape_of_their_messages() {
    let lowered = model(
        "channel c, d, e; channel {byte, int} f[3]; byte x; int y;
         process P { state q; init q; trans
           q -> q { guard x == 0; sync c!; effect x = 1; }, q -> q { sync d!x; },
           q -> q { sync e?{x, y}; }, q -> q { sync f!{1, y}; }; }
         process Q { state q; init q; trans
           q -> q { sync c?; }, q -> q { sync d?y; }, q -> q { sync e!{x, 2}; },
           q -> q { sync f?{x, y}; effect y = 0; }; }
         system async;",
    );
    let m = &lowered.model;
    let fixed: Vec<_> = m
        .fixed_channels
        .iter()
        .map(|c| {
            let ty = &m.channels[c.ty];
            let fields: Vec<_> = ty
                .fields
                .iter()
                .map(|f| (f.bits, f.signed, f.checked))
                .collect();
            (c.name.as_str(), ty.capacity, fields)
        })
        .collect();
    let wide = (32, true, false);
    let typed = vec![(8, false, true), (16, true, true)];
    let expected = [
        ("c", 0, vec![]),
        ("d", 0, vec![wide]),
        ("e", 0, vec![wide, wide]),
        ("f", 3, typed),
    ];
    assert_eq!(fixed, expected);
    let Action::Send {
        condition,
        channel: Expr::Const(1),
        values,
        effects,
        ..
    } = &m.processes[0].transitions[0].action
    else {
        panic!("not a send");
    };
    assert_eq!(
        (text(m, condition), values.len(), effects.len()),
        ("x == 0".into(), 0, 1)
    );
    let Action::Receive {
        channel: Expr::Const(4),
        pattern,
        effects,
        ..
    } = &m.processes[1].transitions[3].action
    else {
        panic!("not a receive");
    };
    assert!(matches!(
        pattern[..],
        [Pattern::Store(_), Pattern::Store(_)]
    ));
    assert_eq!(effects.len(), 1);
}

#[test]
fn assertions_are_invariants() {
    let lowered = model(
        "byte x; process P { byte z; state q, r; init q; assert r: z < x;
           trans q -> r { effect z = 1; }; }
         system async;",
    );
    let m = &lowered.model;
    assert_eq!(m.invariants[0].text, "P.r: z < x");
    assert_eq!(
        m.invariants[0].span.map(|s| m.sources.text(s)),
        Some("r: z < x")
    );
    let mut remote = false;
    m.invariants[0].condition.walk(&mut |e| {
        remote |= matches!(e, Expr::Load(p) if matches!(p.owner, Owner::Remote { process: 0, .. }));
    });
    assert!(remote);
}

fn claim(m: &Model) -> &Claim {
    match &m.properties[0].kind {
        PropertyKind::Claim(claim) => claim,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_property_process_is_a_claim() {
    let lowered = model(
        "byte x, i, a[2];
         process P { state q; init q; trans q -> q { effect x = 1; }; }
         process N { state s, t; init s; accept t; trans
           s -> s { }, s -> t { guard x == 1 && not P.q; }, t -> t { guard not (x == 1); },
           t -> s { guard x == 1, not (x == 1); }, t -> s { guard false; },
           s -> t { guard i < 2 && a[i] == 0; }; }
         system async property N;",
    );
    let m = &lowered.model;
    let texts: Vec<_> = m.properties[0]
        .atoms
        .iter()
        .map(|a| a.text.as_str())
        .collect();
    assert_eq!(texts, ["x == 1", "P.q", "i < 2 && a[i] == 0"]);
    let edges: Vec<Vec<_>> = claim(m)
        .states
        .iter()
        .map(|s| {
            let edges = s.edges.iter();
            edges
                .map(|e| {
                    let guard: Vec<_> = e.guard.iter().map(|l| (l.atom, l.positive)).collect();
                    (guard, e.target)
                })
                .collect()
        })
        .collect();
    assert_eq!(
        edges[0],
        [
            (vec![], Ok(0)),
            (vec![(0, true), (1, false)], Ok(1)),
            (vec![(2, true)], Ok(1)),
        ]
    );
    // What can never hold leads nowhere.
    assert_eq!(edges[1], [(vec![(0, false)], Ok(1))]);
    assert_eq!((claim(m).initial, claim(m).states[1].accept), (0, true));
    assert_eq!(m.properties[0].name, "N");
}

#[test]
fn conditions_from_outside() {
    let lowered = model(
        "byte x; process P { byte y; state q, r; init q; trans q -> r { effect x = 1, y = 1; }; } system async;",
    );
    let ask = |text: &str| {
        let mut sources = lowered.model.sources.clone();
        parse_part(&mut sources, "--invariant", text, 0..text.len())
            .and_then(|e| lowered.expression(&e))
            .map_err(|d| shown(&sources, &d))
    };
    assert!(ask("x < 2 imply P.q or P->y == 1").is_ok());
    let wrong = |text: &str| ask(text).expect_err(text);
    assert!(wrong("P.s").contains("process `P` has no state `s`"));
    assert!(wrong("y == 1").contains("is written `P->y`"));
    assert!(wrong("r").contains("is written `P.r`"));
    assert!(wrong("P->q").contains("is written `P.q`"));
    assert!(wrong("P.y").contains("is written `P->y`"));
    assert!(wrong("P->x").contains("`x` is global; write just `x`"));
    assert!(wrong("p.q").contains("did you mean `P`?"));
    assert!(wrong("P > 0").contains("`P` is a process"));
}
