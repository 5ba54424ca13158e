//! Module `ets`.

use super::{Builtin, Outcome, arg, ets_touches as touch, truth, visible};
use crate::events::footprint::nothing;
use crate::machine::{Raise, operate};
use crate::term::{Reference, Term, number};
use crate::world::ets::match_spec::MatchSpec;
use crate::world::ets::spec_check::Flaw;
use crate::world::ets::{Protection, Table, TableKind};
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("ets", "new", 2, new, touch::new),
    visible("ets", "insert", 2, insert, touch::insert),
    visible("ets", "insert_new", 2, insert_new, touch::insert_new),
    visible("ets", "lookup", 2, lookup, touch::reads_key),
    visible("ets", "lookup_element", 3, lookup_element, touch::reads_key),
    visible("ets", "lookup_element", 4, lookup_element, touch::reads_key),
    visible("ets", "member", 2, member, touch::reads_presence),
    visible("ets", "delete", 1, delete_table, touch::delete_table),
    visible("ets", "delete", 2, delete, touch::delete),
    visible("ets", "delete_object", 2, delete_object, touch::delete_object),
    visible("ets", "delete_all_objects", 1, delete_all_objects, touch::writes_all),
    visible("ets", "take", 2, take, touch::take),
    visible("ets", "update_counter", 3, update_counter, touch::update),
    visible("ets", "update_counter", 4, update_counter, touch::update),
    visible("ets", "update_element", 3, update_element, touch::update),
    visible("ets", "update_element", 4, update_element, touch::update),
    visible("ets", "tab2list", 1, tab2list, touch::reads_all),
    visible("ets", "first", 1, first, touch::reads_all),
    visible("ets", "last", 1, last, touch::reads_all),
    visible("ets", "next", 2, next, touch::reads_all),
    visible("ets", "prev", 2, prev, touch::reads_all),
    visible("ets", "match", 2, match_, touch::matches),
    visible("ets", "match", 3, match_, touch::matches),
    visible("ets", "match_object", 2, match_object, touch::matches),
    visible("ets", "match_object", 3, match_object, touch::matches),
    visible("ets", "match_delete", 2, match_delete, touch::match_delete),
    visible("ets", "select", 2, select, touch::selects),
    visible("ets", "select", 3, select, touch::selects),
    visible("ets", "select_reverse", 2, select_reverse, touch::selects),
    visible("ets", "select_reverse", 3, select_reverse, touch::selects),
    visible("ets", "select_reverse", 1, select_more, nothing),
    visible("ets", "select", 1, select_more, nothing),
    visible("ets", "match", 1, select_more, nothing),
    visible("ets", "match_object", 1, select_more, nothing),
    visible("ets", "select_count", 2, select_count, touch::selects),
    visible("ets", "select_delete", 2, select_delete, touch::select_delete),
    visible("ets", "select_replace", 2, select_replace, touch::select_delete),
    visible("ets", "info", 1, info, touch::info),
    visible("ets", "info", 2, info_item, touch::info),
    visible("ets", "whereis", 1, whereis, touch::whereis),
    visible("ets", "rename", 2, rename, touch::rename),
    visible("ets", "give_away", 3, give_away, touch::give_away),
    visible("ets", "setopts", 2, setopts, touch::setopts),
    visible("ets", "safe_fixtable", 2, safe_fixtable, touch::uses),
    visible("ets", "all", 0, all, |_, _, touched| touched.reads_all_tables()),
    super::pure("ets", "is_compiled_ms", 1, is_compiled_ms),
    super::pure("ets", "match_spec_compile", 1, match_spec_compile),
    super::pure("ets", "match_spec_run", 2, match_spec_run),
    super::pure("ets", "test_ms", 2, test_ms),
    super::pure("erlang", "match_spec_test", 3, match_spec_test),
];

// Access.

/// The table that is meant; one of the run-time system has no model.
fn known(step: &Step<'_>, table: &Term) -> Result<Reference, Raise> {
    if let Some(id) = step.table_id(table) {
        return Ok(id);
    }
    match table.as_atom() {
        Some(name) if system_processes::is_table(name) => {
            Err(Raise::unmodelled(format!("the table {} of the run-time system", name.text())))
        }
        _ => Err(Raise::badarg()),
    }
}

/// Stops a look at a table that the run-time system would have.
fn not_of_system(step: &Step<'_>, table: &Term) -> Result<(), Raise> {
    match known(step, table) {
        Err(unmodelled @ Raise::Unmodelled(_)) => Err(unmodelled),
        _ => Ok(()),
    }
}

