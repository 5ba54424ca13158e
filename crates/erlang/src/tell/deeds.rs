//! What a process is about to do, as data: the verb of its label, and what the event is about.
//! Why beside the words (`crate::tell::words`): whoever folds a request with its answer, draws an arrow or counts kinds of messages
//! needs to know the parties and the kind of message, and must not look for them in a text made for people.
//! Invariant: the words of labels do not depend on anything here, so trace files stay as they are.

use crate::builtins::Builtin;
use crate::tell::words;
use crate::term::{Atom, Term};
use foresee_lts::{About, Verb, Words};

/// An event of a process before it happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    pub verb: Verb,
    /// What labels say.
    pub words: String,
    pub about: About,
}

impl Deed {
    /// Something without more to say of it.
    pub(crate) fn step(words: impl Into<String>) -> Self {
        Deed { verb: Verb::Step, words: words.into(), about: About::default() }
    }

    /// A process ends, or leaves something behind.
    pub(crate) fn exit(words: impl Into<String>, is_aftermath: bool) -> Self {
        let about = About { is_aftermath, ..About::default() };
        Deed { verb: Verb::Exit, words: words.into(), about }
    }

    /// A message is taken out of a mailbox, if there is one that the process takes.
    pub(crate) fn receive(message: Option<&Term>) -> Self {
        let Some(message) = message else {
            return Deed { verb: Verb::Receive, ..Deed::step("receive") };
        };
        let text = words::message(message);
        Deed {
            verb: Verb::Receive,
            words: format!("receive {text}"),
            about: About { message: Some(Words::one_line(text)), ..of_message(message) },
        }
    }

    /// The same by who has called without a timeout: the tag of the answer is the reference alone, which other messages have, too.
    pub(crate) fn receive_answer(message: &Term) -> Self {
        let Some([Term::Ref(..), answer]) = message.as_tuple() else {
            return Deed::receive(Some(message));
        };
        let text = words::answer(answer);
        Deed {
            verb: Verb::Receive,
            words: format!("receive {text}"),
            about: About {
                message: Some(Words::one_line(text)),
                message_of: Some(Verb::Reply),
                name: name_of(answer),
                ..About::default()
            },
        }
    }

    /// A visible built-in is called.
    pub(crate) fn call(entry: &Builtin, arguments: &[Term]) -> Self {
        let verb = verb_of(entry);
        let words = words::call(entry, arguments);
        let argument = |n: usize| arguments.get(n);
        let text = |n: usize| argument(n).map(words::value);
        let (peer, message, name) = match (verb, entry.name) {
            (Verb::Send, _) => (text(0), text(1), argument(1).and_then(name_of)),
            (Verb::Call, "foresee_stop") => (text(0), None, None),
            (Verb::Call, _) => (text(0), None, argument(2).and_then(name_of)),
            (Verb::Cast, _) => (text(0), None, argument(1).and_then(name_of)),
            (Verb::Reply, "foresee_reply") => {
                let client = argument(0).and_then(Term::as_tuple).and_then(|pair| pair.first());
                let answer = text(1).map(|answer| format!("reply {answer}"));
                (client.map(Term::to_string), answer, argument(1).and_then(name_of))
            }
            (Verb::Step, name) => {
                let module = Some(entry.module).filter(|module| *module != "erlang");
                let module = module.map_or(String::new(), |module| format!("{module}:"));
                (None, None, Some(format!("{module}{name}")))
            }
            _ => (None, None, None),
        };
        let operation = Some((entry.module, entry.name));
        let message = message.map(Words::one_line);
        Deed { verb, words, about: About { peer, name, message, operation, ..About::default() } }
    }
}

fn verb_of(entry: &Builtin) -> Verb {
    match (entry.module, entry.name) {
        ("erlang", "!" | "send" | "send_nosuspend") => Verb::Send,
        ("erlang", name) if is_spawn(name) => Verb::Spawn,
        ("erlang", "display") | ("io", _) => Verb::Output,
        ("gen", "foresee_spawn") => Verb::Spawn,
        ("gen", "foresee_request" | "foresee_send_request" | "foresee_stop") => Verb::Call,
        ("gen", "foresee_cast") => Verb::Cast,
        ("gen", "foresee_reply" | "foresee_acknowledge") => Verb::Reply,
        _ => Verb::Step,
    }
}

/// The built-ins that start processes.
pub(crate) fn is_spawn(name: &str) -> bool {
    name.starts_with("spawn")
}

/// How a message in a mailbox came to be, from whom, and its type.
pub(crate) fn of_message(message: &Term) -> About {
    let about = |verb: Verb, peer: Option<&Term>, request: &Term| About {
        message_of: Some(verb),
        peer: peer.map(Term::to_string),
        name: name_of(request),
        ..About::default()
    };
    match message.as_tuple() {
        Some([Term::Atom(tag), from, request]) if tag.text() == "$gen_call" => {
            let client = from.as_tuple().and_then(|pair| pair.first());
            about(Verb::Call, client, request)
        }
        Some([Term::Atom(tag), request]) if tag.text() == "$gen_cast" => {
            about(Verb::Cast, None, request)
        }
        Some([Term::Cons(alias), answer]) if alias.head.is_atom(atom!("alias")) => {
            about(Verb::Reply, None, answer)
        }
        // What a started process tells who has started it.
        Some([Term::Atom(tag), _, ..]) if tag.text() == "ack" => about(Verb::Reply, None, message),
        _ => About { name: name_of(message), ..About::default() },
    }
}

/// The type of a message: the atom that it is, or with which it begins.
pub(crate) fn name_of(term: &Term) -> Option<String> {
    match term {
        Term::Atom(name) => Some(Atom::text(*name).to_owned()),
        Term::Tuple(tuple) => match tuple.items() {
            [Term::Atom(tag), request] if tag.text() == "$gen_cast" => name_of(request),
            [Term::Atom(tag), _, request] if tag.text() == "$gen_call" => name_of(request),
            [first, ..] if first.as_atom().is_some() => name_of(first),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: Term, b: Term) -> Term {
        Term::tuple([a, b])
    }

    #[test]
    fn a_message_tells_how_it_was_sent_and_from_whom() {
        let client = Term::Pid(crate::term::Pid::first());
        let from = pair(client, Term::Int(1));
        let call =
            Term::tuple([Term::atom("$gen_call"), from, pair(Term::atom("get"), Term::Int(3))]);
        let deed = Deed::receive(Some(&call));
        assert_eq!(deed.words, "receive call {get,3} from <P>");
        assert_eq!(
            (deed.about.message_of, deed.about.name.as_deref()),
            (Some(Verb::Call), Some("get"))
        );
        assert_eq!(deed.about.peer.as_deref(), Some("<P>"));
        let cast = pair(Term::atom("$gen_cast"), Term::atom("stop"));
        assert_eq!(of_message(&cast).message_of, Some(Verb::Cast));
        let reply =
            pair(Term::list_with_tail(vec![Term::atom("alias")], Term::Int(1)), Term::atom("ok"));
        assert_eq!(of_message(&reply).message_of, Some(Verb::Reply));
        assert_eq!(of_message(&Term::Int(1)), About::default());
    }
}
