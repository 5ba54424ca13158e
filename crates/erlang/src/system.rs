//! An Erlang program as a system: states, what can happen, and what it leads to.
//! A state is one slot for what is shared, one for timers, two for each process, one for each table (and each channel,
//! without instant delivery). A process rests before its next visible operation, so an action is "this process does
//! what it is about to do", "its receive times out", "this timer fires" or "this channel delivers".
//! Order: actions are sorted by pid, then channels, then timers; never by slot, which depends on the search.

use crate::builtins::Run;
use crate::component::{Channel, Component, Control, Inbox, Process, Shared, Stage, Timers};
use crate::footprint::Touched;
use crate::intern::Interner;
use crate::machine::{Local, Machine};
use crate::program::Program;
use crate::slots::{SHARED, SlotKey, Slots, TIMERS};
use crate::step::{Event, Start, Step};
use crate::term::{Atom, Map, Pid, Reference, Term};
use foresee_lts::{Action, Actor, Fault, FaultKind, Footprint, Label, State, System, Verb};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// A message is in the mailbox as soon as it is sent; otherwise each pair of processes has a channel whose
    /// deliveries are events of their own.
    pub instant_delivery: bool,
    /// Receive timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Exit reasons that are no fault: equal to one of these, or a tuple that starts with one.
    pub normal_reasons: Vec<Term>,
    /// A process ends in one event instead of one for its tables, its name, its links and its monitors.
    pub ends_in_one_step: bool,
    /// Calls between two visible operations after which a process is taken to loop.
    pub budget: u64,
    /// Where anything random starts.
    pub seed: u64,
    /// Labels end in the place in the source.
    pub places_in_labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            instant_delivery: true,
            after_timeout: None,
            normal_reasons: vec![a!("normal")],
            ends_in_one_step: false,
            budget: 20_000_000,
            seed: 0,
            places_in_labels: true,
        }
    }
}

/// What a program starts with.
#[derive(Clone, Debug)]
pub struct Entry {
    pub module: Atom,
    pub function: Atom,
    pub arguments: Vec<Term>,
}

impl Entry {
    pub fn new(module: &str, function: &str) -> Entry {
        Entry { module: Atom::new(module), function: Atom::new(function), arguments: Vec::new() }
    }
}

/// What steps need: the program, where components live, and the rules.
pub(crate) struct Core {
    pub(crate) program: Program,
    pub(crate) slots: Slots,
    components: Interner<Stored>,
    pub(crate) instant_delivery: bool,
    pub(crate) ends_in_one_step: bool,
    pub(crate) budget: u64,
    pub(crate) seed: u64,
    n_instructions: AtomicU64,
}

struct Stored {
    component: Component,
    references: OnceLock<Box<[Reference]>>,
    fault: OnceLock<Option<Fault>>,
}

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        self.component == other.component
    }
}

impl Eq for Stored {}

impl Core {
    pub(crate) fn intern(&self, component: Component) -> u32 {
        let hash = component.content_hash();
        let stored = Stored { component, references: OnceLock::new(), fault: OnceLock::new() };
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
            seed: self.seed,
            in_use: &mut in_use,
            new_references: Vec::new(),
        };
        machine.offer(message, &mut local).then_some(machine)
    }
}

/// A program that can be explored.
pub struct Erlang {
    pub(crate) core: Core,
    entry: Entry,
    options: Options,
    /// Process id and inbox id to the index of the first message taken, plus one; 0 for none.
    matches: RwLock<FxHashMap<(u32, u32), u32>>,
}

/// What an action does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Move {
    /// A process does what it is about to do.
    Process(Pid),
    /// Its receive times out.
    Timeout(Pid),
    /// The channel delivers its oldest signal.
    Deliver(Pid, Pid),
    /// The timer at that index fires.
    Timer(usize),
}

const STEP: u64 = 0;
const TIMEOUT: u64 = 1;
const DELIVER: u64 = 2;
const TIMER: u64 = 3;

