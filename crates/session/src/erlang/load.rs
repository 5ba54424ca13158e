//! From files and a function's name to a program.
//! Modules come in three ways: those given; those of the user that something given names (by the word, as an atom anywhere,
//! because a module is often only named in a supervisor's child list); and library modules of an installed OTP that are
//! really called and not built in.

use super::ErlangSource;
use super::applications;
use super::attributes;
use super::find::{Places, modules_in};
use super::problems::errors_and_warnings;
use super::program::{ErlangProgram, Texts, parse_term};
use super::project::Project;
use super::project_files;
use super::start::Named;
use crate::nearest::did_you_mean;
use crate::{Code, Diagnostic, Files};
use foresee_erlang::{
    Atom, Entry, Erlang, Limits, Outcome as RunOutcome, Pid, Problem, Run, Surroundings, Term,
    link_within, read_term, simulate, unparse, words,
};
use foresee_erlang_syntax::tree::{Form, FormKind, Function, FunctionName};
use foresee_erlang_syntax::{
    IncludeRequest, Options, Parse, abstract_forms_in_files, apply_transforms, lint, parse_file,
    unknown_transforms,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Opens an Erlang program.
pub(crate) fn open(source: &ErlangSource, files: &dyn Files) -> Result<ErlangProgram, Diagnostic> {
    let setting = Setting::of(source, files)?;
    let mut given = setting.given.clone();
    if given.is_empty() {
        given.push(file_of_module(source, &setting.places)?);
    }
    load_in(&setting, &given, source)
}

/// Where modules are and how they are read: what all programs from one source have in common.
pub(crate) struct Setting<'f> {
    project: Option<Project>,
    given: Vec<String>,
    places: Places<'f>,
    options: Options,
    /// The same for dependencies, which nobody compiles for tests.
    options_of_dependencies: Options,
    /// Parse transforms that the project asks for.
    transforms: Vec<String>,
    /// The project's compiler options, as they are written.
    compiler_options: Vec<String>,
    /// What has been read already, by path.
    read: RefCell<BTreeMap<String, Parse>>,
    /// The same without parse transforms of the user's.
    read_plain: RefCell<BTreeMap<String, Parse>>,
    /// Parse transforms that are about to be run.
    running: RefCell<BTreeSet<String>>,
    /// Programs of parse transforms, by name.
    programs: RefCell<BTreeMap<String, Result<Arc<foresee_erlang::Program>, String>>>,
}

impl<'f> Setting<'f> {
    pub(crate) fn of(source: &ErlangSource, files: &'f dyn Files) -> Result<Self, Diagnostic> {
        let (project, given): (Vec<&String>, Vec<&String>) =
            source.files.iter().partition(|path| files.list(path).is_some());
        let project = project.first().map(|folder| Project::at(files, folder)).transpose()?;
        let project = project.or_else(|| Project::around(files, given.first()?));
        let given: Vec<String> = given.into_iter().cloned().collect();
        let places = Places::new(source, files, &given, project.as_ref());
        let mut options = Options::default();
        options.defines.extend(project.iter().flat_map(|it| it.defines.iter().cloned()));
        let mut options_of_dependencies = options.clone();
        options_of_dependencies.defines.retain(|(name, _)| name != "TEST");
        options.defines.extend(source.defines.iter().cloned());
        options_of_dependencies.defines.extend(source.defines.iter().cloned());
        let transforms = project.as_ref().map_or_else(Vec::new, |it| it.transforms.clone());
        let compiler_options =
            project.as_ref().map_or_else(Vec::new, |it| it.compiler_options.clone());
        Ok(Setting {
            compiler_options,
            project,
            given,
            places,
            options,
            options_of_dependencies,
            transforms,
            read: RefCell::default(),
            read_plain: RefCell::default(),
            running: RefCell::default(),
            programs: RefCell::default(),
        })
    }

    /// The files that tests are looked for in: those given, or those of the project that are not of a dependency.
    pub(crate) fn own_modules(&self, source: &ErlangSource) -> Vec<String> {
        if let Some(module) = &source.module {
            return self.places.module(module).map(str::to_owned).into_iter().collect();
        }
        if !self.given.is_empty() {
            return self.given.clone();
        }
        let own = self.project.iter().flat_map(|it| &it.own);
        let files = own.flat_map(|folder| modules_in(self.places.files, folder));
        let files: BTreeMap<String, String> = files.collect();
        files.into_values().collect()
    }

    /// The modules that may be started in, by name.
    pub(crate) fn module_names(&self) -> Vec<&str> {
        self.places.module_names()
    }

    fn is_of_dependency(&self, path: &str) -> bool {
        let folder = super::find::folder_of(path);
        let is_of = |it: &Project| it.sources.contains(&folder) && !it.own.contains(&folder);
        self.project.as_ref().is_some_and(is_of)
    }

