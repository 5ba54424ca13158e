//! One node of a world, its type forgotten: interned components (state, pending timers, status) and handlers run on them.
//! Why: nodes of different types live in one world. A world sees [`Handlers`], whose arguments are ids and messages; user
//! types appear only here, where a handler really runs.
//! Not here: where messages go, and memoising what handlers did (`moves`).

use crate::code_check::{Call, CodeCheck, Did};
use crate::directory::Directory;
use crate::drive::Drive;
use crate::envelopes::{Envelopes, Route};
use crate::intern::Interner;
use crate::tree::tree_of;
use crate::{Address, Context, Data, Effect, Network, Node, Note, PendingTimer, Stored};
use foresee_lts::{Fault, FaultKind, Tree};
use foresee_node::{Plan, Visible, cancel_timers, may_fire, renamed_copy, run_checked};
use foresee_stdx::{mix, stable_hash};
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

/// Whether a node runs.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Status {
    Up,
    /// Down; the state is what `Node::recover` has kept, and its drive has what is durable.
    Crashed,
    /// Its code did something it must not do; nothing happens any more in such a world.
    Broken {
        nondeterministic: bool,
        message: String,
    },
}

/// What the other nodes of a world must know of a node: state, timers in the order of setting, status, stable storage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Component<N: Node> {
    pub(crate) state: N,
    pub(crate) timers: Vec<PendingTimer<N::Timer>>,
    pub(crate) status: Status,
    /// `None` as long as it has nothing on it and nothing waits for it.
    pub(crate) drive: Option<Box<Drive<N::Message>>>,
    /// Whether it is what was put in the place of a node that had lost its disk.
    pub(crate) is_replacement: bool,
}

/// A drive with nothing on it adds nothing, so that nodes that write nothing have the hashes they always had.
impl<N: Node> Hash for Component<N> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
        self.timers.hash(hasher);
        self.status.hash(hasher);
        if let Some(drive) = &self.drive {
            drive.hash(hasher);
        }
        if self.is_replacement {
            true.hash(hasher);
        }
    }
}

/// What a handler did: the component it left, and what it asked of others.
pub(crate) struct Ran {
    pub(crate) component: u32,
    /// For each message that was sent, in order, the receiver and the envelope.
    pub(crate) sends: Vec<(u32, u32)>,
    pub(crate) notes: Vec<Note>,
    /// Which of the timers that were pending are pending still, by position (not counting one that fired just now); the
    /// others in the component's queue are new.
    pub(crate) timers_kept: Vec<usize>,
}

/// What a handler asked for, before its messages have ids.
struct Asked<M> {
    sends: Vec<(Address, M)>,
    notes: Vec<Note>,
    timers_kept: Vec<usize>,
}

/// What a node's code may refer to, and where its messages go.
pub(crate) struct Surroundings {
    pub(crate) network: Network,
    pub(crate) envelopes: Envelopes,
    pub(crate) directory: Directory,
    /// Whether histories are kept, so that a note of a node that is no client is a mistake.
    pub(crate) keeps_histories: bool,
    /// Whether every call is repeated to see whether it is a function (`code_check`).
    pub(crate) checks_code: bool,
}

/// A node whose type has been forgotten.
pub(crate) trait Handlers: Send + Sync {
    fn init(&self, around: &Surroundings) -> Ran;
    fn message(&self, id: u32, envelope: u32, around: &Surroundings) -> Ran;
    fn timer(&self, id: u32, position: usize, around: &Surroundings) -> Ran;
    /// A crash after which `n_kept` of the writes that were not synced are on the disk.
    fn crash(&self, id: u32, n_kept: usize, around: &Surroundings) -> Ran;
    fn restart(&self, id: u32, around: &Surroundings) -> Ran;
    /// The oldest sync under way is done.
    fn sync(&self, id: u32, around: &Surroundings) -> Ran;
    /// Everything that would be left after a crash is lost.
    fn lose_disk(&self, id: u32) -> Ran;

    /// How many syncs are under way.
    fn n_syncs(&self, id: u32) -> usize;
    /// How many writes are not durable.
    fn n_unsynced(&self, id: u32) -> usize;
    /// Whether a crashed node has anything to lose.
    fn can_lose_disk(&self, id: u32) -> bool;
    /// What is on the drive and what waits for it.
    fn describe_drive(&self, id: u32) -> Option<Tree>;
    /// What is durable.
    fn stored(&self, id: u32) -> Option<&Stored>;

