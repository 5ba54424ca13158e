//! Everything that can be wrong with specifications, transition systems, formulas and patterns: message, place, help, exit code 2.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::Place;

/// A code, a file with its text, the command, and what is said.
type Case = (&'static str, (&'static str, &'static str), &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "E0403",
        ("cut.aut", "des (0,3,3)\n(0,\"a\",1)\n(1,\"b\",2)\n"),
        "lts info cut.aut",
        &["the file ends after 2 of 3 transitions", "cut.aut:3:1", "help: generate the file again"],
    ),
    (
        "E0403",
        ("cut.aut", "des (0,2,3)\n(0,\"a\",1)\n(1,\"b"),
        "verify cut.aut --pattern deadlock-freedom",
        &["the file ends after 1 of 2 transitions", "cut.aut:3:1"],
    ),
    ("E0401", ("m.aut", "hello\n"), "check m.aut", &["m.aut:1:1", "des (0, 48, 33)"]),
    (
        "E0404",
        ("m.aut", "des (0,1,2)\n(0,\"a\",7)\n"),
        "lts m.aut",
        &["state 7 does not exist", "m.aut:2:1", "help: correct the state's number"],
    ),
    (
        "E0503",
        (
            "m.mcrl",
            "sort D func d: -> D map f: D -> D var x: D\nrew f(x, x) = d\nact a: D\ninit a(f(d))\n",
        ),
        "check m.mcrl",
        &["m.mcrl:2:5", "f(x, x)", "help"],
    ),
    (
        "E0506",
        (
            "m.mcrl",
            "sort D func d: -> D map f: D -> D var x: D\nrew f(x) = f(f(x))\nact a: D\ninit a(f(d))\n",
        ),
        "lts m.mcrl -o m.aut",
        &["m.mcrl:2:5", "help"],
    ),
    (
        "E0506",
        (
            "m.mcrl",
            "sort N func z: -> N s: N -> N map f, g: N -> N var x: N\nrew f(x) = g(s(x))\n g(x) = f(s(x))\nact a: N proc P = a(z).a(f(z)) init P\n",
        ),
        "verify m.mcrl --pattern deadlock-freedom",
        &["m.mcrl:3:2", "rewriting does not end", "help"],
    ),
    (
        "E0507",
        ("m.mcrl", "sort N func z: -> N s: N -> N\nact a: N\ninit sum(x: N, a(x)).delta\n"),
        "lts m.mcrl",
        &["m.mcrl:3:", "help"],
    ),
    (
        "E0511",
        (
            "m.mcrl",
            "sort D func d, e: -> D map f: D -> Bool\nrew f(d) = T\nact a\nproc P(x: D) = a.P(e) <| f(x) |> delta\ninit P(d)\n",
        ),
        "simulate m.mcrl",
        &["neither T nor F but `f(e)`", "m.mcrl:4:16", "a rewrite rule for this case is missing"],
    ),
    (
        "E0501",
        ("m.mcrl", "act a\nproc P = a..P\ninit P\n"),
        "check m.mcrl",
        &["m.mcrl:2:12", "expected a process, found `.`", "help: a specification is made of"],
    ),
    (
        "E0412",
        ("m.mcrl", "act a init a\n"),
        "verify m.mcrl --formula '[-* . USE()] false'",
        &["there is no macro `USE`", "--formula:1:7", "help: define `USE(…) = …`"],
    ),
    (
        "E0411",
        ("f.mcl", "(* open *)\n[-* . 'a'\n"),
        "verify ping --property f.mcl",
        &["f.mcl:", "help: "],
    ),
    ("E0416", ("f.mcf", "mu X . !X"), "verify ping --property f.mcf", &["f.mcf:1:9", "help: "]),
    (
        "E0421",
        ("f.mcf", "forall n: Nat . [true* . a(n)] false"),
        "verify ping --property f.mcf",
        &["f.mcf:1:", "help: "],
    ),
    (
        "E0425",
        ("m.mcrl", "sort D func d: -> D act use: D init use(d)\n"),
        "verify m.mcrl --formula \"[-* . 'uze(.*)'] false\"",
        &["there is no action like 'uze(.*)'", "--formula:1:7", "did you mean `use`?"],
    ),
    (
        "E0425",
        ("m.mcrl", "sort D func d: -> D act use: D init use(d)\n"),
        "verify m.mcrl --formula '[true* . use(d,d)] false'",
        &["the action `use` has 1 argument and is given 2", "declared as `use: D`"],
    ),
    (
        "E0425",
        ("m.mcrl", "act ask, answer init ask.answer\n"),
        "verify m.mcrl --pattern 'response(ask, anwser)'",
        &["there is no action like", "did you mean `answer`?"],
    ),
    (
        "E0426",
        ("m.mcrl", "sort Client func c1: -> Client act use: Client init use(c1)\n"),
        "verify m.mcrl --formula 'forall c: Cleint . [true* . use(c)] false'",
        &["there is no sort `Cleint`", "--formula:1:11", "did you mean `Client`?"],
    ),
    (
        "E0426",
        ("m.mcrl", "sort Client func c1: -> Client act use: Client init use(c1)\n"),
        "verify m.mcrl --formula '[true* . use(c7)] false'",
        &["`c7` is no value of the sort Client", "did you mean `c1`?"],
    ),
    (
        "E0441",
        ("m.mcrl", "act a init a\n"),
        "verify m.mcrl --pattern 'mutual_exclusoin(a, b)'",
        &["no pattern `mutual_exclusoin`", "did you mean `mutual-exclusion(enter, leave)`?"],
    ),
    ("E0441", ("m.mcrl", ""), "patterns respons", &["no pattern `respons`", "did you mean"]),
    (
        "E0442",
        ("m.mcrl", "act a init a\n"),
        "verify m.mcrl --pattern 'response(a)'",
        &["takes 2 arguments and is given 1", "it is used as `response(request, answer)`"],
    ),
    (
        "E0442",
        ("m.mcrl", "act a init a\n"),
        "verify m.mcrl --pattern 'deadlock-freedom-while-crashed(many, a)'",
        &["must be a number", "help: "],
    ),
    ("E0009", ("x", ""), "lts compare no.aut no.mcrl", &["cannot read `no.aut`", "help: paths"]),
    ("E0009", ("x", ""), "check no.mcrl", &["cannot read `no.mcrl`: there is no such file"]),
    (
        "E0009",
        ("m.mcrl", "act a init a\n"),
        "verify m.mcrl --property no.mcf",
        &["cannot read the formula `no.mcf`"],
    ),
    (
        "E0017",
        ("m.aut", "des (0,0,1)\n"),
        "lts compare m.aut bank.erl",
        &["`bank.erl` is not a model in a file", "lts WHAT -o FILE.aut"],
    ),
    ("E0016", ("m.aut", "des (0,0,1)\n"), "lts m.aut -o m.txt", &["-o m.txt", ".dot"]),
    (
        "E0016",
        ("m.aut", "des (0,0,1)\n"),
        "verify m.aut --pattern deadlock-freedom --evidence m.svg",
        &["--evidence m.svg"],
    ),
    (
        "E0015",
        ("m.dot", "precious"),
        "lts ping -o m.dot",
        &["cannot write `m.dot`", "foresee did not write"],
    ),
    ("E0002", ("m.aut", "des (0,0,1)\n"), "check m.aut n=2", &["takes no parameters", "help: "]),
    (
        "E0007",
        ("m.aut", "des (0,0,1)\n"),
        "check m.aut --engine stateless",
        &["sequential threads"],
    ),
    ("E0007", ("m.aut", "des (0,0,1)\n"), "lts m.aut --crash a", &["--crash does not apply"]),
    ("E0007", ("m.aut", "des (0,0,1)\n"), "simulate m.aut --loss 0.5", &["--loss does not apply"]),
    (
        "E0007",
        ("m.aut", "des (0,0,1)\n"),
        "verify m.aut -t main --pattern deadlock-freedom",
        &["--test does not apply"],
    ),
];

