//! Calls: to functions of the module, imported ones, built-ins, other modules, funs, and by names known only later.

use super::body::Body;
use crate::program::code::{Instruction, RAISE, Reg};
use crate::term::{Atom, Term};
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use foresee_erlang_syntax::{Name, Span};

impl Body<'_, '_> {
    pub(super) fn is_local(&self, name: &Name, arity: u32) -> bool {
        let key = (self.unit.module, Atom::new(name), arity);
        self.unit.linker.numbers.contains_key(&key)
    }

    pub(super) fn call(&mut self, expr: &Expr, target: &Expr, args: &[Expr], dst: Reg, tail: bool) {
        match &target.kind {
            ExprKind::Atom(name) => self.call_local(name, args, dst, tail, expr.span),
            ExprKind::Remote { module, function } => match (module.as_atom(), function.as_atom()) {
                (Some(module), Some(function)) => {
                    let module = Atom::new(module);
                    self.call_remote(module, function, args, dst, tail, expr.span);
                }
                _ if self.is_about_made() => {
                    self.call_resolved(module, function, args, dst, tail, expr.span);
                }
                _ => self.apply(module, function, args, dst, tail, expr.span),
            },
            _ => {
                let fun = self.operand(target);
                let (start, n) = self.arguments(args);
                self.at(expr.span);
                let start = self.call_window(start, n);
                self.emit(Instruction::CallFun { fun, start, n: n as u16, tail });
                self.take_result(start, dst, tail);
            }
        }
    }

    /// The arguments in consecutive registers, with room for the result.
    fn arguments(&mut self, args: &[Expr]) -> (Reg, usize) {
        let start = self.fresh_block(args.len().max(1));
        for (i, arg) in args.iter().enumerate() {
            self.value_apart(arg, start + i as Reg);
        }
        (start, args.len())
    }

    fn take_result(&mut self, src: Reg, dst: Reg, tail: bool) {
        if !tail && src != dst {
            self.emit(Instruction::Move { dst, src });
        }
    }

    fn call_local(&mut self, name: &Name, args: &[Expr], dst: Reg, tail: bool, span: Span) {
        let arity = args.len() as u32;
        if *name == "record_info"
            && let [kind, record] = args
            && let (Some(kind), Some(record)) = (kind.as_atom(), record.as_atom())
        {
            let info = self.record_info(kind, record);
            self.constant(dst, info);
            return self.result(dst, tail);
        }
        if self.is_local(name, arity) {
            return self.call_remote(self.unit.module, name, args, dst, tail, span);
        }
        if is_generated(name) && arity <= 1 {
            return self.module_info(self.unit.module, args, dst, tail);
        }
        let module = self.unit.imports.get(&(name.clone(), arity)).copied();
        let module = module.unwrap_or(atom!("erlang"));
        self.call_remote(module, name, args, dst, tail, span);
    }

    fn call_remote(
        &mut self,
        module: Atom,
        name: &Name,
        args: &[Expr],
        dst: Reg,
        tail: bool,
        span: Span,
    ) {
        let name_atom = Atom::new(name);
        if module == atom!("action") && !self.unit.linker.modules.contains(&module) {
            let (_, said) = super::actions::action(name, args.to_vec(), span);
            return self.call_remote(
                atom!("foresee"),
                &Name::from("action"),
                &said,
                dst,
                tail,
                span,
            );
        }
        if module == atom!("erlang") && *name == "is_record" && self.is_record(args, dst) {
            return self.result(dst, tail);
        }
        // What stands there is not what runs: a program is not blamed for code that it would have.
        if self.unit.is_native
            && module == atom!("erlang")
            && let ("nif_error", [reason, ..]) = (name.as_str(), args)
        {
            let args = [reason.clone(), reason.clone()];
            let name = Name::from("load_nif");
            return self.call_remote(module, &name, &args, dst, tail, span);
        }
        if *name == "fun2ms"
            && matches!(module.text(), "ets" | "dbg")
            && let [fun] = args
            && let Some(specification) = self.match_specification(fun)
        {
            return self.value(&specification, dst, tail);
        }
        // Only a program that changes the environment or gives commands has this module.
        if module == atom!("os") && self.fail == RAISE {
            let own = (atom!("foresee_os"), name_atom, args.len() as u32);
            if self.unit.module != own.0 && self.unit.linker.numbers.contains_key(&own) {
                // The caller stays on the stack, so that what stops a run is told with its place.
                self.call_remote(own.0, name, args, dst, false, span);
                return self.result(dst, tail);
            }
        }
        if self.is_about_made() {
            if of_code(module, name, args.len()) {
                return self.call_remote(atom!("foresee_code"), name, args, dst, tail, span);
            }
            if self.may_be_made(module, name_atom, args.len() as u32) {
                self.unit.missing(module);
                let atom = |name: &str| Expr { kind: ExprKind::Atom(name.into()), span };
                let (module, function) = (atom(module.text()), atom(name));
                return self.call_resolved(&module, &function, args, dst, tail, span);
            }
        }
        if module == atom!("qlc")
            && *name == "q"
            && let Some(said) = super::query::arguments(args)
        {
            let name = Name::from("foresee_q");
            return self.call_remote(module, &name, &said, dst, tail, span);
        }
        let key = (module, name_atom, args.len() as u32);
        let function = self.unit.linker.numbers.get(&key).copied();
        let builtin = self.unit.linker.builtins.find(key);
        if function.is_none() && builtin.is_none() {
            if is_generated(name) && args.len() <= 1 && self.unit.has_module(module) {
                return self.module_info(module, args, dst, tail);
            }
            if module != self.unit.module {
                self.unit.unknown(module, name, args.len() as u32, span);
            }
            return self.apply_known(module, name_atom, args, dst, tail, span);
        }
        let (start, n) = self.arguments(args);
        self.at(span);
        match (function, builtin) {
            (Some(function), _) if self.fail == RAISE => {
                let start = self.call_window(start, n);
                if tail {
                    self.emit(Instruction::TailCall { function, start, n: n as u16 });
                } else {
                    self.emit(Instruction::Call { function, start, n: n as u16 });
                    self.take_result(start, dst, false);
                }
            }
            (_, builtin) => {
                // A control built-in (apply) calls, so its window must be free above.
                let start = self.call_window(start, n);
                let builtin = builtin.unwrap_or_default();
                self.emit(Instruction::Builtin { builtin, start, n: n as u16, fail: self.fail });
                self.take_result(start, dst, tail);
                self.result(start, tail);
            }
        }
    }

