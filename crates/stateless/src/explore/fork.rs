//! Giving work away: an explorer that goes on from a state of another's run.
//! Everything above that state is common to both from then on (`shared_branches`); below it each has its own.
//! Not here: who gets the work (`pool`), what is common (`stack::share`).

use super::Explorer;
use crate::index::EventIdx;
use crate::setup::Setup;
use crate::watched::Watcher;

impl<'a> Explorer<'a> {
    /// The same exploration at the same point, with nothing in common.
    pub(crate) fn twin(&self) -> Explorer<'a> {
        let setup = Setup::new(self.setup.rules.system, self.setup.config);
        Explorer {
            stack: self.stack.twin(),
            known: self.known.empty(),
            plan: self.plan.twin(),
            watcher: Watcher::with_faults_of(&setup.watches, &self.watcher),
            setup,
            ended: None,
            shared: EventIdx::default(),
            is_cut: false,
        }
    }

    /// An explorer that takes branches that are pending at the first state that has any; for when a run has ended.
    pub(crate) fn fork(&mut self) -> Option<Explorer<'a>> {
        let depth = self.stack.first_owing()?;
        self.stack.share_down_to(depth);
        let mut twin = self.twin();
        while twin.run().end() > depth {
            twin.undo();
        }
        twin.plan.keep_before(depth);
        Some(twin)
    }

    /// Forgets everything that is still pending: another worker has explored it.
    pub(crate) fn abandon(&mut self) {
        while !self.stack.is_empty() {
            self.undo();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Explorer;
    use crate::index::EventIdx;
    use crate::lab::Lab;
    use crate::lab::programs::{FLAVOURS, generated, last_zero};
    use crate::lab::traces::{Trace, everything, trace_of};
    use crate::{Config, Ignore};
    use foresee_lts::System;
    use foresee_stdx::Random;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    /// Several explorers that take turns as chance will have it, between runs and between a run and what is made of its races.
    fn explore_together(lab: &Lab, config: &Config, random: &mut Random) -> Vec<Trace> {
        let initial = lab.initial().remove(0);
        let mut first = Explorer::new(lab, config);
        first.start(&initial);
        let mut explorers = vec![(first, false)];
        let mut traces = Vec::new();
        while !explorers.is_empty() {
            let at = random.below(explorers.len() as u64) as usize;
            let (explorer, has_run) = &mut explorers[at];
            if std::mem::replace(has_run, !*has_run) {
                explorer.plan();
                let forked = random.chance(0.5).then(|| explorer.fork()).flatten();
                explorers.extend(forked.map(|forked| (forked, false)));
            } else if explorer.run_to_end().is_some() {
                let actions = explorer.actions_from(EventIdx::default());
                traces.push(trace_of(lab, config.observers, &initial, &actions));
            } else {
                explorers.swap_remove(at);
            }
        }
        traces
    }

    #[test]
    fn explorers_that_share_a_tree_explore_every_trace_once() {
        let ignore: Ignore = Arc::new(|_, _| true);
        let config = |observers| Config {
            observers,
            ignore: Some(Arc::clone(&ignore)),
            ..Config::default()
        };
        for flavour in FLAVOURS {
            for seed in 0..SEEDS {
                let lab = generated(flavour, seed);
                for observers in [true, false] {
                    let Some(truth) = everything(&lab, observers, 1_000) else { continue };
                    for chance in 0..3 {
                        let random = &mut Random::new(seed * 3 + chance);
                        let traces = explore_together(&lab, &config(observers), random);
                        let name = format!("{flavour:?} {seed} {chance} {observers}\n{lab:#?}");
                        assert_eq!(traces.len(), truth.traces.len(), "{name}");
                        assert_eq!(
                            traces.into_iter().collect::<BTreeSet<_>>(),
                            truth.traces,
                            "{name}"
                        );
                    }
                }
            }
        }
    }

    const SEEDS: u64 = 150;

    #[test]
    fn a_larger_tree_is_shared() {
        let lab = last_zero(7);
        let traces = explore_together(&lab, &Config::default(), &mut Random::new(7));
        assert_eq!(traces.len(), 320);
        assert_eq!(traces.into_iter().collect::<BTreeSet<_>>().len(), 320);
    }
}
