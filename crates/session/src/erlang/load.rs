//! From files and a function's name to a program.
//! Modules come in three ways: those given; those of the user that something given names (by the word, as an atom anywhere,
//! because a module is often only named in a supervisor's child list); and library modules of an installed OTP that are
//! really called and not built in.

use super::applications;
use super::attributes;
use super::find::Places;
use super::problems::errors_and_warnings;
use super::program::{ErlangProgram, Texts, parse_term};
use super::project::Project;
use super::{ErlangRequest, Files};
use crate::nearest::did_you_mean;
use crate::{Code, Diagnostic, Loaded};
use foresee_erlang::{Atom, Problem, Surroundings, link_within};
use foresee_erlang_syntax::tree::{Form, FormKind, Function, FunctionName};
use foresee_erlang_syntax::{IncludeRequest, Options, Parse, apply_transforms, lint, parse_file};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Loads an Erlang program.
///
/// ```
/// use foresee_session::{CheckRequest, ErlangRequest, NoMeter, Outcome, Silent, check, load_erlang};
/// use std::collections::BTreeMap;
/// let text = "-module(m).\n-export([test/0]).\ntest() -> receive never -> ok end.\n";
/// let files = BTreeMap::from([("m.erl".to_owned(), text.to_owned())]);
/// let request = ErlangRequest { files: vec!["m.erl".to_owned()], ..ErlangRequest::default() };
/// let program = load_erlang(&request, &files).unwrap();
/// let report = check(&program, &CheckRequest::default(), &NoMeter, &mut Silent);
/// assert_eq!((report.system.as_str(), report.verdict), ("m:test/0", Outcome::Violated));
/// assert!(report.violations[0].message.contains("<P> waits at m.erl:3"));
/// ```
pub fn load_erlang(request: &ErlangRequest, files: &dyn Files) -> Result<Loaded, Diagnostic> {
    let (project, given): (Vec<&String>, Vec<&String>) =
        request.files.iter().partition(|path| files.list(path).is_some());
    let project = project.first().map(|folder| Project::at(files, folder)).transpose()?;
    let project = project.or_else(|| Project::around(files, given.first()?));
    let mut given: Vec<String> = given.into_iter().cloned().collect();
    let places = Places::new(request, files, &given, project.as_ref());
    if given.is_empty() {
        given.push(file_of_module(request, &places)?);
    }
    let mut options = Options::default();
    options.defines.extend(project.iter().flat_map(|it| it.defines.iter().cloned()));
    options.defines.extend(request.defines.iter().cloned());
    let transforms = project.as_ref().map_or_else(Vec::new, |it| it.transforms.clone());
    let mut loader = Loader {
        places: &places,
        options,
        transforms,
        parses: Vec::new(),
        unloaded: BTreeMap::new(),
    };
    for path in &given {
        loader.give(path)?;
    }
    loader.add_applications(project.as_ref());
    loader.add_named_modules();
    let (module, function) = loader.start(request)?;
    let mut asked = request.options.clone();
    let attributes = loader.module(&module).map(|parse| attributes::apply(parse, &mut asked));
    let (notes, interleavings) = attributes.unwrap_or_default();
    let normal_reasons = asked.normal_reasons.iter().map(|reason| {
        parse_term(reason).ok_or_else(|| {
            Diagnostic::new(Code::BadParameterValue, format!("`{reason}` is no Erlang term"))
                .at(format!("--treat-as-normal {reason}"))
                .help(
                    "write the exit reason as Erlang does, for example shutdown or {error,closed}",
                )
        })
    });
    let normal_reasons = normal_reasons.collect::<Result<Vec<_>, _>>()?;
    let (program, libraries, mut warnings) = loader.link(&module, &function)?;
    warnings.extend(notes);
    let unloaded = loader.all_unloaded();
    let texts = Texts {
        request: request.clone(),
        options: asked,
        interleavings,
        module,
        function,
        parses: loader.parses.into(),
        libraries: libraries.into(),
        unloaded: unloaded.into(),
        warnings,
        normal_reasons,
    };
    Ok(Loaded::new(ErlangProgram::new(Arc::new(texts), program)))
}

