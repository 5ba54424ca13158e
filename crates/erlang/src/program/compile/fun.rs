//! Funs: code lifted to a function of its own that takes the caught variables after its arguments.

use super::body::Body;
use super::vars;
use crate::program::code::{Failure, Instruction, Reg};
use crate::term::{Atom, Fun, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{Clause, Expr, Ident};

impl Body<'_, '_> {
    pub(super) fn fun(&mut self, name: Option<&Ident>, clauses: &[Clause], dst: Reg) {
        let arity = clauses.first().map_or(0, |clause| clause.patterns.len()) as u32;
        let caught = self.caught(name.map(|ident| &ident.name), clauses);
        let function = self.unit.linker.reserve();
        let lifted = Atom::new(&format!("-{}-fun-{}-", self.name_with_arity(), self.unit.n_funs));
        self.unit.n_funs += 1;
        let line = self.line;

        let n_caught = caught.len() as u32;
        let mut body = Body::new(self.unit, lifted, arity + n_caught);
        body.line = line;
        for (i, name) in caught.iter().enumerate() {
            body.bind(name, arity as Reg + i as Reg, true);
        }
        if let Some(own) = name {
            let itself = body.fresh();
            let (start, n) = (arity as Reg, n_caught as u16);
            body.emit(Instruction::Closure { dst: itself, function, start, n });
            body.bind(&own.name, itself, true);
        }
        body.fun_clauses(clauses, arity);
        let compiled = body.finish(arity, n_caught, false);
        self.unit.linker.functions[function as usize] = Some(compiled);

        self.line = line;
        let start = self.fresh_block(caught.len());
        for (i, name) in caught.iter().enumerate() {
            let src = self.scope.registers[name];
            self.emit(Instruction::Move { dst: start + i as Reg, src });
        }
        self.emit(Instruction::Closure { dst, function, start, n: n_caught as u16 });
    }

    fn name_with_arity(&self) -> String {
        self.name.text().trim_matches('-').to_owned()
    }

    /// As clauses of a function, except that the names in a head are new even where a caught one has that name.
    fn fun_clauses(&mut self, clauses: &[Clause], arity: u32) {
        let outer = self.scope.clone();
        for clause in clauses {
            self.scope = outer.clone();
            for name in vars::of_patterns(&clause.patterns) {
                self.scope.registers.remove(&name);
                self.scope.bound.remove(&name);
            }
            let fail = self.label();
            self.at(clause.span);
            for (i, pattern) in clause.patterns.iter().enumerate() {
                self.pattern(pattern, i as Reg, fail, true);
            }
            self.guard(&clause.guard, fail);
            let result = self.fresh();
            self.block(&clause.body, result, true);
            self.place(fail);
        }
        if let Some(first) = clauses.first() {
            self.at(first.span);
        }
        debug_assert_eq!(arity as usize, clauses.first().map_or(0, |c| c.patterns.len()));
        self.emit(Instruction::Fail { kind: Failure::FunctionClause, src: 0 });
    }

    /// The variables of this function that the fun uses, in a stable order.
    fn caught(&self, own: Option<&Name>, clauses: &[Clause]) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        for clause in clauses {
            let heads = vars::of_patterns(&clause.patterns);
            for name in vars::of_clause(clause) {
                let hidden = heads.contains(&name) || Some(&name) == own;
                if !hidden && self.is_bound(&name) && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.sort();
        names
    }

    pub(super) fn fun_local(&mut self, name: &Ident, arity: u32, dst: Reg) {
        let atom = Atom::new(&name.name);
        let key = (self.unit.module, atom, arity);
        if let Some(&function) = self.unit.linker.numbers.get(&key) {
            return self.emit(Instruction::Closure { dst, function, start: 0, n: 0 });
        }
        let imported = self.unit.imports.get(&(name.name.clone(), arity)).copied();
        let module = imported.unwrap_or(atom!("erlang"));
        self.constant(dst, Term::fun(Fun::external(module, atom, arity)));
    }

    pub(super) fn fun_remote(&mut self, module: &Expr, function: &Expr, arity: &Expr, dst: Reg) {
        let known = (module.as_atom(), function.as_atom(), super::constant::constant(arity));
        if let (Some(module), Some(function), Some(Term::Int(arity))) = known {
            let fun = Fun::external(Atom::new(module), Atom::new(function), arity as u32);
            return self.constant(dst, Term::fun(fun));
        }
        self.builtin_call("erlang", "make_fun", &[module, function, arity], dst);
    }
}
