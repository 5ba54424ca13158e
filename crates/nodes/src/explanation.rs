//! Explanations: which result is impossible, what it could have been, and a picture of who did what when.
//! The events are put into one order that agrees with the histories (any will do: whether a history can be explained does
//! not depend on it); the first return after which nothing explains the run any more is the one to look at.

use crate::monitor::Automaton;
use crate::{ClientHistory, Note, Sequential};
use std::borrow::Borrow;
use std::fmt;

/// Why a history is not linearizable. `Display` gives the message and the picture.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Explanation {
    /// The client whose operation returned something impossible, and the operation's position in its history.
    pub operation: Option<(usize, usize)>,
    pub message: String,
    /// A line for each client, time going right.
    pub picture: String,
}

impl Explanation {
    /// Where nothing is known of the order between clients, all there is to say is what each of them saw.
    pub(crate) fn of_no_order<H: Borrow<ClientHistory>>(histories: &[H], names: &[String]) -> Self {
        let message = "no order of the operations explains all results".to_owned();
        let mut picture = String::new();
        for (history, name) in histories.iter().zip(names) {
            let operations = history.borrow().operations().iter();
            let shown = operations.map(|recorded| match &recorded.result {
                Some(result) => format!("{:?} -> {result:?}", recorded.operation),
                None => format!("{:?} …", recorded.operation),
            });
            picture += &format!("{name}: {}\n", shown.collect::<Vec<_>>().join(", "));
        }
        Explanation { operation: None, message, picture }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.message, self.picture)
    }
}

/// Explains histories that are not linearizable.
pub(crate) fn explain<S: Sequential, H: Borrow<ClientHistory>>(
    histories: &[H],
    initial: &S,
    names: &[String],
) -> Explanation {
    for (history, name) in histories.iter().zip(names) {
        if let Some(fault) = history.borrow().fault() {
            let (message, picture) = (format!("{name}: {fault}"), draw(histories, names));
            return Explanation { operation: None, message, picture };
        }
    }
    let automaton = Automaton::new(initial.clone());
    let mut monitor = Automaton::<S>::INITIAL;
    let events = events_of(histories);
    for (position, event) in events.iter().enumerate() {
        let recorded = &histories[event.client].borrow().operations()[event.index];
        let note = match event.kind {
            EventKind::Invoked => Note::Invoked(recorded.operation.clone()),
            EventKind::Returned => {
                Note::Returned(recorded.result.clone().expect("a return has a result"))
            }
        };
        let next = automaton.advance(monitor, event.client, &note);
        if next == Automaton::<S>::DEAD {
            let message = match event.kind {
                EventKind::Invoked => format!(
                    "{} invoked {:?}, which is a {} and not an operation of the specification ({})",
                    names[event.client],
                    recorded.operation,
                    recorded.operation.type_name(),
                    std::any::type_name::<S::Operation>()
                ),
                EventKind::Returned => {
                    let mut possible: Vec<String> = automaton
                        .possible_results(monitor, event.client)
                        .iter()
                        .map(|result| format!("{result:?}"))
                        .collect();
                    possible.sort();
                    impossible(histories, names, event, &possible)
                }
            };
            let picture = draw_events(histories, names, &events[..=position], Some(event));
            let operation = Some((event.client, event.index));
            return Explanation { operation, message, picture };
        }
        monitor = next;
    }
    // Histories made by hand may have counts that no run has; then there is no first wrong event to name.
    Explanation::of_no_order(histories, names)
}

fn impossible<H: Borrow<ClientHistory>>(
    histories: &[H],
    names: &[String],
    event: &Event,
    possible: &[String],
) -> String {
    let recorded = &histories[event.client].borrow().operations()[event.index];
    let mut message = format!(
        "{}'s {:?} returned {:?}, which no order of the operations explains: it could only be {}",
        names[event.client],
        recorded.operation,
        recorded.result.as_ref().expect("a return has a result"),
        possible.join(" or ")
    );
    let mut before = Vec::new();
    for (client, history) in histories.iter().enumerate() {
        let n = recorded.completed_before.get(client).copied().unwrap_or(0) as usize;
        let returned = history.borrow().operations().iter().filter(|op| op.result.is_some());
        if client != event.client && n > 0 {
            let last = returned.take(n).last().expect("counted when it was invoked");
            before.push(format!("{}'s {:?}", names[client], last.operation));
        }
    }
    if !before.is_empty() {
        message += &format!("\n({} had returned before it was invoked)", before.join(" and "));
    }
    message
}