fn readable<'s>(step: &'s Step<'_>, table: &Term) -> Result<&'s Table, Raise> {
    let id = known(step, table)?;
    let caller = step.caller;
    arg(step.table(id).filter(|table| table.readable_by(caller)))
}

fn writable<'s>(step: &'s mut Step<'_>, table: &Term) -> Result<&'s mut Table, Raise> {
    let id = known(step, table)?;
    let caller = step.caller;
    arg(step.table(id).filter(|table| table.writable_by(caller)))?;
    arg(step.table_mut(id))
}

fn shown(table: &Table) -> Term {
    if table.named { Term::Atom(table.name) } else { Term::reference(table.id) }
}

fn new(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let name = arg(args[0].as_atom())?;
    let caller = step.caller;
    let mut table = Table {
        id: Reference { owner: caller, n: 0 },
        name,
        named: false,
        kind: TableKind::Set,
        protection: Protection::Protected,
        owner: caller,
        heir: None,
        key_position: 1,
        objects: Vec::new(),
    };
    for option in arg(args[1].to_vec())? {
        arg(set_option(&mut table, &option))?;
    }
    let is_taken = step.shared().table_names.iter().any(|(own, _)| *own == name)
        || system_processes::is_table(name);
    if table.named && is_taken {
        return Err(Raise::badarg());
    }
    table.id = step.new_reference();
    if table.named {
        let names = &mut step.shared_mut().table_names;
        names.push((name, table.id));
        names.sort_unstable();
    }
    let result = shown(&table);
    step.owns(caller, table.id, true);
    step.put_table(table.id, Some(table));
    Ok(result)
}

