//! Macros, includes and conditionals as a user of the crate meets them.

use foresee_erlang_syntax::tree::{ExprKind, FormKind};
use foresee_erlang_syntax::*;

fn body(parse: &Parse, name: &str) -> String {
    let function = parse.module.functions().find(|function| function.name.name == name);
    let clause = &function.unwrap_or_else(|| panic!("no function {name}")).clauses[0];
    clause.body.iter().map(print_expr).collect::<Vec<_>>().join(", ")
}

fn clean(text: &str, options: &Options) -> Parse {
    let parse = parse_file("src/m.erl", text, options, &mut no_includes);
    let mut found = parse.diagnostics.clone();
    found.extend(lint(&parse));
    assert!(found.is_empty(), "{found:#?}");
    parse
}

#[test]
fn definitions_from_outside() {
    let text = "-module(m).\nf() -> ?N + 1.\n-ifdef(TEST).\ng() -> ?TEST.\n-endif.\n";
    let defines = vec![("N".into(), Some("20 * 2".into())), ("TEST".into(), None)];
    let parse = clean(text, &Options { defines, ..Options::default() });
    assert_eq!(body(&parse, "f"), "20 * 2 + 1");
    assert_eq!(body(&parse, "g"), "true");
}

#[test]
fn includes_come_from_the_caller_and_keep_their_own_places() {
    let text = "-module(m).\n-include(\"defs.hrl\").\n-include_lib(\"app/include/more.hrl\").\nf() -> ?A + g().\n";
    let mut asked = Vec::new();
    let mut includes = |request: &IncludeRequest<'_>| {
        asked.push((request.path.to_string(), request.library, request.from.to_string()));
        Some(IncludedFile {
            path: format!("include/{}", request.path),
            text: match request.library {
                false => "-define(A, {?LINE, ?FILE}).\n".to_string(),
                true => "\n\ng() -> oops(\n.".to_string(),
            },
        })
    };
    let parse = parse_file("src/m.erl", text, &Options::default(), &mut includes);
    let from = "src/m.erl".to_string();
    assert_eq!(
        asked,
        [
            ("defs.hrl".to_string(), false, from.clone()),
            ("app/include/more.hrl".to_string(), true, from)
        ]
    );
    assert_eq!(parse.diagnostics.len(), 1);
    assert_eq!(parse.sources.place(parse.diagnostics[0].span), "include/app/include/more.hrl:3:12");
    assert_eq!(body(&parse, "f"), "{4, \"src/m.erl\"} + g()");
}

#[test]
fn our_own_headers_are_always_there() {
    let text = r#"-module(m).
-include_lib("eunit/include/eunit.hrl").
-export([f/1]).
f(X) ->
    ?assert(X), ?assert(X, "why"), ?assertNot(X), ?assertEqual(1, X), ?assertNotEqual(1, X),
    ?assertMatch({ok, _} when X > 1, X), ?assertNotMatch({ok, _}, X),
    ?assertError(badarg, X), ?assertExit(_, X), ?assertThrow({a, _}, X),
    ?assertException(error, {badmatch, _}, X + 1), ?assertNotException(error, _, X),
    ?debugFmt("~p", [X]), ?debugVal(X), ?debugHere, ?debugMsg("x"), ?debugTime("t", X),
    ?LET(Y, X, Y + 1), ?IF(X, a, b).
a_test_() -> [?_test(f(1)), ?_assert(true), ?_assertEqual(1, 1), ?_assertError(_, f(2))].
"#;
    let parse = clean(text, &Options::default());
    assert!(body(&parse, "f").contains("{expression, \"X + 1\"}"));
    assert!(parse.module.attributes("compile").count() == 1);
}

#[test]
fn a_mistake_inside_a_macro_names_the_macro_and_its_use() {
    let text = "-module(m).\n-define(INNER(X), [X, ).\n-define(OUTER(X), ?INNER(X)).\nf() ->\n    ?OUTER(1).\n";
    let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
    let [diagnostic] = parse.diagnostics.as_slice() else { panic!("{:#?}", parse.diagnostics) };
    assert_eq!(parse.sources.text(diagnostic.span), "?OUTER(1)");
    let labels: Vec<&str> = diagnostic.secondary.iter().map(|l| l.message.as_str()).collect();
    assert_eq!(labels, ["in the text of macro `INNER`", "in the text of macro `OUTER`"]);
}

#[test]
fn features_switch_words_on_and_off() {
    let on = clean("-module(m).\nf(X) -> maybe ok ?= X else _ -> no end.\n", &Options::default());
    assert!(matches!(
        on.module.functions().next().unwrap().clauses[0].body[0].kind,
        ExprKind::Maybe { .. }
    ));
    let off = "-module(m).\n-feature(maybe_expr, disable).\nf() -> maybe, else.\n";
    assert_eq!(body(&clean(off, &Options::default()), "f"), "'maybe', 'else'");
    clean("-module(m).\nf() -> maybe.\n", &Options { otp: 26, ..Options::default() });
}

#[test]
fn spans_point_at_what_was_written() {
    let text = "-module(m).\n-define(P, 1 + 2).\nf(Abc) -> {Abc, (?P), \"s\"}.\n";
    let parse = clean(text, &Options::default());
    let function = parse.module.functions().next().unwrap();
    let ExprKind::Tuple(elements) = &function.clauses[0].body[0].kind else { panic!() };
    let texts: Vec<&str> = elements.iter().map(|e| parse.sources.text(e.span)).collect();
    assert_eq!(texts, ["Abc", "?P", "\"s\""]);
    let form = parse.module.forms.iter().find(|form| matches!(form.kind, FormKind::Function(_)));
    assert_eq!(parse.sources.text(form.unwrap().span), "f(Abc) -> {Abc, (?P), \"s\"}");
}
