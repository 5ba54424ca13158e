//! A system that has been opened.
//! A [`Loaded`] remembers how it was built, because a violation is replayed on a *fresh* instance: nothing that the search
//! left behind in caches or in the user's own statics may take part in it.
//! What is behind a `Loaded` is a front end (`front_end`): Rust nodes or a model in Rust (`nodes`), an Erlang program
//! (`erlang`), a muCRL specification (`algebra`) or a transition system in a file (`explicit`).

use crate::checked_code::in_checked_code_do;
use crate::front_end::FrontEnd;
use crate::held::HeldBack;
use crate::nearest::did_you_mean;
use crate::{Code, Diagnostic, Feature, Kind, Source};
use foresee_lts::{Action, Property, Reading, System};
use foresee_nodes::Runnable;
use foresee_trace::Trace;
use std::ops::Deref;
use std::sync::Arc;

/// A system, ready to be checked, and how to build it again. It is a [`System`] itself, with the name the user would type.
#[derive(Clone)]
pub struct Loaded {
    front: Arc<dyn FrontEnd>,
}

impl Loaded {
    pub(crate) fn new(front: impl FrontEnd + 'static) -> Self {
        Loaded { front: Arc::new(front) }
    }

    /// A world that is built already, as in a test. It cannot be built anew: a violation is shown again on the same world, and
    /// faults beyond those it was built with are refused.
    ///
    /// ```
    /// use foresee_lts::System;
    /// use foresee_nodes::{Address, BuildOptions, Context, Node, WorldBuilder};
    /// use foresee_session::{CheckRequest, Loaded, NoMeter, Outcome, Silent, check};
    /// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
    /// # struct Quiet;
    /// # impl Node for Quiet {
    /// #     type Message = u8;
    /// #     type Timer = ();
    /// #     fn on_message(&mut self, _: Address, _: u8, _: &mut Context<u8, ()>) {}
    /// # }
    /// let mut world = WorldBuilder::<u8>::new("quiet");
    /// world.add("a", Quiet);
    /// let loaded = Loaded::of_built(std::sync::Arc::new(world.build()));
    /// let report = check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    /// assert_eq!((report.verdict, loaded.name()), (Outcome::Holds, "quiet".to_owned()));
    /// ```
    pub fn of_built(runnable: Arc<dyn Runnable>) -> Self {
        Loaded::new(crate::nodes::NodesSystem::of_built(runnable))
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

    /// A trace without events: what it takes to load the system again.
    pub fn header(&self) -> Trace {
        self.named_in(Trace::new(self.name()))
    }

    /// The same system built once more.
    pub fn fresh(&self) -> Result<Loaded, Diagnostic> {
        Ok(Loaded { front: self.front.fresh()? })
    }

    /// The same system with this reading of its states.
    pub(crate) fn read_as(&self, reading: Reading) -> Result<Loaded, Diagnostic> {
        Ok(match self.front.read_as(reading)? {
            Some(front) => Loaded { front },
            None => self.clone(),
        })
    }

    /// The same system without doubtful events, if it has any.
    pub(crate) fn without_doubtful(&self, held_back: HeldBack) -> Option<Loaded> {
        self.front.without_doubtful(held_back).map(|front| Loaded { front })
    }

    /// The same system for runs in virtual time, if time means something for it.
    pub(crate) fn in_virtual_time(&self) -> Option<Loaded> {
        self.front.in_virtual_time().map(|front| Loaded { front })
    }

    /// The same system with messages that take their time, unless somebody has said how they travel.
    pub(crate) fn with_late_messages(&self) -> Option<Loaded> {
        self.front.with_late_messages().map(|front| Loaded { front })
    }

    /// The same system with more faults allowed, if it has faults that are counted.
    pub(crate) fn with_more_faults(&self, more: u32) -> Option<Loaded> {
        self.front.with_more_faults(more).map(|front| Loaded { front })
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

    pub fn kind(&self) -> Kind {
        self.front.kind()
    }

    /// What it was opened from; what the source left open is filled in.
    pub fn source(&self) -> Source {
        self.front.source()
    }

    /// Whether it takes this.
    pub fn supports(&self, feature: Feature) -> bool {
        self.kind().supports(feature)
    }

    /// Refuses what it does not take; `asked` is how the user asked for it.
    pub(crate) fn require(&self, feature: Feature, asked: &str) -> Result<(), Diagnostic> {
        self.kind().require(feature, asked)
    }

    /// A trace of this system with what its header needs so that the system can be opened again.
    pub(crate) fn named_in(&self, mut trace: Trace) -> Trace {
        trace.kind = self.kind().word().to_owned();
        let options = self.source().header_options().into_iter();
        options.fold(trace, |trace, (key, value)| trace.with_option(key, value))
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
impl foresee_lts::Around for Loaded {
    fn inner(&self) -> &dyn System {
        self.front.system()
    }
    fn name(&self) -> String {
        self.front.name()
    }
    #[cfg(test)]
    fn step(&self, state: &[u32], action: Action) -> foresee_lts::State {
        counted::step(self, state);
        self.front.system().step(state, action)
    }
    #[cfg(test)]
    fn telling(&self) -> Option<&dyn foresee_lts::Telling> {
        Some(self)
    }
}

#[cfg(test)]
impl foresee_lts::TellingAround for Loaded {
    fn describe(&self, state: &[u32]) -> foresee_lts::Description {
        counted::describe(self, state);
        self.front.system().describe(state)
    }
    fn account(&self, path: &foresee_lts::Path) -> foresee_lts::Account {
        counted::account();
        self.front.system().account(path)
    }
}

/// The roles of the system, with defaults for those that it does not lend.
impl Deref for Loaded {
    type Target = dyn System;

    fn deref(&self) -> &Self::Target {
        self
    }
}

/// How often runs are stepped from their start, and told: tests count it, so that nothing steps a run once more unnoticed.
#[cfg(test)]
pub(crate) mod counted {
    use super::Loaded;
    use std::cell::Cell;

    #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
    pub(crate) struct Counts {
        /// Steps out of an initial state, and accounts, for which the front end steps a run by itself.
        pub(crate) stepped: u32,
        /// Descriptions of initial states: a story begins with one.
        pub(crate) told: u32,
    }

    thread_local! {
        static COUNTS: Cell<Option<Counts>> = const { Cell::new(None) };
    }

    /// What is counted while `work` runs on this thread.
    pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, Counts) {
        COUNTS.set(Some(Counts::default()));
        let done = work();
        (done, COUNTS.take().expect("it was set"))
    }

    fn count(change: impl FnOnce(&mut Counts)) {
        if let Some(mut counts) = COUNTS.get() {
            change(&mut counts);
            COUNTS.set(Some(counts));
        }
    }

    pub(super) fn step(loaded: &Loaded, state: &[u32]) {
        count(|it| it.stepped += u32::from(is_start(loaded, state)));
    }

    pub(super) fn account() {
        count(|it| it.stepped += 1);
    }

    pub(super) fn describe(loaded: &Loaded, state: &[u32]) {
        count(|it| it.told += u32::from(is_start(loaded, state)));
    }

    fn is_start(loaded: &Loaded, state: &[u32]) -> bool {
        loaded.front.system().initial().iter().any(|start| start == state)
    }
}
