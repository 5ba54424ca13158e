//! What a run tells beyond its labels: it is stepped again while a recorder takes notes, and the notes become plain data in
//! the words of labels.
//! Of the answers of built-ins those are left out that are always the same, or that repeat an argument. Calls are told as a
//! user knows them: every one in the user's own text, of the libraries only functions that can be called from outside.
//! Not here: taking the notes (`crate::tell::recorder`), why a built-in raised (`crate::tell::cause`).

use crate::builtins::Builtin;
use crate::events::actions::Move;
use crate::machine::{Class, Raising, Site};
use crate::program::code::HandlerKind;
use crate::system::Erlang;
use crate::tell::label::{base_name, is_users};
use crate::tell::recorder::{Answered, Recorder};
use crate::tell::words;
use crate::term::{Pid, Term};
use crate::world::component::{Control, Process};
use foresee_lts::{Account, Action, Answer, Call, Caught, End, Path, Raised, State, Told};

impl Erlang {
    /// What a run of this instance tells; nothing if it is a run of another.
    pub(crate) fn account_of(&self, path: &Path) -> Account {
        let mut recorder = Recorder::default();
        let (mut state, _) = self.start_with(Some(&mut recorder));
        if state != path.initial {
            return Account::default();
        }
        let mut places = Vec::with_capacity(path.actions.len());
        for (step, &action) in path.actions.iter().enumerate() {
            places.push(self.place_in(&state, action, &recorder));
            recorder.begin(step, self.names_operation(&state, action));
            let effect = self.effect_with(&state, action, None, Some(&mut recorder));
            state = self.core.apply(&state, &effect.changes);
        }
        let steps = places.into_iter().map(|place| Told { place, ..Told::default() });
        let mut account = Account { steps: steps.collect(), ends: Vec::new() };
        for answered in &recorder.answers {
            if let (Some(told), Some(answer)) =
                (account.steps.get_mut(answered.step), self.answer(answered))
            {
                told.answers.push(answer);
            }
        }
        for (pid, raising) in recorder.raised() {
            if let Some(told) = account.steps.get_mut(raising.step) {
                told.raised.push(self.exception(&state, pid, raising));
            }
        }
        account.ends = self.ends(&state, &recorder);
        account
    }

    /// Whether the label of an action names a visible operation.
    fn names_operation(&self, state: &[u32], action: Action) -> bool {
        let Move::Process(pid) = self.decode(state, action) else { return false };
        let process = self.process(state, pid);
        process.is_some_and(|process| matches!(process.control, Control::Calling { .. }))
    }

    /// The line of the user's own text in which an action happens.
    fn place_in(
        &self,
        state: &[u32],
        action: Action,
        recorder: &Recorder,
    ) -> Option<(String, u32)> {
        let (Move::Process(pid) | Move::Timeout(pid)) = self.decode(state, action) else {
            return None;
        };
        let sites = sites(self.process(state, pid)?, recorder);
        sites.iter().find_map(|site| self.users_place(site.function, site.pc))
    }

    /// How each process stands at the end.
    fn ends(&self, state: &State, recorder: &Recorder) -> Vec<End> {
        let end = |process: &Process| End {
            member: self.name_of(state, process.pid),
            calls: self.calls(&sites(process, recorder)),
            failure: self.failure(state, process, recorder),
        };
        self.processes(state).into_iter().map(end).collect()
    }

    /// The exception that a process ended with. What a behaviour or a link hands on is looked for where it was raised, in the
    /// user's own text if possible. Of others that raised the same, who caught it is asked last, and the latest is meant: `undef` may
    /// have been caught elsewhere, long ago.
    fn failure(&self, state: &State, process: &Process, recorder: &Recorder) -> Option<Raised> {
        let (Control::Ended { reason } | Control::Ending { reason, .. }) = &process.control else {
            return None;
        };
        let fits = |raising: &Raising| {
            raising.exception.exit_reason() == *reason || brings(reason, &raising.exception.reason)
        };
        let is_users = |raising: &Raising| {
            let mut sites = raising.calls.iter();
            sites.any(|site| self.users_place(site.function, site.pc).is_some())
        };
        let fitting: Vec<_> = recorder.raised().filter(|(_, raising)| fits(raising)).collect();
        let own = |(pid, _): &&(Pid, &Raising)| *pid == process.pid;
        // A tail call leaves nothing of the user's text, and what is handed on is an exit.
        let is_first_hand =
            |raising: &Raising| raising.exception.class == Class::Error && raising.caught.is_none();
        let of_others = fitting.iter().filter(|it| is_users(it.1));
        let found = fitting
            .iter()
            .rev()
            .find(|it| own(it) && is_users(it.1))
            .or_else(|| fitting.iter().rfind(|it| own(it) && is_first_hand(it.1)))
            .or_else(|| of_others.max_by_key(|(_, it)| (it.caught.is_none(), it.step)))
            .or_else(|| fitting.iter().rfind(|it| own(it)));
        found.map(|(pid, raising)| self.exception(state, *pid, raising))
    }

    fn answer(&self, answered: &Answered) -> Option<Answer> {
        let Answered { builtin, arguments, value, is_named, .. } = answered;
        let entry = self.program().builtins.get(*builtin);
        let value = value_told(entry, arguments, value)?;
        Some(Answer {
            call: words::call(entry, arguments),
            is_named: *is_named,
            value: words::value(&value),
        })
    }