fn set_option(table: &mut Table, option: &Term) -> Option<()> {
    match option {
        Term::Atom(atom) => match atom.text() {
            "set" => table.kind = TableKind::Set,
            "ordered_set" => table.kind = TableKind::OrderedSet,
            "bag" => table.kind = TableKind::Bag,
            "duplicate_bag" => table.kind = TableKind::DuplicateBag,
            "public" => table.protection = Protection::Public,
            "protected" => table.protection = Protection::Protected,
            "private" => table.protection = Protection::Private,
            "named_table" => table.named = true,
            "compressed" => {}
            _ => return None,
        },
        Term::Tuple(tuple) => match tuple.items() {
            [Term::Atom(name), value] => match name.text() {
                "keypos" => table.key_position = value.as_usize().filter(|at| *at > 0)?,
                "heir" if value.is_atom(atom!("none")) => table.heir = None,
                "write_concurrency" | "read_concurrency" | "decentralized_counters" => {}
                _ => return None,
            },
            [Term::Atom(name), Term::Pid(pid), data] if name.text() == "heir" => {
                table.heir = Some((*pid, data.clone()));
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

/// One object or a list of them.
pub(super) fn objects_of(term: &Term) -> Option<Vec<Term>> {
    match term {
        Term::Tuple(_) => Some(vec![term.clone()]),
        _ => term.to_vec(),
    }
}

fn checked_objects(table: &Table, term: &Term) -> Result<Vec<Term>, Raise> {
    let objects = arg(objects_of(term))?;
    let good = objects.iter().all(|object| table.key_of(object).is_some());
    arg(good.then_some(objects))
}

fn insert(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = writable(step, &args[0])?;
    let objects = checked_objects(table, &args[1])?;
    table.insert_all(objects);
    truth(true)
}

fn insert_new(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = writable(step, &args[0])?;
    let objects = checked_objects(table, &args[1])?;
    let exists = |object: &Term| table.key_of(object).is_some_and(|key| table.contains(key));
    if objects.iter().any(exists) {
        return truth(false);
    }
    table.insert_all(objects);
    truth(true)
}

fn lookup(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list(readable(step, &args[0])?.lookup(&args[1]).to_vec()))
}

fn lookup_element(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = readable(step, &args[0])?;
    let at = arg(args[2].as_usize().and_then(|n| n.checked_sub(1)))?;
    let found = table.lookup(&args[1]);
    if found.is_empty()
        && let Some(default) = args.get(3)
    {
        return Ok(default.clone());
    }
    let element = |object: &Term| object.as_tuple().and_then(|items| items.get(at)).cloned();
    let elements: Vec<Term> = arg(found.iter().map(element).collect::<Option<_>>())?;
    if table.kind.is_bag() && !elements.is_empty() {
        return Ok(Term::list(elements));
    }
    arg(elements.into_iter().next())
}

fn member(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    truth(readable(step, &args[0])?.contains(&args[1]))
}

fn delete_table(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let id = writable(step, &args[0])?.id;
    step.drop_table(id);
    truth(true)
}

fn delete(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    writable(step, &args[0])?.delete(&args[1]);
    truth(true)
}

fn delete_object(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    writable(step, &args[0])?.retain(|object| *object != args[1]);
    truth(true)
}

fn delete_all_objects(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    writable(step, &args[0])?.retain(|_| false);
    truth(true)
}

fn take(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = writable(step, &args[0])?;
    let taken = table.lookup(&args[1]).to_vec();
    table.delete(&args[1]);
    Ok(Term::list(taken))
}

fn update_counter(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = writable(step, &args[0])?;
    arg((!table.kind.is_bag()).then_some(()))?;
    let object = match (table.lookup(&args[1]).first(), args.get(3)) {
        (Some(object), _) => object.clone(),
        (None, Some(default)) => {
            let mut items = arg(default.as_tuple())?.to_vec();
            *arg(items.get_mut(table.key_position - 1))? = args[1].clone();
            Term::tuple(items)
        }
        (None, None) => return Err(Raise::badarg()),
    };
    let mut items = arg(object.as_tuple())?.to_vec();
    let key_index = table.key_position - 1;
    let result = match &args[2] {
        Term::Int(_) | Term::Big(_) => {
            let operation = Term::tuple([Term::from(table.key_position + 1), args[2].clone()]);
            count(&mut items, key_index, &operation)?
        }
        Term::Tuple(_) => count(&mut items, key_index, &args[2])?,
        operations => {
            let mut results = Vec::new();
            for operation in arg(operations.to_vec())? {
                results.push(count(&mut items, key_index, &operation)?);
            }
            Term::list(results)
        }
    };
    table.insert(Term::tuple(items));
    Ok(result)
}

/// One `{Position, Increment}` or `{Position, Increment, Threshold, SetValue}`.
fn count(items: &mut [Term], key_index: usize, operation: &Term) -> Outcome {
    let parts = arg(operation.as_tuple())?;
    let at = arg(parts.first().and_then(Term::as_usize).and_then(|n| n.checked_sub(1)))?;
    arg((at != key_index).then_some(()))?;
    let cell = arg(items.get_mut(at).filter(|cell| number::is_integer(cell)))?;
    let increment = arg(parts.get(1).filter(|term| number::is_integer(term)))?;
    let mut value = arg(operate(crate::program::code::Operation::Add, cell, increment))?;
    if let [_, _, threshold, reset] = parts {
        let up = number::compare(increment, &Term::Int(0)).is_ge();
        let order = number::compare(&value, threshold);
        if (up && order.is_gt()) || (!up && order.is_lt()) {
            value = reset.clone();
        }
    }
    *cell = value.clone();
    Ok(value)
}

fn update_element(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = writable(step, &args[0])?;
    arg((!table.kind.is_bag()).then_some(()))?;
    let object = match (table.lookup(&args[1]).first(), args.get(3)) {
        (Some(object), _) => object.clone(),
        (None, Some(default)) => default.clone(),
        (None, None) => return truth(false),
    };
    let mut items = arg(object.as_tuple())?.to_vec();
    let updates = match &args[2] {
        pair @ Term::Tuple(_) => vec![pair.clone()],
        pairs => arg(pairs.to_vec())?,
    };
    for update in updates {
        let Some([at, value]) = update.as_tuple() else { return Err(Raise::badarg()) };
        let at = arg(at.as_usize().and_then(|n| n.checked_sub(1)))?;
        arg((at != table.key_position - 1).then_some(()))?;
        *arg(items.get_mut(at))? = value.clone();
    }
    table.insert(Term::tuple(items));
    truth(true)
}

fn tab2list(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list(readable(step, &args[0])?.objects().to_vec()))
}

fn end_of_table(key: Option<Term>) -> Outcome {
    Ok(key.unwrap_or(a!("$end_of_table")))
}

fn first(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    end_of_table(readable(step, &args[0])?.key_at(0))
}

fn last(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = readable(step, &args[0])?;
    end_of_table(table.objects().len().checked_sub(1).and_then(|at| table.key_at(at)))
}

fn next(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = readable(step, &args[0])?;
    let range = table.range(&args[1]);
    arg((table.kind == TableKind::OrderedSet || !range.is_empty()).then_some(()))?;
    end_of_table(table.key_at(range.end))
}

fn prev(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let table = readable(step, &args[0])?;
    let range = table.range(&args[1]);
    arg((table.kind == TableKind::OrderedSet || !range.is_empty()).then_some(()))?;
    end_of_table(range.start.checked_sub(1).and_then(|at| table.key_at(at)))
}

/// All results, or with a limit `{First, Continuation}`.
fn results(all: Vec<Term>, limit: Option<&Term>) -> Outcome {
    let Some(limit) = limit else { return Ok(Term::list(all)) };
    let limit = arg(limit.as_usize().filter(|limit| *limit > 0))?;
    chunk(all, limit)
}

/// A continuation is the results that are left.
fn chunk(mut all: Vec<Term>, limit: usize) -> Outcome {
    if all.is_empty() {
        return Ok(a!("$end_of_table"));
    }
    // Fewer than asked for are the last; as many may be, but nobody has looked further.
    if all.len() < limit {
        return Ok(Term::tuple([Term::list(all), a!("$end_of_table")]));
    }
    let rest = all.split_off(limit);
    let continuation = Term::tuple([a!("$ets_continuation"), Term::from(limit), Term::list(rest)]);
    Ok(Term::tuple([Term::list(all), continuation]))
}

fn select_more(_: &mut Step<'_>, args: &[Term]) -> Outcome {
    if args[0].is_atom(atom!("$end_of_table")) {
        return Ok(args[0].clone());
    }
    match args[0].as_tuple() {
        Some([_, limit, rest]) => {
            chunk(arg(rest.to_vec())?, arg(limit.as_usize().filter(|limit| *limit > 0))?)
        }
        _ => Err(Raise::badarg()),
    }
}

fn found(table: &Table, spec: &MatchSpec) -> Vec<Term> {
    match spec.fixed_key(table.key_position) {
        Some(key) => table.lookup(&key).iter().filter_map(|object| spec.run(object)).collect(),
        None => table.objects().iter().filter_map(|object| spec.run(object)).collect(),
    }
}

fn match_(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = MatchSpec::of_pattern(&args[1], &a!("$$"));
    results(found(readable(step, &args[0])?, &spec), args.get(2))
}

fn match_object(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = MatchSpec::of_pattern(&args[1], &a!("$_"));
    results(found(readable(step, &args[0])?, &spec), args.get(2))
}

fn match_delete(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = MatchSpec::of_pattern(&args[1], &a!("true"));
    writable(step, &args[0])?.retain(|object| spec.run(object).is_none());
    truth(true)
}

fn spec_of(term: &Term) -> Result<MatchSpec, Raise> {
    MatchSpec::parse(term).map_err(|flaw| match flaw {
        Flaw::Wrong => Raise::badarg(),
        Flaw::NotModelled(what) => Raise::unmodelled(what),
    })
}

fn select(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    results(found(readable(step, &args[0])?, &spec), args.get(2))
}

fn select_reverse(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    let mut all = found(readable(step, &args[0])?, &spec);
    all.reverse();
    results(all, args.get(2))
}

fn is_true(term: &Term) -> bool {
    term.is_atom(atom!("true"))
}

fn select_count(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    let all = found(readable(step, &args[0])?, &spec);
    Ok(Term::from(all.iter().filter(|result| is_true(result)).count()))
}

fn select_delete(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    let table = writable(step, &args[0])?;
    let before = table.objects().len();
    table.retain(|object| !spec.run(object).is_some_and(|result| is_true(&result)));
    Ok(Term::from(before - table.objects().len()))
}

fn select_replace(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    let table = writable(step, &args[0])?;
    // What it makes of an object could be there already.
    arg((table.kind != TableKind::Bag).then_some(()))?;
    let mut n = 0;
    let mut replaced = table.objects().to_vec();
    for object in &mut replaced {
        if let Some(result) = spec.run(object) {
            arg((table.key_of(&result) == table.key_of(object)).then_some(()))?;
            *object = result;
            n += 1;
        }
    }
    table.objects = replaced;
    Ok(Term::from(n as usize))
}

/// In the order of OTP.
const INFO_ITEMS: [&str; 15] = [
    "id",
    "decentralized_counters",
    "read_concurrency",
    "write_concurrency",
    "compressed",
    "memory",
    "owner",
    "heir",
    "name",
    "size",
    "node",
    "named_table",
    "type",
    "keypos",
    "protection",
];

fn item(table: &Table, item: &str) -> Option<Term> {
    Some(match item {
        "id" => Term::reference(table.id),
        "name" => Term::Atom(table.name),
        "size" => Term::from(table.objects().len()),
        "owner" => Term::Pid(table.owner),
        "heir" => table.heir.as_ref().map_or(a!("none"), |(pid, _)| Term::Pid(*pid)),
        "type" => Term::atom(table.kind.name()),
        "keypos" => Term::from(table.key_position),
        "protection" => Term::atom(table.protection.name()),
        "named_table" => Term::bool(table.named),
        "node" => a!("nonode@nohost"),
        "memory" => Term::from(table.objects().len() * 8),
        "compressed"
        | "decentralized_counters"
        | "fixed"
        | "read_concurrency"
        | "write_concurrency" => a!("false"),
        _ => return None,
    })
}

/// The name or identifier of a table, whether or not there is one.
fn table_term(term: &Term) -> Result<(), Raise> {
    arg((term.as_atom().is_some() || term.as_reference().is_some()).then_some(()))
}

fn info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    table_term(&args[0])?;
    not_of_system(step, &args[0])?;
    let Some(table) = step.table_id(&args[0]).and_then(|id| step.table(id)) else {
        return Ok(a!("undefined"));
    };
    let entry =
        |name: &&str| Term::tuple([Term::atom(name), item(table, name).unwrap_or(Term::Nil)]);
    Ok(Term::list(INFO_ITEMS.iter().map(entry).collect::<Vec<_>>()))
}

fn info_item(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    table_term(&args[0])?;
    not_of_system(step, &args[0])?;
    let Some(table) = step.table_id(&args[0]).and_then(|id| step.table(id)) else {
        return Ok(a!("undefined"));
    };
    arg(item(table, arg(args[1].as_atom())?.text()))
}

fn whereis(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_atom())?;
    not_of_system(step, &args[0])?;
    Ok(step.table_id(&args[0]).map_or(a!("undefined"), Term::reference))
}

