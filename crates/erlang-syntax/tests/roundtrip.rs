//! Printing an expression and parsing the text gives the expression back, whatever the expression.

use foresee_erlang_syntax::tree::*;
use foresee_erlang_syntax::{Integer, Name, Span, parse_expr, print_expr};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn ident(name: Name) -> Ident {
    Ident { name, span: Span::default() }
}

fn atom_name() -> impl Strategy<Value = Name> {
    prop_oneof![
        "[a-z][a-zA-Z0-9_@]{0,5}".prop_map(Name::from),
        Just(Name::from("end")),
        Just(Name::from("maybe")),
        "[ -~éλ\n\t]{0,4}".prop_map(Name::from),
    ]
}

fn var_name() -> impl Strategy<Value = Name> {
    "[A-Z_][a-zA-Z0-9_]{0,3}".prop_map(Name::from)
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        var_name().prop_map(|name| expr(ExprKind::Var(name))),
        atom_name().prop_map(|name| expr(ExprKind::Atom(name))),
        (0..i64::MAX).prop_map(|value| expr(ExprKind::Integer(Integer::Small(value)))),
        Just(expr(ExprKind::Integer(
            Integer::parse("123456789012345678901234567890", 10).unwrap()
        ))),
        (0.0..1e300f64).prop_map(|value| expr(ExprKind::Float(value))),
        any::<char>().prop_map(|value| expr(ExprKind::Char(value))),
        "\\PC{0,6}".prop_map(|text| expr(ExprKind::String(text.as_str().into()))),
        "[\\x00-\\x1f\"\\\\\u{80}-\u{ff}]{0,6}"
            .prop_map(|text| expr(ExprKind::String(text.as_str().into()))),
        (atom_name(), 0..5u32)
            .prop_map(|(name, arity)| expr(ExprKind::FunLocal { name: ident(name), arity })),
        (atom_name(), atom_name())
            .prop_map(|(r, f)| expr(ExprKind::RecordIndex { name: ident(r), field: ident(f) })),
    ]
}

fn any_expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 60, 4, |inner| {
        let many = prop::collection::vec(inner.clone(), 0..4);
        let some = prop::collection::vec(inner.clone(), 1..3);
        let boxed = inner.clone().prop_map(Box::new);
        let op = prop::sample::select(BinaryOp::ALL.to_vec());
        let unary = prop::sample::select(UnaryOp::ALL.to_vec());
        let field = (inner.clone(), inner.clone(), any::<bool>())
            .prop_map(|(key, value, exact)| MapField { key, value, exact, span: Span::default() });
        let record_field = (atom_name(), inner.clone())
            .prop_map(|(name, value)| RecordField { name: ident(name), value });
        prop_oneof![
            3 => (op, boxed.clone(), boxed.clone()).prop_map(|(op, left, right)| {
                expr(ExprKind::Binary2 { op, op_span: Span::default(), left, right })
            }),
            2 => (unary, boxed.clone()).prop_map(|(op, operand)| expr(ExprKind::Unary { op, operand })),
            2 => (boxed.clone(), boxed.clone())
                .prop_map(|(pattern, value)| expr(ExprKind::Match { pattern, value })),
            1 => boxed.clone().prop_map(|inner| expr(ExprKind::Catch(inner))),
            1 => many.clone().prop_map(|elements| expr(ExprKind::Tuple(elements))),
            1 => (some.clone(), prop::option::of(boxed.clone()))
                .prop_map(|(elements, tail)| expr(ExprKind::List { elements, tail })),
            1 => prop::collection::vec(segment(inner.clone()), 0..3)
                .prop_map(|segments| expr(ExprKind::Binary(segments))),
            1 => (prop::option::of(boxed.clone()), prop::collection::vec(field.clone(), 0..3))
                .prop_map(|(base, fields)| expr(ExprKind::Map { base, fields })),
            1 => (prop::option::of(boxed.clone()), atom_name(), prop::collection::vec(record_field, 0..3))
                .prop_map(|(base, name, fields)| expr(ExprKind::Record { base, name: ident(name), fields })),
            1 => (boxed.clone(), atom_name(), atom_name()).prop_map(|(base, name, field)| {
                expr(ExprKind::RecordAccess { base, name: ident(name), field: ident(field) })
            }),
            1 => (boxed.clone(), many.clone())
                .prop_map(|(target, args)| expr(ExprKind::Call { target, args })),
            1 => (boxed.clone(), boxed.clone(), many).prop_map(|(module, function, args)| {
                let target = Box::new(expr(ExprKind::Remote { module, function }));
                expr(ExprKind::Call { target, args })
            }),
            1 => comprehension(inner.clone(), field),
            1 => blocks(inner),
        ]
    })
}

fn segment(inner: impl Strategy<Value = Expr> + Clone) -> impl Strategy<Value = Segment> {
    use SegmentOption as O;
    let options = prop::sample::select(vec![
        vec![],
        vec![O::Integer],
        vec![O::Utf8],
        vec![O::Float, O::Little],
        vec![O::Binary, O::Unit(8)],
        vec![O::Integer, O::Signed, O::Native, O::Unit(4)],
    ]);
    (inner.clone(), prop::option::of(inner), options).prop_map(|(value, size, options)| Segment {
        value,
        size,
        options,
        span: Span::default(),
    })
}

