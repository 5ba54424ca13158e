//! Crashes: processes that die without a reason of their own, and what is left of that in the state.
//! Who may crash is found out when a process gets a name that fits ([`Step::consider_victim`]); where, and how often, is a
//! matter of the options. The signals are those of any end, with the reason `crash`.
//! With `CrashPoints::Calls` all of it is one event, the servers that a process has called count as linked to it, and one that
//! links to it later is told nothing more.
//! In the exact reading no event may take another away, and a thread has one event at a time. So the crash of a process is a
//! thread with one event, which can always happen and has an effect if it can have one; that crashes cease is another. A run
//! in which they cease first is one without crashes. docs/decisions/0107-crashes-in-erlang.md says why.
//! Not here: which crashes are listed as actions (`crate::events::ready`), their labels (`crate::tell::label`, `crate::tell::visible`).

use crate::options::{CrashPoints, Crashes};
use crate::program::code::Instruction;
use crate::program::prelude::{PATH, SUPERVISION};
use crate::system::Erlang;
use crate::term::{Atom, Pid};
use crate::world::annotation::Annotation;
use crate::world::component::{Control, Process, Shared, Stage};
use crate::world::core::Core;
use crate::world::step::Step;
use foresee_stdx::matches_pattern;
use std::sync::atomic::Ordering;

impl Erlang {
    /// Those patterns for crashes that have fitted no process so far.
    pub fn crashes_unmet(&self) -> Vec<&str> {
        let patterns = self.core.crashes.iter().flat_map(|crashes| &crashes.processes);
        let met = self.core.crashes_met.iter().map(|met| met.load(Ordering::Relaxed));
        patterns.zip(met).filter(|(_, met)| !met).map(|(pattern, _)| pattern.as_str()).collect()
    }
}

impl Core {
    fn crash_points(&self) -> Option<CrashPoints> {
        self.crashes.as_ref().map(|crashes| crashes.points)
    }

    /// Whether the crash of a process is offered.
    pub(crate) fn offers_crash(&self, process: &Process, shared: &Shared) -> bool {
        if self.rules.crashes_without_effect {
            return process.mark.may_crash && !process.mark.crash_is_over;
        }
        self.crash_has_effect(process, shared)
    }

    /// Whether a process can crash as things stand.
    pub(crate) fn crash_has_effect(&self, process: &Process, shared: &Shared) -> bool {
        let Some(crashes) = &self.crashes else { return false };
        let is_left = || match crashes.max {
            Some(max) => shared.crashed.n < max,
            None => !shared.crashed.names.contains(&name_in(process, shared)),
        };
        process.mark.may_crash
            && process.is_running()
            && !shared.crashed.is_over
            && (crashes.points == CrashPoints::Every || process.mark.at_crash_point)
            && is_left()
    }

    /// Whether a process waits for the answer to a call.
    pub(crate) fn waits_for_answer(&self, process: &Process) -> bool {
        let asks = ["ask", "await_answer", "wait_response", "receive_response", "collect"];
        self.waits_in(process, "gen", &asks)
    }

    /// Whether a process is in a receive of one of these functions of a module that comes with us.
    pub(crate) fn waits_in(&self, process: &Process, module: &str, names: &[&str]) -> bool {
        let Control::Receiving { rest, .. } = &process.control else { return false };
        let Some(&(function, _)) = rest.frames.last() else { return false };
        let function = self.program.function(function);
        let file = function.file.text().strip_prefix(PATH).and_then(|it| it.strip_suffix(".erl"));
        file == Some(module) && names.contains(&function.name.text())
    }

    /// Whether a process is in a receive without clauses, which takes no message.
    pub(crate) fn receives_nothing(&self, process: &Process) -> bool {
        let Control::Receiving { rest, .. } = &process.control else { return false };
        let Some(&(function, pc)) = rest.frames.last() else { return false };
        let next = self.program.function(function).code.get(pc as usize + 1);
        matches!(next, Some(Instruction::Reject))
    }

    /// Whether a process waits for any message to come, and will leave it where it is.
    pub(crate) fn hibernates(&self, process: &Process) -> bool {
        self.waits_in(process, SUPERVISION, &["hibernate"])
    }

    fn is_before_action(&self, process: &Process) -> bool {
        let Control::Calling { builtin, .. } = &process.control else { return false };
        let entry = self.program.builtins.get(*builtin);
        (entry.module, entry.name) == ("foresee", "action")
    }

    /// Whether a process with this name may crash; notes which pattern fitted.
    fn is_victim(&self, crashes: &Crashes, name: &str, mark: &Annotation, pid: Pid) -> bool {
        let is_one_of_all = pid != Pid::first() && !mark.is_supervisor;
        let fit = |pattern: &str| match pattern {
            "all" => is_one_of_all,
            pattern => matches_pattern(pattern, name),
        };
        let mut is_victim = false;
        for (pattern, met) in crashes.processes.iter().zip(&*self.crashes_met) {
            if fit(pattern) {
                met.store(true, Ordering::Relaxed);
                is_victim = true;
            }
        }
        is_victim
    }
}

