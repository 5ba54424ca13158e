//! Operations, messages and exit reasons in the words an Erlang programmer uses.
//! Why: behaviours are native here, and their operations have names of ours; a label should say `call bank {deposit,1}`, not how we
//! do it. And labels must survive an edit of the source, so no reason in them holds a line number.

use crate::builtins::Builtin;
use crate::term::{Atom, Term, Trace, deep, print};

/// A call before it happens: `call bank {deposit,100}`, `send <P.1> hello`, `ets:insert(t,{a,1})`.
pub(crate) fn call(entry: &Builtin, arguments: &[Term]) -> String {
    let plain: Vec<Term> = arguments.iter().map(without_traces).collect();
    let arguments = plain.as_slice();
    if entry.module != "gen" {
        return crate::tell::describe::call_text(entry, arguments);
    }
    let text = |n: usize| arguments.get(n).map_or(String::new(), Term::to_string);
    match entry.name {
        "foresee_spawn" => start(arguments),
        "foresee_acknowledge" => format!("started: {}", text(2)),
        "foresee_request" if text(1) == "'$gen_call'" => format!("call {} {}", text(0), text(2)),
        "foresee_request" => format!("request {} {}", text(0), text(2)),
        "foresee_send_request" => format!("send request {} {}", text(0), text(2)),
        "foresee_abandon" => "give the call up".to_owned(),
        "foresee_stop" => format!("stop {} {}", text(0), text(1)),
        "foresee_shut_down" => format!("shut down {} {}", text(0), text(1)),
        "foresee_cast" => match arguments.get(1).and_then(Term::as_tuple) {
            Some([_, request]) => format!("cast {} {request}", text(0)),
            _ => format!("cast {} {}", text(0), text(1)),
        },
        "foresee_reply" => match arguments.first().and_then(Term::as_tuple) {
            Some([client, _]) => format!("reply {} to {client}", text(1)),
            _ => format!("reply {} to {}", text(1), text(0)),
        },
        "foresee_demonitor" => "take the monitor back".to_owned(),
        "foresee_timers" => timers(arguments),
        _ => crate::tell::describe::call_text(entry, arguments),
    }
}

/// `set timer 500 tick`, `cancel timers`.
fn timers(arguments: &[Term]) -> String {
    let set = |timer: &Term| match timer.as_tuple() {
        Some([time, message]) => format!("set timer {time} {message}"),
        _ => format!("set timer {timer}"),
    };
    let timers: Vec<String> =
        arguments.get(1).and_then(Term::to_vec).unwrap_or_default().iter().map(set).collect();
    if timers.is_empty() { "cancel timers".to_owned() } else { timers.join(", ") }
}

/// `start gen_server bank`, `start supervisor bank_sup`.
fn start(arguments: &[Term]) -> String {
    let [_, module, starter, function, rest] = arguments else { return "start".to_owned() };
    let rest = rest.to_vec().unwrap_or_default();
    match (rest.first(), rest.get(4)) {
        (Some(behaviour), Some(module)) if starter.to_string() == "gen" => {
            match rest.get(5).and_then(Term::as_tuple) {
                Some([_, callback, _]) if module.is_atom(atom!("supervisor")) => {
                    format!("start supervisor {callback}")
                }
                _ => format!("start {behaviour} {module}"),
            }
        }
        _ => format!("start {module} {starter}:{function}/{}", rest.len()),
    }
}

