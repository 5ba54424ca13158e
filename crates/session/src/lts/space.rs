//! A state space held in memory: what reduction and comparison need.

use super::INCOMPLETE;
use crate::watched::Watched;
use crate::{Diagnostic, LabelOptions, Loaded};
use foresee_logic::{Generated, Lts, LtsBuilder, generate};
use foresee_search::{Limits, Meter, Observer};

pub(super) struct Held {
    pub(super) lts: Lts,
    pub(super) made: Generated,
    /// What the user should know of it.
    pub(super) warning: Option<String>,
}

/// The state space of a system, which is watched; a transition system in a file is taken as it stands, with what cannot be reached.
pub(super) fn held(
    loaded: &Loaded,
    watched: &Watched<'_>,
    labels: &LabelOptions,
    limits: &Limits,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<Held, Box<Diagnostic>> {
    let front = loaded.front();
    let is_unlimited = limits.states_max.is_none() && limits.depth_max.is_none();
    if let (Some(lts), true) = (front.as_lts(), is_unlimited) {
        let lts = relabelled(lts, labels);
        let states = lts.n_states() as u64;
        let deadlocks = lts.states().filter(|state| lts.edges(*state).is_empty()).count() as u64;
        let made = Generated {
            states,
            expanded: states,
            transitions: lts.n_transitions() as u64,
            depth: foresee_logic::info(&lts).depth,
            deadlocks,
            stopped_by: None,
        };
        return Ok(Held { lts, made, warning: None });
    }
    let (label_of, meter) = (labels.of(loaded), watched.meter(meter));
    let mut builder = LtsBuilder::default();
    let made = generate(watched, &*label_of, limits, &meter, observer, &mut builder)
        .expect("memory takes what it is given");
    if let Some(trouble) = watched.trouble() {
        return Err(Box::new(trouble));
    }
    for state in made.expanded..made.states {
        builder.add(state as u32, Some(INCOMPLETE), state as u32);
    }
    builder.at_least_states(made.states as u32);
    Ok(Held { lts: builder.build(0), made, warning: watched.warning() })
}

/// The same transitions with some labels hidden.
fn relabelled(lts: &Lts, labels: &LabelOptions) -> Lts {
    if labels.is_default() {
        return lts.clone();
    }
    let mut builder = LtsBuilder::default();
    let hidden = lts.labels().iter().map(|(_, name)| labels.hides(name)).collect::<Vec<bool>>();
    for (from, label, to) in lts.transitions() {
        let visible = lts.labels().visible(label).filter(|_| !hidden[label.0 as usize]);
        builder.add(from, visible, to);
    }
    builder.at_least_states(lts.n_states() as u32);
    builder.build(lts.initial())
}