/// A project has no first file, so its module must be named.
fn file_of_module(request: &ErlangRequest, places: &Places<'_>) -> Result<String, Diagnostic> {
    let names = places.module_names();
    let module = request.supervisor.as_ref().map(|(module, _)| module).or(request.module.as_ref());
    let Some(module) = module else {
        let message = "a folder does not say which module to start in";
        let help = format!("choose one with -m: {}", names.join(", "));
        return Err(Diagnostic::new(Code::NoSuchStart, message).help(help));
    };
    places.module(module).map(str::to_owned).ok_or_else(|| {
        Diagnostic::new(Code::NoSuchStart, format!("there is no module `{module}`"))
            .at(format!("-m {module}"))
            .help(did_you_mean(module, &names))
    })
}

struct Loader<'p> {
    places: &'p Places<'p>,
    options: Options,
    /// Parse transforms that the project asks for.
    transforms: Vec<String>,
    parses: Vec<Parse>,
    /// Modules of the user that something names and that are not sound, with what is wrong.
    unloaded: BTreeMap<String, Diagnostic>,
}

type Linked = (foresee_erlang::Program, Vec<Parse>, Vec<String>);

impl Loader<'_> {
    fn module(&self, name: &str) -> Option<&Parse> {
        self.parses.iter().find(|parse| name_of(parse).as_deref() == Some(name))
    }

    /// A file that the user named.
    fn give(&mut self, path: &str) -> Result<(), Diagnostic> {
        let parse = self.parse(path).map_err(|reason| {
            Diagnostic::new(Code::SourceNotReadable, format!("cannot read `{path}`: {reason}"))
                .help("paths are relative to the current directory")
        })?;
        self.parses.push(parse);
        Ok(())
    }

    fn parse(&self, path: &str) -> Result<Parse, String> {
        let text = self.places.files.read(path)?;
        let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
        let mut parse = parse_file(path, &text, &self.options, &mut includes);
        apply_transforms(&mut parse, &self.transforms);
        Ok(parse)
    }

    /// Adds what the project's application files say, as a module that `application` asks.
    fn add_applications(&mut self, project: Option<&Project>) {
        let specifications = project.map_or(&[][..], |it| &it.specifications);
        let Some(text) = applications::module(self.places.files, specifications) else { return };
        let asks = |parse: &Parse| words(parse).contains("application");
        if self.parses.iter().any(asks) {
            let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
            let parse = parse_file(applications::PATH, &text, &self.options, &mut includes);
            self.parses.push(parse);
        }
    }

    /// Adds the user's other modules that are named, directly or by those added.
    fn add_named_modules(&mut self) {
        let mut known: BTreeSet<String> = self.parses.iter().filter_map(name_of).collect();
        let mut at = 0;
        while at < self.parses.len() {
            let mut names = words(&self.parses[at]);
            if makes_atoms(&self.parses[at]) {
                names.extend(self.places.project_modules().map(str::to_owned));
            }
            at += 1;
            for name in names {
                let Some(path) = self.places.module(&name) else { continue };
                if known.contains(&name) || is_built_in(&name) {
                    continue;
                }
                let Ok(parse) = self.parse(path) else { continue };
                known.insert(name.clone());
                if name_of(&parse).as_deref() != Some(name.as_str()) {
                    continue;
                }
                // What is wrong with a module that nobody asked for matters only to a run that calls it.
                match errors_in(&parse) {
                    Some(errors) => drop(self.unloaded.insert(name, errors)),
                    None => self.parses.push(parse),
                }
            }
        }
    }

    /// Where it starts; the function is exported, as a test runner would.
    fn start(&mut self, request: &ErlangRequest) -> Result<(String, String), Diagnostic> {
        let first = self.parses.first().and_then(name_of);
        let (given, flag) = match &request.supervisor {
            Some((module, _)) => (Some(module.clone()), "--supervisor"),
            None => (request.module.clone(), "-m"),
        };
        let Some(module) = given.or(first) else {
            // A module without a name is reported when it is linked.
            return Ok((String::new(), String::new()));
        };
        let function = match &request.supervisor {
            Some((_, function)) => function.clone(),
            None => request.function.clone().unwrap_or_else(|| "test".to_owned()),
        };
        if !self.parses.iter().any(|parse| name_of(parse).as_ref() == Some(&module))
            && let Some(path) = self.places.module(&module).map(str::to_owned)
        {
            self.give(&path)?;
            self.add_named_modules();
        }
        let position =
            self.parses.iter().position(|parse| name_of(parse).as_ref() == Some(&module));
        let Some(position) = position else {
            if self.parses.iter().any(|parse| !parse.is_usable()) {
                return Ok((module, function));
            }
            let known: Vec<String> = self.parses.iter().filter_map(name_of).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let message = format!("there is no module `{module}`");
            return Err(Diagnostic::new(Code::NoSuchStart, message)
                .at(format!("{flag} {module}"))
                .help(did_you_mean(&module, &known)));
        };
        let parse = &mut self.parses[position];
        // What a transform has added is no place to start at.
        let is_written = |it: &&Function| it.arity == 0 && it.name.span.start < it.name.span.end;
        let nullary: Vec<_> =
            parse.module.functions().filter(is_written).map(|it| it.name.clone()).collect();
        match nullary.iter().find(|name| *name.name == *function) {
            Some(found) => {
                let name = FunctionName { name: found.name.clone(), arity: 0, span: found.span };
                let form = Form { kind: FormKind::Export(vec![name]), span: found.span };
                parse.module.forms.push(form);
                Ok((module, function))
            }
            // What is wrong with the text comes first: the function may be in it and unreadable.
            None if !parse.is_usable() => Ok((module, function)),
            None => {
                let names: Vec<&str> = nullary.iter().map(|name| name.name.as_str()).collect();
                let error = no_start(&module, &function, &names, parse);
                Err(match request.supervisor {
                    Some(_) => error.help(no_supervisor(&names)),
                    None => error,
                })
            }
        }
    }

    /// Links, adding library modules until nothing is missing that can be found.
    fn link(&self, module: &str, function: &str) -> Result<Linked, Diagnostic> {
        let start = Some((Atom::new(module), Atom::new(function)));
        let unloaded = self.all_unloaded();
        let unloaded: Vec<Atom> = unloaded.iter().map(|(name, _)| Atom::new(name)).collect();
        let mut libraries: Vec<Parse> = Vec::new();
        let mut tried: BTreeSet<&str> = BTreeSet::new();
        loop {
            let surroundings = Surroundings { libraries: &libraries, start, unloaded: &unloaded };
            let linked = link_within(self.parses.clone(), surroundings);
            let missing = linked.missing.iter().map(|name: &Atom| name.text());
            let found: Vec<Parse> = missing
                .filter(|name| tried.insert(name))
                .filter_map(|name| self.parse(self.places.library(name)?).ok())
                .filter(Parse::is_usable)
                .collect();
            if !found.is_empty() {
                libraries.extend(found);
                continue;
            }
            let (error, mut warnings) = errors_and_warnings(&linked.problems);
            warnings.extend(self.warnings_of_unloaded());
            return match (error, linked.program) {
                (None, Some(program)) => Ok((program, libraries, warnings)),
                (error, _) => Err(error.unwrap_or_else(|| {
                    Diagnostic::new(Code::Internal, "a program without errors could not be linked")
                })),
            };
        }
    }
}

