//! Events in a few words: who does what, and where in the source.

use crate::events::actions::Move;
use crate::machine::Suspended;
use crate::program::Program;
use crate::system::Erlang;
use crate::tell::deeds::{self, Deed};
use crate::term::{Atom, Pid, Term};
use crate::world::component::{Control, Process, Signal, Stage};
use foresee_lts::{About, Action, Label, Place, Verb};

impl Erlang {
    pub(crate) fn label_of(&self, state: &[u32], action: Action) -> Label {
        match self.decode(state, action) {
            Move::Process(pid) => {
                let process = self.process(state, pid);
                let deed = process.map_or_else(|| Deed::step(""), |it| self.intention(state, it));
                let Deed { verb, words, mut about } = deed;
                about.keeps_books = process.and_then(|it| self.keeps_books(it));
                let label = Label::of_actor(verb, &self.name_of(state, pid), words);
                label.at(self.place_in_label(process)).about(about)
            }
            Move::Timeout(pid) => {
                let place = self.place_in_label(self.process(state, pid));
                Label::of_actor(Verb::Timeout, &self.name_of(state, pid), "timeout").at(place)
            }
            Move::Deliver(from, to) => {
                let signal = self.channel(state, from, to).and_then(|c| c.signals.first());
                let what = signal.map_or(String::new(), crate::tell::describe::signal_text);
                let name = signal.and_then(Signal::message).and_then(deeds::name_of);
                Label::deliver(&self.name_of(state, from), &self.name_of(state, to), what)
                    .about(About { name, ..About::default() })
            }
            Move::Timer(index) => match self.timers(state).timers.get(index) {
                Some(timer) => {
                    let to = match timer.target {
                        Term::Pid(pid) => self.name_of(state, pid),
                        ref name => name.to_string(),
                    };
                    let name = deeds::name_of(&timer.message);
                    Label::of_actor(Verb::Timer, &to, timer.message.to_string())
                        .about(About { name, ..About::default() })
                }
                None => Label::of_actor(Verb::Timer, "nobody", ""),
            },
            Move::Crash(pid) => {
                let process = self.process(state, pid);
                let has_effect = |it: &Process| self.core.crash_has_effect(it, self.shared(state));
                let name = self.name_of_victim(state, pid);
                match process.is_some_and(has_effect) {
                    true => Label::of_actor(Verb::Crash, &name, ""),
                    false => Label::of_actor(Verb::Step, &name, "does not crash"),
                }
            }
            Move::NoMoreCrashes => Label::of_actor(Verb::Step, "nobody", "crashes any more"),
        }
    }

