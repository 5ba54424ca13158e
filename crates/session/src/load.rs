//! From words to a system, or to a diagnostic about the words.
//! A [`Loaded`] remembers how it was built, because a violation is replayed on a *fresh* instance: nothing that the search
//! left behind in caches or in the user's own statics may take part in it.
//! What is behind a `Loaded` is a front end (`front_end`): Rust nodes (`nodes`) or an Erlang program (`erlang`).

use crate::checked_code::in_checked_code_do;
use crate::front_end::FrontEnd;
use crate::nearest::did_you_mean;
use crate::nodes::NodesSystem;
use crate::{Code, Diagnostic, Registry};
use foresee_lts::{
    Account, Action, Actor, Description, Explorer, Fault, Footprint, Happened, Label, Path,
    Predicate, Property, State, System,
};
use foresee_nodes::{BuildOptions, Runnable};
use std::sync::Arc;

/// A system, ready to be checked, and how to build it again. It is a [`System`] itself, with the name the user would type.
#[derive(Clone)]
pub struct Loaded {
    front: Arc<dyn FrontEnd>,
}

/// Builds the system called `name` with `key=value` parameters.
///
/// ```
/// use foresee_session::{BuildOptions, Code, Registry, load};
/// use foresee_lts::System;
/// let registry = Registry::stock();
/// let ping = load(&registry, "ping", &["clients=2"], &BuildOptions::default()).unwrap();
/// assert!(ping.name().starts_with("ping clients=2"));
/// let error = load(&registry, "ping", &["clients=many"], &BuildOptions::default()).err().unwrap();
/// assert_eq!(error.code, Code::BadParameterValue);
/// ```
pub fn load<W: AsRef<str>>(
    registry: &Registry,
    name: &str,
    parameters: &[W],
    options: &BuildOptions,
) -> Result<Loaded, Diagnostic> {
    Ok(Loaded::new(NodesSystem::load(registry, name, parameters, options)?))
}

impl Loaded {
    pub(crate) fn new(front: impl FrontEnd + 'static) -> Self {
        Loaded { front: Arc::new(front) }
    }

    /// What is behind the name; a handle that may outlive this one.
    pub(crate) fn front(&self) -> Arc<dyn FrontEnd> {
        Arc::clone(&self.front)
    }

    /// The world of nodes, if it is made of nodes.
    pub fn runnable(&self) -> Option<Arc<dyn Runnable>> {
        self.front.as_nodes().map(|nodes| Arc::clone(&nodes.runnable))
    }

    /// What files are called after: the name without parameters.
    pub fn short_name(&self) -> &str {
        self.front.short_name()
    }

    /// The same system built once more.
    pub fn fresh(&self) -> Result<Loaded, Diagnostic> {
        Ok(Loaded { front: self.front.fresh()? })
    }

    /// The same system, built for an engine that reorders events.
    pub(crate) fn for_races(&self) -> Result<Loaded, Diagnostic> {
        Ok(match self.front.for_races()? {
            Some(front) => Loaded { front },
            None => self.clone(),
        })
    }

    /// The same system without doubtful events, if it has any.
    pub(crate) fn without_doubtful(&self) -> Option<Loaded> {
        self.front.without_doubtful().map(|front| Loaded { front })
    }

    /// What the user should know whatever is asked; a world of nodes has only warnings about its own properties.
    pub(crate) fn warnings_about_text(&self) -> Vec<String> {
        if self.front.as_nodes().is_some() { Vec::new() } else { self.front.warnings() }
    }

    /// What stands on the arrow of an action in a transition system; `None` if it is hidden. For an Erlang program, as
    /// `ErlangOptions::labels` wants it.
    pub fn visible_label(&self, state: &[u32], action: Action) -> Option<String> {
        self.front.visible_label(state, action)
    }

    /// What turned out while it was explored: crashes that were asked for of processes that are not there.
    pub fn warnings_after(&self) -> Vec<String> {
        self.front.warnings_after()
    }

    /// Whether it is an Erlang program.
    pub fn is_erlang(&self) -> bool {
        self.front.as_erlang().is_some()
    }

    /// The nodes there are at the start.
    pub fn nodes(&self) -> Vec<String> {
        let first = self.initial().into_iter().next().unwrap_or_default();
        self.describe(&first).members.into_iter().map(|member| member.name).collect()
    }

    /// The properties called `names`, or all if there are no names.
    pub fn chosen_properties(&self, names: &[String]) -> Result<Vec<Property>, Diagnostic> {
        let all = in_checked_code_do(|| self.properties());
        for name in names {
            if !all.iter().any(|property| property.name() == name) {
                let known: Vec<_> = all.iter().map(Property::name).collect();
                let message = format!("`{}` has no property `{name}`", self.name());
                let help = did_you_mean(name, &known);
                return Err(Diagnostic::new(Code::UnknownProperty, message)
                    .at(format!("--invariant {name}"))
                    .help(help));
            }
        }
        let chosen = |property: &Property| {
            names.is_empty() || names.iter().any(|name| name == property.name())
        };
        Ok(all.into_iter().filter(chosen).collect())
    }
}

/// Everything as the system inside says it, but for the name.
impl System for Loaded {
    fn initial(&self) -> Vec<State> {
        self.front.system().initial()
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.front.system().enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.front.system().step(state, action)
    }
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        self.front.system().for_thread()
    }
    fn name(&self) -> String {
        self.front.name()
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        self.front.system().explorer()
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.front.system().content_hash(slot, id)
    }
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        self.front.system().content_hash_unordered(state, mailboxes)
    }
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.front.system().label(state, action)
    }
    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.front.system().actor(state, action)
    }
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.front.system().footprint(state, action)
    }
    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.front.system().thread(state, action)
    }
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        self.front.system().enabled_threads(state, enabled);
    }
    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        self.front.system().action_of(state, thread)
    }
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        self.front.system().happen(state, action, next)
    }
    fn notices(&self, look: u64, change: u64) -> bool {
        self.front.system().notices(look, change)
    }
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        self.front.system().would_take(state, action, message)
    }
    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        self.front.system().only_receives(state, action)
    }
    fn is_final(&self, state: &[u32]) -> bool {
        self.front.system().is_final(state)
    }
    fn why_stuck(&self, state: &[u32]) -> String {
        self.front.system().why_stuck(state)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.front.system().fault(state)
    }
    fn properties(&self) -> Vec<Property> {
        self.front.system().properties()
    }
    fn prunes(&self) -> Vec<Predicate> {
        self.front.system().prunes()
    }
    fn score(&self, state: &[u32]) -> Option<i64> {
        self.front.system().score(state)
    }
    fn describe(&self, state: &[u32]) -> Description {
        self.front.system().describe(state)
    }
    fn account(&self, path: &Path) -> Account {
        self.front.system().account(path)
    }
    fn memory_bytes(&self) -> usize {
        self.front.system().memory_bytes()
    }
    fn handler_calls(&self) -> u64 {
        self.front.system().handler_calls()
    }
}