    /// The positions of the timers that may fire.
    fn may_fire(&self, id: u32) -> Vec<usize>;
    fn status(&self, id: u32) -> &Status;
    fn hash(&self, id: u32) -> u64;
    /// The component itself, a `Component<N>`.
    fn component(&self, id: u32) -> &dyn Any;
    /// The id of a component of another node in which addresses have other names; `None` if that node is of another type, or
    /// the component cannot be renamed.
    fn adopt(&self, component: &dyn Any, names: &[(Address, Address)]) -> Option<u32>;
    /// The node's state, of the node's type.
    fn state(&self, id: u32) -> &dyn Any;
    /// The pending timers, a `Vec<PendingTimer<N::Timer>>`.
    fn timers(&self, id: u32) -> &dyn Any;
    /// After how long each pending timer fires, in the order of setting.
    fn timer_bounds(&self, id: u32) -> Vec<(Duration, Duration)>;
    /// A hash of what the timer at a position is.
    fn timer_hash(&self, id: u32, position: usize) -> u64;
    /// Handlers found not to be idempotent, with an example, if the code is checked.
    fn not_idempotent(&self) -> Vec<(String, String)>;
    fn type_name(&self) -> &'static str;
    fn describe(&self, id: u32) -> Tree;
    /// Each pending timer on one line and as a tree, in the order of setting.
    fn describe_timers(&self, id: u32) -> Vec<(String, Tree)>;
    fn memory_bytes(&self) -> usize;
    /// What is started after the disk was lost; whether it is of the node's type.
    fn replace_by(&mut self, replacement: &dyn Any) -> bool;
    /// The node as it was built, for those who run it: an `Arc<dyn Plan<M>>` for messages of type `M`.
    fn plan(&self) -> Box<dyn Any>;
}

/// The components of one node.
pub(crate) struct Components<N: Node> {
    me: Address,
    is_client: bool,
    /// The node as it was built, before `init`.
    fresh: N,
    /// What is started in its place when its disk was lost; the same again if nothing is said.
    replacement: Option<N>,
    salt: u64,
    interned: Interner<Component<N>>,
    code: CodeCheck<N>,
}

impl<N: Node> Components<N> {
    pub(crate) fn new(me: Address, is_client: bool, fresh: N, slot: usize) -> Self {
        let salt = mix(slot as u64 + 1);
        let code = CodeCheck::new();
        Components {
            me,
            is_client,
            fresh,
            replacement: None,
            salt,
            interned: Interner::new(),
            code,
        }
    }

    /// The node as it is started in a component like this one.
    fn built(&self, is_replacement: bool) -> &N {
        self.replacement.as_ref().filter(|_| is_replacement).unwrap_or(&self.fresh)
    }

    fn intern(&self, component: Component<N>) -> u32 {
        self.interned.intern(mix(stable_hash(&component) ^ self.salt), component)
    }

    /// Runs a handler on a copy of `before`, which has this id if it is interned, and applies what it asks for.
    fn run(
        &self,
        id: Option<u32>,
        before: &Component<N>,
        call: &Call<N::Message>,
        around: &Surroundings,
    ) -> Ran {
        let did = self.perform(before, call);
        if around.checks_code
            && let Err(message) = self
                .code
                .repeat(self.me, id, before, call, &did, |node, call| self.perform(node, call))
        {
            return self.broken(before, true, message);
        }
        let applied = did
            .map_err(|panic| format!("{} panicked: {panic}", self.me))
            .and_then(|(after, effects)| self.apply(after, effects, around));
        let ran = applied.unwrap_or_else(|message| self.broken(before, false, message));
        if around.checks_code
            && let Err(message) = self.check_twin(&ran, before, call, around)
        {
            return self.broken(before, true, message);
        }
        ran
    }

