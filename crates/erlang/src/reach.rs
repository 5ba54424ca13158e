//! Which functions a start can come to.
//! Why: a module is checked by one of its functions, and may have others for other occasions. A call that has no model is a
//! mistake to be told before anything runs only if the test may come to it; elsewhere it stops the run that reaches it.
//! A function is reached by a call or a fun, by its name as an atom if some reached function has that atom (`spawn`, `apply`,
//! a child specification), and all that a behaviour's module exports by the name of the module.
//! Not here: a name put together at run time. Nothing is lost: that run stops where it comes to the call.

use crate::code::{Function, Instruction};
use crate::compile::Linker;
use crate::term::{Atom, FunKind, Term};
use rustc_hash::FxHashSet;

/// The numbers of the functions that may be reached from a function of this name, of any arity.
pub(crate) fn reached(linker: &Linker, module: Atom, name: Atom) -> FxHashSet<u32> {
    let mut search = Search { linker, reached: FxHashSet::default(), atoms: FxHashSet::default() };
    let starts = linker.numbers.iter().filter(|(key, _)| key.0 == module && key.1 == name);
    search.go(starts.map(|(_, number)| *number).collect());
    loop {
        let named: Vec<u32> = linker
            .numbers
            .iter()
            .filter(|((module, name, _), number)| {
                !search.reached.contains(number) && search.is_named(*module, *name, **number)
            })
            .map(|(_, number)| *number)
            .collect();
        if named.is_empty() {
            return search.reached;
        }
        search.go(named);
    }
}

struct Search<'l> {
    linker: &'l Linker,
    reached: FxHashSet<u32>,
    /// Every atom that a reached function has.
    atoms: FxHashSet<Atom>,
}

impl Search<'_> {
    fn go(&mut self, mut left: Vec<u32>) {
        while let Some(number) = left.pop() {
            if !self.reached.insert(number) {
                continue;
            }
            let Some(function) = &self.linker.functions[number as usize] else { continue };
            left.extend(function.code.iter().filter_map(callee));
            function.constants.iter().for_each(|constant| atoms(constant, &mut self.atoms));
        }
    }

    fn is_named(&self, module: Atom, name: Atom, number: u32) -> bool {
        let is_exported = |function: &Function| function.exported;
        self.atoms.contains(&name)
            || self.atoms.contains(&module)
                && self.has_behaviour(module)
                && self.linker.functions[number as usize].as_ref().is_some_and(is_exported)
    }

    fn has_behaviour(&self, module: Atom) -> bool {
        self.linker.attributes.get(&module).is_some_and(|attributes| {
            let mut all = attributes.cells();
            all.any(|entry| entry.as_tuple().is_some_and(|it| it[0].is_atom(atom!("behaviour"))))
        })
    }
}

fn callee(instruction: &Instruction) -> Option<u32> {
    match instruction {
        Instruction::Call { function, .. }
        | Instruction::TailCall { function, .. }
        | Instruction::Closure { function, .. } => Some(*function),
        _ => None,
    }
}

fn atoms(term: &Term, found: &mut FxHashSet<Atom>) {
    match term {
        Term::Atom(name) => {
            found.insert(*name);
        }
        Term::Tuple(tuple) => tuple.items().iter().for_each(|item| atoms(item, found)),
        Term::Cons(_) => {
            let mut cells = term.cells();
            cells.by_ref().for_each(|item| atoms(item, found));
            atoms(cells.rest(), found);
        }
        Term::Map(map) => map.entries().iter().for_each(|(key, value)| {
            atoms(key, found);
            atoms(value, found);
        }),
        Term::Fun(fun) => {
            if let FunKind::External { name, .. } = &fun.kind {
                found.insert(*name);
            }
        }
        _ => {}
    }
}
