//! What a module defines: functions, imports, records, exports; and what clashes among them.

use std::collections::{BTreeMap, BTreeSet};

use super::builtins;
use crate::codes;
use crate::diagnostic::nearest;
use crate::name::Name;
use crate::parse::Parse;
use crate::source::{FileId, Span};
use crate::tree::*;
use foresee_text::Diagnostic;

pub(super) struct Facts<'a> {
    /// Functions by name: arity and place.
    functions: BTreeMap<&'a str, Vec<(u32, Span)>>,
    imports: BTreeSet<(&'a str, u32)>,
    pub(super) records: BTreeMap<&'a str, &'a RecordDef>,
    /// Names of functions with unreadable clauses, of which we say nothing.
    broken: BTreeSet<&'a str>,
    /// Unknown functions may come from elsewhere.
    functions_open: bool,
    /// Unknown records may come from elsewhere.
    pub(super) records_open: bool,
}

impl<'a> Facts<'a> {
    pub(super) fn collect(parse: &'a Parse, diagnostics: &mut Vec<Diagnostic>) -> Facts<'a> {
        let module = &parse.module;
        let mut facts = Facts {
            functions: BTreeMap::new(),
            imports: module.imports().map(|(_, name)| (name.name.as_str(), name.arity)).collect(),
            records: BTreeMap::new(),
            broken: BTreeSet::new(),
            functions_open: module.compile_options().any(transforms),
            records_open: parse.include_missing,
        };
        facts.add_functions(module, diagnostics);
        facts.add_records(module, diagnostics);
        check_module_name(module, diagnostics);
        facts.check_exports(module, diagnostics);
        facts.check_specs(module, diagnostics);
        facts
    }

    fn add_functions(&mut self, module: &'a Module, diagnostics: &mut Vec<Diagnostic>) {
        for function in module.functions() {
            if function.broken {
                self.broken.insert(&function.name.name);
            }
            if function.clauses.is_empty() {
                continue;
            }
            let known = self.functions.entry(&function.name.name).or_default();
            match known.iter().find(|(arity, _)| *arity == function.arity) {
                None => known.push((function.arity, function.name.span)),
                Some((_, first)) => {
                    let problem = format!(
                        "function `{}/{}` is already defined",
                        function.name.name, function.arity
                    );
                    diagnostics.push(
                        Diagnostic::error(codes::REDEFINED_FUNCTION, function.name.span, problem)
                            .also(*first, "first defined here")
                            .help("put all clauses together, separated by `;`"),
                    );
                }
            }
        }
    }

    fn add_records(&mut self, module: &'a Module, diagnostics: &mut Vec<Diagnostic>) {
        for record in module.records() {
            if let Some(first) = self.records.insert(&record.name.name, record) {
                let problem = format!("record `{}` is already defined", record.name.name);
                diagnostics.push(
                    Diagnostic::error(codes::REDEFINED_RECORD, record.name.span, problem)
                        .also(first.name.span, "first defined here"),
                );
            }
            for (at, field) in record.fields.iter().enumerate() {
                let name = &field.name;
                if record.fields[..at].iter().any(|other| other.name.name == name.name) {
                    let problem = format!("field `{}` occurs twice", name.name);
                    let diagnostic = Diagnostic::error(codes::REDEFINED_RECORD, name.span, problem);
                    diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn check_exports(&self, module: &Module, diagnostics: &mut Vec<Diagnostic>) {
        if self.functions_open {
            return;
        }
        for export in module.exports() {
            if self.is_local(&export.name, export.arity) || self.broken.contains(&*export.name) {
                continue;
            }
            let problem = format!("`{}/{}` is exported but not defined", export.name, export.arity);
            diagnostics.push(
                Diagnostic::error(codes::UNDEFINED_EXPORT, export.span, problem)
                    .help_if(self.suggestion(&export.name)),
            );
        }
    }

    fn check_specs(&self, module: &Module, diagnostics: &mut Vec<Diagnostic>) {
        for form in &module.forms {
            let FormKind::Spec(spec) = &form.kind else { continue };
            let elsewhere = spec.module.is_some() || spec.keyword.name == "callback";
            if elsewhere || self.functions_open || self.broken.contains(&*spec.name.name) {
                continue;
            }
            if !self.is_local(&spec.name.name, spec.arity) {
                let problem =
                    format!("spec for `{}/{}`, which is not defined", spec.name.name, spec.arity);
                diagnostics.push(
                    Diagnostic::error(codes::SPEC_UNDEFINED, spec.name.span, problem)
                        .help_if(self.suggestion(&spec.name.name)),
                );
            }
        }
    }

    pub(super) fn is_local(&self, name: &str, arity: u32) -> bool {
        let here = self.functions.get(name).is_some_and(|all| all.iter().any(|f| f.0 == arity));
        here || (name == "module_info" && arity <= 1)
    }

    /// What is wrong with calling `name/arity` without a module, if anything is.
    pub(super) fn check_call(&self, name: &Name, arity: u32, span: Span) -> Option<Diagnostic> {
        let known = self.is_local(name, arity)
            || self.imports.contains(&(name.as_str(), arity))
            || builtins::is_auto_imported(name, arity)
            || self.functions_open
            || self.broken.contains(name.as_str());
        if known {
            return None;
        }
        let Some(others) = self.functions.get(name.as_str()) else {
            let problem = format!("function `{name}/{arity}` is not defined");
            let diagnostic = Diagnostic::error(codes::UNDEFINED_FUNCTION, span, problem);
            return Some(diagnostic.help_if(self.suggestion(name)));
        };
        let arities: Vec<String> = others.iter().map(|(n, _)| format!("`{name}/{n}`")).collect();
        let plural = if arity == 1 { "" } else { "s" };
        let problem = format!("`{name}` does not take {arity} argument{plural}");
        Some(
            Diagnostic::error(codes::WRONG_ARITY, span, problem)
                .also(others[0].1, format!("`{name}/{}` is defined here", others[0].0))
                .help(format!("there is {}", arities.join(" and "))),
        )
    }

    fn suggestion(&self, name: &str) -> Option<String> {
        if let Some(arities) = self.functions.get(name) {
            let all: Vec<String> = arities.iter().map(|(n, _)| format!("`{name}/{n}`")).collect();
            return Some(format!("there is {}", all.join(" and ")));
        }
        let mut candidates: Vec<&str> = self.functions.keys().copied().collect();
        builtins::names().for_each(|builtin| candidates.push(builtin));
        let near = nearest(name, candidates)?;
        let arity = match self.functions.get(near) {
            Some(arities) => arities[0].0,
            None => builtins::arities(near).first().copied()?,
        };
        Some(format!("there is a function with a similar name: `{near}/{arity}`"))
    }
}

fn check_module_name(module: &Module, diagnostics: &mut Vec<Diagnostic>) {
    let names: Vec<&Ident> = module
        .forms
        .iter()
        .filter_map(|form| match &form.kind {
            FormKind::Module(name) => Some(name),
            _ => None,
        })
        .collect();
    match names.as_slice() {
        [] => diagnostics.push(
            Diagnostic::error(
                codes::MODULE_NAME,
                Span::in_file(FileId(0), 0, 0),
                "the module has no name",
            )
            .help("start the file with `-module(name).`"),
        ),
        [_] => {}
        [first, second, ..] => diagnostics.push(
            Diagnostic::error(codes::MODULE_NAME, second.span, "the module already has a name")
                .also(first.span, "named here"),
        ),
    }
}

/// Whether a compile option changes the program beyond what we read (ours for tests only exports).
fn transforms(option: &Expr) -> bool {
    match &option.kind {
        ExprKind::List { elements, .. } => elements.iter().any(transforms),
        ExprKind::Tuple(parts) => {
            parts.first().and_then(Expr::as_atom).is_some_and(|name| name == "parse_transform")
                && parts.get(1).and_then(Expr::as_atom).is_none_or(|t| t != "eunit_autoexport")
        }
        _ => false,
    }
}
