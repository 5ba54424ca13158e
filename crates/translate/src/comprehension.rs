//! Comprehensions, folds and large values as functions of their own: of the variables they use, and of what they run over.
//! The target has no functions inside functions, so what is local in Erlang gets a name and parameters here.

use crate::diagnostic::NO_VALUE;
use crate::terms::{choose, cons, constant, head, is_cons, tail};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::Span;
use foresee_erlang_syntax::tree::{Clause, Expr, Generator, GeneratorKind, Qualifier, Template};

/// A value of more parts than this is named before it is used.
pub(crate) const LARGE: usize = 40;

impl Translator<'_> {
    /// A list comprehension: a function of the variables it uses and of the list it runs over.
    pub(crate) fn comprehension(
        &mut self,
        template: &Template,
        qualifiers: &[Qualifier],
        span: Span,
        scope: &mut Scope,
    ) -> Term {
        let Template::List(template) = template else {
            let message = "a comprehension that builds a map or a binary has no translation";
            self.refuse(NO_VALUE, scope.module, span, message, "build a list");
            return constant("nil");
        };
        self.qualified(template, qualifiers, constant("nil"), &mut scope.clone())
    }

    /// The elements that the qualifiers give, in front of `rest`.
    fn qualified(
        &mut self,
        template: &Expr,
        qualifiers: &[Qualifier],
        rest: Term,
        scope: &mut Scope,
    ) -> Term {
        match qualifiers.split_first() {
            None => cons(self.value(template, scope), rest),
            Some((Qualifier::Filter(filter), more)) => {
                let keeps = self.truth(filter, scope);
                let inside = self.qualified(template, more, rest.clone(), scope);
                choose(keeps, inside, rest)
            }
            Some((Qualifier::Generator(generator), more)) => {
                self.generator(template, generator, more, rest, scope)
            }
            Some((Qualifier::Zip(all), _)) => {
                let span = all.first().map_or(template.span, |it| it.span);
                self.refuse(
                    NO_VALUE,
                    scope.module,
                    span,
                    "`&&` has no translation",
                    "use lists:zip/2",
                );
                rest
            }
        }
    }

    fn generator(
        &mut self,
        template: &Expr,
        generator: &Generator,
        more: &[Qualifier],
        rest: Term,
        scope: &mut Scope,
    ) -> Term {
        let GeneratorKind::List(pattern) = &generator.kind else {
            let message = "a generator over a map or a binary has no translation";
            self.refuse(NO_VALUE, scope.module, generator.span, message, "run over a list");
            return rest;
        };
        let source = self.value(&generator.source, scope);
        let name = self.names.fresh(&format!("{}_each", scope.owner));
        self.comments.insert(name.clone(), format!("a comprehension in {}", scope.owner));
        let (items, behind) = (self.names.variable("Items"), self.names.variable("Behind"));
        let has_rest = rest.name != "nil";
        // What the element itself uses is found after it is built; the recursive call then passes exactly that on.
        let mark = Term::apply(&name, vec![tail(constant(&items))]);
        let mut inner = scope.clone();
        let shadowed = crate::shape::variables_of(pattern);
        inner.environment.retain(|it, _| !shadowed.contains(it));
        let fits = self.pattern(pattern, head(constant(&items)), &mut inner);
        let element = self.qualified(template, more, mark.clone(), &mut inner);
        let other = if generator.strict { self.failed("badmatch") } else { mark };
        let end = if has_rest { constant(&behind) } else { constant("nil") };
        let right = choose(is_cons(constant(&items)), choose(fits, element, other), end);
        let mut free: Vec<String> = self.variables_in(&right).into_iter().collect();
        free.retain(|it| *it != items && *it != behind);
        let extra: Vec<Term> = free.iter().map(|it| constant(it)).collect();
        let passed = |list: Term, rest: Option<Term>| {
            let mut args = extra.clone();
            args.push(list);
            args.extend(rest);
            Term::apply(&name, args)
        };
        let own_rest = has_rest.then(|| constant(&behind));
        let right =
            crate::shape::replace_calls(&right, &name, &mut |it| passed(it, own_rest.clone()));
        let mut parameters = free.clone();
        parameters.push(items.clone());
        parameters.extend(has_rest.then(|| behind.clone()));
        self.maps.push((name.clone(), parameters.len()));
        self.add_rule(&parameters, passed(constant(&items), own_rest), right);
        passed(source, has_rest.then_some(rest))
    }

    /// A value that is large and would be written more than once becomes the argument of a function.
    pub(crate) fn with_name(
        &mut self,
        value: Term,
        owner: &str,
        make: &mut dyn FnMut(&mut Self, Term) -> Term,
    ) -> Term {
        if crate::shape::size_of(&value) <= LARGE {
            return make(self, value);
        }
        let variable = self.names.variable("Value");
        let right = make(self, constant(&variable));
        let mut free: Vec<String> = self.variables_in(&right).into_iter().collect();
        free.retain(|it| *it != variable);
        free.push(variable);
        let name = self.names.fresh(&format!("{owner}_with"));
        self.comments.insert(name.clone(), format!("part of {owner}"));
        self.maps.push((name.clone(), free.len()));
        let mut args: Vec<Term> = free.iter().map(|it| constant(it)).collect();
        self.add_rule(&free, Term::apply(&name, args.clone()), right);
        *args.last_mut().expect("the value") = value;
        Term::apply(&name, args)
    }

    /// `lists:foldl(fun (X, Acc) -> … end, First, List)` as a function of its own.
    pub(crate) fn fold(
        &mut self,
        clause: &Clause,
        first: Term,
        source: Term,
        scope: &Scope,
    ) -> Term {
        let name = self.names.fresh(&format!("{}_fold", scope.owner));
        self.comments.insert(name.clone(), format!("a fold in {}", scope.owner));
        let (items, so_far) = (self.names.variable("Items"), self.names.variable("SoFar"));
        let mut inner = scope.clone();
        for pattern in &clause.patterns {
            let own = crate::shape::variables_of(pattern);
            inner.environment.retain(|it, _| !own.contains(it));
        }
        let fits = self.head(clause, &[head(constant(&items)), constant(&so_far)], &mut inner);
        let next = self.body(&clause.body, &mut inner);
        // The recursive call is marked by its one argument until it is known what the body uses.
        let again = Term::apply(&name, vec![next]);
        let failed = self.failed("function_clause");
        let more = choose(fits, again, failed);
        let right = choose(is_cons(constant(&items)), more, constant(&so_far));
        let mut free: Vec<String> = self.variables_in(&right).into_iter().collect();
        free.retain(|it| *it != items && *it != so_far);
        let extra: Vec<Term> = free.iter().map(|it| constant(it)).collect();
        let call = |so_far: Term, list: Term| {
            let mut args = extra.clone();
            args.extend([so_far, list]);
            Term::apply(&name, args)
        };
        let right =
            crate::shape::replace_calls(&right, &name, &mut |it| call(it, tail(constant(&items))));
        free.extend([so_far.clone(), items.clone()]);
        self.maps.push((name.clone(), free.len()));
        self.add_rule(&free, call(constant(&so_far), constant(&items)), right);
        call(first, source)
    }
}