    pub(crate) fn parse(&self, path: &str) -> Result<Parse, String> {
        let is_nested = !self.running.borrow().is_empty();
        let known = if is_nested { &self.read_plain } else { &self.read };
        if let Some(known) = known.borrow().get(path) {
            return Ok(known.clone());
        }
        let text = self.places.text(path)?;
        let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
        let options = match self.is_of_dependency(path) {
            true => &self.options_of_dependencies,
            false => &self.options,
        };
        let mut parse = parse_file(path, &text, options, &mut includes);
        let mut transforms = self.transforms.clone();
        let unknown = unknown_transforms(&parse, &self.transforms);
        // What a transform is made of is taken as it is written.
        let mut reasons = Vec::new();
        for name in unknown.iter().filter(|_| !is_nested) {
            match self.transformed(name, &parse) {
                Ok(next) => {
                    transforms.retain(|it| it != name);
                    parse = next;
                }
                Err(reason) => reasons.push((name.clone(), reason)),
            }
        }
        if !is_nested || unknown.is_empty() {
            apply_transforms(&mut parse, &transforms, &reasons);
        }
        known.borrow_mut().insert(path.to_owned(), parse.clone());
        Ok(parse)
    }

    /// What a parse transform makes of a module, if its text is there and it can be run; or why not.
    fn transformed(&self, name: &str, parse: &Parse) -> Result<Parse, String> {
        if !parse.is_usable() {
            return Err("the module has errors before it".to_owned());
        }
        let path = self.places.module(name).ok_or("its text is not here")?;
        let known = self.programs.borrow().get(name).cloned();
        let program = known.unwrap_or_else(|| {
            self.running.borrow_mut().insert(name.to_owned());
            let program = self.transform_program(name, path).map(Arc::new);
            self.running.borrow_mut().remove(name);
            self.programs.borrow_mut().insert(name.to_owned(), program.clone());
            program
        });
        let file = parse.sources.files().first().ok_or("the module has no text")?;
        let mut forms = abstract_forms_in_files(parse);
        forms.push(format!("{{eof,{}}}", file.text.lines().count() + 1));
        let forms = forms.iter().map(|form| read_term(form)).collect::<Option<Vec<Term>>>();
        let forms = forms.ok_or("a form of the module is not understood")?;
        let options = Term::list(self.compiler_options.iter().filter_map(|it| read_term(it)));
        let entry = Entry::transform(name, Term::list(forms), options);
        let erlang = Erlang::new(program?, entry, foresee_erlang::Options::default());
        let run = simulate(&erlang, 0, Limits::default(), |_| {});
        let forms = forms_of(&run)?;
        let text = unparse(&forms).ok_or("what it gives is not understood")?;
        let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
        Ok(parse_file(&file.path, &text, &self.options, &mut includes))
    }

    /// A program with a parse transform in it.
    fn transform_program(&self, name: &str, path: &str) -> Result<foresee_erlang::Program, String> {
        let places = &self.places;
        let mut loader =
            Loader { setting: self, places, parses: Vec::new(), unloaded: BTreeMap::new() };
        loader.give(path).map_err(|error| error.message)?;
        loader.add_named_modules();
        let linked = loader.link(name, "parse_transform");
        linked.map(|(program, ..)| program).map_err(|error| error.message)
    }
}

/// The forms that the run of a transform has ended with; or how else it has ended.
fn forms_of(run: &Run) -> Result<Term, String> {
    let first = run.failures.iter().find(|(pid, _)| *pid == Pid::first());
    match (first.map(|(_, reason)| (reason, reason.as_tuple())), &run.outcome) {
        (Some((_, Some([tag, forms]))), _) if *tag == Term::atom("foresee_forms") => {
            Ok(forms.clone())
        }
        (Some((reason, _)), _) => {
            let place = words::raised_at(reason).map_or(String::new(), |it| format!(", {it}"));
            Err(format!("{}{place}", words::reason(reason)))
        }
        (None, RunOutcome::Stuck(_, why)) => Err(why.clone()),
        (None, _) => Err("its run does not come to an end".to_owned()),
    }
}

/// The program that starts in one of these files.
pub(crate) fn load_in(
    setting: &Setting<'_>,
    given: &[String],
    source: &ErlangSource,
) -> Result<ErlangProgram, Diagnostic> {
    let places = &setting.places;
    let mut loader = Loader { setting, places, parses: Vec::new(), unloaded: BTreeMap::new() };
    for path in given {
        loader.give(path)?;
    }
    loader.add_named_modules();
    if loader.add_applications(setting.project.as_ref()) {
        loader.add_named_modules();
    }
    loader.add_files(setting.project.as_ref());
    let (module, function) = loader.start(source)?;
    let named = Named::read(&function, &module, loader.module(&module));
    let mut asked = source.options.clone();
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
    let (program, libraries, mut warnings) = loader.link(&module, &named.function)?;
    warnings.extend(notes);
    let unloaded = loader.all_unloaded();
    let texts = Texts {
        source: source.clone(),
        options: asked,
        interleavings,
        module,
        function,
        named,
        parses: loader.parses.into(),
        libraries: libraries.into(),
        unloaded: unloaded.into(),
        warnings,
        normal_reasons,
    };
    Ok(ErlangProgram::new(Arc::new(texts), program))
}

