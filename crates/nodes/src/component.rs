//! One node of a world, its type forgotten: interned components (state, pending timers, status) and handlers run on them.
//! Why: nodes of different types live in one world. A world sees [`Handlers`], whose arguments are ids and messages; user
//! types appear only here, where a handler really runs.
//! Not here: where messages go, and memoising what handlers did (`moves`).

use crate::checked::run_checked;
use crate::intern::Interner;
use crate::timers::{PendingTimer, cancel, describe_bounds, may_fire};
use crate::tree::tree_of;
use crate::{Address, Context, Data, Effect, Node, Note};
use foresee_lts::{Fault, FaultKind, Tree};
use foresee_stdx::{mix, stable_hash};
use rustc_hash::FxHashMap;
use std::any::Any;

/// Whether a node runs.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Status {
    Up,
    /// Down; the state is what its stable storage holds.
    Crashed,
    /// Its code did something it must not do; nothing happens any more in such a world.
    Broken {
        nondeterministic: bool,
        message: String,
    },
}

/// What the other nodes of a world must know of a node: state, timers in the order of setting, status.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Component<N: Node> {
    pub(crate) state: N,
    pub(crate) timers: Vec<PendingTimer<N::Timer>>,
    pub(crate) status: Status,
}

/// What a handler did: the component it left, and what it asked of others.
pub(crate) struct Ran<M> {
    pub(crate) component: u32,
    pub(crate) sends: Vec<(Address, M)>,
    pub(crate) notes: Vec<Note>,
}

/// What a node's code may refer to.
pub(crate) struct Surroundings {
    pub(crate) directory: FxHashMap<Address, u32>,
    /// Whether histories are kept, so that a note of a node that is no client is a mistake.
    pub(crate) keeps_histories: bool,
}

/// A node whose type has been forgotten.
pub(crate) trait Handlers<M>: Send + Sync {
    fn init(&self, around: &Surroundings) -> Ran<M>;
    fn message(&self, id: u32, from: Address, message: &M, around: &Surroundings) -> Ran<M>;
    fn timer(&self, id: u32, position: usize, around: &Surroundings) -> Ran<M>;
    fn crash(&self, id: u32, around: &Surroundings) -> Ran<M>;
    fn restart(&self, id: u32, around: &Surroundings) -> Ran<M>;

    /// The positions of the timers that may fire.
    fn may_fire(&self, id: u32) -> Vec<usize>;
    fn status(&self, id: u32) -> &Status;
    fn hash(&self, id: u32) -> u64;
    /// The node's state, of the node's type.
    fn state(&self, id: u32) -> &dyn Any;
    /// The pending timers, a `Vec<PendingTimer<N::Timer>>`.
    fn timers(&self, id: u32) -> &dyn Any;
    fn type_name(&self) -> &'static str;
    fn describe(&self, id: u32) -> Tree;
    /// Each pending timer on one line and as a tree, in the order of setting.
    fn describe_timers(&self, id: u32) -> Vec<(String, Tree)>;
    fn memory_bytes(&self) -> usize;
}

/// The components of one node.
pub(crate) struct Components<N: Node> {
    me: Address,
    is_client: bool,
    /// The node as it was built, before `init`.
    fresh: N,
    salt: u64,
    interned: Interner<Component<N>>,
}

impl<N: Node> Components<N> {
    pub(crate) fn new(me: Address, is_client: bool, fresh: N, slot: usize) -> Self {
        let salt = mix(slot as u64 + 1);
        Components { me, is_client, fresh, salt, interned: Interner::new() }
    }

    fn intern(&self, component: Component<N>) -> u32 {
        self.interned.intern(mix(stable_hash(&component) ^ self.salt), component)
    }

