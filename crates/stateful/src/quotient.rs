//! Search up to symmetry: of all states that differ only in the names of interchangeable components one is explored.
//! An explorer around another one replaces every successor by its representative; everything else of the engine is as it is. Runs
//! are found in the names of the system itself (`path.rs`): from the real start on, the first event whose result has the next representative.
//! Why that is enough: if a renaming turns runs into runs and what is asked is the same under it, a state can be reached and shows
//! something exactly if its representative does. Whether it is so, [`check_symmetry`] looks at before: on states of random runs, for
//! exchanges of neighbours (of which all renamings are made).

use crate::{Config, Strategy};
use foresee_lts::{
    Change, Explorer, Predicate, Renamer, State, Successors, Symmetry, System, content_hash_of,
};
use foresee_stdx::Random;

/// The system's symmetry, if the search is to use it and can.
pub(crate) fn symmetry<'a>(system: &'a dyn System, config: &Config) -> Option<&'a dyn Symmetry> {
    let applies = config.symmetry && config.strategy != Strategy::Random && config.allow.is_none();
    if applies { system.symmetry() } else { None }
}

/// An explorer of representatives.
pub(crate) struct Quotient<'a> {
    system: &'a dyn System,
    inner: Box<dyn Explorer + 'a>,
    renamer: Box<dyn Renamer + 'a>,
    successors: Successors,
    next: State,
}

impl<'a> Quotient<'a> {
    pub(crate) fn new(
        system: &'a dyn System,
        inner: Box<dyn Explorer + 'a>,
        symmetry: &'a dyn Symmetry,
    ) -> Self {
        let (successors, next) = (Successors::default(), State::default());
        Quotient { system, inner, renamer: symmetry.renamer(), successors, next }
    }
}

impl Explorer for Quotient<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.successors.set_counts_loops(successors.counts_loops());
        self.inner.expand(state, &mut self.successors);
        for successor in self.successors.iter() {
            let n_loops = successor.ordinal - successors.n_transitions();
            if n_loops > 0 {
                successors.add_loops(n_loops);
            }
            self.next.clear();
            self.next.extend_from_slice(state);
            self.successors.apply(successor, &mut self.next);
            let representative = self.renamer.representative(&self.next);
            let mut delta = 0u64;
            let mut changes: Vec<Change> = Vec::new();
            for (slot, id) in representative.iter().enumerate() {
                let before = state.get(slot).copied();
                if before != Some(*id) {
                    let hash = |id: u32| self.system.content_hash(slot, id);
                    delta = delta.wrapping_add(hash(*id)).wrapping_sub(before.map_or(0, hash));
                    changes.push(Change { slot: slot as u32, id: *id });
                }
            }
            successors.push(successor.action, delta, successor.faulty, &changes);
        }
        let n_loops = self.successors.n_transitions() - successors.n_transitions();
        if n_loops > 0 {
            successors.add_loops(n_loops);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }
}

/// Random runs whose states are looked at, and how long each is.
const N_RUNS: u64 = 40;
const N_STEPS: usize = 60;

/// Looks whether the system and what `config` asks of it treat components alike that are said to be interchangeable; an error says who
/// is not and where that shows. A sample, not a proof: what it overlooks may hide a violation.
///
/// ```
/// use foresee_lts::toy::Counters;
/// use foresee_stateful::{Config, check_symmetry};
/// let none = check_symmetry(&Counters::new(2, 3), &Config::default());
/// assert!(none.unwrap_err().contains("nobody says"));
/// ```
pub fn check_symmetry(system: &dyn System, config: &Config) -> Result<(), String> {
    let Some(symmetry) = system.symmetry() else {
        return Err(
            "nobody says which nodes are interchangeable (`WorldBuilder::symmetric`)".to_owned()
        );
    };
    let groups = symmetry.groups();
    let pairs: Vec<(&str, &str)> = groups
        .iter()
        .flat_map(|group| group.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())))
        .collect();
    let mut sample = Sample { system, renamer: symmetry.renamer(), pairs, config };
    let mut random = Random::new(config.seed);
    for start in system.initial() {
        sample.check_start(&start)?;
    }
    for _ in 0..N_RUNS {
        let starts = system.initial();
        let mut state = starts[random.below(starts.len() as u64) as usize].clone();
        for _ in 0..N_STEPS {
            let pair = random.below(sample.pairs.len().max(1) as u64) as usize;
            sample.check(&state, pair)?;
            let mut actions = Vec::new();
            system.enabled(&state, &mut actions);
            if actions.is_empty() || system.fault(&state).is_some() {
                break;
            }
            state = system.step(&state, actions[random.below(actions.len() as u64) as usize]);
        }
    }
    Ok(())
}