    /// Whether calls may be of modules that are made while the program runs; ours are not.
    fn is_about_made(&self) -> bool {
        self.unit.linker.makes.is_on
            && self.fail == RAISE
            && !self.unit.file.text().starts_with(crate::program::prelude::PATH)
    }

    /// Whether a module is made while the program runs: it is none of the program's or of Erlang's, or may be replaced.
    fn may_be_made(&self, module: Atom, name: Atom, arity: u32) -> bool {
        let linker = &self.unit.linker;
        let is_there = linker.modules.contains(&module)
            || linker.builtins.find((module, name, arity)).is_some()
            || self.unit.has_module(module);
        module != self.unit.module && (!is_there || linker.makes.may_replace(module))
    }

    /// `(foresee_code:resolve(Module, Function, Arity))(…)`.
    fn call_resolved(
        &mut self,
        module: &Expr,
        function: &Expr,
        args: &[Expr],
        dst: Reg,
        tail: bool,
        span: Span,
    ) {
        let atom = |name: &str| Box::new(Expr { kind: ExprKind::Atom(name.into()), span });
        let arity = Expr { kind: ExprKind::Integer((args.len() as i64).into()), span };
        let resolve = ExprKind::Remote { module: atom("foresee_code"), function: atom("resolve") };
        let target = Box::new(Expr { kind: resolve, span });
        let asked = vec![module.clone(), function.clone(), arity];
        let target = Expr { kind: ExprKind::Call { target, args: asked }, span };
        let whole = Expr {
            kind: ExprKind::Call { target: Box::new(target.clone()), args: args.to_vec() },
            span,
        };
        self.call(&whole, &target, args, dst, tail);
    }

    fn module_info(&mut self, module: Atom, args: &[Expr], dst: Reg, tail: bool) {
        let start = self.fresh_block(args.len() + 1);
        self.constant(start, Term::Atom(module));
        for (i, arg) in args.iter().enumerate() {
            self.value_apart(arg, start + 1 + i as Reg);
        }
        self.builtin_on("erlang", "get_module_info", start, args.len() + 1, dst);
        self.result(dst, tail);
    }

    /// A call of a built-in by the compiler itself.
    pub(super) fn builtin_call(&mut self, module: &str, name: &str, args: &[&Expr], dst: Reg) {
        let line = self.line;
        let start = self.fresh_block(args.len().max(1));
        for (i, arg) in args.iter().enumerate() {
            self.value_apart(arg, start + i as Reg);
        }
        self.line = line;
        self.builtin_on(module, name, start, args.len(), dst);
    }

    /// A built-in on arguments that are in place.
    pub(super) fn builtin_on(&mut self, module: &str, name: &str, start: Reg, n: usize, dst: Reg) {
        let key = (Atom::new(module), Atom::new(name), n as u32);
        let builtin = self.unit.linker.builtins.find(key).expect("a built-in of the language");
        let start = self.call_window(start, n);
        self.emit(Instruction::Builtin { builtin, start, n: n as u16, fail: self.fail });
        self.take_result(start, dst, false);
    }

    fn apply(
        &mut self,
        module: &Expr,
        function: &Expr,
        args: &[Expr],
        dst: Reg,
        tail: bool,
        span: Span,
    ) {
        let target = self.fresh_block(2);
        self.value_apart(module, target);
        self.value_apart(function, target + 1);
        self.apply_on(target, args, dst, tail, span);
    }

    fn apply_known(
        &mut self,
        module: Atom,
        name: Atom,
        args: &[Expr],
        dst: Reg,
        tail: bool,
        span: Span,
    ) {
        let target = self.fresh_block(2);
        self.constant(target, Term::Atom(module));
        self.constant(target + 1, Term::Atom(name));
        self.apply_on(target, args, dst, tail, span);
    }

    fn apply_on(&mut self, target: Reg, args: &[Expr], dst: Reg, tail: bool, span: Span) {
        let (start, n) = self.arguments(args);
        self.at(span);
        let start = self.call_window(start, n);
        self.emit(Instruction::Apply { module: target, start, n: n as u16, tail });
        self.take_result(start, dst, tail);
    }
}

/// Functions that every module has without writing them.
fn is_generated(name: &Name) -> bool {
    *name == "module_info"
}

/// Functions whose answers change when modules are made.
fn of_code(module: Atom, name: &str, arity: usize) -> bool {
    match (module.text(), name, arity) {
        ("code", "load_binary", 3) | ("erlang", "function_exported" | "apply", 3) => true,
        ("erlang", "module_loaded", 1) => true,
        ("code", name, 1) => matches!(
            name,
            "delete"
                | "purge"
                | "soft_purge"
                | "is_loaded"
                | "which"
                | "ensure_loaded"
                | "get_object_code"
                | "load_file"
                | "is_sticky"
        ),
        _ => false,
    }
}
