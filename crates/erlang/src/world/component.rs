//! The parts of a state, each interned by itself: processes, what others put into them, tables, timers, names.
//! A process is two parts. [`Process`] is its own business: code, dictionary, what it will do next. [`Inbox`] is what
//! signals of others change: messages, links, monitors. So a message that arrives does not touch the process, and what
//! a process does with a message is found again whatever else is in its inbox.
//! Invariant: lists of pids, names and references are sorted, so that equal contents are equal values.

use crate::machine::Suspended;
use crate::tell::stuck::Stuck;
use crate::term::{Atom, Map, Pid, Reference, Term};
use crate::world::annotation::{Annotation, Crashed};
use crate::world::clock::Clock;
use crate::world::ets::Table;
use crate::world::mailbox::Mailbox;
use foresee_stdx::stable_hash;

/// One slot of a state.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Component {
    Shared(Shared),
    Timers(Timers),
    Process(Box<Process>),
    Inbox(Inbox),
    Table(Table),
    Channel(Channel),
}

/// What a process is doing.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Process {
    pub pid: Pid,
    pub control: Control,
    pub dictionary: Map,
    pub group_leader: Pid,
    pub initial_call: (Atom, Atom, u32),
    pub n_children: u32,
    pub n_unique: u32,
    /// How many references it has made; counted only where references are not used again.
    pub n_references: u32,
    /// Flags that others do not look at, by name.
    pub flags: Map,
    /// What faults and labels have to know of it.
    pub mark: Annotation,
}

/// Where a process rests.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Control {
    /// Before a visible built-in.
    Calling { rest: Suspended, builtin: u32, arguments: Box<[Term]> },
    /// In a receive.
    Receiving { rest: Suspended, timeout: Term },
    /// It has ended or been killed; what it leaves behind is put in order step by step.
    Ending {
        reason: Term,
        stage: Stage,
        /// What is to come after this stage, a bit for each.
        left: u8,
    },
    /// Gone.
    Ended { reason: Term },
    /// We cannot go on: a loop without end, or something that is not modelled.
    Stuck(Box<Stuck>),
}

/// The function that a stuck process would call, which is not here.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Missing {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
    /// Its module could not be loaded; else it is one of OTP's without a model.
    pub is_unloaded: bool,
    /// The calls of the process, outermost first: function and place.
    pub calls: Box<[(u32, u32)]>,
}

/// What an ending process does, in this order, as events of its own.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Stage {
    /// It has run to its end, or crashed: others still see it alive.
    Exit,
    /// In place of `Exit` when a signal has killed it: others see it dead.
    Killed,
    Tables,
    Name,
    Links,
    Monitors,
}

impl Stage {
    /// Those in which something is left behind.
    pub const LEAVING: [Stage; 4] = [Stage::Tables, Stage::Name, Stage::Links, Stage::Monitors];

    pub(crate) fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Process {
    /// Whether it may end where it comes to something without a model: what it does is only there for a test after it.
    pub(crate) fn may_break_off(&self) -> bool {
        self.dictionary.get(&a!("$foresee_before")).is_some()
    }

    /// Whether others see it as alive.
    pub fn is_alive(&self) -> bool {
        match &self.control {
            Control::Calling { .. } | Control::Receiving { .. } | Control::Stuck(_) => true,
            Control::Ending { stage, .. } => *stage == Stage::Exit,
            Control::Ended { .. } => false,
        }
    }

    /// Whether it is still in the table of processes: also while it puts in order what it leaves behind, until it tells others.
    pub fn is_there(&self) -> bool {
        match &self.control {
            Control::Ending { stage, .. } => *stage < Stage::Links,
            _ => self.is_alive(),
        }
    }

    /// Whether it still runs code.
    pub fn is_running(&self) -> bool {
        matches!(self.control, Control::Calling { .. } | Control::Receiving { .. })
    }
}

/// What the signals of others have left at a process.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Inbox {
    pub pid: Pid,
    pub messages: Mailbox,
    pub trap_exit: bool,
    pub links: Vec<Pid>,
    /// It has had a link at some time, so its end has an event for links, whatever became of them.
    pub linked: bool,
    /// Likewise somebody has watched it.
    pub watched: bool,
    /// Likewise it has had a name; only where no event may take another away.
    pub named: bool,
    /// The tables it owns.
    pub tables: Vec<Reference>,
    /// Whom it watches.
    pub monitors: Vec<Monitor>,
    /// Who watches it.
    pub watchers: Vec<Watcher>,
    /// References that stand for it as an address.
    pub aliases: Vec<Alias>,
}

