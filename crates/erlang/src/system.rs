//! An Erlang program as a system: states, what can happen, and what it leads to.
//! A state is one slot for what is shared, one for timers, two for each process, one for each table (and each channel,
//! without instant delivery). A process rests before its next visible operation, so an action is "this process does
//! what it is about to do", "its receive times out", "this timer fires" or "this channel delivers".
//! Reading order: `options`, `core`, `view`, `actions`, `perform`, `label`, `fault`.

use crate::actions::Move;
use crate::builtins::Run;
use crate::component::Control;
use crate::core::Core;
use crate::footprint::Touched;
use crate::intern::Interner;
use crate::options::{Entry, Options};
use crate::program::Program;
use crate::slots::Slots;
use crate::step::Step;
use crate::term::Pid;
use foresee_lts::{Action, Actor, Fault, Footprint, Label, State, System};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A program that can be explored.
pub struct Erlang {
    pub(crate) core: Core,
    pub(crate) entry: Entry,
    pub(crate) options: Options,
    /// Process id and inbox id to the index of the first message taken, plus one; 0 for none.
    pub(crate) matches: RwLock<FxHashMap<(u32, u32), u32>>,
}

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
}

impl System for Erlang {
    fn initial(&self) -> Vec<State> {
        vec![self.start().0]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.actions(state, actions);
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
        self.label_of(state, action)
    }

    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.actor_of(state, action)
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
        self.first_fault(state)
    }

    fn describe(&self, state: &[u32]) -> foresee_lts::Description {
        crate::describe::describe(self, state)
    }

    fn memory_bytes(&self) -> usize {
        self.core.components.len() * 512
    }
}

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
