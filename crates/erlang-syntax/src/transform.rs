//! Parse transforms: programs that rewrite a module before it is compiled.
//! They are not run here: who can run programs runs those whose text there is (`unknown_transforms` names them), and gives the
//! module as they leave it. The few that nearly every project uses do something simple, which is done here (`eunit_autoexport` exports a
//! module's tests) or where calls are compiled (`ms_transform` for `ets:fun2ms`, `qlc` for `qlc:q`); of one that is left
//! nobody knows what it would have made of the text, so the module is refused rather than read as if nothing had been said.
//! Not here: `-compile` options in general.

use crate::codes;
use crate::name::Name;
use crate::parse::Parse;
use crate::source::Span;
use crate::tree::{Clause, Expr, ExprKind, Form, FormKind, Function, FunctionName, Ident, Module};
use foresee_text::Diagnostic;

/// Does what EUnit's transform does.
const AUTOEXPORT: &str = "eunit_autoexport";

/// Transforms whose work is done where calls are compiled.
const OF_CALLS: &[&str] = &["ms_transform", "qlc"];

/// Does what a module's parse transforms would do, and reports those that are not known. `others` are named outside of the
/// module, in a project's configuration; `reasons` says of some why they could not be run.
///
/// ```
/// use foresee_erlang_syntax::{Options, apply_transforms, no_includes, parse_file};
/// let text = "-module(m).\n-compile({parse_transform, mine}).\n";
/// let mut parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
/// apply_transforms(&mut parse, &[], &[]);
/// assert_eq!(parse.diagnostics[0].code.0, "E0137");
/// ```
pub fn apply_transforms(parse: &mut Parse, others: &[String], reasons: &[(String, String)]) {
    let mut named: Vec<(Name, Span)> = Vec::new();
    parse.module.compile_options().for_each(|option| transforms_in(option, &mut named));
    let outside = Span::default();
    named.extend(others.iter().map(|name| (Name::from(name.as_str()), outside)));
    let mut done: Vec<Name> = Vec::new();
    for (name, span) in named {
        if done.contains(&name) {
            continue;
        }
        if name == AUTOEXPORT {
            export_tests(&mut parse.module);
        } else if !OF_CALLS.iter().any(|known| name == *known) {
            let reason = reasons.iter().find(|(known, _)| name == known.as_str());
            parse.diagnostics.push(not_run(&name, span, reason.map(|(_, reason)| reason.as_str())));
        }
        done.push(name);
    }
    parse.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
}

/// The parse transforms that a module or `others` name and that are not known here, in their order.
pub fn unknown_transforms(parse: &Parse, others: &[String]) -> Vec<String> {
    let mut named: Vec<(Name, Span)> = Vec::new();
    parse.module.compile_options().for_each(|option| transforms_in(option, &mut named));
    let mut unknown: Vec<String> = Vec::new();
    for name in others.iter().cloned().chain(named.iter().map(|(name, _)| name.to_string())) {
        let is_known = name == AUTOEXPORT || OF_CALLS.contains(&name.as_str());
        if !is_known && !unknown.contains(&name) {
            unknown.push(name);
        }
    }
    unknown
}

fn not_run(name: &Name, span: Span, reason: Option<&str>) -> Diagnostic {
    let problem = match reason {
        Some(reason) => format!("parse transform `{name}` could not be run: {reason}"),
        None => format!("parse transform `{name}` could not be run, and is not one that is known"),
    };
    Diagnostic::error(codes::PARSE_TRANSFORM, span, problem).help(
        "have its text in the project or among its dependencies (`rebar3 get-deps`), give the module as the transform leaves it (`erlc -P` writes it), or leave the option out for the check with `-ifndef`",
    )
}

/// The transforms that a compile option asks for.
fn transforms_in(option: &Expr, found: &mut Vec<(Name, Span)>) {
    match &option.kind {
        ExprKind::List { elements, .. } => {
            elements.iter().for_each(|element| transforms_in(element, found));
        }
        ExprKind::Tuple(parts) => {
            if let [key, value] = parts.as_slice()
                && key.as_atom().is_some_and(|key| *key == "parse_transform")
                && let Some(name) = value.as_atom()
            {
                found.push((name.clone(), option.span));
            }
        }
        _ => {}
    }
}

/// Exports the functions that EUnit takes for tests, and adds `test/0`, which runs them.
fn export_tests(module: &mut Module) {
    let Some(name) = module.name.clone() else { return };
    let is_test = |function: &&Function| {
        let text = function.name.name.as_str();
        function.arity == 0 && (text.ends_with("_test") || text.ends_with("_test_"))
    };
    let exported = |wanted: &Name| module.exports().any(|it| it.arity == 0 && it.name == *wanted);
    let tests = module.functions().filter(is_test).filter(|it| !exported(&it.name.name));
    let mut names: Vec<FunctionName> = tests
        .map(|it| FunctionName { name: it.name.name.clone(), arity: 0, span: it.name.span })
        .collect();
    let has_test = module.functions().any(|it| it.arity == 0 && it.name.name == "test");
    if !has_test {
        let span = name.span.after();
        names.push(FunctionName { name: "test".into(), arity: 0, span });
        module.forms.push(Form { kind: FormKind::Function(run_all(&name.name, span)), span });
    }
    module.forms.push(Form { kind: FormKind::Export(names), span: name.span });
}

/// `test() -> eunit:test(Module).`
fn run_all(module: &Name, span: Span) -> Function {
    let atom = |name: Name| Expr { kind: ExprKind::Atom(name), span };
    let boxed = |name: &str| Box::new(atom(Name::from(name)));
    let target = ExprKind::Remote { module: boxed("eunit"), function: boxed("test") };
    let target = Box::new(Expr { kind: target, span });
    let call = Expr { kind: ExprKind::Call { target, args: vec![atom(module.clone())] }, span };
    let clause = Clause { patterns: Vec::new(), guard: Vec::new(), body: vec![call], span };
    let name = Ident { name: "test".into(), span };
    Function { name, arity: 0, clauses: vec![clause], broken: false }
}