/// A message in a mailbox: `call {deposit,100} from <P>`, `reply ok`, or as it is.
pub fn message(message: &Term) -> String {
    let message = &without_traces(message);
    match message.as_tuple() {
        Some([Term::Atom(tag), from, request]) if tag.text() == "$gen_call" => {
            match from.as_tuple() {
                Some([client, _]) => format!("call {request} from {client}"),
                _ => message.to_string(),
            }
        }
        Some([Term::Atom(tag), rest @ ..]) if tag.text() == "foresee_stopped" => {
            Term::tuple([a!("DOWN")].iter().chain(rest).cloned().collect::<Vec<_>>()).to_string()
        }
        Some([Term::Atom(tag), request]) if tag.text() == "$gen_cast" => format!("cast {request}"),
        Some([Term::Cons(tag), answer]) if matches!(&tag.head, Term::Atom(name) if name.text() == "alias") => {
            answer_text(answer)
        }
        Some([Term::Atom(tag), from, request]) if tag.text() == "system" => {
            match (from.as_tuple(), request.as_tuple()) {
                (Some([client, Term::Ref(..)]), Some([Term::Atom(what), reason]))
                    if what.text() == "terminate" =>
                {
                    format!("stop {reason} from {client}")
                }
                _ => message.to_string(),
            }
        }
        _ => message.to_string(),
    }
}

/// What a call is answered with: `reply ok`.
pub(crate) fn answer(answer: &Term) -> String {
    answer_text(&without_traces(answer))
}

fn answer_text(answer: &Term) -> String {
    format!("reply {answer}")
}

/// An exit reason without the stack trace that the run-time system adds, and a failed assertion as a sentence.
///
/// ```
/// use foresee_erlang::{Term, words};
/// let pair = |key: &str, value: Term| Term::tuple([Term::atom(key), value]);
/// let info = Term::list([pair("line", Term::Int(7)), pair("expected", Term::Int(1)), pair("value", Term::Int(2))]);
/// assert_eq!(words::reason(&pair("assertEqual", info)), "assertEqual failed: 2 where 1 is expected");
/// ```
pub fn reason(reason: &Term) -> String {
    let reason = &without_traces(reason);
    match reason.as_tuple() {
        Some([Term::Atom(tag), info]) if tag.text().starts_with("assert") => {
            assertion(tag.text(), info).unwrap_or_else(|| reason.to_string())
        }
        _ => reason.to_string(),
    }
}

/// A value as it stands in a run: as it is written, without stack traces.
pub(crate) fn value(term: &Term) -> String {
    without_traces(term).to_string()
}

/// The innermost call of a stack trace with its arguments, where the error is about them.
fn innermost(trace: &Term) -> Option<(Term, Term, Vec<Term>)> {
    match trace {
        Term::Trace(trace) => {
            let entry = trace.entries.first()?;
            Some((Term::Atom(entry.module), Term::Atom(entry.function), entry.arguments.clone()?))
        }
        // As a process that cannot begin has it.
        _ => match trace.to_vec()?.first()?.as_tuple()? {
            [module, function, arguments, _] => {
                Some((module.clone(), function.clone(), arguments.to_vec()?))
            }
            _ => None,
        },
    }
}

/// `there is no function bank:totel/1`, for the trace of an `undef`.
pub(crate) fn missing_function(trace: &Term) -> Option<String> {
    let (module, function, arguments) = innermost(trace)?;
    Some(format!("there is no function {module}:{function}/{}", arguments.len()))
}

/// That call as it would be written: `usab:deep({x,1})`, `king ! hello`.
pub(crate) fn failed_call(trace: &Term) -> Option<String> {
    let (module, function, arguments) = innermost(trace)?;
    let operator = function.as_atom().map_or("", Atom::text);
    if let ([left, right], true) = (arguments.as_slice(), is_operator(operator)) {
        return Some(format!("{} {operator} {}", value(left), value(right)));
    }
    let arguments: Vec<String> = arguments.iter().map(value).collect();
    let call = format!("{function}({})", arguments.join(","));
    Some(if module.is_atom(atom!("erlang")) { call } else { format!("{module}:{call}") })
}

/// Whether a function of two arguments is written between them.
fn is_operator(name: &str) -> bool {
    const WORDS: [&str; 10] =
        ["div", "rem", "band", "bor", "bxor", "bsl", "bsr", "and", "or", "xor"];
    WORDS.contains(&name) || name.starts_with(|c: char| c.is_ascii_punctuation())
}

