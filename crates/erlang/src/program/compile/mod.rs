//! From syntax trees to bytecode.
//! Two passes over all modules: first every function gets its number, then bodies are compiled and calls between
//! modules become numbers too. A call to something that is not there is warned of with its line (`Unit::unknown`) and
//! compiled to a call by name; what comes of it is decided when a run reaches it (`machine::call`).
//! Reading order: `body` (registers and labels), `expr`, `pattern`, `guard`, then the rest.

mod actions;
mod bits;
mod body;
mod call;
mod comprehension;
mod constant;
mod control;
mod expr;
mod fun;
mod fun2ms;
mod guard;
pub(crate) mod outside;
mod pattern;
mod query;
mod record;
mod vars;

pub(crate) use actions::mark as mark_actions;
pub(crate) use constant::constant;

use crate::builtins::Builtins;
use crate::program::code::{Failure, Function, Instruction};
use crate::program::exports;
use crate::program::made::Makes;
use crate::program::prelude;
use crate::term::{Atom, Term};
use body::Body;
use foresee_erlang_syntax::tree::{
    Clause, Expr, ExprKind, Form, FormKind, Function as FunctionTree, Module, RecordDef,
};
use foresee_erlang_syntax::{Code, Diagnostic, Explanation, Name, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function's name to the outside: module, function, arity.
pub(crate) type Mfa = (Atom, Atom, u32);

/// What the whole program knows while its modules are compiled.
pub(crate) struct Linker {
    pub builtins: &'static Builtins,
    /// Every function of every module.
    pub numbers: FxHashMap<Mfa, u32>,
    /// The code, by number; `None` until compiled.
    pub functions: Vec<Option<Function>>,
    /// Modules with source.
    pub modules: Vec<Atom>,
    /// Their attributes that only inform, as `module_info(attributes)` gives them.
    pub attributes: FxHashMap<Atom, Term>,
    /// Modules that are called and not there at all.
    pub missing: FxHashSet<Atom>,
    /// Which calls may be of modules that are made while the program runs.
    pub makes: Makes,
}

/// A call to something that has no model here.
pub(crate) const NOT_MODELLED: Code = Code("E0201");
/// A call to a function that its module, which is here, does not have.
pub(crate) const NO_SUCH_FUNCTION: Code = Code("E0202");

/// A function that needs more registers than there are.
pub(crate) const TOO_LARGE: Code = Code("E0204");

/// The diagnostics of this crate, each with a page and a program that produces it.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: NOT_MODELLED,
        title: "A function is called that is not modelled",
        text: "The function is one of OTP's that we neither have in source nor know natively, or it does something outside of \
               the checked world (files, ports, other nodes). Rather than guess what it does, a run that comes to it stops. \
               Give the module's source together with yours, or replace the call in a module of your own.",
        example: "-module(m).\n-export([f/0]).\nf() -> zlib:compress(<<>>).\n",
    },
    Explanation {
        code: NO_SUCH_FUNCTION,
        title: "A module has no such function",
        text: "Neither the program nor OTP has a function of this name and number of arguments. A run that comes to the call \
               gets an `undef` error, as in Erlang.",
        example: "-module(m).\n-export([f/0]).\nf() -> lists:revers([1]).\n",
    },
];

impl Linker {
    /// The first pass over a module.
    pub(crate) fn declare(&mut self, name: Atom, module: &Module) {
        self.modules.push(name);
        self.attributes.insert(name, attributes(module));
        for function in module.functions().filter(|function| !function.broken) {
            let key = (name, Atom::new(&function.name.name), function.arity);
            if !self.numbers.contains_key(&key) {
                let number = self.reserve();
                self.numbers.insert(key, number);
            }
        }
    }

    fn reserve(&mut self) -> u32 {
        self.functions.push(None);
        self.functions.len() as u32 - 1
    }

    /// The second pass; what is wrong with its calls, with the number of the function.
    pub(crate) fn compile(
        &mut self,
        name: Atom,
        module: &Module,
        sources: &Sources,
        is_library: bool,
    ) -> Vec<(u32, Diagnostic)> {
        let mut unit = Unit::new(self, name, module, sources);
        unit.is_library = is_library;
        for function in module.functions().filter(|function| !function.broken) {
            unit.function(function);
        }
        unit.diagnostics
    }
}