impl Inbox {
    pub fn new(pid: Pid) -> Inbox {
        Inbox {
            pid,
            messages: Mailbox::default(),
            trap_exit: false,
            links: Vec::new(),
            linked: false,
            watched: false,
            named: false,
            tables: Vec::new(),
            monitors: Vec::new(),
            watchers: Vec::new(),
            aliases: Vec::new(),
        }
    }
}

impl Inbox {
    /// The monitors that can still fire, and those that have and whose messages wait.
    pub(crate) fn open_monitors(&self) -> impl Iterator<Item = Reference> {
        let waiting = self.messages.iter().filter_map(|message| match message.as_tuple()? {
            [_, reference, kind, _, _] if kind.is_atom(atom!("process")) => {
                reference.as_reference().filter(|reference| reference.owner == self.pid)
            }
            _ => None,
        });
        self.monitors.iter().map(|monitor| monitor.reference).chain(waiting)
    }
}

#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Monitor {
    pub reference: Reference,
    pub target: Pid,
    /// The name by which it was asked for, if it was.
    pub name: Option<Atom>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Watcher {
    pub reference: Reference,
    pub pid: Pid,
    /// What the DOWN message names: the pid, or `{Name, Node}`.
    pub object: Term,
    /// The first element of the message, normally `'DOWN'`.
    pub tag: Term,
    /// The monitor was taken back without anybody being able to tell whether it had fired.
    pub is_taken_back: bool,
    /// The monitor was made with an alias that ends with it, whatever has become of the alias.
    pub ends_alias: bool,
}

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Alias {
    pub reference: Reference,
    pub ends: AliasEnds,
}

/// When an alias stops to work.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum AliasEnds {
    /// Only by `unalias`.
    Explicitly,
    /// With its monitor.
    WithMonitor,
    /// With its monitor or the first message through it.
    WithReply,
    /// No alias, nothing can be sent to it: the first message `{Reference, _}` to the process is the answer that makes the
    /// monitor needless. A call without a timeout waits for it.
    Awaited,
}

/// What belongs to no process.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Shared {
    pub names: Vec<(Atom, Pid)>,
    pub table_names: Vec<(Atom, Reference)>,
    pub persistent: Map,
    pub environment: Map,
    pub counters: Vec<(Reference, crate::builtins::Cells)>,
    pub halted: Option<Term>,
    pub crashed: Crashed,
}

impl Shared {
    pub fn whereis(&self, name: Atom) -> Option<Pid> {
        self.names.iter().find(|(own, _)| *own == name).map(|(_, pid)| *pid)
    }

    pub fn name_of(&self, pid: Pid) -> Option<Atom> {
        self.names.iter().find(|(_, own)| *own == pid).map(|(name, _)| *name)
    }
}

/// Timers that are set, in the order of their references, and the clock.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Timers {
    pub timers: Vec<Timer>,
    /// How often timers have fired for each target, in the order of targets; only where that is limited.
    pub firings: Vec<(Term, u32)>,
    /// The clock, from the first time it is read on.
    pub clock: Option<Clock>,
    /// How many integers that count up (`unique_integer([monotonic])`) were handed out.
    pub n_monotonic: u64,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Timer {
    pub reference: Reference,
    /// A pid or a name.
    pub target: Term,
    pub message: Term,
    pub milliseconds: u64,
    /// The virtual time at which it was set; 0 in a search, where nobody says how much time has passed.
    pub set_at_ms: u64,
    /// Fires again and again.
    pub repeats: bool,
    /// Will fire without effect; only where no event may take another away.
    pub cancelled: bool,
}

