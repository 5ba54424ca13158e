//! A loaded program: all its functions, linked.
//! A module comes from the user or from our prelude (`crate::program::prelude`), which is Erlang text compiled with the program
//! when something in it may call it. Every built-in also has a stub, a function of two instructions, for calls by a
//! computed name.

pub(crate) mod beam;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod exports;
pub(crate) mod liveness;
pub(crate) mod made;
pub mod prelude;
pub(crate) mod reach;
pub(crate) mod unparse;

use crate::builtins::{BUILTINS, Builtin, Builtins};
use crate::machine::Absent;
use crate::program::code::{Function, Instruction, RAISE};
use crate::program::compile::{Linker, Mfa, mark_actions};
use crate::program::made::{Made, Makes};
use crate::program::reach::reached;
use crate::term::{Atom, Term};
use foresee_erlang_syntax::{
    Diagnostic, Includes, Options, Parse, Severity, Sources, lint, parse_file,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Everything that can run.
pub struct Program {
    functions: Vec<Function>,
    numbers: FxHashMap<Mfa, u32>,
    pub builtins: &'static Builtins,
    first_stub: u32,
    modules: Vec<Atom>,
    attributes: FxHashMap<Atom, Term>,
    /// The user's modules that could not be read.
    unloaded: FxHashSet<Atom>,
    makes: Makes,
    made: Made,
}

/// One source file.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'t> {
    pub path: &'t str,
    pub text: &'t str,
}

/// Something wrong with a file, and the texts it points into.
#[derive(Clone, Debug)]
pub struct Problem {
    pub diagnostic: Diagnostic,
    pub sources: Sources,
}

impl Problem {
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}

/// What came of loading: a program, unless there are errors, and everything worth saying.
pub struct Loaded {
    pub program: Option<Program>,
    pub problems: Vec<Problem>,
    /// The module of each file given, in order.
    pub modules: Vec<Option<Atom>>,
    /// Modules that are called and not there at all, in the order of their names.
    pub missing: Vec<Atom>,
}

/// Loads modules from their texts.
pub fn load(files: &[SourceText<'_>], options: &Options, includes: Includes<'_>) -> Loaded {
    let parses: Vec<Parse> =
        files.iter().map(|file| parse_file(file.path, file.text, options, includes)).collect();
    link(parses)
}

/// Loads modules that are parsed already.
pub fn link(parses: Vec<Parse>) -> Loaded {
    link_within(parses, Surroundings::default())
}

/// What a program is linked with, besides the modules of the user that are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// Modules that are not the user's own, of whose calls nothing is said.
    pub libraries: &'a [Parse],
    /// Where the program starts, module and function; of calls that cannot be reached from there nothing is said.
    pub start: Option<(Atom, Atom)>,
    /// Modules of the user that exist and could not be read; a run that calls one stops.
    pub unloaded: &'a [Atom],
}

/// Loads modules in their surroundings.
pub fn link_within(parses: Vec<Parse>, surroundings: Surroundings<'_>) -> Loaded {
    let Surroundings { libraries, start, unloaded } = surroundings;
    let mut problems = Vec::new();
    for parse in &parses {
        let said = parse.diagnostics.iter().cloned().chain(lint(parse));
        problems
            .extend(said.map(|diagnostic| Problem { diagnostic, sources: parse.sources.clone() }));
    }
    let name_of = |parse: &Parse| parse.module.name.as_ref().map(|name| Atom::new(&name.name));
    let modules: Vec<Option<Atom>> = parses.iter().map(name_of).collect();
    let is_sound = !problems.iter().any(Problem::is_error);

    let n_own = parses.len();
    let mut parses = parses;
    parses.iter_mut().for_each(|parse| mark_actions(&mut parse.module));
    let parses: Vec<Parse> = parses.into_iter().chain(libraries.iter().cloned()).collect();
    let own: FxHashSet<&str> = parses.iter().filter_map(name_of).map(|name| name.text()).collect();
    let prelude = prelude::modules_for(&parses, &own);
    let mut linker = Linker {
        builtins: &BUILTINS,
        numbers: FxHashMap::default(),
        functions: Vec::new(),
        modules: Vec::new(),
        attributes: FxHashMap::default(),
        missing: FxHashSet::default(),
        makes: Makes::of(&parses),
    };
    let (own_parses, of_libraries) = parses.split_at(n_own);
    let all: Vec<(Atom, &Parse, bool)> = prelude
        .into_iter()
        .chain(own_parses)
        .map(|parse| (parse, false))
        .chain(of_libraries.iter().map(|parse| (parse, true)))
        .filter_map(|(parse, is_library)| Some((name_of(parse)?, parse, is_library)))
        .collect();
    for (name, parse, _) in &all {
        linker.declare(*name, &parse.module);
    }
    let mut unknown: Vec<(u32, Problem)> = Vec::new();
    for (name, parse, is_library) in all.iter().filter(|_| is_sound) {
        let problem = |diagnostic| Problem { diagnostic, sources: parse.sources.clone() };
        let is_silent = *is_library || is_prelude(parse);
        let said = linker.compile(*name, &parse.module, &parse.sources, is_silent);
        unknown.extend(said.into_iter().map(|(number, it)| (number, problem(it))));
    }
    let mut missing: Vec<Atom> = linker.missing.iter().copied().collect();
    missing.sort_unstable();
    if !is_sound {
        return Loaded { program: None, problems, modules, missing };
    }
    if unknown.iter().any(|(_, problem)| problem.is_error()) {
        let errors = unknown.into_iter().map(|(_, problem)| problem).filter(Problem::is_error);
        problems.extend(errors);
        return Loaded { program: None, problems, modules, missing };
    }
    let program = Program::new(linker, unloaded);
    if let (false, Some((module, name))) = (unknown.is_empty(), start) {
        let reached = reached(&program, module, name);
        unknown.retain(|(number, _)| reached.contains(number));
    }
    problems.extend(unknown.into_iter().map(|(_, problem)| problem));
    Loaded { program: Some(program), problems, modules, missing }
}

