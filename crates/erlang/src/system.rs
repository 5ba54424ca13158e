//! An Erlang program as a system: states, what can happen, and what it leads to.
//! A state is one slot for what is shared, one for timers, two for each process, one for each table (and each channel,
//! without instant delivery). A process rests before its next visible operation, so an action is "this process does
//! what it is about to do", "its receive times out", "this timer fires" or "this channel delivers".
//! What an action does and touches is computed once for what it looks at (`crate::events::memo`), whoever asks.
//! Reading order: `options`, `core`, `view`, `actions`, `perform`, `footprint`, `label`, `fault`, `explorer`.

use crate::builtins::brought_by;
use crate::events::explorer::Worker;
use crate::events::memo::Memo;
use crate::events::ready::Ready;
use crate::options::{Entry, Options};
use crate::program::Program;
use crate::term::Term;
use crate::world::core::Core;
use crate::world::edit::Change;
use foresee_lts::{
    Account, Action, Actor, Explorer, Fault, Footprint, Happened, Interleaved, Label, Origin, Path,
    State, System, Telling,
};
use foresee_stdx::mix;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A program that can be explored.
pub struct Erlang {
    pub(crate) core: Core,
    pub(crate) entry: Entry,
    pub(crate) options: Options,
    pub(crate) ready: RwLock<Ready>,
    effects: RwLock<Memo<Arc<Known>>>,
    notices: RwLock<FxHashMap<(u64, u64), bool>>,
    pub(crate) visible: RwLock<Memo<Option<Arc<str>>>>,
}

/// What an action does, for those who do not ask for its events.
struct Known {
    changes: Box<[(u32, Change)]>,
    footprint: Arc<Footprint>,
    /// Something that is wrong in itself comes or goes.
    may_bring_fault: bool,
}

impl Erlang {
    pub fn new(program: impl Into<Arc<Program>>, entry: Entry, options: Options) -> Erlang {
        Erlang {
            core: Core::new(program.into(), &options),
            entry,
            options,
            ready: RwLock::default(),
            effects: RwLock::default(),
            notices: RwLock::default(),
            visible: RwLock::default(),
        }
    }

    /// The same system for one more thread, with memories of its own.
    pub fn for_thread(&self) -> Erlang {
        self.with_core(self.core.for_thread())
    }

    /// The same system with nothing remembered, and one of its states: a long run leaves behind what it has been through.
    pub(crate) fn renewed(&self, state: &State) -> (Erlang, State) {
        let (core, state) = self.core.renewed(state);
        (self.with_core(core), state)
    }

    fn with_core(&self, core: Core) -> Erlang {
        Erlang {
            core,
            entry: self.entry.clone(),
            options: self.options.clone(),
            ready: RwLock::default(),
            effects: RwLock::default(),
            notices: RwLock::default(),
            visible: RwLock::default(),
        }
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.core.program
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Instructions carried out so far.
    pub fn n_instructions(&self) -> u64 {
        self.core.n_instructions.load(Ordering::Relaxed)
    }

    /// The message that a number in a footprint stands for.
    pub fn message(&self, number: u64) -> Option<Term> {
        self.core.meanings.read().messages.get(&number).cloned()
    }

    fn known(&self, state: &[u32], action: Action) -> Arc<Known> {
        if let Some(known) = self.effects.read().get(&self.core, state, action.0) {
            self.assert_as_anew(state, action, &known.changes, Some(&known.footprint));
            return Arc::clone(known);
        }
        let effect = self.effect(state, action, None);
        self.core.remember(effect.meanings);
        let is_faulty = |id: u32| id != 0 && self.fault_in(id).is_some();
        // Inboxes, which alone are edited, are never wrong.
        let may_bring_fault = effect.changes.iter().any(|&(slot, change)| match change {
            Change::Put(id) => {
                is_faulty(id) || is_faulty(state.get(slot as usize).copied().unwrap_or(0))
            }
            Change::Edit(_) => false,
        });
        let known = Arc::new(Known {
            changes: effect.changes.into(),
            footprint: Arc::new(effect.footprint),
            may_bring_fault,
        });
        self.effects.write().put(state, action.0, effect.asked, Arc::clone(&known));
        known
    }

    /// Panics, now and then, if what is remembered of an action is not what comes of it.
    pub(crate) fn assert_as_anew(
        &self,
        state: &[u32],
        action: Action,
        changes: &[(u32, Change)],
        footprint: Option<&Footprint>,
    ) {
        let hash = || state.iter().fold(action.0, |hash, id| mix(hash ^ u64::from(*id)));
        if cfg!(debug_assertions) && hash().is_multiple_of(32) {
            let effect = self.effect(state, action, None);
            let label = || self.label_of(state, action);
            let anew = self.core.apply(state, &effect.changes);
            assert_eq!(self.core.apply(state, changes), anew, "{:?}", label());
            let is_same = footprint.is_none_or(|it| *it == effect.footprint);
            assert!(is_same, "{:?} touched {footprint:?}, now {:?}", label(), effect.footprint);
        }
    }
}

impl System for Erlang {
    fn initial(&self) -> Vec<State> {
        vec![self.start().0]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.actions(state, actions);
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        self.core.apply(state, &self.known(state, action).changes)
    }

    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        Some(Box::new(Erlang::for_thread(self)))
    }