/// The term with every `{Reason, StackTrace}` in it as the reason alone.
fn without_traces(term: &Term) -> Term {
    match term {
        _ if deep::is_deeper(term, deep::DONE_MAX) => term.clone(),
        Term::Tuple(tuple) => match tuple.items() {
            [reason, Term::Trace(_)] => without_traces(reason),
            items if items.iter().any(holds_trace) => {
                Term::tuple(items.iter().map(without_traces).collect::<Vec<_>>())
            }
            _ => term.clone(),
        },
        Term::Cons(_) if holds_trace(term) => match term.to_vec() {
            Some(items) => Term::list(items.iter().map(without_traces).collect::<Vec<_>>()),
            None => term.clone(),
        },
        _ => term.clone(),
    }
}

fn holds_trace(term: &Term) -> bool {
    match term {
        Term::Trace(_) => true,
        Term::Tuple(tuple) => tuple.items().iter().any(holds_trace),
        Term::Cons(_) => term.cells().any(holds_trace),
        _ => false,
    }
}

/// The first stack trace in a term.
fn trace_in(term: &Term) -> Option<&Trace> {
    match term {
        Term::Trace(trace) => Some(trace),
        Term::Tuple(tuple) => tuple.items().iter().find_map(trace_in),
        _ => None,
    }
}

fn assertion(tag: &str, info: &Term) -> Option<String> {
    let info = info.to_vec()?;
    let get = |wanted: &str| {
        info.iter().find_map(|pair| match pair.as_tuple() {
            Some([Term::Atom(key), value]) if key.text() == wanted => Some(value),
            _ => None,
        })
    };
    let shown = |wanted: &str| get(wanted).map(print::readable);
    let plain = |wanted: &str| get(wanted).map(|it| it.to_text().unwrap_or_else(|| it.to_string()));
    let mut text = format!("{tag} failed:");
    if let Some(expression) = plain("expression") {
        text.push_str(&format!(" {expression} gives"));
    }
    match (shown("value"), shown("expected"), plain("pattern")) {
        (Some(value), Some(expected), _) => {
            text.push_str(&format!(" {value} where {expected} is expected"));
        }
        (Some(value), None, Some(pattern)) => {
            text.push_str(&format!(" {value}, which does not match {pattern}"));
        }
        _ => {
            let skipped = ["module", "line", "expression"];
            for pair in &info {
                if let Some([Term::Atom(key), value]) = pair.as_tuple()
                    && !skipped.contains(&key.text())
                {
                    text.push_str(&format!(" {} {}", key.text(), print::readable(value)));
                }
            }
        }
    }
    Some(text)
}

/// The user's innermost call of the stack trace in a reason: `in bank:handle_call/3 at bank.erl:33`.
pub fn raised_at(reason: &Term) -> Option<String> {
    let trace = trace_in(reason)?;
    let is_own = |file: crate::term::Atom| crate::tell::label::is_users(file);
    let entry = trace.entries.iter().find(|entry| entry.file.is_some_and(is_own))?;
    let file = crate::tell::label::base_name(entry.file?.text());
    let (module, function) = (entry.module.text(), entry.function.text());
    Some(format!("in {module}:{function}/{} at {file}:{}", entry.arity, entry.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn stack_traces_are_left_out_wherever_they_are() {
        let trace = Term::Trace(Arc::new(Trace::default()));
        let inner = Term::tuple([Term::atom("badkey"), trace.clone()]);
        let down = Term::tuple([Term::atom("DOWN"), Term::list([inner.clone(), Term::Int(1)])]);
        assert_eq!(message(&down), "{'DOWN',[badkey,1]}");
        let outer = Term::tuple([inner, Term::atom("call")]);
        assert_eq!(reason(&outer), "{badkey,call}");
        assert_eq!(reason(&Term::tuple([outer, trace])), "{badkey,call}");
        assert_eq!(message(&Term::string("abc")), "\"abc\"");
    }
}