struct Sample<'a> {
    system: &'a dyn System,
    renamer: Box<dyn Renamer + 'a>,
    pairs: Vec<(&'a str, &'a str)>,
    config: &'a Config,
}

impl Sample<'_> {
    fn check_start(&mut self, start: &[u32]) -> Result<(), String> {
        let starts = self.system.initial();
        for (number, (one, other)) in self.pairs.iter().enumerate() {
            let renamed = self.renamer.exchanged(start, number)?;
            if !starts.contains(&renamed) {
                return Err(format!(
                    "{one} and {other} are not interchangeable: where the system starts, exchanging their names makes a difference{}",
                    self.where_different(start, &renamed)
                ));
            }
        }
        Ok(())
    }

    /// Which component differs, as a hint.
    fn where_different(&self, one: &[u32], other: &[u32]) -> String {
        let (one, other) = (self.system.describe(one), self.system.describe(other));
        let different = one.members.iter().zip(&other.members).find(|(a, b)| a.state != b.state);
        different.map_or(String::new(), |(member, renamed)| {
            let (has, would_have) = (member.state.one_line(), renamed.state.one_line());
            format!(" ({} has `{has}` and would have `{would_have}`)", member.name)
        })
    }

    fn check(&mut self, state: &[u32], pair: usize) -> Result<(), String> {
        let Some(&(one, other)) = self.pairs.get(pair) else { return Ok(()) };
        // What cannot be renamed stands for itself in a search, too.
        let Ok(renamed) = self.renamer.exchanged(state, pair) else { return Ok(()) };
        if self.renamer.exchanged(&renamed, pair).as_deref() != Ok(state) {
            return Err(format!(
                "{one} and {other} are not interchangeable: exchanging their names twice does not lead back to the same state"
            ));
        }
        self.check_predicates(state, &renamed, (one, other))?;
        self.check_steps(state, &renamed, pair)
    }

    fn check_predicates(
        &self,
        state: &[u32],
        renamed: &[u32],
        (one, other): (&str, &str),
    ) -> Result<(), String> {
        let config = self.config;
        let properties = config.properties.iter().map(|property| &property.predicate);
        let asked = properties.chain(&config.goals).chain(&config.prunes);
        let answer =
            |it: &Predicate, state: &[u32]| crate::monitor::quietly(|| it.holds(state)).ok();
        for predicate in asked {
            if answer(predicate, state) != answer(predicate, renamed) {
                return Err(format!(
                    "{one} and {other} are not interchangeable: `{}` has another answer when their names are exchanged",
                    predicate.name()
                ));
            }
        }
        Ok(())
    }

    /// What comes after the renamed state is what comes after the state, renamed.
    fn check_steps(&mut self, state: &[u32], renamed: &[u32], pair: usize) -> Result<(), String> {
        let (one, other) = self.pairs[pair];
        let system = self.system;
        let mut actions = Vec::new();
        system.enabled(renamed, &mut actions);
        let mut expected: Vec<(u64, State)> = actions
            .iter()
            .map(|action| system.step(renamed, *action))
            .map(|next| (content_hash_of(system, &next), next))
            .collect();
        actions.clear();
        system.enabled(state, &mut actions);
        let n = (actions.len(), expected.len());
        for action in actions {
            let next = system.step(state, action);
            // A state that cannot be renamed is told by its fault alone.
            let Ok(after) = self.renamer.exchanged(&next, pair) else { return Ok(()) };
            let known = expected.iter().position(|(_, state)| *state == after);
            let Some(known) = known else {
                return Err(format!(
                    "{one} and {other} are not interchangeable: after `{}` the state is another one than the same event with their names exchanged leads to",
                    system.label(state, action)
                ));
            };
            expected.swap_remove(known);
        }
        if n.0 != n.1 {
            return Err(format!(
                "{one} and {other} are not interchangeable: {} events can happen in a state, and {} when their names are exchanged",
                n.0, n.1
            ));
        }
        Ok(())
    }
}
