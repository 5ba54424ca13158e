//! What waiting processes wait for, in the user's words: where, for which messages, from whom, and what lies unread meanwhile.
//! The patterns are those in the text; of a call, a start or a stop through a behaviour it is the other process that matters.

use super::program::ErlangProgram;
use crate::front_end::Standing;
use foresee_erlang::world::component::{Control, Process};
use foresee_erlang::{Erlang, Pid, Term, words};
use foresee_erlang_syntax::Parse;
use foresee_erlang_syntax::tree::{Clause, Receive};
use foresee_lts::{Call, Label, Place, Verb};

/// More messages of a mailbox than this are only counted.
const SHOWN_MAX: usize = 5;
/// A pattern of more characters is shortened.
const PATTERN_MAX: usize = 48;

impl ErlangProgram {
    /// `waits at bank.erl:12 for {ok, X} or stop; its mailbox holds hello`, if it waits for a message.
    pub(crate) fn waiting(&self, state: &[u32], pid: Pid, calls: &[Call]) -> Option<String> {
        waiting(self.erlang(), &self.texts.parses, state, pid, calls)
    }
}

impl ErlangProgram {
    /// Whether an event is one of the program's own text, and not of a library function that the text calls: what a call through
    /// a behaviour receives, a process that ends.
    pub(crate) fn is_in_text(&self, label: &Label) -> bool {
        let Some(Place { file, line }) = &label.place else { return false };
        let receives = |parse: &Parse| {
            let own = parse.sources.files().first();
            own.is_some_and(|source| base_name(&source.path) == file)
                && parse.module.receives().iter().any(|it| parse.sources.line(it.span) == *line)
        };
        let is_answer = label.about.message_of == Some(Verb::Reply);
        let is_unsure = is_answer || matches!(label.verb, Verb::Timer | Verb::Timeout);
        !is_unsure || self.texts.parses.iter().any(receives)
    }
}

/// The same, from the parts of a program. The calls that led there, where they are known, say more than the state: a call in
/// tail position is gone from it.
pub(crate) fn waiting(
    erlang: &Erlang,
    parses: &[Parse],
    state: &[u32],
    pid: Pid,
    calls: &[Call],
) -> Option<String> {
    let process = erlang.process(state, pid)?;
    if !matches!(process.control, Control::Receiving { .. }) {
        return None;
    }
    let mut text = "waits".to_owned();
    let called = calls.iter().find_map(|call| call.place.as_ref());
    let called = called.map(|(file, line)| format!("at {file}:{line}"));
    if let Some(place) = called.or_else(|| place(erlang, process)) {
        text.push_str(&format!(" {place}"));
    }
    let whom = partner(erlang, state, process).map(|(_, words)| words);
    if let Some(what) = whom.or_else(|| patterns(erlang, parses, process)) {
        text.push_str(&format!(" for {what}"));
    }
    Some(text + &mailbox(erlang, state, pid))
}

/// `at bank.erl:12`; for a process that is in a behaviour's loop, the module that it serves.
pub(crate) fn place(erlang: &Erlang, process: &Process) -> Option<String> {
    if let Some((file, line)) = erlang.place(process) {
        return Some(format!("at {}:{line}", base_name(file.text())));
    }
    let initial = process.dictionary.get(&Term::atom("$initial_call"));
    match initial.and_then(Term::as_tuple) {
        Some([Term::Atom(module), ..]) => Some(format!("for requests to {}", module.text())),
        _ => None,
    }
}

fn mailbox(erlang: &Erlang, state: &[u32], pid: Pid) -> String {
    let inbox = erlang.inbox(state, pid).into_iter();
    let messages: Vec<&Term> = inbox.flat_map(|inbox| inbox.messages.iter()).collect();
    if messages.is_empty() {
        return "; its mailbox is empty".to_owned();
    }
    let shown: Vec<String> = messages.iter().take(SHOWN_MAX).map(|it| words::message(it)).collect();
    let more = messages.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; its mailbox holds {}{more}", shown.join(", "))
}

/// `they wait in a circle: <P.1>, <P.2>, <P.1>`, if processes wait for each other's replies in turn.
pub(crate) fn circle(erlang: &Erlang, state: &[u32], blocked: &[Pid]) -> Option<String> {
    let names = circle_names(erlang, state, blocked)?;
    Some(format!("they wait in a circle: {}", names.join(", ")))
}

