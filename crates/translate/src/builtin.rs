//! Calls in values: of the program's own functions, of what is built in, and of what has no translation.
//! A built-in is a function of the data library that is the same, or has no effect in the model, which is then said.

use crate::diagnostic::{EFFECT_IN_VALUE, NO_FUNCTION, TIMED};
use crate::program::Target;
use crate::terms::{bool, constant, element, head, tail};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::tree::{Expr, ExprKind};

impl Translator<'_> {
    pub(crate) fn call_value(
        &mut self,
        expr: &Expr,
        target: &Expr,
        args: &[Expr],
        scope: &mut Scope,
    ) -> Term {
        let what = self.program.target(scope.module, target, args.len());
        if let Some(term) = self.higher_order(expr, &what, args, scope) {
            return term;
        }
        match &what {
            Target::Function(id) if !self.program.functions[*id].is_effectful => {
                let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                let name = self.function_name(*id);
                Term::apply(&name, args)
            }
            Target::Other(of, function) => self.built_in(expr, of, function, args, scope),
            Target::Computed => {
                let message = "a call of a function that is computed has no translation";
                let help = "call a function by its name";
                self.refuse(NO_FUNCTION, scope.module, expr.span, message, help);
                constant("nil")
            }
            Target::Function(_) | Target::Marked(_) => self.refuse_effect(expr, scope),
        }
    }

    /// `lists:map` and its like with a fun that is written out, as comprehensions.
    fn higher_order(
        &mut self,
        expr: &Expr,
        what: &Target,
        args: &[Expr],
        scope: &mut Scope,
    ) -> Option<Term> {
        let Target::Other(of, function) = what else { return None };
        if of == "lists" && function == "foldl" && args.len() == 3 {
            let clause = crate::sugar::clause(&args[0], 2)?;
            let (first, source) = (self.value(&args[1], scope), self.value(&args[2], scope));
            return Some(self.fold(&clause, first, source, scope));
        }
        let plain = crate::sugar::comprehension(expr, of, function, args)?;
        Some(self.value(&plain, scope))
    }

    fn built_in(
        &mut self,
        expr: &Expr,
        of: &str,
        function: &str,
        args: &[Expr],
        scope: &mut Scope,
    ) -> Term {
        if let Some(text) = silent(of, function, args.len()) {
            self.note(scope.module, expr.span, text);
            return self.atom(if of == "erlang" { "true" } else { "ok" });
        }
        match (of, function, args.len()) {
            ("erlang", "self", 0) => match &scope.own_pid {
                Some(pid) => pid.clone(),
                None => self.refuse_effect(expr, scope),
            },
            ("erlang", "element", 2) if matches!(args[0].kind, ExprKind::Integer(_)) => {
                let ExprKind::Integer(at) = &args[0].kind else { unreachable!("just matched") };
                let at = at.to_i64().filter(|it| (1..=16).contains(it));
                let value = self.value(&args[1], scope);
                match at {
                    Some(at) => element(at as usize, value),
                    None => self.failed("badarg"),
                }
            }
            ("erlang", "hd", 1) => head(self.value(&args[0], scope)),
            ("erlang", "tl", 1) => tail(self.value(&args[0], scope)),
            ("erlang", "error" | "exit" | "throw", 1) => {
                let reason = self.value(&args[0], scope);
                Term::apply("raised", vec![reason])
            }
            ("erlang", "whereis", 1) => {
                let name = self.value(&args[0], scope);
                let is_registered =
                    self.children.iter().any(|it| it.is_registered && self.pid(it) == name.name);
                match (self.is_constant(&name), is_registered) {
                    (true, true) => name,
                    (true, false) => self.atom("undefined"),
                    (false, _) => {
                        self.refuse_call(expr, of, function, args.len(), scope);
                        name
                    }
                }
            }
            (of, function, n) => {
                if truth_function(of, function, n).is_some() {
                    return bool(self.truth(expr, scope));
                }
                if let Some(name) = value_function(of, function, n) {
                    let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                    return Term::apply(name, args);
                }
                self.refuse_call(expr, of, function, n, scope);
                constant("nil")
            }
        }
    }

    pub(crate) fn refuse_call(
        &mut self,
        expr: &Expr,
        of: &str,
        function: &str,
        n: usize,
        scope: &Scope,
    ) {
        let is_timed = matches!(of, "timer")
            || matches!(
                function,
                "send_after" | "start_timer" | "monotonic_time" | "system_time" | "now"
            );
        if is_timed {
            let message = format!("{of}:{function}/{n} is about time, which has no translation");
            let help = "let a message from a client stand for the time that has come";
            return self.refuse(TIMED, scope.module, expr.span, message, help);
        }
        let message = format!("{of}:{function}/{n} has no translation");
        let help = match of {
            "gen_server" => "gen_server:call, cast and reply have one",
            "erlang" => "write it with atoms, integers, lists, tuples and records",
            "supervisor" => "all children must be in the supervisor's own list",
            "lists" => "use a comprehension, or write the function yourself",
            _ => "give the module's file too, or write the function yourself",
        };
        self.refuse(NO_FUNCTION, scope.module, expr.span, message, help);
    }

    pub(crate) fn refuse_effect(&mut self, expr: &Expr, scope: &Scope) -> Term {
        let message = "this is noticed by others, but only a value can stand here";
        let help =
            "bind its result to a variable first, in the body of a function, a `case` or an `if`";
        self.refuse(EFFECT_IN_VALUE, scope.module, expr.span, message, help);
        constant("nil")
    }
}

/// Built-in tests, by the function of the data library that is the same.
pub(crate) fn truth_function(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "is_list", 1) => "is_list",
        ("erlang", "is_integer" | "is_number", 1) => "is_integer",
        ("erlang", "is_tuple", 1) => "is_tuple",
        ("erlang", "is_atom", 1) => "is_atom",
        ("erlang", "is_pid", 1) => "is_pid",
        ("lists", "member", 2) => "member",
        _ => return None,
    })
}

/// Built-in functions, by the function of the data library that is the same.
fn value_function(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "length", 1) => "length",
        ("erlang", "tuple_size", 1) => "tuplesize",
        ("erlang", "element", 2) => "element",
        ("erlang", "abs", 1) => "abs",
        ("erlang", "max", 2) => "max",
        ("erlang", "min", 2) => "min",
        _ => return None,
    })
}

/// Calls that change nothing in the model, and how that is said.
pub(crate) fn silent(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "link", 1) => {
            "link/1: a client counts as linked to each server it has called, from its first call on"
        }
        ("erlang", "process_flag", 2) => {
            "process_flag/2: servers are taken to trap exits; the death of a client is a message to handle_info"
        }
        ("io", "format", 1..=3) | ("io", "put_chars" | "nl" | "fwrite", _) => "output is left out",
        ("logger", _, _) | ("error_logger", _, _) => "logging is left out",
        _ => return None,
    })
}
