//! The tests of a project: EUnit's functions and each leaf of its generators, and the cases of Common Test's suites.
//! Why leaves: a generator gives tests, and which of them fails is what a reader wants to know; so each is a program of its own,
//! with the setups and cleanups around it. To list them the generator is run once, in virtual time; what it sets up is taken
//! down again.
//! A module is linked once, whatever the number of its tests. What is wrong with a module is told once for each of its tests
//! that can be seen in its text, so nothing is missing from the list.
//! Not here: what a test's verdict is (`crate::check`, `crate::simulate`).

use super::ErlangSource;
use super::load::{Setting, load_in};
use super::program::{ErlangProgram, Texts};
use super::start::Named;
use crate::{Code, Diagnostic, Files, Loaded, Test, TestKind};
use foresee_erlang::program::prelude::{GENERATOR, SUITE};
use foresee_erlang::{Entry, Erlang, Limits, Pid, Term, simulate};
use foresee_erlang_syntax::Parse;
use std::sync::Arc;

/// How the names of EUnit's test functions end.
const TEST: &str = "_test";

/// More events than this a generator may not take to list its tests.
const LISTING_STEPS_MAX: u64 = 200_000;

/// Goes through the tests of a project or of the modules given, in the order of modules and names, until `visit` says `false`.
pub(crate) fn each_test(
    source: &ErlangSource,
    kind: TestKind,
    files: &dyn Files,
    visit: &mut dyn FnMut(Test) -> bool,
) -> Result<(), Diagnostic> {
    let setting = Setting::of(source, files)?;
    let mut has_tests = false;
    for path in setting.own_modules(source) {
        let Ok(parse) = setting.parse(&path) else { continue };
        let Some(module) = parse.module.name.as_ref().map(|name| name.name.to_string()) else {
            continue;
        };
        let starts = starts(&module, &parse, kind);
        if starts.is_empty() {
            continue;
        }
        let first = match &starts[0] {
            Found::Function(name) | Found::Generator(name) => name.clone(),
            Found::Suite => "all".to_owned(),
        };
        let mut one = source.clone();
        (one.module, one.function) = (Some(module.clone()), Some(first));
        // As EUnit and Common Test judge: a test fails, whatever becomes of the processes around it.
        one.options.first_process_errors_only = true;
        // A supervisor's orderly shutdown is no failure.
        one.options.normal_reasons.push("shutdown".to_owned());
        let mut all = Vec::new();
        match load_in(&setting, &[path], &one) {
            Ok(program) => starts.iter().for_each(|it| it.add_to(&program, &module, &mut all)),
            Err(error) => starts.iter().for_each(|it| {
                let name = it.name(&module);
                all.push(Test { name, title: None, loaded: Err(error.clone()) });
            }),
        }
        has_tests |= !all.is_empty();
        for test in all {
            if !visit(test) {
                return Ok(());
            }
        }
    }
    if !has_tests {
        let names = setting.module_names();
        let message = format!("`{}` has no such tests", source.files.join(" "));
        let help = format!(
            "tests are functions whose names end in _test or _test_, and the cases of modules whose names end in _SUITE; \
             to start elsewhere choose a module with -m and a function with -t: {}",
            names.join(", ")
        );
        return Err(Diagnostic::new(Code::NoSuchStart, message).help(help));
    }
    Ok(())
}

/// Something in a module's text that gives tests.
enum Found {
    Function(String),
    Generator(String),
    Suite,
}

/// What a module's text has of tests.
fn starts(module: &str, parse: &Parse, kind: TestKind) -> Vec<Found> {
    let functions = || parse.module.functions();
    let has =
        |name: &str, arity: u32| functions().any(|it| it.name.name == *name && it.arity == arity);
    let mut found = Vec::new();
    if kind != TestKind::Eunit && module.ends_with(SUITE) && has("all", 0) {
        found.push(Found::Suite);
    }
    if kind == TestKind::CommonTest || module.ends_with(SUITE) {
        return found;
    }
    let is_exported = |name: &str| {
        parse.module.exports_all()
            || parse.module.exports().any(|it| it.arity == 0 && it.name == *name)
    };
    for function in functions().filter(|it| it.arity == 0) {
        let name = function.name.name.to_string();
        if !is_exported(&name) {
            continue;
        }
        if name.ends_with(GENERATOR) {
            found.push(Found::Generator(name));
        } else if name.ends_with(TEST) {
            found.push(Found::Function(name));
        }
    }
    found
}

