//! What every step needs: the program, where its components live, and the rules of the run.

use crate::events::footprint::{Meanings, message_number};
use crate::events::reading::Rules;
use crate::events::receives::Receives;
use crate::machine::{Local, Machine};
use crate::options::{Crashes, Options};
use crate::program::Program;
use crate::term::{Map, Reference, Term};
use crate::world::clock::ClockUse;
use crate::world::component::{Component, Control, Process};
use crate::world::edit::Edits;
use crate::world::ets::match_spec::MatchSpec;
use crate::world::firing::Firing;
use crate::world::intern::Interner;
use crate::world::slots::Slots;
use foresee_lts::Fault;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What steps need: the program, where components live, and the rules.
pub(crate) struct Core {
    pub(crate) program: Arc<Program>,
    pub(crate) slots: Arc<Slots>,
    pub(crate) components: Arc<Interner<Stored>>,
    pub(crate) edits: Edits,
    pub(crate) receives: Receives,
    pub(crate) instant_delivery: bool,
    pub(crate) ends_in_one_step: bool,
    pub(crate) rules: Rules,
    /// The program can look at whole mailboxes.
    pub(crate) watches_mailboxes: bool,
    /// The program can see in which order messages came into a mailbox.
    pub(crate) watches_order: bool,
    /// Some function of the program stops it.
    pub(crate) may_halt: bool,
    /// The program may do something in the event in which it takes a message.
    pub(crate) may_join: bool,
    pub(crate) messages_max: usize,
    pub(crate) heap_max: usize,
    pub(crate) budget: u64,
    pub(crate) clock: ClockUse,
    pub(crate) firing: Firing,
    pub(crate) seed: u64,
    pub(crate) crashes: Option<Crashes>,
    /// Which of the patterns for crashes have fitted some process.
    pub(crate) crashes_met: Arc<[AtomicBool]>,
    /// Answers and casts are events of their own.
    sends_apart: bool,
    pub(crate) n_instructions: Arc<AtomicU64>,
    pub(crate) meanings: Arc<RwLock<Dictionary>>,
}

/// What the numbers in footprints stand for.
#[derive(Default)]
pub(crate) struct Dictionary {
    pub(crate) messages: FxHashMap<u64, Term>,
    /// The monitors that messages tell of.
    downs: FxHashMap<u64, Reference>,
    looks: FxHashMap<u64, MatchSpec>,
    changes: FxHashMap<u64, Vec<Term>>,
}

pub(crate) struct Stored {
    pub(crate) component: Component,
    references: OnceLock<Box<[Reference]>>,
    pub(crate) fault: OnceLock<Option<Fault>>,
    open_monitors: OnceLock<u64>,
}

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        self.component == other.component
    }
}

impl Eq for Stored {}

impl Core {
    pub(crate) fn new(program: Arc<Program>, options: &Options) -> Core {
        let watches_mailboxes = program.mentions("process_info");
        let watches_order = watches_mailboxes && program.mentions("messages");
        let may_halt = program.may_halt();
        let clock = ClockUse::new(&program, options.clock);
        // Where answers are events of their own, an event is as small as can be: whom a server answers depends on what it has taken.
        // Who looks into mailboxes can tell that a server has taken a message and has not answered yet.
        let may_join = !options.rules.answers_apart && !watches_mailboxes && program.may_join();
        Core {
            program,
            slots: Arc::new(Slots::new()),
            components: Arc::default(),
            edits: Edits::default(),
            receives: Receives::default(),
            instant_delivery: options.instant_delivery,
            ends_in_one_step: options.ends_in_one_step,
            rules: options.rules,
            watches_mailboxes,
            watches_order,
            may_halt,
            may_join,
            messages_max: options.messages_max,
            heap_max: options.heap_max,
            budget: options.budget,
            clock,
            firing: Firing::new(options),
            seed: options.seed,
            crashes_met: options
                .crashes
                .iter()
                .flat_map(|it| &it.processes)
                .map(|_| AtomicBool::default())
                .collect(),
            crashes: options.crashes.clone(),
            sends_apart: options.labels.is_some(),
            n_instructions: Arc::default(),
            meanings: Arc::default(),
        }
    }

    /// The same for one more thread: components have the same numbers, what is remembered of them is its own.
    pub(crate) fn for_thread(&self) -> Core {
        Core {
            program: Arc::clone(&self.program),
            slots: Arc::clone(&self.slots),
            components: Arc::clone(&self.components),
            edits: self.edits.for_thread(),
            receives: Receives::default(),
            crashes: self.crashes.clone(),
            crashes_met: Arc::clone(&self.crashes_met),
            clock: self.clock.clone(),
            firing: self.firing.clone(),
            n_instructions: Arc::clone(&self.n_instructions),
            meanings: Arc::clone(&self.meanings),
            ..*self
        }
    }