    /// Runs `handler` on a copy of `before` and applies what it asks for.
    fn run(
        &self,
        before: &Component<N>,
        around: &Surroundings,
        handler: impl Fn(&mut Component<N>, &mut Context<N::Message, N::Timer>),
    ) -> Ran<N::Message> {
        let ran = run_checked(|| {
            let mut after = before.clone();
            let mut context = Context::new(self.me);
            handler(&mut after, &mut context);
            (after, context.into_effects())
        });
        let applied = ran
            .map_err(|panic| format!("{} panicked: {panic}", self.me))
            .and_then(|(after, effects)| self.apply(after, effects, around));
        applied.unwrap_or_else(|message| self.broken(before, message))
    }

    /// Sets and cancels timers and sorts the rest; `Err` says what the handler must not have asked for.
    fn apply(
        &self,
        mut after: Component<N>,
        effects: Vec<Effect<N::Message, N::Timer>>,
        around: &Surroundings,
    ) -> Result<Ran<N::Message>, String> {
        let (mut sends, mut notes) = (Vec::new(), Vec::new());
        for effect in effects {
            match effect {
                Effect::Send { to, message } => {
                    if !around.directory.contains_key(&to) {
                        return Err(unknown_address(self.me, &message, to, around));
                    }
                    sends.push((to, message));
                }
                Effect::SetTimer { timer, min, max } => {
                    after.timers.push(PendingTimer { timer, min, max });
                }
                Effect::CancelTimer { timer } => cancel(&mut after.timers, &timer),
                Effect::Invoked(operation) => notes.push(Note::Invoked(operation)),
                Effect::Returned(result) => notes.push(Note::Returned(result)),
            }
        }
        if !around.keeps_histories {
            notes.clear();
        } else if !self.is_client && !notes.is_empty() {
            let me = self.me;
            return Err(format!(
                "{me} reports an operation ({:?}), but it was not added as a client (`add_client`)",
                notes[0]
            ));
        }
        Ok(Ran { component: self.intern(after), sends, notes })
    }

    fn broken(&self, before: &Component<N>, message: String) -> Ran<N::Message> {
        let status = Status::Broken { nondeterministic: false, message };
        let component = self.intern(Component { status, ..before.clone() });
        Ran { component, sends: Vec::new(), notes: Vec::new() }
    }
}

impl<N: Node> Handlers<N::Message> for Components<N> {
    fn init(&self, around: &Surroundings) -> Ran<N::Message> {
        let state = self.fresh.clone();
        let before = Component { state, timers: Vec::new(), status: Status::Up };
        self.run(&before, around, |node, context| node.state.init(context))
    }

    fn message(
        &self,
        id: u32,
        from: Address,
        message: &N::Message,
        around: &Surroundings,
    ) -> Ran<N::Message> {
        self.run(self.interned.get(id), around, |node, context| {
            node.state.on_message(from, message.clone(), context);
        })
    }

    fn timer(&self, id: u32, position: usize, around: &Surroundings) -> Ran<N::Message> {
        self.run(self.interned.get(id), around, |node, context| {
            let fired = node.timers.remove(position);
            node.state.on_timer(fired.timer, context);
        })
    }

    /// What is volatile is lost now, so that crashed nodes with equal stable storage are equal.
    fn crash(&self, id: u32, around: &Surroundings) -> Ran<N::Message> {
        self.run(self.interned.get(id), around, |node, _context| {
            node.state = node.state.recover(self.fresh.clone());
            node.timers.clear();
            node.status = Status::Crashed;
        })
    }

    fn restart(&self, id: u32, around: &Surroundings) -> Ran<N::Message> {
        self.run(self.interned.get(id), around, |node, context| {
            node.status = Status::Up;
            node.state.on_restart(context);
        })
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

    fn state(&self, id: u32) -> &dyn Any {
        &self.interned.get(id).state
    }

    fn timers(&self, id: u32) -> &dyn Any {
        &self.interned.get(id).timers
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

fn unknown_address<M: Data>(
    me: Address,
    message: &M,
    to: Address,
    around: &Surroundings,
) -> String {
    let mut known: Vec<Address> = around.directory.keys().copied().collect();
    known.sort_unstable();
    let known: Vec<String> = known.iter().map(Address::to_string).collect();
    format!(
        "{me} sent {message:?} to {to}, which is no node of this system (it has {})",
        known.join(", ")
    )
}