/// One module while it is compiled.
struct Unit<'a> {
    linker: &'a mut Linker,
    module: Atom,
    file: Atom,
    sources: &'a Sources,
    records: FxHashMap<Name, &'a RecordDef>,
    imports: FxHashMap<(Name, u32), Atom>,
    exports: FxHashSet<(Name, u32)>,
    exports_all: bool,
    /// Calls to what is not there, each with the number of the function that makes it.
    diagnostics: Vec<(u32, Diagnostic)>,
    /// The function being compiled.
    number: u32,
    /// Nobody's mistake: calls that have no model stop the run when they are reached.
    is_library: bool,
    /// Code of another language is loaded into the module, which then stands in for functions that only say that it was not.
    is_native: bool,
    /// Funs of the function being compiled, for their names.
    n_funs: u32,
    /// The function being compiled needs more registers than there are.
    is_too_large: bool,
}

impl<'a> Unit<'a> {
    fn new(linker: &'a mut Linker, name: Atom, module: &'a Module, sources: &'a Sources) -> Self {
        let file = sources.files().first().map_or("nofile", |file| &file.path);
        let exports_all = module.compile_options().any(|option| mentions(option, "export_all"));
        Unit {
            linker,
            module: name,
            file: Atom::new(file),
            sources,
            records: module.records().map(|record| (record.name.name.clone(), record)).collect(),
            imports: module
                .imports()
                .map(|(from, f)| ((f.name.clone(), f.arity), Atom::new(&from.name)))
                .collect(),
            exports: module.exports().map(|f| (f.name.clone(), f.arity)).collect(),
            exports_all,
            diagnostics: Vec::new(),
            number: 0,
            is_library: false,
            is_native: module.forms.iter().any(is_on_load),
            n_funs: 0,
            is_too_large: false,
        }
    }

    fn line(&self, span: Span) -> u32 {
        self.sources.line(span)
    }

    fn function(&mut self, tree: &FunctionTree) {
        let name = Atom::new(&tree.name.name);
        let exported =
            self.exports_all || self.exports.contains(&(tree.name.name.clone(), tree.arity));
        self.n_funs = 0;
        let number = self.linker.numbers[&(self.module, name, tree.arity)];
        self.number = number;
        let mut body = Body::new(self, name, tree.arity);
        body.at(tree.name.span);
        body.clauses(&tree.clauses, tree.arity, Failure::FunctionClause);
        let function = body.finish(tree.arity, 0, exported);
        self.linker.functions[number as usize] = Some(function);
        if std::mem::take(&mut self.is_too_large) {
            let problem = format!("function `{}/{}` is too large", tree.name.name, tree.arity);
            let diagnostic = Diagnostic::error(TOO_LARGE, tree.name.span, problem)
                .help("take it apart, or build its large values with functions");
            self.diagnostics.push((number, diagnostic));
        }
    }

    /// Remembers a module of which nothing is known.
    fn missing(&mut self, module: Atom) {
        if self.known_names(module).is_empty() {
            self.linker.missing.insert(module);
        }
    }

    /// Whether there is a module of this name, here or in OTP.
    fn has_module(&self, module: Atom) -> bool {
        self.linker.modules.contains(&module) || exports::has_module(module.text())
    }

    /// Warns of a call to something that is not there.
    fn unknown(&mut self, module: Atom, name: &str, arity: u32, span: Span) {
        self.missing(module);
        if self.is_library {
            return;
        }
        let key = (module, Atom::new(name), arity);
        let is_otp = exports::has(key) && !self.is_users(module);
        let diagnostic = match is_otp {
            true => self.not_modelled(key, span),
            false => self.no_such_function(key, span),
        };
        self.diagnostics.push((self.number, diagnostic));
    }

    /// A function that Erlang has and that has no model.
    fn not_modelled(&self, (module, name, arity): Mfa, span: Span) -> Diagnostic {
        let (module, name) = (module.text(), name.text());
        let message =
            format!("`{module}:{name}/{arity}` is not modelled here: a run that comes to it stops");
        let diagnostic = Diagnostic::warning(NOT_MODELLED, span, message);
        match outside::advice(module, name) {
            Some(advice) => diagnostic.label("reaches out of the checked world").help(advice),
            None => diagnostic,
        }
    }

