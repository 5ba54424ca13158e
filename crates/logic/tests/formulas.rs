//! Formulas: what is read in both notations, and what is said of what cannot be.

use foresee_logic::formula::{Notation, Signature, Sort, Value, Vocabulary, parse, parse_with};
use foresee_logic::{aut, solve};
use foresee_search::{Limits, NoMeter, Silent};

const GOOD_PAPER: &[&str] = &[
    "true",
    "[-*]<->true",
    "[-* . 'use(.*)' . (not 'free(.*)')* . 'use(.*)'] false",
    "⟨-* · 'a'⟩ true ∧ ¬[-]false",
    "AlwaysPossible(a) = [-*]<a>true AlwaysPossible(ok)",
    "BETWEEN(a1,a2,a3) = [-* . a1 . (¬a2)* . a3] false\nMUTEX() = BETWEEN('use(.*)', 'free(.*)', 'use(.*)')\nMUTEX()",
    "C() = ((¬'.*info.*')*            (* 0 crashes *)\n | ¬'.*info.*'*.'info.*'.(¬'.*info.*')*) (* 1 crash *)\n[C()]<->true",
    "macro A (x) = <x> true end_macro A('b')",
    "A = <'b'>true; A and A()",
    "mu X . (<'a'>true or (<->true and [not 'a']X))",
    "nu X . mu Y . (<'a'> X or <-> Y)",
    "[nil | 'a'+ . \"b\"?] true => false",
    "true <=> not false",
    "TWICE(f) = f and f  TWICE(TWICE(<tau>true))",
    "[ ('a' and not 'b') . tau* ] true",
    "mu X . <-> (X or [-] X)",
];

const GOOD_MCF: &[&str] = &[
    "true",
    "[true*]<true>true",
    "[true* . use(c1) . (!free(c1))* . use(c2)]false",
    "nu X. [!crash]X && <true+>true",
    "[a + b.c + d*]false",
    "forall b: Bool . [set(b)] val(b || !b)",
    "sort Client = struct c1 | c2; act use: Client; form forall c, d: Client . val(c != d) => [true*.use(c).(!free(c))*.use(d)]false;",
    "nu X(n: Nat = 0). [crash]X(n+1) && [!crash]X(n) && (val(n < 2) => <true>true)",
    "[exists c: Client . use(c) && val(c != c1)]false",
    "[a|b(1, f(x,[1,2]))] true",
    "<tau* . 'use(.*)'> true",
    "mu X. [!(forall d: D . a(d))]X",
    "! [a => b] false || true => false",
    "% a comment\ntrue",
];

#[test]
fn well_formed_formulas_are_read() {
    for text in GOOD_PAPER {
        let parsed = parse(text, Notation::Paper);
        assert!(parsed.formula.is_some(), "{text}: {:?}", parsed.diagnostics);
    }
    for text in GOOD_MCF {
        let parsed = parse(text, Notation::Mcf);
        assert!(parsed.formula.is_some(), "{text}: {:?}", parsed.diagnostics);
    }
}

/// The formula, the code, and the text that is pointed at.
const BAD_PAPER: &[(&str, &str, &str)] = &[
    ("", "E0411", ""),
    ("[-* . 'use(.*)' false", "E0411", "false"),
    ("[-*] <->true true", "E0411", "true"),
    ("<'a'", "E0411", ""),
    ("[ 'a", "E0411", "'"),
    ("mu . true", "E0411", "."),
    ("A() = true", "E0411", ""),
    ("true and", "E0411", ""),
    ("[-* . USE()] false", "E0412", "USE"),
    ("MUTEX() = true\nMUTXE()", "E0412", "MUTXE"),
    ("B(a, b) = [-* . a . b] false B('use')", "E0413", "B"),
    ("A() = [-] A() A()", "E0414", "A"),
    ("A() = B() B() = A() A()", "E0414", "A"),
    ("nu X . [-] Y", "E0415", "Y"),
    ("mu X . not <-> X", "E0416", "X"),
    ("mu X . (<-> X => true)", "E0416", "X"),
    ("nu X . ([-]X <=> true)", "E0416", "X"),
    ("[not ('a' . 'b')] false", "E0419", "'a' . 'b'"),
    ("['a'* and 'b'] false", "E0419", "'a'*"),
    ("[-* . 'call([c1'] false", "E0420", "'call([c1'"),
];

