//! A search for progress paired with a search for harm, under the same limits.
//! Why: a system that does nothing violates nothing. "No violation within these limits" means something only if, within the
//! same limits, the system can get anywhere at all.

use crate::{Config, Report, search};
use foresee_lts::{Predicate, StoppedBy, System, Verdict};
use foresee_search::{Meter, Observer};

/// What the two searches found.
#[derive(Clone, Debug)]
pub struct PairedReport {
    /// Without progress it is inconclusive, by `Goal`: nothing wrong was found, and that means little.
    pub verdict: Verdict,
    /// The search for the goal.
    pub progress: Report,
    /// The search for violations; absent if the first search already failed.
    pub safety: Option<Report>,
    /// Which of the two failed, and how.
    pub failed: Option<PairFailure>,
}

/// Which half of a pair failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PairFailure {
    /// Everything that the settings allow was explored and the goal holds nowhere in it.
    NoProgress,
    /// This limit was reached before the goal: the limits are too tight to say anything.
    ProgressUnknown(StoppedBy),
    /// A property is violated.
    Unsafe,
    /// A closure of the user panicked.
    Broken,
}

/// Looks for a state in which `goal` holds; if there is one, looks for violations with the same settings and limits.
///
/// ```
/// use foresee_lts::{Predicate, Reads, Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent};
/// use foresee_stateful::{Config, PairFailure, paired};
/// let system = Counters::new(2, 3);
/// let reaches = |n: u32| Predicate::new("done", Reads::slots([0]), move |s, _| s[0] == n);
/// let report = paired(&system, &Config::of(&system), reaches(3), &NoMeter, &mut Silent);
/// assert_eq!((report.verdict, report.failed), (Verdict::Holds, None));
/// let report = paired(&system, &Config::of(&system), reaches(4), &NoMeter, &mut Silent);
/// assert_eq!(report.failed, Some(PairFailure::NoProgress));
/// ```
pub fn paired(
    system: &dyn System,
    config: &Config,
    goal: Predicate,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> PairedReport {
    let mut for_progress = config.clone();
    (for_progress.goals, for_progress.goals_max) = (vec![goal], 1);
    let progress = search(system, &for_progress, meter, observer);
    let failed = match progress.verdict {
        Verdict::Error => Some(PairFailure::Broken),
        // The only thing wrong may be that a property was not reached; then the goal says more.
        Verdict::Violated if progress.goal.is_none() && progress.is_unreached_only() => {
            Some(PairFailure::NoProgress)
        }
        Verdict::Violated => Some(PairFailure::Unsafe),
        _ if progress.goal.is_some() => None,
        Verdict::Inconclusive(limit) => Some(PairFailure::ProgressUnknown(limit)),
        Verdict::Holds => Some(PairFailure::NoProgress),
    };
    if let Some(failure) = failed {
        return PairedReport { verdict: failure.verdict(), progress, safety: None, failed };
    }
    let mut for_safety = config.clone();
    for_safety.goals.clear();
    let safety = search(system, &for_safety, meter, observer);
    let failed = match safety.verdict {
        Verdict::Violated => Some(PairFailure::Unsafe),
        Verdict::Error => Some(PairFailure::Broken),
        _ => None,
    };
    PairedReport { verdict: safety.verdict, progress, safety: Some(safety), failed }
}

impl PairFailure {
    fn verdict(self) -> Verdict {
        match self {
            PairFailure::NoProgress => Verdict::Inconclusive(StoppedBy::Goal),
            PairFailure::Unsafe => Verdict::Violated,
            PairFailure::ProgressUnknown(limit) => Verdict::Inconclusive(limit),
            PairFailure::Broken => Verdict::Error,
        }
    }
}
