//! Reductions that were asked for: whether they fit what is asked, and what the report says of them.
//! Why refuse: a reduction that does not keep what is asked would answer another question. So one that does not fit is an error with its
//! reason, never left out in silence.

use crate::check::settings;
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
    let refuse = |why: &str| Err(Diagnostic::does_not_apply("--reduction symmetry", why));
    if request.reduction.por && request.reduction.symmetry {
        return refuse("with por it is not known to keep what is asked; choose one of them");
    }
    if request.reduction.por {
        match why_not_at_once(loaded, request, &config) {
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

/// Whether steps are to be taken at once, which asks for the exact reading.
pub(crate) fn takes_at_once(loaded: &Loaded, request: &CheckRequest) -> Result<bool, Diagnostic> {
    if !request.reduction.por {
        return Ok(false);
    }
    let properties = loaded.chosen_properties(&request.invariants)?;
    let config = settings(loaded, request, properties)?;
    Ok(why_not_at_once(loaded, request, &config).is_none())
}

fn why_not_at_once(
    loaded: &Loaded,
    request: &CheckRequest,
    config: &Config,
) -> Option<&'static str> {
    match request.check_independence {
        true => Some("--check-independence looks at every state"),
        false => why_no_por(loaded, config),
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
    let is_shortest = searched.at_once.is_none() || config.strategy != Strategy::BreadthFirst;
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
pub(crate) fn cover(loaded: &Loaded, config: &Config, at_once: Option<u64>, report: &mut Report) {
    match at_once {
        Some(steps) => report.assumed.push(Assumption::AtOnce { steps }),
        None if config.por => report.warnings.push(
            "--reduction por has no effect: too often a step turned out not to be local".to_owned(),
        ),
        None => {}
    }
    if let (true, Some(symmetry)) = (config.symmetry, loaded.symmetry()) {
        report.assumed.push(Assumption::Interchangeable(symmetry.groups()));
    }
}
