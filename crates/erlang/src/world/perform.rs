//! Actions carried out: the state an action leads to, what happened on the way, and what the event touched.

use crate::events::actions::Move;
use crate::events::footprint::Touched;
use crate::machine::Machine;
use crate::options::Entry;
use crate::program::prelude::{GENERATOR, SUPERVISION};
use crate::system::Erlang;
use crate::tell::recorder::Recorder;
use crate::term::{Atom, Pid, Term};
use crate::world::component::{Component, Control, Shared, Timers};
use crate::world::core::Core;
use crate::world::edit::{Change, Edit};
use crate::world::running::Start;
use crate::world::step::{Effect, Event, Step};
use foresee_lts::{Action, State};

impl Erlang {
    /// The first state and what happened on the way there.
    pub fn start(&self) -> (State, Vec<Event>) {
        self.start_with(None)
    }

    /// The same while somebody takes notes.
    pub(crate) fn start_with(&self, recorder: Option<&mut Recorder>) -> (State, Vec<Event>) {
        let first = Pid::first();
        let state = vec![
            self.core.intern(Component::Shared(Shared::default())),
            self.core.intern(Component::Timers(Timers::default())),
        ];
        let mut step = Step::new(&self.core, &state, first, None, Touched::default());
        let Entry { module, function, arguments, is_supervisor, runner, .. } = self.entry.clone();
        let start = if let Some((module, name, arguments)) = runner {
            Start::Function { module, name, arguments }
        } else if is_supervisor {
            let arguments = vec![Term::Atom(module), Term::Atom(function)];
            Start::Function { module: Atom::new(SUPERVISION), name: atom!("start"), arguments }
        } else if function.text().ends_with(GENERATOR) && arguments.is_empty() {
            // A generator gives tests, which are then run.
            let arguments = vec![Term::Atom(module), Term::Atom(function)];
            Start::Function { module: atom!("eunit"), name: atom!("foresee_generator"), arguments }
        } else {
            Start::Function { module, name: function, arguments }
        };
        step.recorder = recorder;
        step.start(first, Pid::system("user"), start);
        step.consider_victim(first);
        let effect = step.finish();
        (self.core.apply(&state, &effect.changes), effect.events)
    }

    /// The state that an action leads to in virtual time, and what happened.
    pub fn perform(&self, state: &[u32], action: Action, now_ms: u64) -> (State, Vec<Event>) {
        let mut next = state.to_vec();
        let (events, _) = self.perform_in_place(&mut next, action, now_ms);
        (next, events)
    }

    /// The same in place, with the slots that may have changed.
    pub(crate) fn perform_in_place(
        &self,
        state: &mut State,
        action: Action,
        now_ms: u64,
    ) -> (Vec<Event>, impl Iterator<Item = u32> + use<>) {
        let effect = self.effect(state, action, Some(now_ms));
        self.core.change(state, &effect.changes);
        (effect.events, effect.changes.into_iter().map(|it| it.0))
    }

    /// Carries an action out; without virtual time, timeouts and reads alone move the clock.
    pub(crate) fn effect(&self, state: &[u32], action: Action, virtual_ms: Option<u64>) -> Effect {
        self.effect_with(state, action, virtual_ms, None)
    }

