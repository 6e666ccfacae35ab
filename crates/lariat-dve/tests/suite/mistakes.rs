//! What is said about systems that are wrong or suspicious.

use crate::support::{refused, suspicious, system};

#[test]
fn mistakes_with_names() {
    refused(
        &system("byte x; int x;", ""),
        "1:13 `x` is declared twice (first declared here: x)",
    );
    refused(
        &system("byte P;", ""),
        "2:9 `P` is declared twice (first declared here: P)",
    );
    refused(
        "process P { byte q; state q; init q; } system async;",
        "`q` is declared twice",
    );
    refused(
        "process P { byte x, x; state q; init q; } system async;",
        "`x` is declared twice",
    );
    suspicious(
        "byte x; process P { int x; state q; init q; } system async;",
        "`x` hides the global variable",
    );
    suspicious(
        "process Q { state q; init q; } process P { int Q; state q; init q; } system async;",
        "`Q` hides the global process",
    );
    refused(
        "process P { state q; init r; } system async;",
        "process `P` has no state `r` [known here: `q`]",
    );
    refused(
        "process P { state q; init q; accept r; } system async;",
        "has no state `r`",
    );
    refused(
        "process P { state q; init q; commit r; } system async;",
        "has no state `r`",
    );
    refused(
        "process P { state q; init q; assert r: true; } system async;",
        "has no state `r`",
    );
    refused(&system("", "q -> rr {};"), "has no state `rr`");
    refused(&system("", "qq -> q {};"), "did you mean `q`?");
    refused(
        &system("byte count;", "q -> q { effect cuont = 1; };"),
        "did you mean `count`?",
    );
    refused(
        &system("byte c;", "q -> q { sync c!; };"),
        "`c` is a variable; a channel is declared with `channel`",
    );
    refused(
        &system("channel c;", "q -> q { guard c == 1; };"),
        "`c` is a channel; it can be used only behind `sync`",
    );
    refused(
        &system("", "q -> q { guard Q.q; };"),
        "process `Q` is not declared",
    );
    refused(
        &system("byte x;", "q -> q { guard x.q; };"),
        "`x` is a variable; only processes have states",
    );
    refused(
        "process P { state q; init q; } system async property Q;",
        "process `Q` is not declared",
    );
    refused(&system("byte x = x;", ""), "variable `x` is not declared");
}

#[test]
fn mistakes_with_values() {
    refused(
        &system("byte a[0];", ""),
        "an array has at least one element, not 0",
    );
    refused(&system("byte a[100000000];", ""), "an array has at most");
    refused(
        &system("byte n, a[n];", ""),
        "the length of an array must be constant",
    );
    refused(&system("const byte n;", ""), "constant `n` has no value");
    refused(
        &system("byte x = 256;", ""),
        "256 is not a value of type `byte`, whose values are 0 to 255",
    );
    refused(
        &system("int x = -32769;", ""),
        "-32769 is not a value of type `int`",
    );
    refused(&system("byte x = 1 / 0;", ""), "division by zero");
    refused(&system("byte x = {1};", ""), "`x` is not an array");
    refused(
        &system("byte a[2] = 1;", ""),
        "array `a` needs a list of initial values",
    );
    refused(
        &system("const byte a[2] = {1, 2}; byte x = a[2];", ""),
        "index 2 is outside of `a`, whose indices are 0 to 1",
    );
    refused(
        &system("byte x = P.q;", ""),
        "an initial value cannot depend on a process",
    );
    refused(
        &system("const byte n = 1;", "q -> q { effect n = 2; };"),
        "`n` is a constant and cannot change (declared here: n)",
    );
    suspicious(
        &system("byte a[2];", "q -> q { guard a == 1; };"),
        "`a` is an array and is used without an index (declared here: a) [this is read as `a[0]`]",
    );
    suspicious(
        &system("byte a[2];", "q -> q { effect a = 1; };"),
        "`a` is an array and is used without an index",
    );
    refused(
        &system("byte x;", "q -> q { effect x[0] = 1; };"),
        "`x` is not an array",
    );
    refused(
        &system(
            "byte a[16777216], b[16777216], c[16777216], d[16777216], e[1];",
            "",
        ),
        "too large for any state",
    );
    suspicious(
        &system("byte a[1] = {1, 2};", ""),
        "`a` has 1 element, but 2 initial values",
    );
    suspicious(
        &system("byte a[2];", "q -> q { effect a[2] = 1; };"),
        "index 2 is outside of `a`",
    );
    suspicious(
        &system("byte x;", "q -> q { effect x = 256; };"),
        "256 is not a value of type `byte`",
    );
    suspicious(
        &system("byte x;", "q -> q { effect x = 1 % 0; };"),
        "division by zero",
    );
    suspicious(
        &system("", "q -> q { guard 1 > 2; };"),
        "this guard never holds",
    );
}

