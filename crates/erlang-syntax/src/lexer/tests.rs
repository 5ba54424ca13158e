//! What the lexer makes of small pieces of text.

use super::*;
use crate::name::Integer;

fn kinds(text: &str) -> Vec<Tok> {
    let (kinds, problems) = lexed(text);
    assert!(problems.is_empty(), "{text}: {problems:?}");
    kinds
}

fn lexed(text: &str) -> (Vec<Tok>, Vec<Diagnostic>) {
    let mut names = Names::default();
    let mut diagnostics = Vec::new();
    let tokens = lex(text, FileId(0), 27, &mut names, &mut diagnostics);
    (tokens.into_iter().map(|token| token.kind).collect(), diagnostics)
}

#[test]
fn numbers_of_all_kinds() {
    let int = |value: i64| Tok::Integer(Integer::Small(value));
    assert_eq!(kinds("16#fF 2#101 1_000_000 36#Zz"), [255, 5, 1_000_000, 35 * 37].map(int));
    assert_eq!(kinds("1.5 1.0e3 2.5E-1 1_0.0_1"), [1.5, 1000.0, 0.25, 10.01].map(Tok::Float));
    let big = Integer::parse("123456789012345678901234567890", 10).unwrap();
    assert_eq!(kinds("123456789012345678901234567890"), [Tok::Integer(big)]);
    assert_eq!(kinds("1..2").len(), 3);
    assert_eq!(kinds("1."), [int(1), Tok::Dot]);
}

#[test]
fn characters_and_escapes() {
    let chars = kinds(r"$a $\n $\x41 $\x{1F600} $\101 $\^a $\\ $\s $\d $'");
    let expected = ['a', '\n', 'A', '😀', 'A', '\u{1}', '\\', ' ', '\u{7f}', '\''];
    assert_eq!(chars, expected.map(Tok::Char));
}

#[test]
fn strings_atoms_and_sigils() {
    let str = |text: &str| Tok::Str(text.into());
    let bin = |text: &str| Tok::BinaryStr(text.into());
    assert_eq!(
        kinds(
            r#""a\"b" "x\
y""#
        ),
        [str("a\"b"), str("x\ny")]
    );
    assert_eq!(kinds(r"'it\'s' ok"), [Tok::Quoted("it's".into()), Tok::Atom("ok".into())]);
    assert_eq!(
        kinds(r#"~"a\n" ~b(x) ~B[a\n] ~s{q} ~S|\|"#),
        [bin("a\n"), bin("x"), bin("a\\n"), str("q"), str("\\")]
    );
}

#[test]
fn triple_quoted_strings_lose_their_indentation() {
    let text = "\"\"\"\n    a\\n \"x\"\n\n      b\n    \"\"\".";
    assert_eq!(kinds(text), [Tok::Str("a\\n \"x\"\n\n  b".into()), Tok::Dot]);
    let text = "~b\"\"\"\n  a\\tb\n  \"\"\"";
    assert_eq!(kinds(text), [Tok::BinaryStr("a\tb".into())]);
    let (_, problems) = lexed("\"\"\"\n a\n  \"\"\"");
    assert_eq!(problems[0].code, codes::BAD_TRIPLE_QUOTED);
    assert_eq!(kinds("\"\"\"\n\"\"\""), [Tok::Str("".into())]);
}

#[test]
fn a_full_stop_is_not_a_dot() {
    let dot = Tok::Sym(Sym::Dot);
    let kinds = kinds("X#r.a. b.% c\n.");
    assert_eq!(kinds.iter().filter(|kind| **kind == Tok::Dot).count(), 3);
    assert_eq!(kinds.iter().filter(|kind| **kind == dot).count(), 1);
}

#[test]
fn the_guilty_quote_is_blamed_and_lexing_goes_on() {
    let text = "f() -> \"abc.\n\ng() -> \"def\".\n";
    let (kinds, problems) = lexed(text);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].span, Span::in_file(FileId(0), 7, 12));
    assert!(kinds.contains(&Tok::Str("def".into())));
}

#[test]
fn bad_text_is_reported_once_each() {
    for (text, code) in [
        ("1x", codes::BAD_NUMBER),
        ("37#1", codes::BAD_NUMBER),
        ("2#12", codes::BAD_NUMBER),
        ("1.0e", codes::BAD_NUMBER),
        ("1.0e999", codes::BAD_NUMBER),
        ("\"\\xzz\"", codes::BAD_ESCAPE),
        ("\"\\x{d800}\"", codes::BAD_ESCAPE),
        ("§", codes::BAD_CHARACTER),
        ("~q\"a\"", codes::BAD_SIGIL),
        ("'abc", codes::UNTERMINATED),
        ("$", codes::UNTERMINATED),
    ] {
        let (_, problems) = lexed(text);
        assert_eq!(problems.iter().map(|p| p.code).collect::<Vec<_>>(), [code], "{text}");
    }
}