impl Found {
    fn name(&self, module: &str) -> String {
        match self {
            Found::Function(name) | Found::Generator(name) => format!("{module}:{name}"),
            Found::Suite => module.to_owned(),
        }
    }

    fn add_to(&self, program: &ErlangProgram, module: &str, all: &mut Vec<Test>) {
        let start = |function: &str, title: Option<String>| {
            let loaded = Ok(Loaded::new(started_at(program, function)));
            Test { name: format!("{module}:{function}"), title, loaded }
        };
        match self {
            Found::Function(name) => all.push(start(name, None)),
            Found::Generator(name) => match leaves(program, module, name) {
                Ok(leaves) => all.extend(leaves.into_iter().map(|(path, title)| {
                    let path: Vec<String> = path.iter().map(u32::to_string).collect();
                    let function = match path.is_empty() {
                        true => name.clone(),
                        false => format!("{name}#{}", path.join(".")),
                    };
                    start(&function, title)
                })),
                // What is wrong is found again when the whole generator is run.
                Err(NotListed) => all.push(start(name, None)),
            },
            Found::Suite => match cases(program, module) {
                Ok(cases) => all.extend(cases.into_iter().map(|(mut groups, case)| {
                    groups.push(case);
                    start(&groups.join("/"), None)
                })),
                Err(NotListed) => all.push(start("all", None)),
            },
        }
    }
}

/// The same program from another start.
fn started_at(program: &ErlangProgram, function: &str) -> ErlangProgram {
    let mut texts = Texts::clone(&program.texts);
    let parse = texts
        .parses
        .iter()
        .find(|parse| parse.module.name.as_ref().is_some_and(|name| *name.name == *texts.module));
    texts.named = Named::read(function, &texts.module, parse);
    texts.function = function.to_owned();
    texts.source.function = Some(function.to_owned());
    ErlangProgram::new(Arc::new(texts), Arc::clone(program.erlang().program()))
}

/// A run that was to list tests did not come to its end.
struct NotListed;

/// The answer of a run whose first process exits with it.
fn answer(program: &ErlangProgram, entry: Entry, tag: &str) -> Result<Vec<Term>, NotListed> {
    let options = program.erlang().options().clone();
    let erlang = Erlang::new(Arc::clone(program.erlang().program()), entry, options);
    let limits = Limits {
        steps_max: LISTING_STEPS_MAX,
        now_ms_max: None,
        grace_ms: Some(0),
        in_turns: true,
    };
    let run = simulate(&erlang, 0, limits, |_| {});
    let first = run.failures.iter().find(|(pid, _)| *pid == Pid::first());
    match first.and_then(|(_, reason)| reason.as_tuple()) {
        Some([name, list]) if *name == Term::atom(tag) => list.to_vec().ok_or(NotListed),
        _ => Err(NotListed),
    }
}

type Leaf = (Vec<u32>, Option<String>);

/// The leaves of a generator; one that fails to give its tests is a leaf itself.
fn leaves(program: &ErlangProgram, module: &str, name: &str) -> Result<Vec<Leaf>, NotListed> {
    let listed = answer(program, Entry::leaves(module, name), "foresee_leaves")?;
    let leaf = |term: &Term| {
        let [path, title] = term.as_tuple()? else { return None };
        let path = path.to_vec()?;
        let path: Option<Vec<u32>> =
            path.iter().map(|at| u32::try_from(at.as_int()?).ok()).collect();
        let letters = title.to_vec().unwrap_or_default();
        let title: Option<String> =
            letters.iter().map(|it| char::from_u32(u32::try_from(it.as_int()?).ok()?)).collect();
        Some((path?, title.filter(|it| !it.is_empty())))
    };
    listed.iter().map(leaf).collect::<Option<Vec<Leaf>>>().ok_or(NotListed)
}

/// The cases of a suite, each with its groups from the outside in.
fn cases(program: &ErlangProgram, suite: &str) -> Result<Vec<(Vec<String>, String)>, NotListed> {
    let listed = answer(program, Entry::cases(suite), "foresee_cases")?;
    let case = |term: &Term| {
        let [groups, case] = term.as_tuple()? else { return None };
        let groups = groups.to_vec()?;
        let groups: Option<Vec<String>> =
            groups.iter().map(|it| Some(it.as_atom()?.text().to_owned())).collect();
        Some((groups?, case.as_atom()?.text().to_owned()))
    };
    let mut found = listed.iter().map(case).collect::<Option<Vec<_>>>().ok_or(NotListed)?;
    // A case that is listed twice is one test.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|it| seen.insert(it.clone()));
    Ok(found)
}
