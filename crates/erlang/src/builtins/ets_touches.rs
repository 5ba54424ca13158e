//! What the functions of module `ets` touch.
//! Each needs the table to be there (`uses_table`), by its name if that was given. Functions of one key touch that key, and
//! tell those who look at the whole which objects come and go; so a `select` or `match` races with an insert only if its
//! pattern matches what is put in or what is replaced. A function that finds nothing to do only reads.

use super::ets::objects_of;
use crate::events::footprint::Touched;
use crate::term::{Reference, Term};
use crate::world::ets::match_spec::MatchSpec;
use crate::world::ets::{Table, TableKind};
use crate::world::step::Step;
use std::borrow::Cow;

/// The table of a call, noting that the call needs it.
fn table<'s>(step: &'s Step<'_>, table: &Term, touched: &mut Touched) -> Option<&'s Table> {
    if let Some(name) = table.as_atom() {
        touched.reads_table_name(name);
    } else if let Some(id) = table.as_reference() {
        touched.uses_table(id);
    }
    let found = step.table(step.table_id(table)?)?;
    touched.uses_table(found.id);
    Some(found)
}

/// Keys that the table takes for one are one: in an `ordered_set`, 1 and 1.0.
fn one_key<'k>(table: &Table, key: &'k Term) -> Cow<'k, Term> {
    if table.kind == TableKind::OrderedSet { without_floats(key) } else { Cow::Borrowed(key) }
}

/// The term with integers for the floats that equal them.
fn without_floats(term: &Term) -> Cow<'_, Term> {
    let all = |items: &mut dyn Iterator<Item = &Term>| -> Vec<Term> {
        items.map(|item| without_floats(item).into_owned()).collect()
    };
    match term {
        Term::Float(x) if x.fract() == 0.0 && x.abs() < 9e15 => Cow::Owned(Term::Int(*x as i64)),
        Term::Tuple(tuple) => Cow::Owned(Term::tuple(all(&mut tuple.items().iter()))),
        Term::Cons(_) => {
            let mut cells = term.cells();
            let heads = all(&mut cells.by_ref());
            Cow::Owned(Term::list_with_tail(heads, without_floats(cells.rest()).into_owned()))
        }
        _ => Cow::Borrowed(term),
    }
}

pub(super) fn uses(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    table(step, &args[0], touched);
}

pub(super) fn new(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.makes_table();
    let named = args[1].cells().any(|option| option.is_atom(atom!("named_table")));
    if let (true, Some(name)) = (named, args[0].as_atom()) {
        touched.writes_table_name(name);
    }
}

pub(super) fn reads_key(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(table) = table(step, &args[0], touched) {
        touched.reads_key(table.id, &one_key(table, &args[1]));
    }
}

/// Only whether the key is there.
pub(super) fn reads_presence(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(table) = table(step, &args[0], touched) {
        touched.reads_presence(table.id, &one_key(table, &args[1]));
    }
}

pub(super) fn reads_all(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(table) = table(step, &args[0], touched) {
        touched.reads_content(table.id);
    }
}

pub(super) fn writes_all(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(table) = table(step, &args[0], touched) {
        let id = table.id;
        for object in table.objects() {
            if let Some(key) = table.key_of(object) {
                touched.deletes_key(id, &one_key(table, key));
            }
        }
        touched.writes_content(id);
    }
}

/// The objects that an object of this key replaces.
fn replaced<'t>(table: &'t Table, key: &Term) -> &'t [Term] {
    if table.kind.is_bag() { &[] } else { table.lookup(key) }
}

pub(super) fn insert(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let objects = objects_of(&args[1]).unwrap_or_default();
    let mut changed = Vec::new();
    for object in objects {
        let Some(key) = table.key_of(&object) else { return };
        changed.extend_from_slice(replaced(table, key));
        touched.puts_key(table.id, &one_key(table, key), &object);
        changed.push(object);
    }
    touched.changes_content(table.id, changed);
}

/// A failed `insert_new` only looks whether the keys are there.
pub(super) fn insert_new(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let objects = objects_of(&args[1]).unwrap_or_default();
    let keys: Vec<&Term> = objects.iter().filter_map(|object| table.key_of(object)).collect();
    let fails = keys.iter().any(|key| table.contains(key));
    for key in keys {
        let key = one_key(table, key);
        if fails {
            touched.reads_presence(table.id, &key);
        } else {
            touched.writes_key(table.id, &key);
        }
    }
    if !fails {
        touched.changes_content(table.id, objects);
    }
}