/// A project has no first file, so its module must be named.
fn file_of_module(source: &ErlangSource, places: &Places<'_>) -> Result<String, Diagnostic> {
    let names = places.module_names();
    let module = source.supervisor.as_ref().map(|(module, _)| module).or(source.module.as_ref());
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
    setting: &'p Setting<'p>,
    places: &'p Places<'p>,
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
        self.setting.parse(path)
    }

    /// Adds what the project's application files say, as a module that `application` asks, if somebody asks.
    fn add_applications(&mut self, project: Option<&Project>) -> bool {
        let specifications = project.map_or(&[][..], |it| &it.specifications);
        let Some(text) = applications::module(self.places.files, specifications) else {
            return false;
        };
        let asks = |parse: &Parse| words(parse).contains("application");
        let is_asked = self.parses.iter().any(asks);
        if is_asked {
            let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
            let parse = parse_file(applications::PATH, &text, &self.setting.options, &mut includes);
            self.parses.push(parse);
        }
        is_asked
    }

    /// Adds the project's own files, as a module that `file` asks, if something may read files.
    fn add_files(&mut self, project: Option<&Project>) {
        let reads = |parse: &Parse| {
            let words = words(parse);
            ["file", "filelib", "prim_file", "file_server"].iter().any(|it| words.contains(*it))
        };
        let Some(project) = project.filter(|_| self.parses.iter().any(reads)) else { return };
        let Some(text) = project_files::module(self.places.files, &project.root) else { return };
        let mut includes = |request: &IncludeRequest<'_>| self.places.include(request);
        let parse = parse_file(project_files::PATH, &text, &self.setting.options, &mut includes);
        self.parses.push(parse);
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
    fn start(&mut self, source: &ErlangSource) -> Result<(String, String), Diagnostic> {
        let first = self.parses.first().and_then(name_of);
        let (given, flag) = match &source.supervisor {
            Some((module, _)) => (Some(module.clone()), "--supervisor"),
            None => (source.module.clone(), "-m"),
        };
        let Some(module) = given.or(first) else {
            // A module without a name is reported when it is linked.
            return Ok((String::new(), String::new()));
        };
        let function = match &source.supervisor {
            Some((_, function)) => function.clone(),
            None => source.function.clone().unwrap_or_else(|| "test".to_owned()),
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
        let named = Named::read(&function, &module, Some(parse));
        // What a transform has added is no place to start at.
        let is_written =
            |it: &&Function| it.arity == named.arity && it.name.span.start < it.name.span.end;
        let nullary: Vec<_> =
            parse.module.functions().filter(is_written).map(|it| it.name.clone()).collect();
        match nullary.iter().find(|name| *name.name == *named.function) {
            Some(found) => {
                let (name, arity) = (found.name.clone(), named.arity);
                let name = FunctionName { name, arity, span: found.span };
                let form = Form { kind: FormKind::Export(vec![name]), span: found.span };
                parse.module.forms.push(form);
                Ok((module, function))
            }
            // What is wrong with the text comes first: the function may be in it and unreadable.
            None if !parse.is_usable() => Ok((module, function)),
            None => {
                let names: Vec<&str> = nullary.iter().map(|name| name.name.as_str()).collect();
                let error = no_start(&module, &function, &names, parse);
                Err(match source.supervisor {
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
    /// The dependency that a module which is not there is probably of: one that is declared and not there either.
    fn dependency_of(&self, module: &str) -> Option<&str> {
        let missing = self.setting.project.iter().flat_map(|it| &it.missing).map(String::as_str);
        let is_of = |name: &&str| {
            module.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        missing.filter(is_of).max_by_key(|name| name.len())
    }

    /// Modules that the program names, of dependencies that are not there.
    fn absent_modules(&self) -> Vec<(String, Diagnostic)> {
        let mut absent = BTreeMap::new();
        for name in self.parses.iter().flat_map(words) {
            if self.places.module(&name).is_none()
                && let Some(dependency) = self.dependency_of(&name)
            {
                let message = format!(
                    "dependency `{dependency}` of the project is not there, and with it module `{name}`"
                );
                let help = format!(
                    "fetch it (`rebar3 get-deps`), or put its folder into _checkouts/{dependency}"
                );
                let why = Diagnostic::new(Code::SourceNotReadable, message).help(help);
                absent.insert(name, why);
            }
        }
        absent.into_iter().collect()
    }

    /// The user's modules that are not part of the program: those with errors, those beside it that nothing names, and those of
    /// dependencies that are not there.
    fn all_unloaded(&self) -> Vec<(String, Diagnostic)> {
        let is_loaded = |name: &str| self.module(name).is_some() || is_built_in(name);
        let unnamed = self.places.module_names().into_iter().filter(|name| !is_loaded(name));
        let told = unnamed.map(|name| {
            let why = self.unloaded.get(name).cloned();
            (name.to_owned(), why.unwrap_or_else(|| not_named(name, self.places)))
        });
        told.chain(self.absent_modules()).collect()
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
    foresee_erlang::program::prelude::MODULES.iter().any(|(own, _)| *own == name)
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
