//! Random walks that go on for long: in eras, each on a system that remembers nothing of the eras before it.
//! Why: what states are made of is numbered and kept, and a walk seldom comes where another has been. Walks in one system take a gigabyte in less than a
//! minute; in eras they take what one era takes, however long they go on.
//! The n-th walk draws from the seed and n alone, so an era is a search for walks with other numbers. An era ends after so many walks, which follow
//! from the steps that walks took before it: nothing depends on the clock or on threads.
//! Invariants: verdict, walks, transitions and depth are those of one search for all walks; `states` counts a state once for each era that meets it.
//! What is told is found in the system that was given: an era that decides is repeated there, since actions have a meaning only where they were found.
//! Not here: walks by several processes (`cluster.rs`), which have states of their own in each batch.

use crate::check::settings;
use crate::{CheckRequest, Diagnostic, Loaded};
use foresee_lts::{StoppedBy, Verdict, Violation};
use foresee_search::{Adding, Limits, Meter, NoMeter, Observer, Progress, Silent};
use foresee_stateful::{Config, Report, Strategy, search};
use foresee_stdx::halt;

/// How long eras are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eras {
    /// Walks of the first.
    first: u64,
    /// Steps of each of the others, about.
    steps: u64,
}

/// What one era takes is some hundred megabytes at most, also where each step makes large components that no other has.
pub(crate) const ERAS: Eras = Eras { first: 100, steps: 100_000 };

/// Whether a search may be one in eras. With `--keep-going` it is not: what is first of its kind is known to one search only.
pub(crate) fn takes_eras(config: &Config, request: &CheckRequest) -> bool {
    config.strategy == Strategy::Random && !config.keep_going && !request.check_independence
}