    /// One call of a handler, on a copy.
    fn perform(&self, before: &Component<N>, call: &Call<N::Message>) -> Did<N> {
        run_checked(|| {
            let mut after = before.clone();
            let mut context = Context::new(self.me);
            let node = &mut after;
            match call {
                Call::Init => node.state.init(&mut context),
                Call::Message { from, message } => {
                    node.state.on_message(*from, message.clone(), &mut context);
                }
                Call::Timer { position } => {
                    let fired = node.timers.remove(*position);
                    node.state.on_timer(fired.timer, &mut context);
                }
                // What is volatile is lost now, so that crashed nodes with equal stable storage are equal.
                Call::Crash { n_kept } => {
                    node.state = node.state.recover(self.built(node.is_replacement).clone());
                    node.timers.clear();
                    node.status = Status::Crashed;
                    node.drive = node.drive.take().and_then(|drive| drive.crashed(*n_kept));
                }
                Call::Restart => {
                    node.status = Status::Up;
                    match node.drive.take_if(|drive| drive.is_lost()) {
                        // Nothing tells it from a node that starts for the first time, unless it was built to replace one.
                        Some(_) => node.state.init(&mut context),
                        None => {
                            let stored = node.drive.as_ref().map(|drive| drive.stored());
                            node.state.restore(stored.unwrap_or(&Stored::default()));
                            node.state.on_restart(&mut context);
                        }
                    }
                }
            }
            (after, context.into_effects())
        })
    }

    /// Makes what a call has left once more, as an equal state that came about on its own, and compares what has been
    /// learnt about the state so far.
    fn check_twin(
        &self,
        ran: &Ran,
        before: &Component<N>,
        call: &Call<N::Message>,
        around: &Surroundings,
    ) -> Result<(), String> {
        let Ok((after, effects)) = self.perform(before, call) else { return Ok(()) };
        let Ok((twin, _)) = self.settle(after, effects, around) else { return Ok(()) };
        let perform = |node: &Component<N>, call: &Call<N::Message>| self.perform(node, call);
        self.code.arrived(self.me, ran.component, twin, perform)
    }

    fn apply(
        &self,
        after: Component<N>,
        effects: Vec<Effect<N::Message, N::Timer>>,
        around: &Surroundings,
    ) -> Result<Ran, String> {
        let (after, asked) = self.settle(after, effects, around)?;
        Ok(self.ran(after, asked, around))
    }

    /// Gives ids to the component that is left and to the messages sent.
    fn ran(&self, after: Component<N>, asked: Asked<N::Message>, around: &Surroundings) -> Ran {
        let envelopes = around.envelopes.typed::<N::Message>();
        let node = |name| around.directory.get(name).expect("handlers' addresses are checked");
        let from_node = node(self.me);
        let sends = asked.sends.into_iter().map(|(to, message)| {
            let route = Route { from: self.me, to, from_node, to_node: node(to) };
            (route.to_node, envelopes.intern(route, message))
        });
        Ran {
            component: self.intern(after),
            sends: sends.collect(),
            notes: asked.notes,
            timers_kept: asked.timers_kept,
        }
    }

    /// Sets and cancels timers and sorts the rest; `Err` says what the handler must not have asked for. The component is
    /// not interned yet.
    fn settle(
        &self,
        mut after: Component<N>,
        effects: Vec<Effect<N::Message, N::Timer>>,
        around: &Surroundings,
    ) -> Result<(Component<N>, Asked<N::Message>), String> {
        let (mut sends, mut notes): (Vec<_>, Vec<Visible<N::Message>>) = (Vec::new(), Vec::new());
        let mut timers_kept: Vec<usize> = (0..after.timers.len()).collect();
        for effect in effects {
            match effect {
                Effect::Send { to, message } => {
                    if around.directory.get(to).is_none() {
                        return Err(unknown_address(self.me, &message, to, around));
                    }
                    if let Some(Visible::Send { to, message }) =
                        pass(&mut after.drive, around.network, Visible::Send { to, message })
                    {
                        sends.push((to, message));
                    }
                }
                Effect::SetTimer { timer, min, max } => {
                    after.timers.push(PendingTimer { timer, min, max });
                }
                Effect::CancelTimer { timer } => {
                    let mut pending = after.timers.iter();
                    timers_kept.retain(|_| pending.next().is_some_and(|it| it.timer != timer));
                    cancel_timers(&mut after.timers, &timer);
                }
                Effect::Invoked(operation) => {
                    self.check_client(around, || Note::Invoked(operation.clone()))?;
                    notes.extend(pass(
                        &mut after.drive,
                        around.network,
                        Visible::Invoked(operation),
                    ));
                }
                Effect::Returned(result) => {
                    self.check_client(around, || Note::Returned(result.clone()))?;
                    notes.extend(pass(&mut after.drive, around.network, Visible::Returned(result)));
                }
                Effect::Write(write) => after.drive.get_or_insert_default().write(write),
                Effect::Sync => {
                    if let Some(drive) = &mut after.drive {
                        drive.start_sync();
                    }
                }
            }
        }
        let notes = notes.into_iter().filter(|_| around.keeps_histories).filter_map(note);
        Ok((after, Asked { sends, notes: notes.collect(), timers_kept }))
    }

