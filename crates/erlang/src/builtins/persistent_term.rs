//! Module `persistent_term`.

use super::{Builtin, Outcome, ok, truth, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::{Map, Term};
use crate::world::step::Step;
use foresee_lts::Mode;

pub(super) const TABLE: &[Builtin] = &[
    visible("persistent_term", "put", 2, put, puts),
    visible("persistent_term", "get", 1, get, reads),
    visible("persistent_term", "get", 2, get, reads),
    visible("persistent_term", "get", 0, get_all, |_, _, touched| touched.reads_all_persistent()),
    visible("persistent_term", "erase", 1, erase, erases),
    visible("persistent_term", "info", 0, info, |_, _, touched| touched.reads_all_persistent()),
];

fn reads(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.touches_persistent(&args[0], Mode::Read);
}

fn puts(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.touches_persistent(&args[0], Mode::Put(args[1].content_hash()));
}

/// Whether there was something to erase is told.
fn erases(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let there = step.shared().persistent.contains(&args[0]);
    touched.touches_persistent(&args[0], if there { Mode::Write } else { Mode::Read });
}

fn put(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    step.shared_mut().persistent.insert(args[0].clone(), args[1].clone());
    ok()
}

fn get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let found = step.shared().persistent.get(&args[0]).or(args.get(1)).cloned();
    found.ok_or_else(Raise::badarg)
}

fn get_all(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let entries = step.shared().persistent.entries().iter();
    let entries = entries.filter(|(key, _)| !super::files::is_file(key));
    Ok(Term::list(entries.map(|(k, v)| Term::tuple([k.clone(), v.clone()])).collect::<Vec<_>>()))
}

fn info(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let entries = step.shared().persistent.entries().iter();
    let count = Term::from(entries.filter(|(key, _)| !super::files::is_file(key)).count());
    Ok(Term::map(Map::from_pairs([(a!("count"), count), (a!("memory"), Term::Int(0))])))
}

fn erase(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    truth(step.shared_mut().persistent.remove(&args[0]).is_some())
}