fn is_prelude(parse: &Parse) -> bool {
    parse.sources.files().first().is_some_and(|file| file.path.starts_with(prelude::PATH))
}

impl Program {
    fn new(linker: Linker, unloaded: &[Atom]) -> Program {
        let mut functions: Vec<Function> =
            linker.functions.into_iter().map(|f| f.expect("every function is compiled")).collect();
        let first_stub = functions.len() as u32;
        functions.extend((0..linker.builtins.len() as u32).map(|id| stub(linker.builtins, id)));
        Program {
            functions,
            numbers: linker.numbers,
            builtins: linker.builtins,
            first_stub,
            modules: linker.modules,
            attributes: linker.attributes,
            unloaded: unloaded.iter().copied().collect(),
            makes: linker.makes,
            made: Made::default(),
        }
    }

    pub fn function(&self, number: u32) -> &Function {
        self.get(number).expect("a function that was compiled")
    }

    /// The function of that number, if there is one.
    pub fn get(&self, number: u32) -> Option<&Function> {
        let n_static = self.functions.len() as u32;
        match number.checked_sub(n_static) {
            None => self.functions.get(number as usize),
            Some(slot) => self.made.get(slot),
        }
    }

    /// The function of that name, exported or not.
    pub fn find(&self, key: Mfa) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    /// The function of that name, if other modules may call it.
    pub fn exported(&self, key: Mfa) -> Option<u32> {
        self.find(key).filter(|number| self.function(*number).exported)
    }

    /// The functions of that name, of any arity.
    pub(crate) fn named(&self, module: Atom, name: Atom) -> impl Iterator<Item = u32> {
        let named = self.numbers.iter().filter(move |(key, _)| key.0 == module && key.1 == name);
        named.map(|(_, number)| *number)
    }

    /// The functions of a module that others may call, in order: name and number.
    pub(crate) fn exported_of(&self, module: Atom) -> impl Iterator<Item = (Atom, u32)> {
        let of_module = self.numbers.iter().filter(|(key, _)| key.0 == module);
        let exported = of_module.filter(|(_, number)| self.function(**number).exported);
        let mut found: Vec<(Atom, u32)> = exported.map(|(key, number)| (key.1, *number)).collect();
        found.sort_unstable_by_key(|(_, number)| *number);
        found.into_iter()
    }

    /// For a function that is not here: why a call of it is more than `undef`.
    pub(crate) fn absent(&self, function: Mfa) -> Option<Absent> {
        let is_unloaded = self.unloaded.contains(&function.0);
        let is_users = self.modules.contains(&function.0) && !prelude::has(function.0.text());
        let is_otp = !is_users && exports::has(function);
        (is_unloaded || is_otp).then_some(Absent { function, is_unloaded })
    }

    /// A function that calls a built-in.
    pub fn stub(&self, builtin: u32) -> Option<u32> {
        Some(self.first_stub + builtin)
    }