pub(super) fn delete(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    touched.deletes_key(table.id, &one_key(table, &args[1]));
    let gone = table.lookup(&args[1]).to_vec();
    if !gone.is_empty() {
        touched.changes_content(table.id, gone);
    }
}

pub(super) fn delete_object(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let Some(key) = table.key_of(&args[1]) else { return };
    let there = table.lookup(key).contains(&args[1]);
    let key = one_key(table, key);
    if there {
        touched.writes_key(table.id, &key);
        touched.changes_content(table.id, vec![args[1].clone()]);
    } else {
        touched.reads_key(table.id, &key);
    }
}

pub(super) fn take(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let key = one_key(table, &args[1]);
    let taken = table.lookup(&args[1]).to_vec();
    if taken.is_empty() {
        touched.reads_key(table.id, &key);
    } else {
        touched.writes_key(table.id, &key);
        touched.changes_content(table.id, taken);
    }
}

/// What an object becomes is for the function itself to say; whoever looks at the table takes it for anything.
pub(super) fn update(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let key = one_key(table, &args[1]);
    let has_default = args.get(3).is_some();
    match (table.contains(&args[1]), has_default) {
        (_, true) => touched.writes_key(table.id, &key),
        (true, false) => touched.updates_key(table.id, &key),
        (false, false) => return touched.reads_presence(table.id, &key),
    }
    touched.adds_content(table.id);
}

pub(super) fn matches(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(table) = table(step, &args[0], touched) {
        let spec = MatchSpec::of_pattern(&args[1], &a!("$_"));
        touched.looks_for(table.id, spec, args[1].content_hash());
    }
}

pub(super) fn selects(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    match MatchSpec::parse(&args[1]) {
        Ok(spec) => touched.looks_for(table.id, spec, args[1].content_hash()),
        Err(_) => touched.reads_content(table.id),
    }
}

pub(super) fn match_delete(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    let spec = MatchSpec::of_pattern(&args[1], &a!("true"));
    deletes(table, spec, args[1].content_hash(), touched);
}

pub(super) fn select_delete(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(table) = table(step, &args[0], touched) else { return };
    match MatchSpec::parse(&args[1]) {
        Ok(spec) => deletes(table, spec, args[1].content_hash(), touched),
        Err(_) => touched.reads_content(table.id),
    }
}

/// Looks for objects, and changes those it finds.
fn deletes(table: &Table, spec: MatchSpec, number: u64, touched: &mut Touched) {
    let found: Vec<Term> =
        table.objects().iter().filter(|object| spec.run(object).is_some()).cloned().collect();
    touched.looks_for(table.id, spec, number);
    for key in found.iter().filter_map(|object| table.key_of(object)) {
        touched.writes_key(table.id, &one_key(table, key));
    }
    if !found.is_empty() {
        touched.adds_content(table.id);
    }
}

/// Only the size changes with the objects.
pub(super) fn info(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(id) = table(step, &args[0], touched).map(|table| table.id) else { return };
    let item = args.get(1).and_then(Term::as_atom).map_or("size", crate::term::Atom::text);
    if matches!(item, "size" | "memory") {
        touched.reads_content(id);
    }
}

pub(super) fn whereis(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(name) = args[0].as_atom() {
        touched.reads_table_name(name);
    }
}

fn writes_table(step: &Step<'_>, args: &[Term], touched: &mut Touched) -> Option<Reference> {
    if let Some(name) = args[0].as_atom() {
        touched.writes_table_name(name);
    }
    let id = step.table_id(&args[0]).or(args[0].as_reference())?;
    touched.writes_table(id);
    let table = step.table(id)?;
    if table.named {
        touched.writes_table_name(table.name);
    }
    Some(id)
}

/// The end of the owner has one thing less to leave behind.
pub(super) fn delete_table(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let id = writes_table(step, args, touched);
    if let Some(owner) = id.and_then(|id| step.table(id)).map(|table| table.owner)
        && owner != step.caller
    {
        touched.writes_owned(owner);
        touched.reads_life(owner);
    }
}

pub(super) fn rename(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    writes_table(step, args, touched);
    if let Some(name) = args[1].as_atom() {
        touched.writes_table_name(name);
    }
}

pub(super) fn give_away(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    writes_table(step, args, touched);
    if let Some(pid) = args[1].as_pid() {
        touched.reads_life(pid);
    }
}

pub(super) fn setopts(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    writes_table(step, args, touched);
}