    /// A function that Erlang does not have either.
    fn no_such_function(&self, (module, name, arity): Mfa, span: Span) -> Diagnostic {
        let (module, name) = (module.text(), name.text());
        let known = self.known_names(Atom::new(module));
        let is_known = !known.is_empty() || exports::has_module(module);
        let what = match is_known {
            true => format!("there is no function `{module}:{name}/{arity}`"),
            false => format!("there is no module `{module}`"),
        };
        let near = match is_known {
            true => {
                let otp = exports::functions(module).map(|(f, n)| format!("{f}/{n}"));
                let all: Vec<String> = known.into_iter().chain(otp).collect();
                nearest(&format!("{name}/{arity}"), &all).map(|near| format!("{module}:{near}"))
            }
            false => {
                let own = self.linker.modules.iter().map(|own| own.text().to_owned());
                let all: Vec<String> = own.chain(exports::modules().map(str::to_owned)).collect();
                nearest(module, &all)
            }
        };
        let message = format!("{what}: a run that comes to this call gets an error undef");
        let diagnostic = Diagnostic::warning(NO_SUCH_FUNCTION, span, message)
            .help_if(near.map(|near| format!("did you mean `{near}`?")));
        match is_known {
            true => diagnostic,
            false => diagnostic.help(
                "if it is a library's, give its source, its folder with `--src DIR`, or an installed OTP with `--otp DIR`",
            ),
        }
    }

    /// Whether the source of a module is the program's own.
    fn is_users(&self, module: Atom) -> bool {
        self.linker.modules.contains(&module) && !prelude::has(module.text())
    }

    fn known_names(&self, module: Atom) -> Vec<String> {
        let mut names: Vec<String> = self
            .linker
            .numbers
            .keys()
            .filter(|key| key.0 == module)
            .map(|key| format!("{}/{}", key.1.text(), key.2))
            .chain(self.linker.builtins.of_module(module).map(|(f, n)| format!("{f}/{n}")))
            .collect();
        names.sort_unstable();
        names
    }
}

/// The nearest name, the same whatever the order of `known`.
fn nearest(wanted: &str, known: &[String]) -> Option<String> {
    let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
    known.sort_unstable();
    foresee_stdx::nearest_name(wanted, known).map(str::to_owned)
}

impl Body<'_, '_> {
    /// The clauses of a function or fun whose arguments are in the first registers.
    fn clauses(&mut self, clauses: &[Clause], arity: u32, failure: Failure) {
        let outer = self.scope.clone();
        for clause in clauses {
            self.scope = outer.clone();
            // Nothing of one clause is needed in another: a function of thousands of clauses is no larger than its largest.
            let mark = self.mark();
            let fail = self.label();
            self.at(clause.span);
            for (i, pattern) in clause.patterns.iter().enumerate() {
                self.pattern(pattern, i as u16, fail, true);
            }
            self.guard(&clause.guard, fail);
            let result = self.fresh();
            self.block(&clause.body, result, true);
            self.release(mark);
            self.place(fail);
        }
        if let Some(first) = clauses.first() {
            self.at(first.span);
        }
        debug_assert!(arity as usize == clauses.first().map_or(0, |c| c.patterns.len()));
        self.emit(Instruction::Fail { kind: failure, src: 0 });
    }
}

/// Attributes of which the value is known, each with a list.
fn attributes(module: &Module) -> Term {
    let known = module.forms.iter().filter_map(|form| match &form.kind {
        FormKind::Attribute { name, value: Some(value) } if name.name != "compile" => {
            let value = constant(value)?;
            let list = matches!(value, Term::Nil | Term::Cons(_));
            let value = if list { value } else { Term::list([value]) };
            Some(Term::tuple([Term::atom(&name.name), value]))
        }
        FormKind::Behaviour(behaviour) => {
            let name = Term::list([Term::atom(&behaviour.name)]);
            Some(Term::tuple([a!("behaviour"), name]))
        }
        _ => None,
    });
    Term::list(known.collect::<Vec<_>>())
}

/// `-on_load(init/0).`, without which no module can have native code.
fn is_on_load(form: &Form) -> bool {
    matches!(&form.kind, FormKind::Attribute { name, .. } if name.name == "on_load")
}

/// Whether a compile option is or contains this atom.
fn mentions(option: &Expr, atom: &str) -> bool {
    match &option.kind {
        ExprKind::Atom(name) => *name == atom,
        ExprKind::List { elements, .. } => elements.iter().any(|e| mentions(e, atom)),
        _ => false,
    }
}