    /// Only clients may report operations, where histories are kept.
    fn check_client(
        &self,
        around: &Surroundings,
        note: impl FnOnce() -> Note,
    ) -> Result<(), String> {
        if self.is_client || !around.keeps_histories {
            return Ok(());
        }
        let me = self.me;
        Err(format!(
            "{me} reports an operation ({:?}), but it was not added as a client (`add_client`)",
            note()
        ))
    }

    fn broken(&self, before: &Component<N>, nondeterministic: bool, message: String) -> Ran {
        let status = Status::Broken { nondeterministic, message };
        let component = self.intern(Component { status, ..before.clone() });
        Ran { component, sends: Vec::new(), notes: Vec::new(), timers_kept: Vec::new() }
    }
}

impl<N: Node> Handlers for Components<N> {
    fn init(&self, around: &Surroundings) -> Ran {
        let state = self.fresh.clone();
        let before = Component {
            state,
            timers: Vec::new(),
            status: Status::Up,
            drive: None,
            is_replacement: false,
        };
        self.run(None, &before, &Call::Init, around)
    }

    fn message(&self, id: u32, envelope: u32, around: &Surroundings) -> Ran {
        let envelope = around.envelopes.typed::<N::Message>().get(envelope);
        let call = Call::Message { from: envelope.from, message: envelope.message.clone() };
        self.run(Some(id), self.interned.get(id), &call, around)
    }

    fn timer(&self, id: u32, position: usize, around: &Surroundings) -> Ran {
        self.run(Some(id), self.interned.get(id), &Call::Timer { position }, around)
    }

    fn crash(&self, id: u32, n_kept: usize, around: &Surroundings) -> Ran {
        self.run(Some(id), self.interned.get(id), &Call::Crash { n_kept }, around)
    }

    fn restart(&self, id: u32, around: &Surroundings) -> Ran {
        self.run(Some(id), self.interned.get(id), &Call::Restart, around)
    }

    fn sync(&self, id: u32, around: &Surroundings) -> Ran {
        let mut after = self.interned.get(id).clone();
        let timers_kept = (0..after.timers.len()).collect();
        let drive = after.drive.take().expect("a sync is under way");
        let (drive, released) = drive.synced();
        after.drive = drive;
        let (mut sends, mut notes) = (Vec::new(), Vec::new());
        for visible in released {
            match visible {
                Visible::Send { to, message } => sends.push((to, message)),
                other if around.keeps_histories => notes.extend(note(other)),
                _ => {}
            }
        }
        self.ran(after, Asked { sends, notes, timers_kept }, around)
    }

    fn lose_disk(&self, id: u32) -> Ran {
        let mut after = self.interned.get(id).clone();
        after.is_replacement = self.replacement.is_some();
        after.state = self.built(after.is_replacement).clone();
        after.drive = Some(Box::new(Drive::lost()));
        let component = self.intern(after);
        Ran { component, sends: Vec::new(), notes: Vec::new(), timers_kept: Vec::new() }
    }

    fn n_syncs(&self, id: u32) -> usize {
        self.interned.get(id).drive.as_ref().map_or(0, |drive| drive.n_syncs())
    }

    fn n_unsynced(&self, id: u32) -> usize {
        self.interned.get(id).drive.as_ref().map_or(0, |drive| drive.n_unsynced())
    }

    fn can_lose_disk(&self, id: u32) -> bool {
        let component = self.interned.get(id);
        let holds_something = match &component.drive {
            Some(drive) => !drive.is_lost(),
            None => component.state != *self.built(component.is_replacement),
        };
        component.status == Status::Crashed && holds_something
    }

    fn describe_drive(&self, id: u32) -> Option<Tree> {
        self.interned.get(id).drive.as_ref().map(|drive| drive.describe())
    }

    fn stored(&self, id: u32) -> Option<&Stored> {
        self.interned.get(id).drive.as_ref().map(|drive| drive.stored())
    }

    fn may_fire(&self, id: u32) -> Vec<usize> {
        may_fire(&self.interned.get(id).timers).collect()
    }

    fn status(&self, id: u32) -> &Status {
        &self.interned.get(id).status
    }