/// A process's name in labels: as registered, as its supervisor's child, or where it comes from.
pub(crate) fn name_in(process: &Process, shared: &Shared) -> Atom {
    let registered = shared.name_of(process.pid).or(process.mark.known_as);
    registered.unwrap_or_else(|| Atom::new(&process.pid.to_string()))
}

impl Step<'_> {
    /// A process has started or got a name: perhaps it is one that may crash.
    pub(crate) fn consider_victim(&mut self, pid: Pid) {
        let core = self.core;
        let Some(crashes) = &core.crashes else { return };
        let Some(process) = self.process(pid) else { return };
        let name = name_in(process, self.shared());
        if core.is_victim(crashes, name.text(), &process.mark, pid) && !process.mark.may_crash {
            self.touched.becomes_victim(pid);
            if let Some(process) = self.process_mut(pid) {
                process.mark.may_crash = true;
            }
        }
    }

    /// A process that may crash calls a server, and from now on counts as linked to it.
    pub(crate) fn note_called(&mut self, pid: Pid, server: Pid) {
        if self.core.crash_points() != Some(CrashPoints::Calls) {
            return;
        }
        let is_new =
            |process: &Process| process.mark.may_crash && !process.mark.called.contains(&server);
        if self.process(pid).is_some_and(is_new)
            && let Some(process) = self.process_mut(pid)
        {
            process.mark.called.push(server);
            process.mark.called.sort_unstable();
        }
    }

    /// A process has come to rest: perhaps at one of the places where it may crash.
    pub(crate) fn note_crash_point(&mut self, pid: Pid) {
        if self.core.crash_points() != Some(CrashPoints::Calls) {
            return;
        }
        let Some(process) = self.process(pid) else { return };
        let is_at = !process.mark.called.is_empty()
            && (self.reaches_crash_point
                || self.core.waits_for_answer(process)
                || self.core.is_before_action(process));
        if process.mark.at_crash_point != is_at
            && let Some(process) = self.process_mut(pid)
        {
            process.mark.at_crash_point = is_at;
        }
    }

    /// Whether who links to this process, which has ended, knows already.
    pub(crate) fn has_told_of_crash(&self, pid: Pid) -> bool {
        self.core.crash_points() == Some(CrashPoints::Calls)
            && self.process(pid).is_some_and(|process| process.mark.crashed)
    }

    /// The crash of a process, if it can have an effect.
    pub(crate) fn crash_process(&mut self, pid: Pid) {
        let core = self.core;
        let (Some(crashes), Some(process)) = (&core.crashes, self.process(pid)) else { return };
        let has_effect = core.crash_has_effect(process, self.shared());
        let name = name_in(process, self.shared());
        self.touched.considers_crash(pid);
        if !self.shared().crashed.is_over {
            self.touched.crashes(pid, crashes.max.is_none().then_some(name));
        }
        if core.rules.crashes_without_effect
            && let Some(process) = self.process_mut(pid)
        {
            process.mark.crash_is_over = true;
        }
        if has_effect {
            self.count_crash(crashes, name);
            self.die(pid, crashes);
        }
    }

    fn count_crash(&mut self, crashes: &Crashes, name: Atom) {
        let crashed = &mut self.shared_mut().crashed;
        match crashes.max {
            Some(_) => crashed.n += 1,
            None => {
                crashed.names.push(name);
                crashed.names.sort_unstable();
            }
        }
    }

    fn die(&mut self, pid: Pid, crashes: &Crashes) {
        let Some(process) = self.process_mut(pid) else { return };
        process.mark.crashed = true;
        process.mark.at_crash_point = false;
        let called = std::mem::take(&mut process.mark.called);
        let supervisor = pid.parent().filter(|_| process.mark.is_child && !crashes.restart);
        if let Some(supervisor) = supervisor {
            self.touched.puts_link(pid, supervisor, false);
            self.unlink(pid, supervisor);
        }
        for server in called {
            if self.is_alive(server) {
                self.touched.puts_link(pid, server, true);
                self.link(pid, server);
            }
        }
        self.touched.ends_life(pid);
        let left = self.stages_left(pid);
        self.end_at(pid, a!("crash"), Stage::Killed, left);
        match crashes.points {
            CrashPoints::Calls => self.end_at_once(pid),
            CrashPoints::Every if !self.core.rules.crashes_without_effect => self.end_stage(pid),
            CrashPoints::Every => {}
        }
    }

    fn end_at_once(&mut self, pid: Pid) {
        let is_ending = |process: &Process| matches!(process.control, Control::Ending { .. });
        while self.process(pid).is_some_and(is_ending) {
            self.end_stage(pid);
        }
    }

    /// There are no more crashes.
    pub(crate) fn end_crashes(&mut self) {
        self.touched.ends_crashes();
        self.shared_mut().crashed.is_over = true;
    }
}