    fn name(&self) -> String {
        let Entry { module, function, arguments, shown, .. } = &self.entry;
        let plain = || format!("{}:{}/{}", module.text(), function.text(), arguments.len());
        shown.clone().unwrap_or_else(plain)
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Worker::new(self))
    }

    fn content_hash(&self, _slot: usize, id: u32) -> u64 {
        self.core.components.hash(id)
    }

    fn is_final(&self, state: &[u32]) -> bool {
        self.has_ended(state)
    }

    fn why_stuck(&self, state: &[u32]) -> String {
        self.who_waits(state)
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.first_fault(state)
    }

    fn memory_bytes(&self) -> usize {
        self.core.components.len() * 512
            + self.core.edits.memory_bytes()
            + self.effects.read().memory_bytes()
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Interleaved for Erlang {
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        self.hash_unordered(state, |pid| {
            mailboxes.contains(&crate::events::footprint::mailbox(pid))
        })
    }

    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.actor_of(state, action)
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        Footprint::clone(&self.known(state, action).footprint)
    }

    fn origin(&self, state: &[u32], action: Action) -> Origin {
        self.origin_of(state, action)
    }

    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.thread_of(state, action)
    }

    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        if self.core.crashes.is_some() {
            let mut actions = Vec::new();
            self.actions(state, &mut actions);
            enabled.extend(actions.into_iter().map(|it| (it, self.thread_of(state, it))));
            return;
        }
        self.with_ready(state, |ready| ready.list_threads(self, state, enabled));
    }

    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        if self.core.crashes.is_some() {
            let mut enabled = Vec::new();
            self.enabled_threads(state, &mut enabled);
            return enabled.into_iter().find(|it| it.1 == thread).map(|it| it.0);
        }
        self.with_ready(state, |ready| ready.action_of(self, state, thread))
    }

    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        let happened = |known: &Known, next: &mut State| {
            self.core.apply_to(state, &known.changes, next);
            let footprint = Arc::clone(&known.footprint);
            Happened { footprint, may_bring_fault: known.may_bring_fault, comes_again: true }
        };
        if let Some(known) = self.effects.read().get(&self.core, state, action.0) {
            self.assert_as_anew(state, action, &known.changes, Some(&known.footprint));
            return happened(known, next);
        }
        happened(&self.known(state, action), next)
    }

    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        let Some((id, process)) = self.receiver(state, action) else { return true };
        let silenced = &process.mark.silenced;
        if !silenced.is_empty()
            && let Some(term) = self.message(message)
            && brought_by(&term).is_some_and(|reference| silenced.contains(&reference))
        {
            return false;
        }
        let takes = match self.core.takes(id, message) {
            Some(takes) => takes,
            None => {
                let Some(term) = self.message(message) else { return true };
                self.core.learn_takes(id, process, message, &term)
            }
        };
        // A monitor that was taken back will never fire, and what was flushed is gone, whatever else happens earlier or later.
        takes
            && self.core.monitor_told_of(message).is_none_or(|monitor| {
                let inbox = self.inbox(state, process.pid);
                inbox.is_none_or(|inbox| inbox.open_monitors().any(|own| own == monitor))
            })
    }

    fn only_receives(&self, _state: &[u32], _action: Action) -> bool {
        // One that gives up waiting moves the clock, where somebody may look at it.
        !self.core.may_join && !self.core.clock.may_be_read
    }

    fn notices(&self, look: u64, change: u64) -> bool {
        if let Some(notices) = self.notices.read().get(&(look, change)) {
            return *notices;
        }
        let notices = self.core.notices(look, change);
        self.notices.write().insert((look, change), notices);
        notices
    }
}

impl Telling for Erlang {
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.label_of(state, action)
    }

    fn describe(&self, state: &[u32]) -> foresee_lts::Description {
        crate::tell::describe::describe(self, state)
    }

    fn account(&self, path: &Path) -> Account {
        self.account_of(path)
    }
}