    /// The innermost line of the user's own code where a process rests.
    pub fn place(&self, process: &Process) -> Option<(Atom, u32)> {
        let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) = &process.control
        else {
            return None;
        };
        place_of(self.program(), rest)
    }

    /// Whether the wait in which a process rests is written in a library, on behalf of the user's code: a call, a start.
    pub fn is_in_library(&self, process: &Process) -> bool {
        let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) = &process.control
        else {
            return false;
        };
        let innermost = rest.frames.last();
        innermost.is_some_and(|frame| !is_users(self.program().function(frame.0).file))
    }

    /// The library that looks into its own books or writes them: what it keeps in persistent terms is no doing of the program's.
    fn keeps_books(&self, process: &Process) -> Option<String> {
        let Control::Calling { builtin, rest, .. } = &process.control else { return None };
        let keeps = self.program().builtins.get(*builtin).module == "persistent_term";
        let innermost = self.program().function(rest.frames.last()?.0);
        (keeps && !is_users(innermost.file)).then(|| innermost.module.text().to_owned())
    }

    /// Whether an event is the timeout of a call that says nothing of a timeout: nobody has written it.
    pub fn is_default_timeout(&self, state: &[u32], action: Action) -> bool {
        let Move::Timeout(pid) = self.decode(state, action) else { return false };
        let process = self.process(state, pid);
        let Some(Control::Receiving { rest, .. }) = process.map(|it| &it.control) else {
            return false;
        };
        rest.frames.last().is_some_and(|frame| {
            let function = self.program().function(frame.0);
            let key = (function.module.text(), function.name.text(), function.arity);
            key == ("gen", "ask", 1) && !is_users(function.file)
        })
    }

    /// Whether an event is the timeout of a receive that has waited for a message: no sleep, and no look into the mailbox.
    pub fn gives_up(&self, state: &[u32], action: Action) -> bool {
        let Move::Timeout(pid) = self.decode(state, action) else { return false };
        let process = self.process(state, pid);
        process.is_some_and(|process| match &process.control {
            Control::Receiving { timeout, .. } => {
                timeout.as_int().is_some_and(|ms| ms > 0) && !self.sleeps(process, timeout)
            }
            _ => false,
        })
    }

    /// A process's name for people: `<P.1>`, or `<P.1/server>` if it is registered.
    pub fn name_of(&self, state: &[u32], pid: Pid) -> String {
        let text = pid.to_string();
        match self.shared(state).name_of(pid) {
            Some(name) => format!("{}/{}>", &text[..text.len() - 1], shown(name)),
            None => text,
        }
    }

    /// As [`Erlang::name_of`], with the name under which a supervisor's child is known: `<P.1.2/client_1>`.
    fn name_of_victim(&self, state: &[u32], pid: Pid) -> String {
        let name = self.name_of(state, pid);
        match self.process(state, pid).and_then(|process| process.mark.known_as) {
            Some(known_as) if !name.contains('/') => {
                format!("{}/{}>", &name[..name.len() - 1], shown(known_as))
            }
            _ => name,
        }
    }

    /// What a process is about to do.
    pub fn intention(&self, state: &[u32], process: &Process) -> Deed {
        match &process.control {
            Control::Calling { builtin, arguments, .. } => {
                Deed::call(self.program().builtins.get(*builtin), arguments)
            }
            Control::Receiving { .. } => {
                let message = self
                    .first_match(state, process.pid)
                    .and_then(|at| self.inbox(state, process.pid)?.messages.get(at));
                match message {
                    Some(message) if self.core.hibernates(process) => {
                        let message = crate::tell::words::message(message);
                        Deed::step(format!("wake up, with {message} waiting"))
                    }
                    Some(message) if self.core.waits_in(process, "gen", &["await_answer"]) => {
                        Deed::receive_answer(message)
                    }
                    message => Deed::receive(message),
                }
            }
            Control::Ending { reason, stage, .. } => match stage {
                Stage::Exit | Stage::Killed => {
                    Deed::exit(format!("exit {}", crate::tell::words::reason(reason)), false)
                }
                Stage::Tables => Deed::exit("exit: tables", true),
                Stage::Name => Deed::exit("exit: name", true),
                Stage::Links => Deed::exit("exit: links", true),
                Stage::Monitors => Deed::exit("exit: monitors", true),
            },
            Control::Ended { .. } => Deed::step("ended"),
            Control::Stuck(stuck) => Deed::step(stuck.to_string()),
        }
    }

    fn place_in_label(&self, process: Option<&Process>) -> Option<Place> {
        let process = process.filter(|_| self.options.places_in_labels)?;
        let (file, line) = self.place(process)?;
        Some(Place { file: base_name(file.text()).to_owned(), line })
    }
}

/// The innermost line of the user's own code where a process rests.
pub(crate) fn place_of(program: &Program, rest: &Suspended) -> Option<(Atom, u32)> {
    rest.frames
        .iter()
        .rev()
        .map(|&(function, pc)| (program.function(function), pc))
        .find(|(function, _)| is_users(function.file))
        .map(|(function, pc)| (function.file, function.line(pc)))
}

pub(crate) fn is_users(file: Atom) -> bool {
    !file.text().is_empty() && !file.text().starts_with(crate::program::prelude::PATH)
}

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name as it is, or as Erlang writes it if it would not stay on its line.
fn shown(name: Atom) -> String {
    match name.text().contains(|c: char| c.is_whitespace() || c.is_control()) {
        true => Term::Atom(name).to_string(),
        false => name.text().to_owned(),
    }
}