impl Erlang {
    pub fn new(program: Program, entry: Entry, options: Options) -> Erlang {
        let core = Core {
            program,
            slots: Slots::new(),
            components: Interner::default(),
            instant_delivery: options.instant_delivery,
            ends_in_one_step: options.ends_in_one_step,
            budget: options.budget,
            seed: options.seed,
            n_instructions: AtomicU64::new(0),
        };
        Erlang { core, entry, options, matches: RwLock::new(FxHashMap::default()) }
    }

    pub fn program(&self) -> &Program {
        &self.core.program
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Instructions carried out so far.
    pub fn n_instructions(&self) -> u64 {
        self.core.n_instructions.load(Ordering::Relaxed)
    }

    /// The first state and what happened on the way there.
    pub fn start(&self) -> (State, Vec<Event>) {
        let first = Pid::first();
        let state = vec![
            self.core.intern(Component::Shared(Shared::default())),
            self.core.intern(Component::Timers(Timers::default())),
        ];
        let mut step = Step::new(&self.core, &state, first, 0);
        let start = Start::Function {
            module: self.entry.module,
            name: self.entry.function,
            arguments: self.entry.arguments.clone(),
        };
        step.start(first, Pid::system("user"), start);
        let (changes, events) = step.finish();
        (apply(&state, &changes), events)
    }

    /// What an action means.
    pub fn decode(&self, state: &[u32], action: Action) -> Move {
        let (kind, low) = (action.0 >> 56, (action.0 & 0xFFFF_FFFF) as u32);
        match (kind, self.slot_key(kind, low)) {
            (STEP, Some(SlotKey::Process(pid))) => Move::Process(pid),
            (TIMEOUT, Some(SlotKey::Process(pid))) => Move::Timeout(pid),
            (DELIVER, Some(SlotKey::Channel(from, to))) => Move::Deliver(from, to),
            (TIMER, _) => Move::Timer(low as usize),
            _ => unreachable!("an action that was not offered in state {state:?}"),
        }
    }

    fn slot_key(&self, kind: u64, low: u32) -> Option<SlotKey> {
        (kind != TIMER).then(|| self.core.slots.key(low))
    }

    /// The state that an action leads to, and what happened.
    pub fn perform(&self, state: &[u32], action: Action, now_ms: u64) -> (State, Vec<Event>) {
        let (changes, events) = self.changes(state, action, now_ms);
        (apply(state, &changes), events)
    }

    fn changes(&self, state: &[u32], action: Action, now_ms: u64) -> (Vec<(u32, u32)>, Vec<Event>) {
        let what = self.decode(state, action);
        let caller = match what {
            Move::Process(pid) | Move::Timeout(pid) | Move::Deliver(pid, _) => pid,
            Move::Timer(_) => Pid::system("timer"),
        };
        let mut step = Step::new(&self.core, state, caller, now_ms);
        match what {
            Move::Process(pid) => self.act(&mut step, state, pid),
            Move::Timeout(pid) => self.time_out(&mut step, pid),
            Move::Deliver(from, to) => {
                if let Some(channel) = self.channel(state, from, to) {
                    step.arrive_from(channel.clone());
                }
            }
            Move::Timer(index) => fire(&mut step, index),
        }
        step.finish()
    }

    fn act(&self, step: &mut Step<'_>, state: &[u32], pid: Pid) {
        let Some(process) = self.process(state, pid) else { return };
        match &process.control {
            Control::Calling { builtin, arguments, .. } => {
                let Run::Visible(run, _) = self.program().builtins.get(*builtin).run else {
                    unreachable!("processes rest before visible built-ins")
                };
                let reply = run(step, arguments);
                step.resume(pid, reply);
            }
            Control::Receiving { .. } => {
                let Some(at) = self.first_match(state, pid) else { return };
                let Some(inbox) = step.inbox_mut(pid) else { return };
                let message = inbox.messages.remove(at);
                let machine = step.offer(pid, &message).expect("it matched before");
                step.events.push(Event::Received { pid, message });
                step.may_join = true;
                step.run(pid, machine);
            }
            Control::Ending { .. } => step.end_stage(pid),
            Control::Ended { .. } | Control::Stuck { .. } => {}
        }
    }

    fn time_out(&self, step: &mut Step<'_>, pid: Pid) {
        let Some(Control::Receiving { rest, .. }) =
            step.process(pid).map(|process| process.control.clone())
        else {
            return;
        };
        let mut machine = Machine::restore(&self.core.program, &rest, self.core.budget);
        machine.time_out();
        step.run(pid, machine);
    }

    pub(crate) fn component(&self, state: &[u32], slot: u32) -> Option<&Component> {
        match state.get(slot as usize).copied().unwrap_or(0) {
            0 => None,
            id => Some(self.core.get(id)),
        }
    }

    /// A process of a state.
    pub fn process(&self, state: &[u32], pid: Pid) -> Option<&Process> {
        match self.component(state, self.core.slots.find(SlotKey::Process(pid))?) {
            Some(Component::Process(process)) => Some(process),
            _ => None,
        }
    }

    /// What is in a process's inbox.
    pub fn inbox(&self, state: &[u32], pid: Pid) -> Option<&Inbox> {
        match self.component(state, self.core.slots.find(SlotKey::Inbox(pid))?) {
            Some(Component::Inbox(inbox)) => Some(inbox),
            _ => None,
        }
    }

    pub fn shared(&self, state: &[u32]) -> &Shared {
        match self.component(state, SHARED) {
            Some(Component::Shared(shared)) => shared,
            _ => unreachable!("slot 0 is what is shared"),
        }
    }

    pub fn timers(&self, state: &[u32]) -> &Timers {
        match self.component(state, TIMERS) {
            Some(Component::Timers(timers)) => timers,
            _ => unreachable!("slot 1 is the timers"),
        }
    }

    fn channel(&self, state: &[u32], from: Pid, to: Pid) -> Option<&Channel> {
        match self.component(state, self.core.slots.find(SlotKey::Channel(from, to))?) {
            Some(Component::Channel(channel)) => Some(channel),
            _ => None,
        }
    }

    /// All processes of a state, ended ones too, in the order of pids.
    pub fn processes(&self, state: &[u32]) -> Vec<&Process> {
        let mut processes: Vec<&Process> = (0..state.len() as u32)
            .filter_map(|slot| match self.component(state, slot) {
                Some(Component::Process(process)) => Some(&**process),
                _ => None,
            })
            .collect();
        processes.sort_by_key(|process| process.pid);
        processes
    }

    /// The index of the message that a process in a receive would take.
    pub fn first_match(&self, state: &[u32], pid: Pid) -> Option<usize> {
        let slot = self.core.slots.find(SlotKey::Process(pid))? as usize;
        let key = (state.get(slot).copied()?, state.get(slot + 1).copied()?);
        if let Some(found) = self.matches.read().get(&key) {
            return (*found as usize).checked_sub(1);
        }
        let process = self.process(state, pid)?;
        let inbox = self.inbox(state, pid)?;
        let found =
            inbox.messages.iter().position(|message| self.core.offer(process, message).is_some());
        self.matches.write().insert(key, found.map_or(0, |at| at as u32 + 1));
        found
    }

    /// Whether a receive's patterns and guards would take a message, wherever it is.
    pub fn would_receive(&self, state: &[u32], pid: Pid, message: &Term) -> bool {
        self.process(state, pid).is_some_and(|process| self.core.offer(process, message).is_some())
    }

    fn may_time_out(&self, timeout: &Term) -> bool {
        match timeout.as_int() {
            Some(ms) => self.options.after_timeout.is_none_or(|limit| (ms as u64) < limit),
            None => false,
        }
    }

    /// The processes that wait for a message when nothing can happen: a deadlock, unless there are none.
    pub fn blocked(&self, state: &[u32]) -> Vec<Pid> {
        if self.shared(state).halted.is_some() {
            return Vec::new();
        }
        let waiting = |process: &&&Process| matches!(process.control, Control::Receiving { .. });
        self.processes(state).iter().filter(waiting).map(|process| process.pid).collect()
    }

    pub(crate) fn is_abnormal(&self, reason: &Term) -> bool {
        let tag = match reason.as_tuple() {
            Some([tag, ..]) => tag,
            _ => reason,
        };
        !self.options.normal_reasons.iter().any(|normal| normal == reason || normal == tag)
    }

    /// The innermost line of the user's own code where a process rests.
    pub fn place(&self, process: &Process) -> Option<(Atom, u32)> {
        let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) = &process.control
        else {
            return None;
        };
        rest.frames
            .iter()
            .rev()
            .map(|&(function, pc)| (self.program().function(function), pc))
            .find(|(function, _)| is_users(function.file))
            .map(|(function, pc)| (function.file, function.line(pc)))
    }

