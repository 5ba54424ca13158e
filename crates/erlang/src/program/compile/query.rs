//! `qlc:q` of a comprehension: a fun without arguments that gives the list, so that it is evaluated when it is asked for.
//! What a generator draws from may be a list, a table or another query; `qlc:foresee_elements` gives its elements.
//! Why here: the parse transform of that name would be run before the module is compiled, and this is all that is left of
//! its work where nobody asks for plans and indexes.

use foresee_erlang_syntax::tree::{Clause, Expr, ExprKind, GeneratorKind, Qualifier};

/// The arguments of `qlc:foresee_q` for those of `qlc:q`, if the first is a comprehension.
pub(super) fn arguments(args: &[Expr]) -> Option<Vec<Expr>> {
    let (comprehension, options) = args.split_first()?;
    let ExprKind::Comprehension { template, qualifiers } = &comprehension.kind else { return None };
    let qualifiers = qualifiers.iter().cloned().map(drawn).collect();
    let span = comprehension.span;
    let kind = ExprKind::Comprehension { template: template.clone(), qualifiers };
    let body = vec![Expr { kind, span }];
    let clause = Clause { patterns: Vec::new(), guard: Vec::new(), body, span };
    let fun = Expr { kind: ExprKind::Fun { name: None, clauses: vec![clause] }, span };
    Some(std::iter::once(fun).chain(options.iter().cloned()).collect())
}

fn drawn(qualifier: Qualifier) -> Qualifier {
    let Qualifier::Generator(mut generator) = qualifier else { return qualifier };
    if matches!(generator.kind, GeneratorKind::List { .. }) {
        let span = generator.source.span;
        let atom = |name: &str| Box::new(Expr { kind: ExprKind::Atom(name.into()), span });
        let function = ExprKind::Remote { module: atom("qlc"), function: atom("foresee_elements") };
        let target = Box::new(Expr { kind: function, span });
        let args = vec![generator.source.clone()];
        generator.source = Expr { kind: ExprKind::Call { target, args }, span };
    }
    Qualifier::Generator(generator)
}
