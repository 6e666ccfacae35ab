//! Formulas as text that is read back.

use lariat_ltl::random::{Operators, formula as random_formula};
use lariat_ltl::{Formula, Formulas, parse, print};
use lariat_stats::stream;

use super::simplify::replace_atoms;

#[test]
fn printed_formulas_are_read_back() {
    let seed = 0x5eed_0001;
    println!("seed {seed}");
    let names = [
        "p0",
        "x > 1",
        "G",
        "Xa",
        "say \"\\n\"",
        "1",
        "2",
        "x + 1",
        "-x",
        "P[1]@cs",
        "a && b",
        "(c -> a : b)",
        "!x == 1",
        "Fork",
        "xor",
    ];
    for i in 0..20_000 {
        let mut formulas = Formulas::new();
        for name in names {
            formulas.atom(name);
        }
        let mut rng = stream(seed, "print", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let size = 1 + below(25);
        let f = random_formula(&mut formulas, size, 3, Operators::All, &mut below);
        // Other names for the atoms.
        let numbers: Vec<u32> = (0..3).map(|_| below(names.len() as u32)).collect();
        let f = rename(&mut formulas, f, &numbers);
        for text in [print::spin(&formulas, f), print::spot(&formulas, f)] {
            let again = parse(&mut formulas, &text);
            assert_eq!(again, Ok(f), "{text} number {i}");
        }
    }
}

/// The formula with the atoms named `p0`, `p1`, ... replaced by those with the numbers given.
fn rename(formulas: &mut Formulas, f: Formula, numbers: &[u32]) -> Formula {
    let mut map: Vec<Formula> = Vec::new();
    for number in 0..formulas.atoms().len() as u32 {
        map.push(formulas.atom_number(number));
    }
    for (i, &number) in numbers.iter().enumerate() {
        let name = format!("p{i}");
        if let Some(from) = formulas.atoms().iter().position(|a| *a == name) {
            map[from] = formulas.atom_number(number);
        }
    }
    replace_atoms(formulas, f, &map)
}

#[test]
fn names_are_stable() {
    let mut formulas = Formulas::new();
    for text in [
        "a+b*c==-1",
        "q??[ m , 1 ]",
        "( a->b : c )>0",
        "a[ b [ 1 ] ] . c",
        "! x==1",
        "P:x",
    ] {
        let f = parse(&mut formulas, text).unwrap();
        let once = print::spin(&formulas, f);
        assert_eq!(parse(&mut formulas, &once), Ok(f), "{text} {once}");
    }
    let f = parse(&mut formulas, "<> (-x < 1) && !(y == 2) && X q?[m]").unwrap();
    assert_eq!(
        print::spin(&formulas, f),
        "<>(-x < 1) && !(y == 2) && X q?[m]"
    );
    assert_eq!(
        print::spot(&formulas, f),
        "F \"-x < 1\" & !\"y == 2\" & X \"q?[m]\""
    );
}