    /// A process's name for people: `<P.1>`, or `<P.1/server>` if it is registered.
    pub fn name_of(&self, state: &[u32], pid: Pid) -> String {
        let text = pid.to_string();
        match self.shared(state).name_of(pid) {
            Some(name) => format!("{}/{}>", &text[..text.len() - 1], name.text()),
            None => text,
        }
    }

    /// What a process is about to do, in a few words.
    pub fn intention(&self, state: &[u32], process: &Process) -> String {
        match &process.control {
            Control::Calling { builtin, arguments, .. } => {
                let entry = self.program().builtins.get(*builtin);
                crate::describe::call_text(entry, arguments)
            }
            Control::Receiving { .. } => {
                let message = self
                    .first_match(state, process.pid)
                    .and_then(|at| self.inbox(state, process.pid)?.messages.get(at));
                match message {
                    Some(message) => format!("receive {message}"),
                    None => "receive".to_owned(),
                }
            }
            Control::Ending { reason, stage } => match stage {
                Stage::Exit => format!("exit {reason}"),
                Stage::Tables => "exit: tables".to_owned(),
                Stage::Name => "exit: name".to_owned(),
                Stage::Links => "exit: links".to_owned(),
                Stage::Monitors => "exit: monitors".to_owned(),
            },
            Control::Ended { .. } => "ended".to_owned(),
            Control::Stuck { what } => what.clone(),
        }
    }