    /// Whether a function of that name is built in and some function of the program calls it or names it.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let is_call = |instruction: &Instruction| match instruction {
            Instruction::Builtin { builtin, .. } => self.builtins.get(*builtin).name == name,
            _ => false,
        };
        let named = crate::term::Term::atom(name);
        self.functions[..self.first_stub as usize].iter().any(|function| {
            function.constants.iter().any(|it| holds(it, &named))
                || function.code.iter().any(is_call)
        })
    }

    /// Whether some function stops the program, or names a function that does.
    pub(crate) fn may_halt(&self) -> bool {
        let stops = |instruction: &Instruction| match instruction {
            Instruction::Builtin { builtin, .. } => self.builtins.get(*builtin).module == "init",
            _ => false,
        };
        let own = &self.functions[..self.first_stub as usize];
        self.mentions("halt") || own.iter().any(|function| function.code.iter().any(stops))
    }

    /// Whether some function reads the clock, or names a function that does.
    pub(crate) fn may_read_clock(&self) -> bool {
        let reads = |instruction: &Instruction| match instruction {
            Instruction::Builtin { builtin, .. } => self.builtins.get(*builtin).reads_clock(),
            _ => false,
        };
        let names = |constant: &crate::term::Term| match constant.as_atom() {
            Some(name) => {
                let is_it = |entry: &Builtin| entry.name == name.text() && entry.reads_clock();
                self.builtins.iter().any(is_it)
            }
            None => false,
        };
        self.functions[..self.first_stub as usize]
            .iter()
            .any(|function| function.code.iter().any(reads) || function.constants.iter().any(names))
    }

    /// Whether some function calls what happens together with the receive before it.
    pub(crate) fn may_join(&self) -> bool {
        let joins = |instruction: &Instruction| match instruction {
            Instruction::Builtin { builtin, .. } => self.builtins.get(*builtin).joins,
            _ => false,
        };
        let own = &self.functions[..self.first_stub as usize];
        own.iter().any(|function| function.code.iter().any(joins))
    }

    /// Whether a module is there, as source or built in.
    pub fn has_module(&self, module: Atom) -> bool {
        self.modules.contains(&module) || self.builtins.of_module(module).next().is_some()
    }

    /// What a module says of itself in attributes.
    pub fn attributes(&self, module: Atom) -> Term {
        self.attributes.get(&module).cloned().unwrap_or(Term::Nil)
    }

    /// The modules that have source, in the order in which they were read.
    pub fn modules(&self) -> &[Atom] {
        &self.modules
    }

    /// The functions of a module that others may call: name and arity.
    pub fn exports(&self, module: Atom) -> Vec<(Atom, u32)> {
        let mut exports: Vec<(Atom, u32)> = self
            .numbers
            .iter()
            .filter(|(key, number)| key.0 == module && self.function(**number).exported)
            .map(|(key, _)| (key.1, key.2))
            .chain(self.builtins.of_module(module).map(|(name, n)| (Atom::new(name), n)))
            .collect();
        exports.sort_unstable();
        exports
    }

    /// The functions of a module's text, exported or not, and those that are built in.
    pub(crate) fn functions(&self, module: Atom) -> Vec<(Atom, u32)> {
        let mut functions: Vec<(Atom, u32)> = self
            .numbers
            .keys()
            .filter(|key| key.0 == module && !key.1.text().starts_with('-'))
            .map(|key| (key.1, key.2))
            .chain(self.builtins.of_module(module).map(|(name, n)| (Atom::new(name), n)))
            .collect();
        functions.sort_unstable();
        functions
    }
}

/// Whether a literal is, or has in it, a term.
fn holds(literal: &crate::term::Term, wanted: &crate::term::Term) -> bool {
    use crate::term::Term;
    literal == wanted
        || match literal {
            Term::Tuple(tuple) => tuple.items().iter().any(|it| holds(it, wanted)),
            Term::Cons(_) => {
                let mut cells = literal.cells();
                cells.by_ref().any(|it| holds(it, wanted)) || holds(cells.rest(), wanted)
            }
            Term::Map(map) => {
                map.entries().iter().any(|(key, value)| holds(key, wanted) || holds(value, wanted))
            }
            _ => false,
        }
}

fn stub(builtins: &Builtins, builtin: u32) -> Function {
    let entry = builtins.get(builtin);
    let n = u16::from(entry.arity);
    let code = vec![
        Instruction::Builtin { builtin, start: 0, n, fail: RAISE },
        Instruction::Return { src: 0 },
    ];
    let mut function = Function {
        module: Atom::new(entry.module),
        name: Atom::new(entry.name),
        arity: u32::from(entry.arity),
        n_caught: 0,
        exported: true,
        n_registers: n.max(1),
        lines: vec![0; code.len()],
        code,
        file: Atom::new(""),
        constants: Vec::new(),
        segments: Vec::new(),
        handlers: Vec::new(),
        live: FxHashMap::default(),
    };
    crate::program::liveness::analyse(&mut function);
    function
}