fn rename(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let name = arg(args[1].as_atom())?;
    let id = writable(step, &args[0])?.id;
    let named = step.table(id).is_some_and(|table| table.named);
    let taken = step.shared().table_names.iter().any(|(own, other)| *own == name && *other != id);
    if named {
        arg((!taken).then_some(()))?;
        let names = &mut step.shared_mut().table_names;
        names.retain(|(_, own)| *own != id);
        names.push((name, id));
        names.sort_unstable();
    }
    let table = arg(step.table_mut(id))?;
    table.name = name;
    Ok(Term::Atom(name))
}

fn give_away(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let id = known(step, &args[0])?;
    let to = arg(args[1].as_pid())?;
    let caller = step.caller;
    arg(step.table(id).filter(|table| table.owner == caller))?;
    arg((step.is_alive(to) && to != caller).then_some(()))?;
    step.transfer(id, caller, to, args[2].clone());
    truth(true)
}

fn setopts(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let id = known(step, &args[0])?;
    let caller = step.caller;
    arg(step.table(id).filter(|table| table.owner == caller))?;
    let options = match &args[1] {
        one @ Term::Tuple(_) => vec![one.clone()],
        many => arg(many.to_vec())?,
    };
    let table = arg(step.table_mut(id))?;
    for option in options {
        arg(set_option(table, &option))?;
    }
    truth(true)
}

