//! Hints about an exploration of interleavings: what was cut, what had no effect, what to try next.
//! Why: a limit that is reached is never "holds", and the user should read which one it was and how to move it.
//! Not here: what the errors of a program often mean (a front end's tips).

use crate::interleave::{DEPTH_MAX, InterleavingOptions};
use crate::{Dpor, Report};
use foresee_lts::StoppedBy;
use foresee_stateless::Config;

/// So many failures in a row, from the first run on, are no accident.
const FAILURES_MANY: u64 = 10;

pub(crate) fn hints(
    options: &InterleavingOptions,
    config: &Config,
    explored: &foresee_stateless::Report,
    report: &Report,
) -> Vec<String> {
    let hints = [
        one_thread(config),
        no_observers(options, config),
        failures_from_the_first(explored),
        depth(options, config, explored, report),
        bound(options, report),
    ];
    hints.into_iter().flatten().collect()
}

fn one_thread(config: &Config) -> Option<String> {
    (config.threads > 1 && !config.is_shareable()).then(|| {
        "--threads has no effect: only --dpor optimal without --bound and --interleavings-max is explored by several threads"
            .to_owned()
    })
}

fn no_observers(options: &InterleavingOptions, config: &Config) -> Option<String> {
    let is_wasted = options.observers == Some(true) && config.dpor != Dpor::Optimal;
    is_wasted.then(|| "--observers has no effect without --dpor optimal".to_owned())
}

/// Errors that no order of events avoids hide those that some order brings about.
fn failures_from_the_first(explored: &foresee_stateless::Report) -> Option<String> {
    let (failures, all) = (explored.erroneous_at_first, explored.interleavings);
    let what = match failures {
        0 | 1 => return None,
        _ if failures == all && explored.planned == 0 => format!("all {all} interleavings end"),
        _ if failures >= FAILURES_MANY => {
            format!("each of the first {failures} interleavings ends")
        }
        _ => return None,
    };
    Some(format!(
        "{what} with an error: look at the first one before the others; what is no error can be left out with \
         --treat-as-normal REASON or --ignore-error KIND"
    ))
}

fn depth(
    options: &InterleavingOptions,
    config: &Config,
    explored: &foresee_stateless::Report,
    report: &Report,
) -> Option<String> {
    let max = options.depth_max.unwrap_or(DEPTH_MAX);
    if config.ignores_depth && explored.cut_short > 0 {
        return Some(format!(
            "{} cut after {max} events, and what comes later was not looked at: the verdict leaves that out, as \
             --ignore-error depth_bound says",
            were_cut(explored.cut_short)
        ));
    }
    (report.stopped_by == Some(StoppedBy::Depth)).then(|| {
        format!(
            "{} cut after {max} events: a run may have no end; --depth-max allows longer ones, and --engine stateful explores \
             states instead of runs, so loops do not matter to it",
            were_cut(explored.cut_short)
        )
    })
}

fn were_cut(n: u64) -> String {
    match n {
        1 => "an interleaving was".to_owned(),
        n => format!("{n} interleavings were"),
    }
}

fn bound(options: &InterleavingOptions, report: &Report) -> Option<String> {
    let bound = options.bound?;
    (report.stopped_by == Some(StoppedBy::Bound)).then(|| {
        format!("--bound {bound} left out interleavings; a larger bound explores more of them, none explores all")
    })
}
