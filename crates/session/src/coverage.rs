//! What a report's verdict covers: what the front end states of itself, joined with what the request and the engine add.
//! Not here: the data and its words (`foresee_lts::Coverage`), where it is printed (`cli`).

use crate::interleave::InterleavingOptions;
use crate::{CheckRequest, Diagnostic, Kind, Loaded, Report, Strategy, VisitedKind, dpor_word};
use foresee_lts::{Assumption, Claim, Coverage, Property, PropertyKind, StoppedBy};

/// What every check of this system covers, whichever engine does it.
pub(crate) fn of_check(loaded: &Loaded, request: &CheckRequest) -> Result<Coverage, Diagnostic> {
    let mut coverage = loaded.front().coverage();
    let chosen = loaded.chosen_properties(&request.invariants)?;
    coverage.checked.extend(chosen.iter().map(claim));
    let all = loaded.chosen_properties(&[])?;
    let is_left_out = |name: &&str| !chosen.iter().any(|property| property.name() == *name);
    let left_out = all.iter().map(Property::name).filter(is_left_out);
    let left_out: Vec<String> = left_out.map(str::to_owned).collect();
    if !left_out.is_empty() {
        coverage.assumed.push(Assumption::NotChecked(left_out));
    }
    restrict_crashes(&mut coverage, loaded, &request.crash);
    prunes(&mut coverage, loaded);
    Ok(coverage)
}

/// What a look at labels covers: the world around the system, but none of its own errors.
pub(crate) fn of_labels(loaded: &Loaded, crash: &[String]) -> Coverage {
    let mut coverage = Coverage { checked: Vec::new(), ..loaded.front().coverage() };
    let is_about_errors =
        |it: &Assumption| matches!(it, Assumption::NormalReasons(_) | Assumption::NotChecked(_));
    coverage.assumed.retain(|it| !is_about_errors(it));
    restrict_crashes(&mut coverage, loaded, crash);
    coverage
}

/// What some runs in virtual time cover: the same errors, on these runs only. Time passes there, and the network has a latency.
pub(crate) fn of_runs(loaded: &Loaded, n: u64, seed: u64) -> Coverage {
    let Coverage { mut checked, assumed } = loaded.front().coverage();
    let properties = loaded.chosen_properties(&[]).unwrap_or_default();
    checked.extend(properties.iter().map(claim));
    let stays = |it: &Assumption| {
        matches!(
            it,
            Assumption::NormalReasons(_)
                | Assumption::NotChecked(_)
                | Assumption::NoSurroundings
                | Assumption::MergedPositions
                | Assumption::MissingTransitions
        )
    };
    let runs = std::iter::once(Assumption::SomeRuns { n, seed });
    Coverage { checked, assumed: runs.chain(assumed.into_iter().filter(stays)).collect() }
}

/// What a property claims.
pub(crate) fn claim(property: &Property) -> Claim {
    let name = property.name().to_owned();
    match property.kind {
        PropertyKind::Reachable => Claim::Reachable(name),
        _ => Claim::Invariant(name),
    }
}

/// Only some nodes may crash.
fn restrict_crashes(coverage: &mut Coverage, loaded: &Loaded, crash: &[String]) {
    let front = loaded.front();
    let crash = front.nodes_to_crash(crash);
    if crash.is_empty() {
        return;
    }
    for assumption in &mut coverage.assumed {
        if let Assumption::Faults { only, .. } = assumption {
            *only = crash.iter().map(|node| format!("{node} may crash")).collect();
        }
    }
}

fn prunes(coverage: &mut Coverage, loaded: &Loaded) {
    let names: Vec<String> = loaded.prunes().iter().map(|it| it.name().to_owned()).collect();
    if !names.is_empty() {
        coverage.assumed.push(Assumption::Pruned(names));
    }
}

/// What the engine of states adds.
pub(crate) fn add_states(report: &mut Report, request: &CheckRequest) {
    if request.visited == VisitedKind::Fingerprint && request.strategy != Strategy::Random {
        let probability = report.extras.collision_probability;
        report.assumed.push(Assumption::Hashes { probability });
    }
    if request.strategy == Strategy::Random {
        let (n, seed) = (report.interleavings, request.seed);
        report.assumed.push(Assumption::SomeRuns { n, seed });
    }
}

/// What the engine of interleavings adds.
pub(crate) fn add_interleavings(
    report: &mut Report,
    loaded: &Loaded,
    options: &InterleavingOptions,
    config: &foresee_stateless::Config,
    n_cut: u64,
) {
    let left_out = report.stopped_by == Some(StoppedBy::Bound);
    if let Some(bound) = config.bound.filter(|_| left_out) {
        let kind = bound.kind.policy().unit();
        report.assumed.push(Assumption::Bound { kind, max: bound.max });
    }
    if config.ignores_depth && n_cut > 0 {
        report.assumed.push(Assumption::CutAfter(config.limits.depth_max.unwrap_or(u32::MAX)));
    }
    if !options.non_racing.is_empty() {
        report.assumed.push(Assumption::NonRacing(options.non_racing.clone()));
    }
    let method = dpor_word(config.dpor);
    let has_patterns = config.observers && config.dpor == crate::Dpor::Optimal;
    let with_patterns = has_patterns && loaded.kind() == Kind::Erlang;
    report.assumed.push(Assumption::EqualOrders { method, with_patterns });
}