    fn hash(&self, id: u32) -> u64 {
        self.interned.hash(id)
    }

    fn component(&self, id: u32) -> &dyn Any {
        self.interned.get(id)
    }

    fn adopt(&self, component: &dyn Any, names: &[(Address, Address)]) -> Option<u32> {
        let component = component.downcast_ref::<Component<N>>()?;
        // What is on a disk are bytes, and the message of a panic is text: neither can be renamed.
        if component.drive.is_some() || matches!(component.status, Status::Broken { .. }) {
            return None;
        }
        let timer = |pending: &PendingTimer<N::Timer>| {
            let timer = renamed_copy(&pending.timer, names)?;
            Some(PendingTimer { timer, min: pending.min, max: pending.max })
        };
        Some(self.intern(Component {
            state: renamed_copy(&component.state, names)?,
            timers: component.timers.iter().map(timer).collect::<Option<_>>()?,
            status: component.status.clone(),
            is_replacement: component.is_replacement,
            drive: None,
        }))
    }

    fn state(&self, id: u32) -> &dyn Any {
        &self.interned.get(id).state
    }

    fn timers(&self, id: u32) -> &dyn Any {
        &self.interned.get(id).timers
    }

    fn timer_bounds(&self, id: u32) -> Vec<(Duration, Duration)> {
        self.interned.get(id).timers.iter().map(|pending| (pending.min, pending.max)).collect()
    }

    fn timer_hash(&self, id: u32, position: usize) -> u64 {
        stable_hash(&self.interned.get(id).timers[position])
    }

    fn not_idempotent(&self) -> Vec<(String, String)> {
        self.code.not_idempotent()
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<N>()
    }

    fn describe(&self, id: u32) -> Tree {
        tree_of(&self.interned.get(id).state)
    }

    fn describe_timers(&self, id: u32) -> Vec<(String, Tree)> {
        let timers = self.interned.get(id).timers.iter();
        let described = timers.map(|pending| {
            let bounds = ("after".to_owned(), describe_bounds(pending.min, pending.max));
            let fields = vec![("timer".to_owned(), tree_of(&pending.timer)), bounds];
            (format!("{:?}", pending.timer), Tree::Record { name: String::new(), fields })
        });
        described.collect()
    }

    fn memory_bytes(&self) -> usize {
        // What a component owns on the heap is not known; as much again as the component itself is a usual size.
        self.interned.memory_bytes(size_of::<Component<N>>())
    }

    fn replace_by(&mut self, replacement: &dyn Any) -> bool {
        self.replacement = replacement.downcast_ref().cloned();
        self.replacement.is_some()
    }

    fn plan(&self) -> Box<dyn Any> {
        let plan: Arc<dyn Plan<N::Message>> = Arc::new(self.fresh.clone());
        Box::new(plan)
    }
}

impl Status {
    /// What is wrong, if anything is.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let Status::Broken { nondeterministic, message } = self else {
            return None;
        };
        let kind = if *nondeterministic { FaultKind::Nondeterminism } else { FaultKind::Panic };
        Some(Fault { kind, message: message.clone() })
    }
}

/// Lets something pass that others see, unless it must wait for the disk.
fn pass<M: Data>(
    drive: &mut Option<Box<Drive<M>>>,
    network: Network,
    visible: Visible<M>,
) -> Option<Visible<M>> {
    match drive {
        Some(drive) => drive.pass(visible, network),
        None => Some(visible),
    }
}

fn note<M>(visible: Visible<M>) -> Option<Note> {
    match visible {
        Visible::Invoked(operation) => Some(Note::Invoked(operation)),
        Visible::Returned(result) => Some(Note::Returned(result)),
        Visible::Send { .. } => None,
    }
}

/// A timer's bounds as a person sees them.
fn describe_bounds(min: Duration, max: Duration) -> Tree {
    if min == max {
        Tree::leaf(format!("{min:?}"))
    } else {
        Tree::leaf(format!("{min:?}..{max:?}"))
    }
}

fn unknown_address<M: Data>(
    me: Address,
    message: &M,
    to: Address,
    around: &Surroundings,
) -> String {
    let mut known: Vec<Address> = around.directory.names().to_vec();
    known.sort_unstable();
    let known: Vec<String> = known.iter().map(Address::to_string).collect();
    format!(
        "{me} sent {message:?} to {to}, which is no node of this system (it has {})",
        known.join(", ")
    )
}