/// Traversals here never skip or repeat, so there is nothing to fix.
fn safe_fixtable(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    readable(step, &args[0])?;
    truth(true)
}

fn all(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let tables: Vec<Term> =
        step.tables().iter().filter_map(|id| step.table(*id)).map(shown).collect();
    Ok(Term::list(tables))
}

fn is_compiled_ms(_: &mut crate::machine::Local<'_>, args: &[Term]) -> Outcome {
    truth(MatchSpec::parse(&args[0]).is_ok())
}

fn match_spec_compile(_: &mut crate::machine::Local<'_>, args: &[Term]) -> Outcome {
    spec_of(&args[0])?;
    Ok(args[0].clone())
}

fn match_spec_run(_: &mut crate::machine::Local<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    let objects = arg(args[0].to_vec())?;
    Ok(Term::list(objects.iter().filter_map(|object| spec.run(object)).collect::<Vec<_>>()))
}

fn test_ms(_: &mut crate::machine::Local<'_>, args: &[Term]) -> Outcome {
    let spec = spec_of(&args[1])?;
    Ok(Term::tuple([a!("ok"), spec.run(&args[0]).unwrap_or(a!("false"))]))
}

/// For specifications of tables; those of traces are not modelled.
fn match_spec_test(local: &mut crate::machine::Local<'_>, args: &[Term]) -> Outcome {
    if !args[2].is_atom(atom!("table")) {
        let what = format!("erlang:match_spec_test/3 of a {}", args[2]);
        return Err(Raise::unmodelled(what));
    }
    let tested = test_ms(local, args)?;
    let result = arg(tested.as_tuple().and_then(|items| items.last()))?.clone();
    Ok(Term::tuple([a!("ok"), result, Term::Nil, Term::Nil]))
}