/// All histories as lines of text, time going right.
pub(crate) fn draw<H: Borrow<ClientHistory>>(histories: &[H], names: &[String]) -> String {
    draw_events(histories, names, &events_of(histories), None)
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Event {
    client: usize,
    index: usize,
    kind: EventKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum EventKind {
    Invoked,
    Returned,
}

/// One order of all invocations and returns that agrees with the histories' counts: invocations as early as they can be.
fn events_of<H: Borrow<ClientHistory>>(histories: &[H]) -> Vec<Event> {
    let n = histories.len();
    let operations = |client: usize| histories[client].borrow().operations();
    let mut events = Vec::new();
    let (mut invoked, mut returned, mut completed) = (vec![0; n], vec![0; n], vec![0u32; n]);
    loop {
        let may_invoke = |client: usize, completed: &[u32]| {
            let waits = invoked[client] > returned[client]
                && operations(client)[invoked[client] - 1].result.is_some();
            let next = operations(client).get(invoked[client]).filter(|_| !waits)?;
            let before = next.completed_before.iter().enumerate();
            let mut before = before.filter(|(other, _)| *other != client);
            before.all(|(other, count)| completed[other] >= *count).then_some(())
        };
        if let Some(client) = (0..n).find(|client| may_invoke(*client, &completed).is_some()) {
            events.push(Event { client, index: invoked[client], kind: EventKind::Invoked });
            invoked[client] += 1;
            // Operations given up are passed over: they never return.
            while returned[client] < invoked[client]
                && operations(client)[returned[client]].result.is_none()
            {
                returned[client] += 1;
            }
            continue;
        }
        // A return must wait while another client's next invocation has not seen it.
        let may_return = |client: usize| {
            returned[client] < invoked[client]
                && (0..n).filter(|other| *other != client).all(|other| {
                    let next = operations(other).get(invoked[other]);
                    next.is_none_or(|next| {
                        next.completed_before.get(client).copied().unwrap_or(0) > completed[client]
                    })
                })
        };
        let Some(client) = (0..n).find(|client| may_return(*client)) else { break };
        events.push(Event { client, index: returned[client], kind: EventKind::Returned });
        returned[client] += 1;
        completed[client] += 1;
    }
    events
}

fn draw_events<H: Borrow<ClientHistory>>(
    histories: &[H],
    names: &[String],
    events: &[Event],
    culprit: Option<&Event>,
) -> String {
    let text_of = |event: &Event, returned: bool| {
        let recorded = &histories[event.client].borrow().operations()[event.index];
        match &recorded.result {
            Some(result) if returned => format!("{:?} -> {result:?}", recorded.operation),
            _ => format!("{:?} …", recorded.operation),
        }
    };
    let returns = |event: &Event| events.contains(&Event { kind: EventKind::Returned, ..*event });
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = names.iter().map(|name| format!("{name:<width$} ")).collect();
    let length = |line: &str| line.chars().count();
    let mut column = width + 1;
    for event in events {
        let line = &mut lines[event.client];
        match event.kind {
            EventKind::Invoked => {
                column = column.max(length(line));
                let pad = column - length(line);
                line.extend(std::iter::repeat_n(' ', pad));
                line.push('|');
                *line += &text_of(event, returns(event));
                column += 1;
            }
            EventKind::Returned => {
                column = column.max(length(line));
                let pad = column - length(line);
                line.extend(std::iter::repeat_n(' ', pad));
                line.push('|');
                column += 1;
            }
        }
    }
    if let Some(culprit) = culprit {
        lines[culprit.client] += "  <- impossible";
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recording;

    #[test]
    fn the_order_of_events_agrees_with_the_counts() {
        let mut random = foresee_stdx::Random::new(17);
        for _ in 0..2000 {
            let mut recording = Recording::new(3);
            for _ in 0..random.between(1, 14) {
                let client = random.below(3) as usize;
                let waits = recording.histories()[client].pending().is_some();
                if waits && random.chance(0.8) {
                    recording.returned(client, random.below(3));
                } else {
                    recording.invoked(client, random.below(3));
                }
            }
            let mut again = Recording::new(3);
            for event in events_of(recording.histories()) {
                let recorded = &recording.histories()[event.client].operations()[event.index];
                match event.kind {
                    EventKind::Invoked => {
                        again.add(event.client, &Note::Invoked(recorded.operation.clone()));
                    }
                    EventKind::Returned => {
                        let result = recorded.result.clone().unwrap();
                        again.add(event.client, &Note::Returned(result));
                    }
                }
            }
            assert_eq!(again, recording);
        }
    }

    #[test]
    fn overlapping_operations_overlap_in_the_picture() {
        let mut recording = Recording::new(2);
        recording.invoked(0, "long operation");
        recording.invoked(1, 'x');
        recording.returned(1, 1);
        recording.invoked(1, 'y');
        recording.returned(0, 2);
        let names = ["a".to_owned(), "b".to_owned()];
        assert_eq!(
            draw(recording.histories(), &names),
            "a |\"long operation\" -> 2|\nb  |'x' -> 1||'y' …\n"
        );
    }
}
