//! States and calls in words.

use crate::builtins::Builtin;
use crate::system::Erlang;
use crate::tell::label::base_name;
use crate::term::{Pid, Term};
use crate::world::component::{Component, Control, Process, Signal};
use foresee_lts::{Description, Member, Pending, Place, Standing, Tree};

/// A call before it happens: `send <P.1> hello`, `ets:insert(t, {a,1})`.
pub(crate) fn call_text(entry: &Builtin, arguments: &[Term]) -> String {
    if entry.name == "!" || (entry.name == "send" && arguments.len() == 2) {
        return format!("send {} {}", arguments[0], arguments[1]);
    }
    let arguments: Vec<String> = arguments.iter().map(Term::to_string).collect();
    let call = format!("{}({})", entry.name, arguments.join(","));
    if entry.module == "erlang" { call } else { format!("{}:{call}", entry.module) }
}

pub(crate) fn signal_text(signal: &Signal) -> String {
    match signal {
        Signal::Message(message) | Signal::AliasMessage(_, message) => message.to_string(),
        Signal::Exit(reason) | Signal::LinkExit(reason) => format!("exit signal {reason}"),
        Signal::Down { reason, .. } => format!("down signal {reason}"),
    }
}

/// The whole state for people.
pub(crate) fn describe(system: &Erlang, state: &[u32]) -> Description {
    let members = system.processes(state).into_iter().map(|p| member(system, state, p)).collect();
    let mut shared = Vec::new();
    let common = system.shared(state);
    if !common.names.is_empty() {
        let entry = |(name, pid): &(crate::term::Atom, Pid)| {
            (Tree::leaf(name.text()), Tree::leaf(pid.to_string()))
        };
        shared.push(("names".to_owned(), Tree::Map(common.names.iter().map(entry).collect())));
    }
    if !common.persistent.is_empty() {
        let terms = tree(&Term::map(common.persistent.clone()));
        shared.push(("persistent terms".to_owned(), terms));
    }
    if let Some(status) = &common.halted {
        shared.push(("halted".to_owned(), Tree::leaf(status.to_string())));
    }
    for slot in 0..state.len() as u32 {
        match system.component(state, slot) {
            Some(Component::Table(table)) => {
                let items = table.objects().iter().map(tree).collect();
                let name = format!("table {} of {}", table.name.text(), table.owner);
                shared.push((name, Tree::List { name: String::new(), items }));
            }
            Some(Component::Channel(channel)) => {
                let items = channel.signals.iter().map(|s| Tree::leaf(signal_text(s))).collect();
                let name = format!("channel {} -> {}", channel.from, channel.to);
                shared.push((name, Tree::List { name: String::new(), items }));
            }
            _ => {}
        }
    }
    shared.sort_by(|a, b| a.0.cmp(&b.0));
    Description { members, shared, ..Description::default() }
}

fn member(system: &Erlang, state: &[u32], process: &Process) -> Member {
    let inbox = system.inbox(state, process.pid);
    let pending = |content: Tree| Pending::new("", content);
    let running = |word: &str| (Standing::Running, word.to_owned());
    let (standing, status) = match &process.control {
        Control::Calling { .. } => running("running"),
        Control::Receiving { .. } if system.first_match(state, process.pid).is_none() => {
            (Standing::Waiting, "waiting".to_owned())
        }
        Control::Receiving { .. } => running("running"),
        Control::Ending { .. } => running("exiting"),
        Control::Ended { reason } => (Standing::Ended, format!("exited {reason}")),
        Control::Stuck(_) => running("stuck"),
    };
    let mut fields = vec![("next".to_owned(), Tree::leaf(system.intention(state, process).words))];
    let place = system.place(process);
    let place = place.map(|(file, line)| Place { file: base_name(file.text()).to_owned(), line });
    fields.extend(place.as_ref().map(|it| ("at".to_owned(), Tree::leaf(it.to_string()))));
    if let Control::Calling { rest, .. } | Control::Receiving { rest, .. } = &process.control {
        let values: Vec<Tree> = rest.values.iter().map(tree).collect();
        if !values.is_empty() {
            let values = Tree::List { name: String::new(), items: values };
            fields.push(("values".to_owned(), values));
        }
    }
    if !process.dictionary.is_empty() {
        fields.push(("dictionary".to_owned(), tree(&Term::map(process.dictionary.clone()))));
    }
    if let Some(inbox) = inbox.filter(|inbox| !inbox.links.is_empty()) {
        let items = inbox.links.iter().map(|pid| Tree::leaf(pid.to_string())).collect();
        fields.push(("links".to_owned(), Tree::List { name: String::new(), items }));
    }
    if inbox.is_some_and(|inbox| inbox.trap_exit) {
        fields.push(("trap_exit".to_owned(), Tree::leaf("true")));
    }
    let messages = inbox.into_iter().flat_map(|inbox| inbox.messages.iter());
    let timers = &system.timers(state).timers;
    let own = timers.iter().filter(|timer| timer.target == Term::Pid(process.pid));
    let parent = process.pid.parent().map(|parent| system.name_of(state, parent));
    Member {
        status,
        inbox: messages.map(|message| pending(in_words(message))).collect(),
        timers: own.map(|timer| pending(tree(&timer.message))).collect(),
        standing,
        place,
        parent,
        ..Member::new(
            system.name_of(state, process.pid),
            Tree::Record { name: role(process), fields },
        )
    }
}

/// What a process was started to do: the module of a behaviour, or the function.
fn role(process: &Process) -> String {
    let initial = process.dictionary.get(&Term::atom("$initial_call"));
    if let Some([Term::Atom(module), ..]) = initial.and_then(Term::as_tuple) {
        return module.text().to_owned();
    }
    let (module, function, arity) = process.initial_call;
    format!("{}:{}/{arity}", module.text(), function.text())
}

/// A message: what a behaviour sends in an Erlang programmer's words, others taken apart.
fn in_words(message: &Term) -> Tree {
    let words = crate::tell::words::message(message);
    if words == message.to_string() { tree(message) } else { Tree::leaf(words) }
}

/// A tuple of no more characters is shown as it is written.
const SHORT: usize = 60;

/// A term taken apart.
pub fn tree(term: &Term) -> Tree {
    match term {
        Term::Tuple(tuple) => {
            let text = term.to_string();
            if text.chars().count() <= SHORT {
                return Tree::Leaf(text);
            }
            Tree::List { name: String::new(), items: tuple.items().iter().map(tree).collect() }
        }
        Term::Map(map) => {
            Tree::Map(map.entries().iter().map(|(k, v)| (tree(k), tree(v))).collect())
        }
        _ => Tree::leaf(term.to_string()),
    }
}
