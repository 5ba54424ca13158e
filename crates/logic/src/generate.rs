//! Generation: a system's state space as a stream of transitions.
//! States are numbered breadth-first in the order in which the system offers successors, which does not depend on ids: the
//! same system gives the same bytes every time. What is hidden is the caller's choice, by the function that gives labels.
//! An LTS has one initial state: if the system has several, state 0 is a new one with an internal step to each.

use crate::space::{Full, Space};
use crate::{Lts, LtsBuilder, Sink};
use foresee_lts::{Action, StoppedBy, System};
use foresee_search::{Budget, Limits, Meter, NoMeter, Observer, Progress, Silent};
use foresee_stdx::halt;
use std::io;

/// The text on an arrow; `None` hides it.
pub type LabelOf<'a> = dyn Fn(&[u32], Action) -> Option<String> + 'a;

/// What came of generating a state space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Generated {
    pub states: u64,
    /// How many of them, in the order of their numbers, have all their transitions; all, unless a limit was reached.
    pub expanded: u64,
    pub transitions: u64,
    /// The greatest distance from the initial state.
    pub depth: u32,
    /// States without successors that the system does not call an end.
    pub deadlocks: u64,
    /// The limit that was reached: then the transitions of some states are missing.
    pub stopped_by: Option<StoppedBy>,
}

/// Sends every transition of a system to `sink`, as it is found.
///
/// ```
/// use foresee_logic::{LtsBuilder, generate};
/// use foresee_lts::{System, Telling, toy::Counters};
/// use foresee_search::{Limits, NoMeter, Silent};
/// let system = Counters::new(2, 3);
/// let label = |state: &[u32], action| Some(system.label(state, action).to_string());
/// let mut builder = LtsBuilder::default();
/// let made =
///     generate(&system, &label, &Limits::none(), &NoMeter, &mut Silent, &mut builder).unwrap();
/// assert_eq!((made.states, made.transitions, made.depth), (16, 24, 6));
/// assert_eq!(builder.build(0).labels().find("step counter2 increment").is_some(), true);
/// ```
pub fn generate(
    system: &dyn System,
    labels: &LabelOf<'_>,
    limits: &Limits,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    sink: &mut dyn Sink,
) -> io::Result<Generated> {
    let mut space = Space::new(system, limits);
    let mut budget = Budget::new(meter, limits);
    let mut made = Generated::default();
    let Ok(starts) = space.start() else {
        return Ok(Generated { stopped_by: Some(StoppedBy::States), ..made });
    };
    // With several initial states every number is one higher, to make room for the one before them.
    let shift = u32::from(starts.len() > 1);
    if shift == 1 {
        for (start, _) in &starts {
            sink.transition(0, None, start + 1)?;
        }
        (made.expanded, made.transitions, made.depth) = (1, starts.len() as u64, 1);
    }
    let (mut next, mut level_end) = (0, space.len());
    while next < space.len() && made.stopped_by.is_none() {
        if next == level_end {
            made.depth += 1;
            level_end = space.len();
        }
        if limits.depth_max.is_some_and(|depth_max| made.depth >= depth_max) {
            made.stopped_by = Some(StoppedBy::Depth);
            break;
        }
        let is_full = match halt::until_halted(|| space.expand(next as u32)) {
            Ok(expanded) => matches!(expanded, Err(Full)),
            Err(halted) => {
                made.stopped_by = Some(halted.cause.into());
                break;
            }
        };
        for found in space.found() {
            let label = labels(space.expanded(), found.action);
            sink.transition(next as u32 + shift, label.as_deref(), found.target + shift)?;
        }
        made.transitions += space.found().len() as u64;
        if space.found().is_empty() && !is_full && !system.is_final(space.expanded()) {
            made.deadlocks += 1;
        }
        next += 1;
        made.expanded += u64::from(!is_full);
        made.stopped_by = match is_full {
            true => Some(StoppedBy::States),
            false => budget.spend(1, || space.bytes() as u64),
        };
        if budget.progress_due() {
            observer.progress(&progress(&space, &made, next, &budget));
        }
    }
    made.states = space.len() as u64 + u64::from(shift);
    observer.progress(&progress(&space, &made, next, &budget));
    Ok(made)
}

/// The whole state space of a system in memory, without limits.
pub fn generate_lts(system: &dyn System, labels: &LabelOf<'_>) -> Lts {
    let mut builder = LtsBuilder::default();
    let made = generate(system, labels, &Limits::none(), &NoMeter, &mut Silent, &mut builder)
        .expect("memory takes what it is given");
    builder.at_least_states(made.states as u32);
    builder.build(0)
}

fn progress(space: &Space<'_>, made: &Generated, next: usize, budget: &Budget<'_>) -> Progress {
    Progress {
        states: space.len() as u64,
        transitions: made.transitions,
        frontier: (space.len() - next) as u64,
        depth: made.depth,
        memory_bytes: space.bytes() as u64,
        elapsed: budget.elapsed(),
        walks: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nowhere, aut};
    use foresee_lts::toy::Counters;

    fn count(system: &dyn System, limits: &Limits) -> Generated {
        let hide = |_: &[u32], _: Action| None;
        generate(system, &hide, limits, &NoMeter, &mut Silent, &mut Nowhere).unwrap()
    }

    #[test]
    fn counts_are_those_of_arithmetic() {
        let made = count(&Counters::new(3, 4), &Limits::none());
        assert_eq!((made.states, made.transitions, made.depth), (125, 300, 12));
        assert_eq!(made.expanded, made.states);
        assert_eq!((made.deadlocks, made.stopped_by), (1, None));
    }

    #[test]
    fn limits_stop_and_are_named() {
        let limits = Limits { states_max: Some(50), ..Limits::none() };
        let made = count(&Counters::new(3, 4), &limits);
        assert_eq!((made.states, made.stopped_by), (50, Some(StoppedBy::States)));
        assert!(made.expanded < 50, "{made:?}");
        let limits = Limits { depth_max: Some(2), ..Limits::none() };
        let made = count(&Counters::new(3, 4), &limits);
        assert_eq!((made.states, made.stopped_by), (10, Some(StoppedBy::Depth)));
        assert_eq!(made.expanded, 4);
    }

    #[test]
    fn an_lts_generated_from_an_lts_is_itself() {
        let text = "des (0,4,3)\n(0,\"a\",1)\n(0,\"tau\",2)\n(1,\"b\",0)\n(2,\"a\",2)\n";
        let lts = aut::read(text.as_bytes()).unwrap();
        let again = generate_lts(&lts, &*lts.label_function());
        let bytes = aut::write(&again, aut::Tau::Mcrl2, Vec::new()).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), text);
    }

    #[test]
    fn several_initial_states_get_one_before_them() {
        struct Two(Counters);
        impl foresee_lts::Around for Two {
            fn inner(&self) -> &dyn System {
                &self.0
            }
            fn initial(&self) -> Vec<foresee_lts::State> {
                vec![vec![0], vec![1], vec![0]]
            }
        }
        let lts = generate_lts(&Two(Counters::new(1, 1)), &|_, _| Some("up".to_owned()));
        let triples: Vec<_> = lts.transitions().map(|(from, l, to)| (from, l.0, to)).collect();
        assert_eq!(triples, [(0, 0, 1), (0, 0, 2), (1, 1, 2)]);
    }
}