    /// The same while somebody takes notes.
    pub(crate) fn effect_with<'a>(
        &'a self,
        state: &'a [u32],
        action: Action,
        virtual_ms: Option<u64>,
        recorder: Option<&'a mut Recorder>,
    ) -> Effect {
        let what = self.decode(state, action);
        let caller = match what {
            Move::Process(pid) | Move::Timeout(pid) | Move::Deliver(pid, _) => pid,
            Move::Crash(pid) => pid,
            Move::Timer(_) | Move::NoMoreCrashes => Pid::system("timer"),
        };
        let actor = self.actor_of(state, action);
        let thread = self.thread_of(state, action);
        let mut touched = Touched::by(actor, thread, self.core.watches_mailboxes)
            .in_order(self.core.watches_order)
            .beside_crashes(self.core.crashes.is_some());
        if self.core.may_halt {
            touched.may_be_halted();
        }
        let mut step = Step::new(&self.core, state, caller, virtual_ms, touched);
        step.recorder = recorder;
        match what {
            Move::Process(pid) => self.act(&mut step, state, pid),
            Move::Timeout(pid) => self.time_out(&mut step, pid),
            Move::Deliver(from, to) => {
                if let Some(channel) = step.channel(from, to).cloned() {
                    step.arrive_from(channel);
                }
            }
            Move::Timer(index) => fire(&mut step, index),
            Move::Crash(pid) => step.crash_process(pid),
            Move::NoMoreCrashes => step.end_crashes(),
        }
        step.finish()
    }

    fn act(&self, step: &mut Step<'_>, state: &[u32], pid: Pid) {
        // Asked of the step first, for all else depends on it.
        if step.process(pid).is_none() {
            return;
        }
        let Some(process) = self.process(state, pid) else { return };
        match &process.control {
            Control::Calling { builtin, arguments, .. } => {
                step.touched.runs(pid);
                let reply = step.operate(*builtin, arguments);
                step.resume(pid, reply);
            }
            Control::Receiving { timeout, .. } => {
                step.touched.runs(pid);
                step.asks_of_monitors(pid);
                step.reaches_crash_point = self.core.waits_for_answer(process);
                let Some(message) = step.first_match(pid) else { return };
                if self.core.hibernates(process) {
                    return wake(step, pid, &message);
                }
                step.edit(pid, Edit::Take(message.clone()));
                if step.was_woken_by(pid, &message) {
                    step.touched.changes_mailbox(pid);
                } else {
                    step.touched.receives(pid, Some(&message), self.may_time_out(timeout));
                }
                let machine = step.offer(pid, &message).expect("it matched before");
                step.events.push(Event::Received { pid, message });
                step.may_join = true;
                step.run(pid, machine);
            }
            Control::Ending { .. } => step.end_stage(pid),
            Control::Ended { .. } | Control::Stuck(_) => {}
        }
    }

    fn time_out(&self, step: &mut Step<'_>, pid: Pid) {
        let Some(Control::Receiving { rest, timeout }) =
            step.process(pid).map(|process| process.control.clone())
        else {
            return;
        };
        step.touched.runs(pid);
        step.pass_time(timeout.as_int().map_or(0, |ms| ms as u64));
        step.asks_of_monitors(pid);
        step.touched.receives(pid, None, true);
        let mut machine = Machine::restore(&self.core.program, &rest, self.core.budget);
        machine.time_out();
        step.run(pid, machine);
    }
}

/// A process that hibernates goes on because of a message, which stays. Where that is kept this is as if it had taken it and
/// kept it aside: whether others come before it is settled, and to take it later touches nothing that others touch.
fn wake(step: &mut Step<'_>, pid: Pid, message: &Term) {
    if !step.was_woken_by(pid, message) {
        step.touched.receives(pid, Some(message), false);
    }
    if step.core.rules.keeps_settled
        && let Some(process) = step.process_mut(pid)
    {
        process.mark.woken_by = Some(message.clone());
    }
    let machine = step.offer(pid, message).expect("any message wakes it");
    step.run(pid, machine);
}

impl Step<'_> {
    /// Whether a message has woken a process before; it is then no longer kept aside.
    fn was_woken_by(&mut self, pid: Pid, message: &Term) -> bool {
        let woken_by = self.process(pid).and_then(|process| process.mark.woken_by.as_ref());
        let is_it = woken_by == Some(message);
        if is_it && let Some(process) = self.process_mut(pid) {
            process.mark.woken_by = None;
        }
        is_it
    }
}

fn fire(step: &mut Step<'_>, index: usize) {
    let Some(timer) = step.timers().timers.get(index).cloned() else { return };
    step.touched.fires_timer(timer.reference);
    if !timer.repeats || timer.cancelled {
        step.timers_mut().timers.remove(index);
    }
    if timer.cancelled {
        return;
    }
    if step.core.firing.counts() {
        step.touched.counts_firing(&timer.target);
        step.timers_mut().count_firing(&timer.target);
    }
    step.pass_time(timer.milliseconds);
    if let Term::Atom(name) = timer.target {
        step.touched.reads_name(name);
    }
    if let Some(to) = step.pid_of(&timer.target) {
        step.deliver(Pid::system("timer"), to, timer.message);
    }
}

impl Core {
    /// The state with some slots changed; slots at the end with nothing in them are left out.
    pub(crate) fn apply(&self, state: &[u32], changes: &[(u32, Change)]) -> State {
        let mut next = State::new();
        self.apply_to(state, changes, &mut next);
        next
    }

    /// The same, into a state that is no longer needed.
    pub(crate) fn apply_to(&self, state: &[u32], changes: &[(u32, Change)], next: &mut State) {
        next.clear();
        next.extend_from_slice(state);
        self.change(next, changes);
    }

    /// The same, in place.
    pub(crate) fn change(&self, state: &mut State, changes: &[(u32, Change)]) {
        for &(slot, change) in changes {
            let slot = slot as usize;
            if slot >= state.len() {
                state.resize(slot + 1, 0);
            }
            state[slot] = self.changed(state[slot], change);
        }
        while state.last() == Some(&0) {
            state.pop();
        }
    }
}