#[test]
fn each_mistake_is_told_with_its_place_and_help() {
    for (code, (file, text), line, said) in CASES {
        let place = Place::new();
        place.write(file, text);
        let answer = place.foresee(line);
        answer.expect(2, &[], &[&format!("error[{code}]")]);
        answer.expect(2, &[], said);
        answer.expect(2, &[], &[&format!("explain {code}")]);
        assert!(!answer.err.contains("panicked"), "{line}: {}", answer.err);
        // Finding out that rewriting does not end takes a while; once is enough.
        if !line.starts_with("patterns") && *code != "E0506" {
            let json = place.foresee(&format!("{line} --format json"));
            assert_eq!((json.code, &json.json()["error"]["code"]), (2, &(*code).into()), "{line}");
        }
    }
}

#[test]
fn every_code_of_models_and_formulas_is_explained() {
    let place = Place::new();
    for code in ["E0403", "E0412", "E0418", "E0442", "E0506", "E0511"] {
        place.foresee(&format!("explain {code}")).expect(0, &[code, "## What to do"], &[]);
    }
}

#[test]
fn a_pointless_or_misread_formula_is_warned_of() {
    let place = Place::new();
    place.write("m.aut", "des (0,1,1)\n(0,\"a\",0)\n");
    place.foresee("verify m.aut --formula 'nu X . X'").expect(0, &["holds"], &["E0417", ":1:8"]);
    let line = "verify m.aut --formula \"[(not 'a' or 'a')*] true\"";
    place.foresee(line).expect(0, &["holds"], &["warning: --formula:1:", "E0424"]);
}

#[test]
fn every_mistake_of_a_specification_is_told_at_once() {
    let place = Place::new();
    place.write("m.mcrl", "sort D func d: -> E\nact a: G\nproc P = b.P\ninit Q\n");
    let said = place.foresee("check m.mcrl");
    said.expect(2, &[], &["m.mcrl:1:", "m.mcrl:2:", "m.mcrl:3:", "m.mcrl:4:", "4 errors"]);
}

#[test]
fn formulas_alternate_as_they_like() {
    let place = Place::new();
    place.write("m.aut", "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n");
    let infinitely_often = "nu X . mu Y . (<\"a\"> X or <not \"a\"> Y)";
    place.foresee(&format!("verify m.aut --formula '{infinitely_often}'")).expect(
        0,
        &["holds"],
        &[],
    );
    let never_again = "mu X . nu Y . ([\"a\"] X and [not \"a\"] Y)";
    place.foresee(&format!("verify m.aut --formula '{never_again}'")).expect(1, &["for ever"], &[]);
}