/// Signals on their way from one process to another, oldest first; only without instant delivery.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Channel {
    pub from: Pid,
    pub to: Pid,
    pub signals: Vec<Signal>,
    /// How many have arrived; counted only where each event needs a name of its own.
    pub n_arrived: u32,
}

/// What travels.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Signal {
    Message(Term),
    /// Through an alias, which may be gone on arrival.
    AliasMessage(Reference, Term),
    /// From `exit/2`.
    Exit(Term),
    /// From a linked process that has ended.
    LinkExit(Term),
    Down {
        reference: Reference,
        object: Term,
        tag: Term,
        reason: Term,
        /// As [`Watcher::ends_alias`].
        ends_alias: bool,
    },
}

impl Signal {
    /// The message, if it is one.
    pub(crate) fn message(&self) -> Option<&Term> {
        match self {
            Signal::Message(message) | Signal::AliasMessage(_, message) => Some(message),
            Signal::Exit(_) | Signal::LinkExit(_) | Signal::Down { .. } => None,
        }
    }
}

impl Component {
    /// The same everywhere for equal components.
    pub fn content_hash(&self) -> u64 {
        stable_hash(self).max(1)
    }

    /// The references inside, in no order.
    pub fn references(&self, visit: &mut impl FnMut(Reference)) {
        let terms = |term: &Term, visit: &mut dyn FnMut(Reference)| {
            term.visit_identifiers(&mut |found| {
                if let Some(reference) = found.as_reference() {
                    visit(reference);
                }
            });
        };
        match self {
            Component::Shared(shared) => {
                shared.table_names.iter().for_each(|(_, reference)| visit(*reference));
                shared.counters.iter().for_each(|(reference, _)| visit(*reference));
                terms(&Term::map(shared.persistent.clone()), visit);
            }
            Component::Timers(timers) => {
                for timer in &timers.timers {
                    visit(timer.reference);
                    terms(&timer.message, visit);
                }
            }
            Component::Process(process) => {
                terms(&Term::map(process.dictionary.clone()), visit);
                match &process.control {
                    Control::Calling { rest, arguments, .. } => {
                        rest.values.iter().chain(arguments).for_each(|t| terms(t, visit));
                    }
                    Control::Receiving { rest, .. } => {
                        rest.values.iter().for_each(|t| terms(t, visit));
                    }
                    Control::Ending { reason, .. } | Control::Ended { reason } => {
                        terms(reason, visit);
                    }
                    Control::Stuck(_) => {}
                }
            }
            Component::Inbox(inbox) => {
                inbox.messages.iter().for_each(|t| terms(t, visit));
                inbox.tables.iter().for_each(|id| visit(*id));
                inbox.monitors.iter().for_each(|monitor| visit(monitor.reference));
                inbox.watchers.iter().for_each(|watcher| visit(watcher.reference));
                inbox.aliases.iter().for_each(|alias| visit(alias.reference));
            }
            Component::Table(table) => {
                visit(table.id);
                table.objects().iter().for_each(|t| terms(t, visit));
            }
            Component::Channel(channel) => {
                for signal in &channel.signals {
                    match signal {
                        Signal::Message(t) | Signal::Exit(t) | Signal::LinkExit(t) => {
                            terms(t, visit);
                        }
                        Signal::AliasMessage(reference, t) => {
                            visit(*reference);
                            terms(t, visit);
                        }
                        Signal::Down { reference, reason, .. } => {
                            visit(*reference);
                            terms(reason, visit);
                        }
                    }
                }
            }
        }
    }
}