    /// The same with nothing remembered, and a state of this one as a state of that one: what no longer belongs to the state is
    /// not kept for its sake.
    pub(crate) fn renewed(&self, state: &[u32]) -> (Core, Vec<u32>) {
        let core = Core {
            components: Arc::default(),
            edits: Edits::default(),
            meanings: Arc::default(),
            ..self.for_thread()
        };
        let state = core.adopt(self, state);
        (core, state)
    }

    /// A state of `other`, which is the same program with the same slots, as a state of this one.
    pub(crate) fn adopt(&self, other: &Core, state: &[u32]) -> Vec<u32> {
        assert!(Arc::ptr_eq(&self.slots, &other.slots), "slots have the same numbers");
        let adopt = |id: &u32| match *id {
            0 => 0,
            id => self.intern_hashed(other.components.hash(id), other.get(id).clone()),
        };
        state.iter().map(adopt).collect()
    }

    /// Whether an operation happens together with the receive before it.
    pub(crate) fn joins(&self, builtin: u32) -> bool {
        let entry = self.program.builtins.get(builtin);
        self.may_join
            && entry.joins
            && match entry.name {
                // That a server has taken a message is seen, and what others do then may come before what it does next.
                "foresee_reply" | "foresee_cast" => !self.sends_apart,
                _ => true,
            }
    }

    /// Notes what the numbers of a footprint stand for.
    pub(crate) fn remember(&self, meanings: Meanings) {
        let Meanings { messages, downs, looks, changes } = meanings;
        if messages.is_empty() && looks.is_empty() && changes.is_empty() {
            return;
        }
        let mut dictionary = self.meanings.write();
        for message in messages {
            dictionary.messages.entry(message_number(&message)).or_insert(message);
        }
        dictionary.downs.extend(downs);
        dictionary.looks.extend(looks);
        dictionary.changes.extend(changes);
    }

    /// The monitor of which a message tells, if it is one of those.
    pub(crate) fn monitor_told_of(&self, message: u64) -> Option<Reference> {
        self.meanings.read().downs.get(&message).copied()
    }

    /// Whether one of the objects of a change matches what a look asks for.
    pub(crate) fn notices(&self, look: u64, change: u64) -> bool {
        let dictionary = self.meanings.read();
        match (dictionary.looks.get(&look), dictionary.changes.get(&change)) {
            (Some(spec), Some(objects)) => objects.iter().any(|object| spec.run(object).is_some()),
            _ => true,
        }
    }

    /// A digest of the monitors of which an inbox may still hear or has heard, by its id: the same in whatever order things come.
    pub(crate) fn open_monitors(&self, id: u32) -> u64 {
        if id == 0 {
            return 0;
        }
        let stored = self.components.get(id);
        let Component::Inbox(inbox) = &stored.component else { return 0 };
        let all = || {
            inbox
                .open_monitors()
                .map(|it| foresee_stdx::mix(it.content_hash()))
                .fold(0, u64::wrapping_add)
        };
        *stored.open_monitors.get_or_init(all)
    }

    pub(crate) fn intern(&self, component: Component) -> u32 {
        let hash = component.content_hash();
        self.intern_hashed(hash, component)
    }

    fn intern_hashed(&self, hash: u64, component: Component) -> u32 {
        let stored = Stored {
            component,
            references: OnceLock::new(),
            fault: OnceLock::new(),
            open_monitors: OnceLock::new(),
        };
        self.components.intern(hash, stored)
    }

    pub(crate) fn get(&self, id: u32) -> &Component {
        &self.components.get(id).component
    }

    /// The references inside a component.
    pub(crate) fn references(&self, id: u32) -> &[Reference] {
        let stored = self.components.get(id);
        stored.references.get_or_init(|| {
            let mut found = Vec::new();
            stored.component.references(&mut |reference| found.push(reference));
            found.sort_unstable();
            found.dedup();
            found.into()
        })
    }

    pub(crate) fn count(&self, instructions: u64) {
        self.n_instructions.fetch_add(instructions, Ordering::Relaxed);
    }

    /// The process woken by a message in its receive, if it takes it.
    pub(crate) fn offer(&self, process: &Process, message: &Term) -> Option<Machine<'_>> {
        let Control::Receiving { rest, .. } = &process.control else { return None };
        let mut machine = Machine::restore(&self.program, rest, self.budget);
        // Patterns and guards make no references and have no effects.
        let mut in_use = Vec::new;
        let mut local = Local {
            program: &self.program,
            pid: process.pid,
            group_leader: process.group_leader,
            dictionary: Map::new(),
            n_unique: 0,
            now_ms: 0,
            clock_moves: false,
            seed: self.seed,
            n_references: Some(0),
            in_use: &mut in_use,
            new_references: Vec::new(),
            agreed: Vec::new(),
        };
        machine.offer(message, &mut local).then_some(machine)
    }
}
