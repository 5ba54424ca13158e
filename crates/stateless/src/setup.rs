//! What is explored and how: the system, the configuration, and what follows from the two for every part of an explorer.
//! Why apart: the stack, what is known and the plan all ask these questions, and none of them changes the answers.

use crate::race::Rules;
use crate::watched::Watches;
use crate::{Config, Dpor};
use foresee_lts::{Action, System};

pub(crate) struct Setup<'a> {
    pub(crate) config: &'a Config,
    pub(crate) rules: Rules<'a>,
    pub(crate) watches: Watches<'a>,
}

impl<'a> Setup<'a> {
    pub(crate) fn new(system: &'a dyn System, config: &'a Config) -> Self {
        let is_optimal = config.dpor == Dpor::Optimal;
        let rules = Rules {
            system,
            threads: system.interleaving().expect("a system with threads"),
            has_observers: config.observers && is_optimal && !config.needs_every_order(),
            is_whole: is_optimal,
        };
        Setup { config, rules, watches: Watches::new(&config.watches, &config.prunes) }
    }

    /// From now on that system answers, which is the same as another thread knows it.
    pub(crate) fn use_system(&mut self, system: &'a dyn System) {
        self.rules.system = system;
        self.rules.threads = system.interleaving().expect("a system with threads");
    }

    pub(crate) fn is_optimal(&self) -> bool {
        self.config.dpor == Dpor::Optimal
    }

    /// Whether nothing is cut and nothing repeated.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_optimal() && self.config.bound.is_none()
    }

    pub(crate) fn has_sleep_sets(&self) -> bool {
        (self.config.sleep_sets || self.is_optimal()) && !self.config.needs_every_order()
    }

    /// What a thread can do in a state.
    pub(crate) fn action_in(&self, state: &[u32], thread: u64) -> Option<Action> {
        if self.config.allow.is_none() {
            return self.rules.threads.action_of(state, thread);
        }
        let mut enabled = Vec::new();
        self.list_enabled(state, &mut enabled);
        enabled.into_iter().find(|it| it.1 == thread).map(|it| it.0)
    }

    /// Adds all that can happen in a state, with the names of the threads.
    pub(crate) fn list_enabled(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        self.rules.threads.enabled_threads(state, enabled);
        if let Some(allow) = &self.config.allow {
            enabled.retain(|it| allow(state, it.0));
        }
    }
}