/// Takes all walks.
///
/// # Errors
/// When the system cannot be built a second time.
pub(crate) fn walk(
    (loaded, request): (&Loaded, &CheckRequest),
    config: &Config,
    eras: Eras,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<Report, Diagnostic> {
    let start = meter.elapsed();
    let n_walks = config.limits.interleavings_max.unwrap_or(u64::MAX);
    let era = |first_walk: u64, n: u64, states: u64| Config {
        first_walk: config.first_walk.wrapping_add(first_walk),
        limits: Limits {
            interleavings_max: Some(n.min(n_walks - first_walk)),
            states_max: config.limits.states_max.map(|max| max.saturating_sub(states)),
            time_max: config
                .limits
                .time_max
                .map(|max| max.saturating_sub(meter.elapsed().saturating_sub(start))),
            ..config.limits.clone()
        },
        ..config.clone()
    };
    let mut total = search(loaded, &era(0, eras.first, 0), meter, observer);
    while goes_on(&total) && total.walks < n_walks {
        let length = eras.steps.saturating_mul(total.walks) / total.transitions.max(1);
        let own = era(total.walks, length.max(1), total.states);
        let next = {
            let fresh = loaded.fresh()?;
            let asked = fresh.chosen_properties(&request.invariants)?;
            let Config { allow, properties, prunes, .. } = settings(&fresh, request, asked)?;
            let on_fresh = Config { allow, properties, prunes, ..own.clone() };
            let so_far = Progress {
                states: total.states,
                transitions: total.transitions,
                depth: total.depth,
                walks: total.walks,
                ..Progress::default()
            };
            let mut adding = Adding { so_far, start, meter, to: observer };
            search(&fresh, &on_fresh, meter, &mut adding)
        };
        add(&mut total, next);
        if !goes_on(&total) && !matches!(total.verdict, Verdict::Inconclusive(_)) {
            tell_here(loaded, &own, &mut total, observer);
        }
    }
    Ok(total)
}

/// Whether nothing but the number of walks has ended an era.
fn goes_on(report: &Report) -> bool {
    report.verdict == Verdict::Inconclusive(StoppedBy::Interleavings)
}

/// Adds a later era to those before it.
fn add(total: &mut Report, next: Report) {
    let before = std::mem::replace(total, next);
    total.walks += before.walks;
    total.states += before.states;
    total.transitions += before.transitions;
    total.depth = total.depth.max(before.depth);
    total.memory_bytes = total.memory_bytes.max(before.memory_bytes);
    total.store_bytes = total.store_bytes.max(before.store_bytes);
    let (reached, warnings) = (before.reached, before.warnings);
    total.reached.retain(|it| reached.iter().all(|own| own.0 != it.0));
    total.reached.splice(0..0, reached);
    total.warnings.retain(|it| !warnings.contains(it));
    total.warnings.splice(0..0, warnings);
}

/// Repeats the era that has decided in the system whose actions are told.
fn tell_here(loaded: &Loaded, era: &Config, total: &mut Report, observer: &mut dyn Observer) {
    let _undisturbed = halt::undisturbed();
    let limits = Limits { time_max: None, memory_max: None, ..era.limits.clone() };
    let decided = search(loaded, &Config { limits, ..era.clone() }, &NoMeter, &mut Silent);
    debug_assert_eq!(decided.verdict, total.verdict, "an era is a function of its number");
    (total.violations, total.broken_property) = (decided.violations, decided.broken_property);
    (total.goal, total.goals) = (decided.goal, decided.goals);
    total.violations.iter().for_each(|it: &Violation| observer.violation(it));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoFiles, Registry, Source, open};

    fn request(n_walks: u64, seed: u64, threads: usize) -> CheckRequest {
        let limits =
            Limits { interleavings_max: Some(n_walks), depth_max: Some(60), ..Limits::none() };
        CheckRequest {
            strategy: Strategy::Random,
            limits,
            seed,
            threads,
            ..CheckRequest::default()
        }
    }

    fn paxos(bug: &str) -> Loaded {
        let source = Source::nodes("paxos", &["clients=2", &format!("bug={bug}")]);
        open(&source, &Registry::stock(), &NoFiles).expect("a system")
    }

    fn walked(loaded: &Loaded, request: &CheckRequest, eras: Option<Eras>) -> Report {
        let asked = loaded.chosen_properties(&request.invariants).expect("they are there");
        let config = settings(loaded, request, asked).expect("they fit");
        match eras {
            Some(eras) => walk((loaded, request), &config, eras, &NoMeter, &mut Silent),
            None => Ok(search(loaded, &config, &NoMeter, &mut Silent)),
        }
        .expect("the system can be built again")
    }

    /// However short eras are, they come to what one search for all walks comes to; a run that is told is one of the system that was given.
    #[test]
    fn eras_come_to_what_one_search_comes_to() {
        let mut n_later = 0;
        for seed in 0..6 {
            for bug in ["none", "forgetful"] {
                let plain = walked(&paxos(bug), &request(400, seed, 1), None);
                for (first, steps) in [(1_000, 1_000), (40, 3_000), (3, 100)] {
                    let loaded = paxos(bug);
                    let found =
                        walked(&loaded, &request(400, seed, 2), Some(Eras { first, steps }));
                    let figures = |it: &Report| (it.verdict, it.walks, it.transitions, it.depth);
                    assert_eq!(figures(&found), figures(&plain), "{bug}, seed {seed}, {first}");
                    let names = |it: &Report| {
                        let mut names: Vec<_> = it.reached.iter().map(|it| it.0.clone()).collect();
                        names.sort();
                        names
                    };
                    assert_eq!(names(&found), names(&plain));
                    for violation in &found.violations {
                        n_later += u32::from(found.walks > first);
                        let mut state = loaded.initial().swap_remove(0);
                        for action in &violation.path.actions {
                            let mut enabled = Vec::new();
                            loaded.enabled(&state, &mut enabled);
                            assert!(enabled.contains(action), "a run of this system");
                            state = loaded.step(&state, *action);
                        }
                    }
                }
            }
        }
        assert!(n_later > 0, "some are found in a later era");
    }

    #[test]
    fn a_limit_on_states_counts_all_eras() {
        let loaded = paxos("none");
        let mut request = request(100_000, 1, 1);
        request.limits.states_max = Some(5_000);
        let found = walked(&loaded, &request, Some(Eras { first: 10, steps: 500 }));
        assert_eq!(found.verdict, Verdict::Inconclusive(StoppedBy::States));
        assert_eq!(found.states, 5_000);
        assert!(found.walks > 10);
    }
}