    fn exception(&self, state: &State, pid: Pid, raising: &Raising) -> Raised {
        let exception = &raising.exception;
        let class = match exception.class {
            Class::Error => "error",
            Class::Exit => "exit",
            Class::Throw => "throw",
        };
        let is_library = |site: &Site| self.users_place(site.function, site.pc).is_none();
        let caught = raising.caught.map(|(function, line, kind)| Caught {
            how: if kind == HandlerKind::Catch { "catch" } else { "try" }.to_owned(),
            by: self.call_at(function, line, false, 1),
        });
        let calls = self.calls(&raising.calls);
        // A library that hands on what it has caught, or talks to itself.
        let stays_inside = caught.as_ref().is_some_and(|caught| caught.by.place.is_none());
        let is_internal =
            raising.calls.first().is_some_and(is_library) && (calls.is_empty() || stays_inside);
        Raised {
            member: self.name_of(state, pid),
            class: class.to_owned(),
            reason: words::reason(&exception.reason),
            by: words::failed_call(&exception.trace),
            is_innermost: exception.reason.is_atom(atom!("function_clause"))
                && !raising.calls.first().is_some_and(is_library),
            is_named: raising.refused.is_named,
            cause: match &raising.refused.cause {
                None if exception.reason.is_atom(atom!("undef")) => {
                    words::missing_function(&exception.trace)
                }
                cause => cause.as_ref().map(ToString::to_string),
            },
            calls,
            caught,
            is_internal,
        }
    }

    /// The calls that a user knows of.
    fn calls(&self, sites: &[Site]) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        for site in sites {
            let function = self.program().function(site.function);
            let call = self.call(site);
            let is_known = call.place.is_some() || (function.exported && !calls.is_empty());
            let name = |call: &Call| (call.module.clone(), call.function.clone(), call.arity);
            let is_repeated =
                calls.last().is_some_and(|last| name(last) == name(&call)) && call.place.is_none();
            if is_known && !is_repeated {
                calls.push(call);
            }
        }
        // How a behaviour or a new process calls the user's text is not the user's business.
        let last = calls.iter().rposition(|call| call.place.is_some());
        calls.truncate(last.map_or(0, |last| last + 1));
        calls
    }

    fn call(&self, site: &Site) -> Call {
        let line = self.program().function(site.function).line(site.pc);
        self.call_at(site.function, line, site.is_tail, site.rounds)
    }

    fn call_at(&self, function: u32, line: u32, is_tail: bool, rounds: u32) -> Call {
        let function = self.program().function(function);
        let file = base_name(function.file.text()).to_owned();
        Call {
            module: function.module.text().to_owned(),
            function: function.name.text().to_owned(),
            arity: function.arity,
            place: is_users(function.file).then_some((file, line)),
            is_tail,
            rounds,
        }
    }

    fn users_place(&self, function: u32, pc: u32) -> Option<(String, u32)> {
        let function = self.program().function(function);
        let file = base_name(function.file.text()).to_owned();
        is_users(function.file).then(|| (file, function.line(pc)))
    }
}

/// The calls in which a process rests, innermost first.
fn sites(process: &Process, recorder: &Recorder) -> Vec<Site> {
    let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) = &process.control else {
        return Vec::new();
    };
    match recorder.shadow(process.pid) {
        Some(shadow) => shadow.calls(&rest.frames),
        None => Vec::new(),
    }
}

/// Whether a reason is an error's, or has it inside, as what a failed call of a server ends with.
fn brings(reason: &Term, error: &Term) -> bool {
    match reason.as_tuple() {
        Some([inner, Term::Trace(_)]) if inner == error => true,
        Some(items) => items.iter().any(|item| brings(item, error)),
        None => false,
    }
}

/// What is told of a built-in's answer, if it says something.
fn value_told(entry: &Builtin, arguments: &[Term], value: &Term) -> Option<Term> {
    let says_something = match (entry.module, entry.name) {
        ("gen", "foresee_spawn") => {
            // Who starts without a link watches the new process meanwhile.
            let pid =
                value.as_tuple().and_then(|items| items.first()).filter(|it| it.as_pid().is_some());
            return Some(pid.unwrap_or(value).clone());
        }
        ("erlang", "demonitor") => {
            let options = arguments.get(1).and_then(Term::to_vec).unwrap_or_default();
            options.iter().any(|option| option.is_atom(atom!("info")))
        }
        ("ets", "new") => arguments.first() != Some(value),
        (module, name) => !ALWAYS_THE_SAME
            .iter()
            .any(|(own, names)| *own == module && (names.is_empty() || names.contains(&name))),
    };
    says_something.then(|| value.clone())
}

/// Visible built-ins whose answer is always the same, or their argument; of a module without names, all of them.
const ALWAYS_THE_SAME: &[(&str, &[&str])] = &[
    (
        "erlang",
        &[
            "!",
            "send",
            "send_nosuspend",
            "link",
            "unlink",
            "register",
            "unregister",
            "exit",
            "group_leader",
            "process_flag",
            "yield",
            "display",
            "halt",
        ],
    ),
    (
        "ets",
        &[
            "insert",
            "delete",
            "delete_object",
            "delete_all_objects",
            "match_delete",
            "give_away",
            "rename",
            "setopts",
            "safe_fixtable",
        ],
    ),
    ("atomics", &["add", "sub", "put"]),
    ("counters", &["add", "sub", "put"]),
    ("persistent_term", &["put"]),
    ("foresee", &[]),
    ("gen", &[]),
    ("init", &[]),
    ("io", &[]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::BUILTINS;

    /// A built-in that is renamed or gone must not stay in the list.
    #[test]
    fn what_is_always_the_same_is_there() {
        let builtins = &BUILTINS;
        for (module, names) in ALWAYS_THE_SAME {
            for name in *names {
                let is_it = |it: &Builtin| it.module == *module && it.name == *name;
                let is_there = builtins.iter().any(|it| is_it(it) && it.is_visible());
                assert!(is_there, "{module}:{name}");
            }
        }
    }
}