    fn with_place(&self, process: Option<&Process>, payload: String) -> String {
        let place = process.filter(|_| self.options.places_in_labels).and_then(|p| self.place(p));
        match place {
            Some((file, line)) => format!("{payload} [{}:{line}]", base_name(file.text())),
            None => payload,
        }
    }

    fn fault_of(&self, component: &Component) -> Option<Fault> {
        let Component::Process(process) = component else {
            return match component {
                Component::Shared(Shared { halted: Some(status), .. })
                    if *status != Term::Int(0) =>
                {
                    let message = format!("the program halted with status {status}");
                    Some(Fault { kind: FaultKind::AbnormalHalt, message })
                }
                _ => None,
            };
        };
        match &process.control {
            Control::Ended { reason } => self.fault_of_exit(process.pid, reason),
            Control::Ending { reason, stage } if *stage != Stage::Exit => {
                self.fault_of_exit(process.pid, reason)
            }
            Control::Stuck { what } => Some(Fault {
                kind: FaultKind::Unmodelled,
                message: format!("{} cannot go on: {what}", process.pid),
            }),
            _ => None,
        }
    }

    fn fault_of_exit(&self, pid: Pid, reason: &Term) -> Option<Fault> {
        if !self.is_abnormal(reason) {
            return None;
        }
        let kind =
            if is_assertion(reason) { FaultKind::Assertion } else { FaultKind::AbnormalExit };
        Some(Fault { kind, message: format!("{pid} exited abnormally: {reason}") })
    }
}