impl Loader<'_> {
    /// The user's modules that are not part of the program: those with errors, and those beside it that nothing names.
    fn all_unloaded(&self) -> Vec<(String, Diagnostic)> {
        let is_loaded = |name: &str| self.module(name).is_some() || is_built_in(name);
        let unnamed = self.places.module_names().into_iter().filter(|name| !is_loaded(name));
        let told = unnamed.map(|name| {
            let why = self.unloaded.get(name).cloned();
            (name.to_owned(), why.unwrap_or_else(|| not_named(name, self.places)))
        });
        told.collect()
    }

    /// A line for each module with errors that the program calls by its name.
    fn warnings_of_unloaded(&self) -> Vec<String> {
        let called = self
            .unloaded
            .iter()
            .filter(|(name, _)| self.parses.iter().any(|parse| calls_into(parse, name)));
        let line = |(name, error): (&String, &Diagnostic)| {
            let place = error.location.as_deref().unwrap_or_default();
            let Diagnostic { code, message, .. } = error;
            format!("{place}: {code}: {message}; a run that calls module `{name}` stops")
        };
        called.map(line).collect()
    }
}

fn not_named(name: &str, places: &Places<'_>) -> Diagnostic {
    let path = places.module(name).unwrap_or_default();
    let message = format!("nothing names module `{name}`, so `{path}` was not read");
    Diagnostic::new(Code::SourceNotReadable, message)
        .help(format!("give the file together with the others: {path}"))
}

