//! Module `persistent_term`.

use super::{Builtin, Outcome, ok, truth, visible};
use crate::footprint::Touched;
use crate::machine::Raise;
use crate::step::Step;
use crate::term::Term;

pub(super) const TABLE: &[Builtin] = &[
    visible("persistent_term", "put", 2, put, writes),
    visible("persistent_term", "get", 1, get, reads),
    visible("persistent_term", "get", 2, get, reads),
    visible("persistent_term", "get", 0, get_all, |_, _, touched| touched.reads_all_processes()),
    visible("persistent_term", "erase", 1, erase, writes),
];

fn reads(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.reads_persistent(&args[0]);
}

fn writes(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.writes_persistent(&args[0]);
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
    Ok(Term::list(entries.map(|(k, v)| Term::tuple([k.clone(), v.clone()])).collect::<Vec<_>>()))
}

fn erase(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    truth(step.shared_mut().persistent.remove(&args[0]).is_some())
}