/// Reasons that the macros of eunit give: `{{assertEqual, …}, Stack}`.
fn is_assertion(reason: &Term) -> bool {
    let Some([error, ..]) = reason.as_tuple() else { return false };
    let Some([Term::Atom(tag), ..]) = error.as_tuple() else { return false };
    tag.text().starts_with("assert")
}

fn is_users(file: Atom) -> bool {
    !file.text().is_empty() && !file.text().starts_with(crate::prelude::PATH)
}

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn fire(step: &mut Step<'_>, index: usize) {
    let Some(timer) = step.timers().timers.get(index).cloned() else { return };
    if !timer.repeats {
        step.timers_mut().timers.remove(index);
    }
    if let Some(to) = step.pid_of(&timer.target) {
        step.deliver(Pid::system("timer"), to, timer.message);
    }
}

fn apply(state: &[u32], changes: &[(u32, u32)]) -> State {
    let mut next = state.to_vec();
    for &(slot, id) in changes {
        let slot = slot as usize;
        if slot >= next.len() {
            next.resize(slot + 1, 0);
        }
        next[slot] = id;
    }
    while next.last() == Some(&0) {
        next.pop();
    }
    next
}

impl System for Erlang {
    fn initial(&self) -> Vec<State> {
        vec![self.start().0]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        if self.shared(state).halted.is_some() {
            return;
        }
        let first = actions.len();
        let mut found: Vec<(SortKey, u64)> = Vec::new();
        for slot in 2..state.len() as u32 {
            let code = |kind: u64| kind << 56 | u64::from(slot);
            match self.component(state, slot) {
                Some(Component::Process(process)) => {
                    let kind = match &process.control {
                        Control::Calling { .. } | Control::Ending { .. } => Some(STEP),
                        Control::Receiving { timeout, .. } => {
                            if self.first_match(state, process.pid).is_some() {
                                Some(STEP)
                            } else {
                                self.may_time_out(timeout).then_some(TIMEOUT)
                            }
                        }
                        Control::Ended { .. } | Control::Stuck { .. } => None,
                    };
                    if let Some(kind) = kind {
                        found.push(((0, process.pid, None), code(kind)));
                    }
                }
                Some(Component::Channel(channel)) => {
                    found.push(((1, channel.from, Some(channel.to)), code(DELIVER)));
                }
                _ => {}
            }
        }
        found.sort_unstable();
        actions.extend(found.into_iter().map(|(_, code)| Action(code)));
        let n_timers = self.timers(state).timers.len() as u64;
        actions.extend((0..n_timers).map(|index| Action(TIMER << 56 | index)));
        debug_assert!(actions.len() >= first);
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        self.perform(state, action, 0).0
    }

    fn name(&self) -> String {
        let Entry { module, function, arguments } = &self.entry;
        format!("{}:{}/{}", module.text(), function.text(), arguments.len())
    }

    fn content_hash(&self, _slot: usize, id: u32) -> u64 {
        self.core.components.hash(id)
    }

    fn label(&self, state: &[u32], action: Action) -> Label {
        match self.decode(state, action) {
            Move::Process(pid) => {
                let process = self.process(state, pid);
                let what = process.map_or(String::new(), |p| self.intention(state, p));
                Label::of_actor(
                    Verb::Step,
                    &self.name_of(state, pid),
                    self.with_place(process, what),
                )
            }
            Move::Timeout(pid) => {
                let process = self.process(state, pid);
                let what = self.with_place(process, "timeout".to_owned());
                Label::of_actor(Verb::Timer, &self.name_of(state, pid), what)
            }
            Move::Deliver(from, to) => {
                let signal = self.channel(state, from, to).and_then(|c| c.signals.first());
                let what = signal.map_or(String::new(), crate::describe::signal_text);
                Label::deliver(&self.name_of(state, from), &self.name_of(state, to), what)
            }
            Move::Timer(index) => match self.timers(state).timers.get(index) {
                Some(timer) => {
                    let to = match timer.target {
                        Term::Pid(pid) => self.name_of(state, pid),
                        ref name => name.to_string(),
                    };
                    Label::of_actor(Verb::Timer, &to, timer.message.to_string())
                }
                None => Label::of_actor(Verb::Timer, "nobody", ""),
            },
        }
    }