#[test]
fn mistakes_with_channels() {
    let both = |channel: &str, send: &str, receive: &str| {
        format!(
            "{channel} byte x; process P {{ state q; init q; trans q -> q {{ sync {send}; }}; }}
         process Q {{ state q; init q; trans q -> q {{ sync {receive}; }}; }} system async;"
        )
    };
    refused(
        &both("channel c;", "c!1", "c?"),
        "a message of channel `c` has 1 value, not no value (used here in another way: c!1)",
    );
    refused(
        &both("channel {byte, byte} c[1];", "c!{1, 2}", "c?x"),
        "has 2 values, not 1 value (declared here: c)",
    );
    refused(
        &both("channel chan;", "chan!", "chna?"),
        "did you mean `chan`?",
    );
    suspicious(
        &both("channel {byte} c[0];", "c!300", "c?x"),
        "300 is not a value of type `byte`",
    );
    refused(
        &system("channel {byte} c[1048576];", ""),
        "a channel holds at most 1048575 messages",
    );
    suspicious(&system("channel c;", ""), "channel `c` is never used");
    suspicious(
        &system("channel c;", "q -> q { sync c!; };"),
        "sent but never received [so they can never be sent either]",
    );
    suspicious(
        &system("channel c;", "q -> q { sync c?; };"),
        "received but never sent",
    );
    suspicious(
        &system("channel c;", "q -> q { sync c!; }, q -> q { sync c?; };"),
        "only process `P` sends and receives on channel `c` [a process cannot meet itself",
    );
    let synchronous = both("channel c;", "c!", "c?").replace("async", "sync");
    refused(
        &synchronous,
        "the transitions of a synchronous system cannot use channels",
    );
}

#[test]
fn mistakes_with_properties() {
    let with = |inside: &str, other: &str| {
        format!(
        "byte x; channel c; process P {{ state q; init q; trans q -> q {{ sync c!; }}, q -> q {{ sync c?; {other} }}; }}
         process N {{ {inside} }} system async property N;"
    )
    };
    refused(
        &with("byte y; state s; init s;", ""),
        "a property process cannot have variables",
    );
    refused(
        &with("state s; init s; trans s -> s { effect x = 1; };", ""),
        "a property process cannot have an `effect`",
    );
    refused(
        &with("state s; init s; trans s -> s { sync c!; };", ""),
        "a property process cannot have a `sync`",
    );
    refused(
        &with("state s; init s; commit s;", ""),
        "a property process cannot have committed states",
    );
    refused(
        &with("state s; init s; assert s: true;", ""),
        "a property process cannot have assertions",
    );
    refused(
        &with("state s; init s;", "effect x = N.s;"),
        "`N` is the property; no expression can refer to it",
    );
    refused(
        "process N { state s; init s; } system async property N;",
        "no process besides the property",
    );
}

#[test]
fn states_that_nothing_leads_to() {
    suspicious(
        "process P { state q, r, s; init q; trans q -> q {}, r -> s {}; } system async;",
        "1:22 state `r` of process `P` can never be reached, nor 1 more",
    );
    suspicious(
        "process P { state q; init q; commit q; } system sync;",
        "`commit` has no meaning in a synchronous system",
    );
}
