//! Reductions that were asked for: whether they fit what is asked, and what the report says of them.
//! Why refuse: a reduction that does not keep what is asked would answer another question. So one that does not fit is an error with its
//! reason, never left out in silence.

use crate::{CheckRequest, Diagnostic, Loaded, Reduction, Report, Strategy};
use foresee_lts::{Assumption, System};
use foresee_search::{Limits, Meter, Observer, Silent};
use foresee_stateful::{Config, check_symmetry, why_no_por};

/// The settings with the reductions that were asked for; an error says why one of them does not fit.
pub(crate) fn apply(
    loaded: &Loaded,
    request: &CheckRequest,
    mut config: Config,
    report: &mut Report,
) -> Result<Config, Diagnostic> {
    if request.reduction.por {
        match why_no_por(loaded, &config) {
            None => config.por = true,
            Some(why) => report.warnings.push(format!("--reduction por has no effect: {why}")),
        }
        if config.por && config.threads > 1 {
            report.warnings.push(
                "--threads has no effect: with --reduction por one thread explores".to_owned(),
            );
        }
    }
    if !request.reduction.symmetry {
        return Ok(config);
    }
    let refuse = |why: &str| Err(Diagnostic::does_not_apply("--reduction symmetry", why));
    if config.allow.is_some() {
        return refuse("--crash tells nodes apart");
    }
    if request.check_independence {
        return refuse("--check-independence looks at every state");
    }
    if request.strategy == Strategy::Random {
        return refuse("random walks go from one state to the next and leave none out");
    }
    match check_symmetry(loaded, &config) {
        Ok(()) => Ok(Config { symmetry: true, ..config }),
        Err(why) => refuse(&why),
    }
}

/// Searches. What goes wrong after steps that were taken at once may go wrong sooner on another way, so it is looked for once more,
/// in every state that is as near: what is shown is a shortest run whatever the reduction.
pub(crate) fn search(
    system: &dyn System,
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> foresee_stateful::Report {
    let mut searched = foresee_stateful::search(system, config, meter, observer);
    let is_shortest = !searched.is_reduced || config.strategy != Strategy::BreadthFirst;
    if let ([found], false) = (&searched.violations[..], is_shortest || config.keep_going) {
        let depth_max = Some(found.path.actions.len() as u32);
        let limits = Limits { depth_max, ..config.limits.clone() };
        let plain = Config { por: false, limits, ..config.clone() };
        let again = foresee_stateful::search(system, &plain, meter, &mut Silent);
        if !again.violations.is_empty() {
            searched.violations = again.violations;
        }
    }
    searched
}

/// A reduction is for searches of all states: an error if one was asked for elsewhere.
pub(crate) fn refuse(request: &CheckRequest, why: &str) -> Result<(), Diagnostic> {
    match request.reduction == Reduction::default() {
        false => Err(Diagnostic::does_not_apply("--reduction", why)),
        true => Ok(()),
    }
}

/// Says under which reductions the verdict was reached.
pub(crate) fn cover(loaded: &Loaded, config: &Config, is_reduced: bool, report: &mut Report) {
    if is_reduced {
        report.assumed.push(Assumption::EqualOrders { method: "por", with_patterns: false });
    }
    if let (true, Some(symmetry)) = (config.symmetry, loaded.symmetry()) {
        report.assumed.push(Assumption::Interchangeable(symmetry.groups()));
    }
}
