//! Comprehensions whose elements have effects.

use crate::branch::own_pid_first;
use crate::instance::{Job, Path, Role};
use crate::process::Next;
use crate::shape::substitute;
use crate::terms::{and, cons, constant, is_yes, tail};
use crate::translator::Translator;
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::tree::{Expr, GeneratorKind, Qualifier, Template};
use std::collections::BTreeMap;

impl Translator<'_> {
    /// A comprehension whose elements have effects: a loop that goes on with what follows.
    pub(crate) fn effect_loop(
        &mut self,
        expr: &Expr,
        template: &Template,
        qualifiers: &[Qualifier],
        path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let module = path.scope.module;
        let (Template::List(template), [Qualifier::Generator(generator), filters @ ..]) =
            (template, qualifiers)
        else {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        };
        let GeneratorKind::List(pattern) = &generator.kind else {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        };
        let is_plain = filters.iter().all(|it| match it {
            Qualifier::Filter(it) => !self.program.is_effectful(module, it),
            _ => false,
        });
        if !is_plain || self.program.is_effectful(module, &generator.source) {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        }
        let mut scope = path.scope.clone();
        let source = self.value(&generator.source, &mut scope);
        let owner = path.scope.owner.clone();
        let name = self.names.fresh(&format!("{owner}_each"));
        let (items, collected) = (self.names.variable("Items"), self.names.variable("Collected"));
        let mut rest = next(self, constant(&collected), path.clone());
        // Values are collected only if somebody looks at them; the last one is in front.
        let is_used = self.free_variables(&rest).contains(&collected);
        if is_used {
            let reverse = self.program.find("lists", "reverse", 1).expect("in the library");
            let reversed = Term::apply(&self.function_name(reverse), vec![constant(&collected)]);
            rest = substitute(&rest, &BTreeMap::from([(collected.clone(), reversed)]));
        }
        let mut kept = self.free_variables(&rest);
        kept.extend(self.variables_in(&job.own_pid));
        let mut used = crate::shape::variables_of(pattern);
        used.extend(crate::shape::variables_of(template));
        for it in filters {
            if let Qualifier::Filter(it) = it {
                used.extend(crate::shape::variables_of(it));
            }
        }
        for (_, term) in path.scope.environment.iter().filter(|(it, _)| used.contains(*it)) {
            kept.extend(self.variables_in(term));
        }
        if job.role == (Role::Client { crashes: true }) {
            path.linked.iter().for_each(|it| kept.extend(self.variables_in(it)));
        }
        kept.remove(&collected);
        let mut parameters = own_pid_first(kept.into_iter().collect());
        let kept: Vec<Term> = parameters.iter().map(|it| constant(it)).collect();
        let call = |list: Term, values: Term| {
            let mut args = kept.clone();
            args.push(list);
            args.extend(is_used.then_some(values));
            Process::call(&name, args)
        };
        let again = |values: Term| call(tail(constant(&items)), values);
        let mut inner = path;
        let shadowed = crate::shape::variables_of(pattern);
        inner.scope.environment.retain(|it, _| !shadowed.contains(it));
        let element = crate::terms::head(constant(&items));
        let fits = self.pattern(pattern, element, &mut inner.scope);
        let mut keeps = crate::terms::yes();
        for it in filters {
            if let Qualifier::Filter(it) = it {
                keeps = and(keeps, self.truth(it, &mut inner.scope));
            }
        }
        let mut body = self.step(template, inner, job, false, &mut |_, value, _| {
            again(cons(value, constant(&collected)))
        });
        let skip = again(constant(&collected));
        if !is_yes(&keeps) {
            body = body.when(keeps, skip.clone());
        }
        if !is_yes(&fits) {
            let other = if generator.strict { self.failure(job, "badmatch") } else { skip };
            body = body.when(fits, other);
        }
        let body = body.when(crate::terms::is_cons(constant(&items)), rest);
        let first = call(source, constant("nil"));
        parameters.push(items);
        parameters.extend(is_used.then_some(collected));
        self.define(&name, &parameters, body, format!("a comprehension in {owner}"));
        first
    }
}
