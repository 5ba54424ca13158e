//! Who may call whom: which functions a start can come to, and by what calls.
//! Why: what is wrong with a call is worth a warning only where the test may come to it, and a run that stops at a call without a
//! model is understood only with the calls that led there, of which a stack keeps none that was the last of its function.
//! A function is followed by its calls and funs, by `fun m:f/1`, by the names of a module and of a function it exports where one
//! function has both as atoms (`spawn`, `apply`, a child specification), and by the name of a behaviour's module.
//! Only informs: a name put together at run time is not seen, and nothing is refused for what is found here.

use crate::program::Program;
use crate::program::code::{Function, Instruction};
use crate::term::{Atom, FunKind, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// A place in a function: its number and the number of the instruction.
pub(crate) type Site = (u32, u32);

/// The numbers of the functions that may be reached from a function of this name, of any arity.
pub(crate) fn reached(program: &Program, module: Atom, name: Atom) -> FxHashSet<u32> {
    let mut reached = FxHashSet::default();
    let mut left = starts(program, module, name);
    while let Some(number) = left.pop() {
        if reached.insert(number) {
            left.extend(followed(program, number, Edges::All).into_iter().map(|(_, to)| to));
        }
    }
    reached
}

/// The calls that lead from a function of this name to the innermost of `frames`, which are those of a stack, outermost first.
/// Where a stack has forgotten a call, because it was the last of its function, a shortest way fills the gap.
pub(crate) fn path(program: &Program, module: Atom, name: Atom, frames: &[Site]) -> Vec<Site> {
    let mut path: Vec<Site> = Vec::new();
    let mut from = starts(program, module, name);
    for &(function, pc) in frames {
        path.extend(way(program, &from, function).unwrap_or_default());
        path.push((function, pc));
        let code = &program.function(function).code;
        from = match code.get(pc as usize).and_then(callee) {
            Some(callee) => vec![callee],
            None => vec![function],
        };
    }
    path
}

/// The calls that lead from a function of this name to one that names both atoms, and the place where it does.
pub(crate) fn path_to_names(
    program: &Program,
    module: Atom,
    name: Atom,
    named: (Atom, Atom),
) -> Vec<Site> {
    let starts = starts(program, module, name);
    let names = |number: u32| {
        let function = program.function(number);
        let atoms = atoms_of(function);
        let both = atoms.contains(&named.0) && atoms.contains(&named.1);
        both.then(|| (number, place_of_atom(function, named.1)))
    };
    let mut reached: Vec<u32> = reached(program, module, name).into_iter().collect();
    reached.sort_unstable();
    let ways = reached.into_iter().filter_map(names).filter_map(|site| {
        let mut way = way(program, &starts, site.0)?;
        way.push(site);
        Some(way)
    });
    ways.min_by_key(Vec::len).unwrap_or_default()
}

fn starts(program: &Program, module: Atom, name: Atom) -> Vec<u32> {
    let mut starts: Vec<u32> = program.named(module, name).collect();
    starts.sort_unstable();
    starts
}

/// A shortest way to a function: the calls on it, without one in the function itself. Calls and funs first; names as atoms only
/// where there is no other way.
fn way(program: &Program, from: &[u32], to: u32) -> Option<Vec<Site>> {
    [Edges::Calls, Edges::All].into_iter().find_map(|edges| search(program, from, to, edges))
}

fn search(program: &Program, from: &[u32], to: u32, edges: Edges) -> Option<Vec<Site>> {
    let mut came_from: FxHashMap<u32, Option<Site>> =
        from.iter().map(|start| (*start, None)).collect();
    let mut left: VecDeque<u32> = from.iter().copied().collect();
    while let Some(number) = left.pop_front() {
        if number == to {
            let mut way = Vec::new();
            let mut at = came_from[&number];
            while let Some(site) = at {
                way.push(site);
                at = came_from[&site.0];
            }
            way.reverse();
            return Some(way);
        }
        for (pc, next) in followed(program, number, edges) {
            came_from.entry(next).or_insert_with(|| {
                left.push_back(next);
                Some((number, pc))
            });
        }
    }
    None
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Edges {
    /// Calls and funs.
    Calls,
    /// Also functions that are named by atoms.
    All,
}

/// The functions that a function leads to, each with the place.
fn followed(program: &Program, number: u32, edges: Edges) -> Vec<Site> {
    let function = program.function(number);
    let code = function.code.iter().enumerate();
    let mut found: Vec<Site> = code.filter_map(|(pc, it)| Some((pc as u32, callee(it)?))).collect();
    let externals = function.constants.iter().filter_map(|constant| match constant {
        Term::Fun(fun) => match &fun.kind {
            FunKind::External { module, name } => program.exported((*module, *name, fun.arity)),
            FunKind::Closure { .. } => None,
        },
        _ => None,
    });
    found.extend(externals.map(|to| (0, to)));
    if edges == Edges::All {
        let atoms = atoms_of(function);
        for &module in &atoms {
            let is_whole = has_behaviour(program, module);
            let named = program.exported_of(module);
            let named = named.filter(|(name, _)| is_whole || atoms.contains(name));
            found.extend(named.map(|(name, to)| (place_of_atom(function, name), to)));
        }
    }
    found
}

fn callee(instruction: &Instruction) -> Option<u32> {
    match instruction {
        Instruction::Call { function, .. }
        | Instruction::TailCall { function, .. }
        | Instruction::Closure { function, .. } => Some(*function),
        _ => None,
    }
}

fn has_behaviour(program: &Program, module: Atom) -> bool {
    let attributes = program.attributes(module);
    let mut all = attributes.cells();
    all.any(|entry| entry.as_tuple().is_some_and(|it| it[0].is_atom(atom!("behaviour"))))
}

/// Where a function has an atom.
fn place_of_atom(function: &Function, name: Atom) -> u32 {
    let has_it = |instruction: &Instruction| match instruction {
        Instruction::Constant { index, .. } => {
            let mut found = BTreeSet::new();
            atoms(&function.constants[*index as usize], &mut found);
            found.contains(&name)
        }
        _ => false,
    };
    function.code.iter().position(has_it).unwrap_or(0) as u32
}

fn atoms_of(function: &Function) -> BTreeSet<Atom> {
    let mut found = BTreeSet::new();
    function.constants.iter().for_each(|constant| atoms(constant, &mut found));
    found
}

/// The atoms in a constant. Constants are as deep as the text they come from.
fn atoms(term: &Term, found: &mut BTreeSet<Atom>) {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Atom(name) => {
                found.insert(*name);
            }
            Term::Tuple(tuple) => left.extend(tuple.items()),
            Term::Cons(_) => {
                let mut cells = term.cells();
                left.extend(cells.by_ref());
                left.push(cells.rest());
            }
            Term::Map(map) => left.extend(map.entries().iter().flat_map(|(k, v)| [k, v])),
            _ => {}
        }
    }
}