/// The names of those that wait for each other, the first once more at the end.
pub(crate) fn circle_names(erlang: &Erlang, state: &[u32], blocked: &[Pid]) -> Option<Vec<String>> {
    let next = |pid: Pid| partner(erlang, state, erlang.process(state, pid)?).map(|it| it.0);
    for &first in blocked {
        let mut way = vec![first];
        while let Some(pid) = next(way[way.len() - 1]) {
            let is_back = pid == first;
            if way.contains(&pid) && !is_back {
                break; // another circle, which begins elsewhere
            }
            way.push(pid);
            if is_back {
                return Some(way.iter().map(|pid| erlang.name_of(state, *pid)).collect());
            }
        }
    }
    None
}

/// `<P.2>'s reply`: whom a call, a start or a stop through a behaviour is about. The process watches the other meanwhile, and
/// the reference it watches with is among what it holds.
fn partner(erlang: &Erlang, state: &[u32], process: &Process) -> Option<(Pid, String)> {
    let Control::Receiving { rest, .. } = &process.control else { return None };
    let (function, _) = *rest.frames.last()?;
    let function = erlang.program().function(function);
    if function.module.text() != "gen" {
        return None;
    }
    let inbox = erlang.inbox(state, process.pid)?;
    let watched = inbox.monitors.iter().find(|monitor| {
        rest.values.iter().any(|value| value.as_reference() == Some(monitor.reference))
    });
    let held = rest.values.iter().find_map(|value| match value {
        Term::Pid(pid) if *pid != process.pid => Some(*pid),
        _ => None,
    });
    let whom = watched.map(|monitor| monitor.target).or(held)?;
    let name = erlang.name_of(state, whom);
    let words = match function.name.text() {
        "ask" | "await_answer" | "wait_response" | "receive_response" => format!("{name}'s reply"),
        "await" => format!("{name} to start"),
        "stop" | "give_up" => format!("{name} to stop"),
        _ => return None,
    };
    Some((whom, words))
}

/// Where a process is, and what it waits for: the patterns, or whose reply.
pub(crate) fn standing(
    erlang: &Erlang,
    parses: &[Parse],
    state: &[u32],
    process: &Process,
) -> Standing {
    let place = erlang.place(process).map(|(file, line)| (file.text().to_owned(), line));
    let is_waiting = matches!(process.control, Control::Receiving { .. });
    let whom = || partner(erlang, state, process).map(|(_, words)| vec![words]);
    let own = || pattern_list(erlang, parses, process);
    let waits_for = is_waiting.then(|| whom().or_else(own).unwrap_or_default());
    Standing { member: erlang.name_of(state, process.pid), place, waits_for }
}

/// The patterns of the receive in which the process waits, if it is in the user's own text.
fn pattern_list(erlang: &Erlang, parses: &[Parse], process: &Process) -> Option<Vec<String>> {
    let Control::Receiving { rest, .. } = &process.control else { return None };
    let (function, pc) = *rest.frames.last()?;
    let function = erlang.program().function(function);
    let (file, line) = (function.file.text(), function.line(pc));
    let parse = parses
        .iter()
        .find(|parse| parse.sources.files().first().is_some_and(|source| &*source.path == file))?;
    let receives = parse.module.receives();
    // The innermost one that begins on the line, or around it.
    let begins = |receive: &&Receive<'_>| parse.sources.line(receive.span) == line;
    let holds = |receive: &&Receive<'_>| {
        let end = receive.span.after();
        parse.sources.line(receive.span) <= line && line <= parse.sources.line(end)
    };
    let receive = receives.iter().find(begins).or_else(|| receives.iter().rfind(holds))?;
    Some(receive.clauses.iter().map(|clause| pattern(parse, clause)).collect())
}

/// `{ok, X} or stop`: the same in words.
fn patterns(erlang: &Erlang, parses: &[Parse], process: &Process) -> Option<String> {
    let Control::Receiving { timeout, .. } = &process.control else { return None };
    let patterns = pattern_list(erlang, parses, process)?;
    match patterns.as_slice() {
        [] if *timeout == Term::atom("infinity") => Some("ever".to_owned()),
        [] => Some("a timeout".to_owned()),
        [one] => Some(one.clone()),
        [others @ .., last] => Some(format!("{} or {last}", others.join(", "))),
    }
}

fn pattern(parse: &Parse, clause: &Clause) -> String {
    let text = |span| parse.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let pattern: Vec<String> = clause.patterns.iter().map(|it| text(it.span)).collect();
    let mut whole = pattern.join(", ");
    let mut guards = clause.guard.iter().flatten();
    if let Some(first) = guards.next() {
        let last = guards.next_back().unwrap_or(first);
        whole.push_str(&format!(" when {}", text(first.span.to(last.span))));
    }
    if whole.chars().count() > PATTERN_MAX {
        let start: String = whole.chars().take(PATTERN_MAX - 1).collect();
        return format!("{start}…");
    }
    whole
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
