//! Processes and nodes that are declared not to race: by name, so what a name stands for is asked in each state.
//! Why: a process that only collects (a logger, a counter of statistics) makes every order of its messages a run of its own.
//! Who declares it takes the responsibility: orders that would have mattered are not looked at, and a name that never met
//! anything is said, because it is probably mistyped.

use crate::Loaded;
use foresee_stateless::NonRacing;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Processes of a running system that are no part of a program here; modules written for Concuerror name them.
const SYSTEM: [&str; 14] = [
    "application_controller",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "error_logger",
    "file_server_2",
    "global_name_server",
    "init",
    "kernel_sup",
    "logger",
    "net_kernel",
    "rex",
    "standard_error",
    "user",
];

/// Names, and whether each has met an event.
pub(crate) struct Declared {
    names: Vec<(String, AtomicBool)>,
}

impl Declared {
    pub(crate) fn new(names: &[String]) -> Arc<Declared> {
        let mut names = names.to_vec();
        names.sort();
        names.dedup();
        let names = names.into_iter().map(|name| (name, AtomicBool::new(false))).collect();
        Arc::new(Declared { names })
    }

    /// For the engine; `None` if there are no names.
    pub(crate) fn rule(self: &Arc<Self>, loaded: &Loaded) -> Option<NonRacing> {
        let (own, front) = (Arc::clone(self), loaded.front());
        (!self.names.is_empty()).then(|| -> NonRacing {
            Arc::new(move |state, party| {
                let mut named = own.names.iter().filter(|it| front.is_called(state, party, &it.0));
                let met = named.next();
                met.is_some_and(|(_, is_met)| {
                    is_met.store(true, Ordering::Relaxed);
                    true
                })
            })
        })
    }

    /// Names that met nothing, as warnings.
    pub(crate) fn unmet(&self) -> Vec<String> {
        let unmet = self.names.iter().filter(|(name, is_met)| {
            !is_met.load(Ordering::Relaxed) && !SYSTEM.contains(&name.as_str())
        });
        unmet
            .map(|(name, _)| {
                format!("--non-racing {name} had no effect: nothing of that name took part")
            })
            .collect()
    }
}