fn clause(inner: impl Strategy<Value = Expr> + Clone) -> impl Strategy<Value = Clause> + Clone {
    let some = prop::collection::vec(inner.clone(), 1..3);
    let guard = prop::collection::vec(some.clone(), 0..3);
    (inner, guard, some).prop_map(|(pattern, guard, body)| Clause {
        patterns: vec![pattern],
        guard,
        body,
        span: Span::default(),
    })
}

fn comprehension(
    inner: impl Strategy<Value = Expr> + Clone + 'static,
    field: impl Strategy<Value = MapField> + Clone + 'static,
) -> impl Strategy<Value = Expr> {
    let template = prop_oneof![
        inner.clone().prop_map(Template::List),
        inner.clone().prop_map(Template::Binary),
        field.prop_map(Template::Map),
    ];
    let kind = prop_oneof![
        inner.clone().prop_map(GeneratorKind::List),
        inner.clone().prop_map(GeneratorKind::Binary),
        (inner.clone(), inner.clone()).prop_map(|(key, value)| GeneratorKind::Map(key, value)),
    ];
    let generator = (kind, inner.clone(), any::<bool>()).prop_map(|(kind, source, strict)| {
        let strict = strict || matches!(kind, GeneratorKind::Map(..));
        Generator { kind, source, strict, span: Span::default() }
    });
    let qualifier = prop_oneof![
        generator.clone().prop_map(|one| Qualifier::Generator(Box::new(one))),
        prop::collection::vec(generator, 2..3).prop_map(Qualifier::Zip),
        inner.prop_map(Qualifier::Filter),
    ];
    (template, prop::collection::vec(qualifier, 1..3)).prop_map(|(template, qualifiers)| {
        expr(ExprKind::Comprehension { template: Box::new(template), qualifiers })
    })
}

fn blocks(inner: impl Strategy<Value = Expr> + Clone + 'static) -> impl Strategy<Value = Expr> {
    let some = prop::collection::vec(inner.clone(), 1..3);
    let clauses = prop::collection::vec(clause(inner.clone()), 1..3);
    let boxed = inner.clone().prop_map(Box::new);
    // Patterns hold no calls, so `Class:Pattern:Stack` is not mistaken for one.
    let pattern = leaf().prop_map(|leaf| expr(ExprKind::Tuple(vec![leaf])));
    let class = prop::option::of(atom_name());
    let catch =
        (class, prop_oneof![leaf(), pattern], clause(inner.clone()), prop::option::of(var_name()))
            .prop_map(|(class, pattern, clause, stack)| CatchClause {
                stack: stack.filter(|_| class.is_some()).map(ident),
                class: class.map(|name| expr(ExprKind::Atom(name))),
                pattern,
                guard: clause.guard,
                body: clause.body,
                span: Span::default(),
            });
    let guards = prop::collection::vec(some.clone(), 1..3);
    let if_clause = (guards, some.clone()).prop_map(|(guard, body)| Clause {
        patterns: vec![],
        guard,
        body,
        span: Span::default(),
    });
    prop_oneof![
        some.clone().prop_map(|body| expr(ExprKind::Block(body))),
        prop::collection::vec(if_clause, 1..3).prop_map(|clauses| expr(ExprKind::If(clauses))),
        (boxed.clone(), clauses.clone())
            .prop_map(|(subject, clauses)| expr(ExprKind::Case { subject, clauses })),
        (prop::option::of(var_name()), clauses.clone())
            .prop_map(|(name, clauses)| { expr(ExprKind::Fun { name: name.map(ident), clauses }) }),
        (clauses.clone(), prop::option::of((inner.clone(), some.clone()))).prop_map(
            |(clauses, after)| {
                let after = after.map(|(timeout, body)| Box::new(After { timeout, body }));
                expr(ExprKind::Receive { clauses, after })
            }
        ),
        (
            some.clone(),
            prop::option::of(clauses.clone()),
            prop::collection::vec(catch, 1..3),
            some.clone()
        )
            .prop_map(|(body, of, catch, after)| {
                let of = of.unwrap_or_default();
                expr(ExprKind::Try(Box::new(Try { body, of, catch, after })))
            }),
        (boxed, inner, clauses).prop_map(|(pattern, value, otherwise)| {
            let value = Box::new(value);
            let body = vec![expr(ExprKind::MaybeMatch { pattern, value })];
            expr(ExprKind::Maybe { body, otherwise })
        }),
    ]
}

/// The tree without places.
fn shape(expr: &Expr) -> String {
    let text = format!("{expr:?}");
    let mut parts = text.split("Span { file: FileId(");
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        out += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(27),
        ..ProptestConfig::default()
    })]

    #[test]
    fn printing_and_parsing_are_inverse(tree in any_expr()) {
        let text = print_expr(&tree);
        let again = parse_expr(&text);
        prop_assert!(again.is_ok(), "{text}\n{again:?}");
        prop_assert_eq!(shape(&tree), shape(&again.unwrap()), "{}", text);
    }
}