    fn actor(&self, state: &[u32], action: Action) -> Actor {
        match self.decode(state, action) {
            Move::Process(pid) | Move::Timeout(pid) => {
                Actor(self.core.slots.find(SlotKey::Process(pid)).unwrap_or(0))
            }
            Move::Deliver(from, to) => {
                Actor(self.core.slots.find(SlotKey::Channel(from, to)).unwrap_or(0))
            }
            Move::Timer(index) => {
                let timer = self.timers(state).timers.get(index);
                let hash = timer.map_or(0, |timer| timer.reference.content_hash());
                Actor(hash as u32 | 1 << 31)
            }
        }
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let actor = self.actor(state, action);
        let what = self.decode(state, action);
        let pid = match what {
            Move::Process(pid) | Move::Timeout(pid) | Move::Deliver(pid, _) => pid,
            Move::Timer(_) => Pid::system("timer"),
        };
        let mut touched = Touched::by(actor, pid);
        let step = Step::new(&self.core, state, pid, 0);
        match what {
            Move::Process(pid) => self.touches(&step, state, pid, &mut touched),
            Move::Timeout(pid) => touched.reads_mailbox(pid),
            Move::Deliver(from, to) => {
                if let Some(signal) = self.channel(state, from, to).and_then(|c| c.signals.first())
                {
                    crate::describe::touches_signal(to, signal, &mut touched);
                }
            }
            Move::Timer(index) => {
                if let Some(timer) = self.timers(state).timers.get(index) {
                    touched.writes_timer(timer.reference);
                    if let Some(to) = step.pid_of(&timer.target) {
                        touched.delivers(to, &timer.message);
                    }
                }
            }
        }
        touched.finish()
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let mut faults: Vec<&Fault> = state
            .iter()
            .filter(|id| **id != 0)
            .filter_map(|id| {
                let stored = self.core.components.get(*id);
                stored.fault.get_or_init(|| self.fault_of(&stored.component)).as_ref()
            })
            .collect();
        faults.sort_by(|a, b| a.message.cmp(&b.message));
        faults.first().map(|fault| (*fault).clone())
    }

    fn describe(&self, state: &[u32]) -> foresee_lts::Description {
        crate::describe::describe(self, state)
    }

    fn memory_bytes(&self) -> usize {
        self.core.components.len() * 512
    }
}

type SortKey = (u8, Pid, Option<Pid>);

impl Erlang {
    fn touches(&self, step: &Step<'_>, state: &[u32], pid: Pid, touched: &mut Touched) {
        let Some(process) = self.process(state, pid) else { return };
        match &process.control {
            Control::Calling { builtin, arguments, .. } => {
                if let Run::Visible(_, touches) = self.program().builtins.get(*builtin).run {
                    touches(step, arguments, touched);
                }
            }
            Control::Receiving { .. } => {
                let message = self
                    .first_match(state, pid)
                    .and_then(|at| self.inbox(state, pid)?.messages.get(at));
                if let Some(message) = message {
                    touched.takes(pid, message);
                }
                // What happens together with it is only known after a try.
                let mut tried = Step::new(&self.core, state, pid, 0);
                self.act(&mut tried, state, pid);
                if let Some((builtin, arguments)) = tried.joined
                    && let Run::Visible(_, touches) = self.program().builtins.get(builtin).run
                {
                    touches(step, &arguments, touched);
                }
            }
            Control::Ending { stage, .. } => {
                crate::describe::touches_end(step, pid, *stage, touched);
            }
            Control::Ended { .. } | Control::Stuck { .. } => {}
        }
    }
}