const BAD_MCF: &[(&str, &str, &str)] = &[
    ("[true*]", "E0411", ""),
    ("forall n: Nat . [put(n)]false", "E0421", "Nat"),
    ("exists c: Client . <use(c)>true", "E0421", "Client"),
    ("mu X(n: Nat = 0). <a>X", "E0413", "X"),
    ("delay", "E0423", "delay"),
    ("[a@3]false", "E0423", "@"),
    ("map f: Nat; form true;", "E0423", "map"),
    ("sort S = struct a(x: Bool); form true;", "E0423", "("),
    ("mu X. !X", "E0416", "X"),
    ("[!(a.b)]false", "E0419", "a.b"),
    ("[(a.b) || c]false", "E0419", "a.b"),
    ("val(1 + )", "E0411", ")"),
    ("form true", "E0411", ""),
];

#[test]
fn what_is_wrong_is_named_and_pointed_at() {
    let cases = [(BAD_PAPER, Notation::Paper), (BAD_MCF, Notation::Mcf)];
    for (bad, notation) in cases {
        for (text, code, place) in bad {
            let parsed = parse(text, notation);
            assert!(parsed.formula.is_none(), "{text}");
            let error = parsed.diagnostics.iter().find(|one| one.is_error()).unwrap();
            let span = error.span;
            assert_eq!((error.code.0, span.text(text)), (*code, *place), "{text}: {error}");
        }
    }
}

#[test]
fn help_is_given() {
    let help = |text: &str| parse(text, Notation::Paper).diagnostics[0].help.join("\n");
    assert!(help("MUTEX() = true\nMUTXE()").contains("`MUTEX`"));
    assert!(help("[use(c1)] false").contains("quotes"));
    assert!(help("nu Xs . [-] X").contains("`Xs`"));
}

