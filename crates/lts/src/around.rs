//! A system around another: everything is as the inner one says, but for what the outer one says itself.
//! Why here: a wrapper that hands every question on by hand is long, and the compiler does not notice one that is forgotten; its
//! default then takes the place of what the inner system knows. So the handing on is written once, in this file, and a wrapper
//! is an implementation of [`Around`] with its own answers only. The roles are lent by the inner system, so they cost nothing; a
//! wrapper that has something to say there too lends itself, with [`InterleavedAround`] or [`TellingAround`].
//! Invariant: every method of the traits stands here twice; `cargo xtask tidy` counts them, and refuses forwarding by hand elsewhere.

use crate::{
    Account, Action, Actor, Claims, Description, Explorer, Fault, Footprint, Happened, Interleaved,
    Label, Origin, Path, State, Symmetry, System, Telling,
};

/// A system around another one.
///
/// ```
/// use foresee_lts::{Around, State, System, toy::Counters};
/// /// The same counters, from other numbers on.
/// struct From(Counters, State);
/// impl Around for From {
///     fn inner(&self) -> &dyn System { &self.0 }
///     fn initial(&self) -> Vec<State> { vec![self.1.clone()] }
/// }
/// let system: &dyn System = &From(Counters::new(2, 3), vec![3, 2]);
/// let start = &system.initial()[0];
/// let mut actions = Vec::new();
/// system.enabled(start, &mut actions);
/// assert_eq!(system.label(start, actions[0]).to_string(), "step counter2 increment");
/// ```
pub trait Around: Send + Sync {
    /// The system that answers whatever this one does not.
    fn inner(&self) -> &dyn System;

    fn initial(&self) -> Vec<State> {
        self.inner().initial()
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.inner().enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.inner().step(state, action)
    }
    fn name(&self) -> String {
        self.inner().name()
    }
    fn claims(&self) -> Option<&dyn Claims> {
        self.inner().claims()
    }
    fn interleaving(&self) -> Option<&dyn Interleaved> {
        self.inner().interleaving()
    }
    fn telling(&self) -> Option<&dyn Telling> {
        self.inner().telling()
    }
    /// One that steps in its own way must say so here, too: `None`.
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        self.inner().symmetry()
    }
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        self.inner().for_thread()
    }
    /// One that steps in its own way must say so here, too: `plain_explorer(self)`.
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        self.inner().explorer()
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.inner().content_hash(slot, id)
    }
    fn content_key(&self, slot: usize, id: u32) -> u128 {
        self.inner().content_key(slot, id)
    }
    fn is_final(&self, state: &[u32]) -> bool {
        self.inner().is_final(state)
    }
    fn why_stuck(&self, state: &[u32]) -> String {
        self.inner().why_stuck(state)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.inner().fault(state)
    }
    fn memory_bytes(&self) -> usize {
        self.inner().memory_bytes()
    }
    fn handler_calls(&self) -> u64 {
        self.inner().handler_calls()
    }
}

impl<A: Around> System for A {
    fn initial(&self) -> Vec<State> {
        Around::initial(self)
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        Around::enabled(self, state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        Around::step(self, state, action)
    }
    fn name(&self) -> String {
        Around::name(self)
    }
    fn claims(&self) -> Option<&dyn Claims> {
        Around::claims(self)
    }
    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Around::interleaving(self)
    }
    fn telling(&self) -> Option<&dyn Telling> {
        Around::telling(self)
    }
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        Around::symmetry(self)
    }
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        Around::for_thread(self)
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Around::explorer(self)
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        Around::content_hash(self, slot, id)
    }
    fn content_key(&self, slot: usize, id: u32) -> u128 {
        Around::content_key(self, slot, id)
    }
    fn is_final(&self, state: &[u32]) -> bool {
        Around::is_final(self, state)
    }
    fn why_stuck(&self, state: &[u32]) -> String {
        Around::why_stuck(self, state)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        Around::fault(self, state)
    }
    fn memory_bytes(&self) -> usize {
        Around::memory_bytes(self)
    }
    fn handler_calls(&self) -> u64 {
        Around::handler_calls(self)
    }
}

/// A system around another one, with its own word on threads; it lends itself ([`System::interleaving`]).
pub trait InterleavedAround: Around {
    /// The role of the inner system.
    fn threads(&self) -> &dyn Interleaved {
        self.inner().interleaving().expect("a system with threads")
    }

    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.threads().actor(state, action)
    }
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.threads().footprint(state, action)
    }
    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.threads().thread(state, action)
    }
    fn origin(&self, state: &[u32], action: Action) -> Origin {
        self.threads().origin(state, action)
    }
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        self.threads().enabled_threads(state, enabled);
    }
    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        self.threads().action_of(state, thread)
    }
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        self.threads().happen(state, action, next)
    }
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        self.threads().would_take(state, action, message)
    }
    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        self.threads().only_receives(state, action)
    }
    fn notices(&self, look: u64, change: u64) -> bool {
        self.threads().notices(look, change)
    }
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        self.threads().content_hash_unordered(state, mailboxes)
    }
}

impl<A: InterleavedAround> Interleaved for A {
    fn actor(&self, state: &[u32], action: Action) -> Actor {
        InterleavedAround::actor(self, state, action)
    }
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        InterleavedAround::footprint(self, state, action)
    }
    fn thread(&self, state: &[u32], action: Action) -> u64 {
        InterleavedAround::thread(self, state, action)
    }
    fn origin(&self, state: &[u32], action: Action) -> Origin {
        InterleavedAround::origin(self, state, action)
    }
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        InterleavedAround::enabled_threads(self, state, enabled);
    }
    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        InterleavedAround::action_of(self, state, thread)
    }
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        InterleavedAround::happen(self, state, action, next)
    }
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        InterleavedAround::would_take(self, state, action, message)
    }
    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        InterleavedAround::only_receives(self, state, action)
    }
    fn notices(&self, look: u64, change: u64) -> bool {
        InterleavedAround::notices(self, look, change)
    }
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        InterleavedAround::content_hash_unordered(self, state, mailboxes)
    }
}

/// A system around another one, with its own words; it lends itself ([`System::telling`]).
pub trait TellingAround: Around {
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.inner().label(state, action)
    }
    fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        self.inner().enabled_with_label(state, label, actions);
    }
    fn describe(&self, state: &[u32]) -> Description {
        self.inner().describe(state)
    }
    fn outline(&self, state: &[u32]) -> Description {
        self.inner().outline(state)
    }
    fn account(&self, path: &Path) -> Account {
        self.inner().account(path)
    }
}

impl<A: TellingAround> Telling for A {
    fn label(&self, state: &[u32], action: Action) -> Label {
        TellingAround::label(self, state, action)
    }
    fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        TellingAround::enabled_with_label(self, state, label, actions);
    }
    fn describe(&self, state: &[u32]) -> Description {
        TellingAround::describe(self, state)
    }
    fn outline(&self, state: &[u32]) -> Description {
        TellingAround::outline(self, state)
    }
    fn account(&self, path: &Path) -> Account {
        TellingAround::account(self, path)
    }
}