/// What is wrong with a module's text, if it cannot be run.
fn errors_in(parse: &Parse) -> Option<Diagnostic> {
    let said = parse.diagnostics.iter().cloned().chain(lint(parse));
    let problem = |diagnostic| Problem { diagnostic, sources: parse.sources.clone() };
    errors_and_warnings(&said.map(problem).collect::<Vec<_>>()).0
}

fn no_start(module: &str, function: &str, known: &[&str], parse: &Parse) -> Diagnostic {
    let is_other = |it: &&Function| *it.name.name == *function && it.arity > 0;
    let others = parse.module.functions().filter(is_other);
    let arities: Vec<String> = others.map(|it| format!("`{function}/{}`", it.arity)).collect();
    let message = if arities.is_empty() {
        format!("module `{module}` has no function `{function}/0`")
    } else {
        format!("module `{module}` has {} but no `{function}/0`", arities.join(" and "))
    };
    let help = if known.is_empty() {
        "it has no function without arguments: write one that calls what you want to run".to_owned()
    } else {
        let (tests, others): (Vec<&str>, Vec<&str>) =
            known.iter().partition(|name| name.ends_with("_test"));
        let mut known = tests;
        known.extend(others);
        let first = crate::nearest::nearest(function, &known).unwrap_or(known[0]);
        let listed: Vec<String> = known.iter().map(|name| format!("{name}/0")).collect();
        format!(
            "functions without arguments are {}: choose one with -t, as in -t {first}",
            listed.join(", ")
        )
    };
    let path = parse.sources.files().first().map_or("", |file| &file.path);
    Diagnostic::new(Code::NoSuchStart, message).at(path).help(help)
}

fn no_supervisor(known: &[&str]) -> String {
    let listed: Vec<String> = known.iter().map(|name| format!("{name}/0")).collect();
    match listed.is_empty() {
        true => "it has no function without arguments: write one that calls supervisor:start_link"
            .to_owned(),
        false => format!(
            "--supervisor MODULE:FUNCTION names a function that gives {{ok, Pid}}, as supervisor:start_link does; those without \
             arguments are {}",
            listed.join(", ")
        ),
    }
}

fn name_of(parse: &Parse) -> Option<String> {
    parse.module.name.as_ref().map(|name| name.name.to_string())
}

fn is_built_in(name: &str) -> bool {
    foresee_erlang::prelude::MODULES.iter().any(|(own, _)| *own == name)
        || foresee_erlang::builtins::BUILTINS.of_module(Atom::new(name)).next().is_some()
}

/// Every word of a module's own text that could be an atom.
fn words(parse: &Parse) -> BTreeSet<String> {
    let texts = parse.sources.files().iter().map(|file| &*file.text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let words = texts.flat_map(|text| text.split(move |c: char| !is_word(c)));
    words.filter(|word| word.starts_with(char::is_lowercase)).map(str::to_owned).collect()
}

/// Whether a module may make a name of a module at run time.
fn makes_atoms(parse: &Parse) -> bool {
    const MAKERS: [&str; 4] = ["_to_atom", "_to_existing_atom", "binary_to_term", "consult"];
    let texts = || parse.sources.files().iter().map(|file| &*file.text);
    MAKERS.iter().any(|maker| texts().any(|text| text.contains(maker)))
}

/// Whether the text calls a function of a module by its name.
fn calls_into(parse: &Parse, module: &str) -> bool {
    let call = format!("{module}:");
    parse.sources.files().iter().any(|file| file.text.contains(&call))
}