#[test]
fn doubtful_things_are_warnings() {
    let warned = |text: &str| {
        let parsed = parse(text, Notation::Paper);
        assert!(parsed.formula.is_some(), "{text}");
        let one = &parsed.diagnostics[0];
        assert!(!one.is_error());
        (one.code.0, one.span.text(text).to_owned())
    };
    assert_eq!(warned("mu X . X or <'a'> true"), ("E0417", "X".to_owned()));
    assert_eq!(warned("nu X . ['a'*] X"), ("E0417", "X".to_owned()));
    assert_eq!(warned("[(not 'free' or 'info')*] false"), ("E0424", "or".to_owned()));
    for text in ["[(not ('free' or 'info'))*] false", "[((not 'a') or 'b')*] false"] {
        assert!(parse(text, Notation::Paper).diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn the_caller_may_know_the_values_of_a_sort() {
    let text = "forall c: Client . [use(c)]false";
    assert!(parse(text, Notation::Mcf).formula.is_none());
    assert!(parse_with(text, Notation::Mcf, &clients()).formula.is_some());
}

/// `act use: Client  turn: Client # Bool  ok` with two clients.
fn clients() -> Vocabulary {
    let signature = |name: &str, sorts: &[&str]| Signature {
        name: name.to_owned(),
        sorts: sorts.iter().map(|sort| (*sort).to_owned()).collect(),
    };
    let sort = |name: &str, values: &[&str]| Sort {
        name: name.to_owned(),
        constructors: Some(values.iter().map(|value| signature(value, &[])).collect()),
        values: Some(values.iter().map(|value| Value::of(value)).collect()),
    };
    let actions = vec![
        signature("use", &["Client"]),
        signature("turn", &["Client", "Bool"]),
        signature("ok", &[]),
    ];
    let sorts = vec![sort("Client", &["c1", "c2"]), sort("Bool", &["T", "F"])];
    Vocabulary { internal: vec!["i".to_owned()], actions: Some(actions), sorts }
}

/// What a known specification does not have, and where it stands.
#[test]
fn a_formula_speaks_of_what_there_is() {
    use Notation::{Mcf, Paper};
    for (notation, text, code, place) in [
        (Paper, "[-* . 'uze(.*)'] false", "E0425", "'uze(.*)'"),
        (Paper, "<\"use(c1,c2)\"> true", "E0425", "\"use(c1,c2)\""),
        (Paper, "<\"use(c3)\"> true", "E0426", "\"use(c3)\""),
        (Paper, "[not okk] false", "E0425", "okk"),
        (Paper, "['use'] false", "E0425", "'use'"),
        (Mcf, "[true* . uze(c1)]false", "E0425", "uze(c1)"),
        (Mcf, "[use(c1,c2)]false", "E0425", "use(c1,c2)"),
        (Mcf, "[use(c3)]false", "E0426", "use(c3)"),
        (Mcf, "[exists c: Cleint . use(c)]false", "E0426", "Cleint"),
        (Mcf, "forall b: Bool . [use(b)]false", "E0426", "use(b)"),
        (Mcf, "[exists c: Client . turn(c,c)]false", "E0426", "turn(c,c)"),
        (Mcf, "[turn(c1,yes)]false", "E0426", "turn(c1,yes)"),
        (Mcf, "[use(f(c1))]false", "E0426", "use(f(c1))"),
        (Mcf, "sort Client = struct c1 | c3; form [use(c1)]false;", "E0426", "Client"),
        (Mcf, "sort Other = struct c1 | c2 | c1; form true;", "E0411", "c1"),
        (Mcf, "forall c, d, c: Client . true", "E0411", "c"),
        (Mcf, "[exists c: Client, c: Client . use(c)] true", "E0411", "c"),
    ] {
        let parsed = parse_with(text, notation, &clients());
        let news = parsed.diagnostics.iter().find(|news| news.is_error());
        let news = news.unwrap_or_else(|| panic!("{text} is accepted"));
        assert_eq!((news.code.to_string().as_str(), news.span.text(text)), (code, place));
        assert!(news.help.len() == 1, "{text}");
    }
    for (notation, text) in [
        (Paper, "[-* . 'use(.*)' or '.*c1.*' or ok or i or tau] false"),
        (Paper, "<\"turn(c1, T)\"> true"),
        (Mcf, "forall c: Client, b: Bool . [turn(c,b)](val(b) || <use(c)>true)"),
        (Mcf, "mu X(n: Nat = 0) . val(n > 3) || <turn(c1,true)>X(n+1)"),
        (Mcf, "sort Client = struct c1 | c2; form <i + ok>true;"),
    ] {
        let parsed = parse_with(text, notation, &clients());
        assert!(parsed.formula.is_some(), "{text}: {:?}", parsed.diagnostics);
    }
    let near = parse_with("[uze(c1)]false", Mcf, &clients()).diagnostics[0].help.clone();
    assert_eq!(near, ["did you mean `use`?"]);
}

/// Chains and nestings of every kind end in a diagnostic, on the small stack of a test.
#[test]
fn nothing_is_too_deep_for_a_diagnostic() {
    let lts = aut::read(&b"des (0, 2, 2)\n(0, \"use(c1)\", 1)\n(1, tau, 0)\n"[..]).unwrap();
    for n in [140, 900, 100_000] {
        let times = |part: &str| part.repeat(n);
        let around = |open: &str, inside: &str, close: &str| {
            format!("{}{inside}{}", open.repeat(n), close.repeat(n))
        };
        let texts = [
            format!("true{}", times(" && true")),
            format!("true{}", times(" || true")),
            format!("true{}", times(" => true")),
            format!("true{}", times(" <=> true")),
            format!("[true{}]true", times("*")),
            format!("[true{}]true", times("+")),
            format!("[true{}]true", times("?")),
            format!("[true{}]true", times(" . true")),
            format!("[true{}]true", times(" + true")),
            format!("[true{}]true", times(" | true")),
            format!("[true{}]true", times(" || true")),
            format!("[true{}]true", times(" && true")),
            format!("[true{}]true", times(" => true")),
            format!("[a{}]true", times("|a")),
            around("(", "true", ")"),
            format!("[{}]true", around("(", "true", ")")),
            format!("{}true", times("!")),
            format!("[{}true]true", times("!")),
            format!("{}true", times("[true]")),
            format!("{}true", times("<tau>")),
            format!("{}true", times("mu X . ")),
            format!("{}true", times("forall b: Bool . ")),
            format!("[{}true]true", times("exists b: Bool . ")),
            format!("[a({})]true", around("f(", "x", ")")),
            format!("[a({})]true", around("[", "x", "]")),
            format!("val(1{})", times(" + 1")),
            format!("val(true{})", times(" => true")),
            format!("val({}true)", times("!")),
            format!("forall x: {} . true", around("List(", "A", ")")),
            format!("{}true{}", times("(*"), times("*)")),
            format!("M(x) = {}\nM(true)", around("(", "x", ")")),
            format!("<'{}'> true", times("a*")),
            format!("<\"{}\"> true", around("f(", "x", ")")),
            times("("),
            times("["),
            times("!"),
        ];
        for text in texts {
            for notation in [Notation::Paper, Notation::Mcf] {
                let parsed = parse_with(&text, notation, &clients());
                let is_told = parsed.diagnostics.iter().any(|news| news.is_error());
                assert_ne!(parsed.formula.is_some(), is_told);
                if let Some(formula) = parsed.clone().formula {
                    let labels = lts.label_function();
                    let _ = solve(&lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent);
                }
            }
        }
    }
}

/// A short text that stands for more combinations than any memory holds is refused before one of them is looked at.
#[test]
fn quantifiers_over_too_many_combinations_are_refused() {
    let names = |n: usize| {
        let names: Vec<String> = (0..n).map(|it| format!("b{it}")).collect();
        names.join(", ")
    };
    let nested = |n: usize| (0..n).map(|it| format!("exists b{it}: Bool . ")).collect::<String>();
    let refused = [
        format!("forall {}: Bool . true", names(4_000)),
        format!("forall {}: Bool . val(b0)", names(24)),
        format!("{} val(b0)", nested(24)),
        format!("[forall {}: Bool . a(b0)] true", names(24)),
        format!("[exists {}: Nat . a(b0)] true", names(13)),
    ];
    for text in &refused {
        let parsed = parse(text, Notation::Mcf);
        assert!(parsed.formula.is_none(), "{text}");
        assert!(parsed.diagnostics[0].message.contains("combinations"), "{text}");
    }
    let apart =
        |n: usize| (0..n).map(|it| format!("forall b{it}: Bool . [a(b{it})] ")).collect::<String>();
    let fine = [
        format!("forall {}: Bool . val(b0)", names(16)),
        format!("{} true", apart(40)),
        format!("[exists {}: Nat . a(b0)] true", names(6)),
    ];
    for text in &fine {
        assert!(parse(text, Notation::Mcf).formula.is_some(), "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_and_not_a_crash() {
    for text in [
        format!("{}true{}", "(".repeat(50_000), ")".repeat(50_000)),
        format!("{}true", "not ".repeat(50_000)),
        format!("[{}-{}] true", "(".repeat(50_000), ")".repeat(50_000)),
        format!("{}true", "true => ".repeat(50_000)),
    ] {
        for notation in [Notation::Paper, Notation::Mcf] {
            assert!(parse(&text, notation).formula.is_none());
        }
    }
}

#[test]
fn any_text_is_answered() {
    let mut random = foresee_stdx::Random::new(1);
    let words = [
        "[",
        "]",
        "<",
        ">",
        "(",
        ")",
        "true",
        "false",
        "mu X.",
        "nu Y.",
        "X",
        "and",
        "or",
        "not",
        "=>",
        ".",
        "*",
        "+",
        "?",
        "|",
        "'a'",
        "\"b\"",
        "-",
        "A",
        "=",
        ",",
        "val",
        "forall c: Bool.",
        "tau",
        "nil",
        "&&",
        "||",
        "!",
        "5",
        "a(1)",
        ";",
        "form",
        "sort S = struct a;",
        "(*",
        "*)",
    ];
    for _ in 0..20_000 {
        let n = random.below(12);
        let text: Vec<&str> =
            (0..n).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        let text = text.join(" ");
        for notation in [Notation::Paper, Notation::Mcf] {
            let parsed = parse(&text, notation);
            let has_error = parsed.diagnostics.iter().any(|one| one.is_error());
            assert_eq!(parsed.formula.is_none(), has_error, "{text}");
        }
    }
}

#[test]
fn the_guide_s_formulas_are_read() {
    let guide = include_str!("../../../docs/guide/formulas.md");
    let blocks: Vec<&str> =
        guide.split("```").skip(1).step_by(2).filter(|block| block.starts_with('\n')).collect();
    assert_eq!(blocks.len(), 3);
    let lines: Vec<&str> = blocks[0].lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 5);
    let formulas = lines.iter().map(|line| (line.split("     ").next().unwrap(), Notation::Paper));
    for (text, notation) in
        formulas.chain([(blocks[1], Notation::Paper), (blocks[2], Notation::Mcf)])
    {
        let parsed = parse(text, notation);
        assert!(parsed.formula.is_some() && parsed.diagnostics.is_empty(), "{text}");
    }
}
