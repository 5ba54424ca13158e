//! `Story`: a run as a report tells it: who did what to whom, what changed, what was sent.
//! Why from descriptions: what a person sees of a state is what the front end describes, so differences of descriptions
//! are differences a person can find again in the debugger.

use crate::sends::own_words;
use crate::{Changed, Run, RunEvent, differences};
use foresee_lts::{
    Description, End, Label, Member, Path, Pending, State, System, Told, Tree, Verb, Words,
};
use foresee_stdx::halt;
use std::collections::BTreeMap;

/// A run, ready to be rendered.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::Story;
/// let path = Path { initial: vec![0], actions: vec![Action(0)] };
/// let story = Story::of(&Counters::new(1, 3), &path);
/// assert_eq!(story.to_string(), "1  counter1   increment\n");
/// ```
#[derive(Clone, Debug)]
pub struct Story {
    pub system: String,
    /// The state in which the run starts.
    pub start: Description,
    pub steps: Vec<StoryStep>,
    /// Where the members stand at the end and what ended them, for systems that can tell.
    pub ends: Vec<End>,
    /// Everything in flight at the start.
    pub(crate) in_flight: Vec<Sent>,
}

/// One event and what came of it.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// From 1.
    pub number: usize,
    pub label: Label,
    /// Which of the enabled actions with this label it is, from 0.
    pub choice: usize,
    /// What changed, the acting member first. Inboxes and timers are told by `sent` and `timers`.
    pub changes: Vec<Changed>,
    /// The messages that are in flight after the event and were not before.
    pub sent: Vec<Sent>,
    /// The timers that were set: whose, and which.
    pub timers: Vec<(String, Words)>,
    /// What it tells beyond its label: values, exceptions, where in the source it happens.
    pub told: Told,
    /// The state is the same as before.
    pub is_no_op: bool,
    /// The state after the event.
    pub state: Description,
    /// Everything in flight after the event.
    pub(crate) in_flight: Vec<Sent>,
}

/// A message that an event put in flight; `from` is empty where a message does not say who sent it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Sent {
    pub from: String,
    pub to: String,
    pub payload: Words,
}

impl Story {
    pub fn of(system: &dyn System, path: &Path) -> Self {
        Story::tell(&Run::of(system, path))
    }

    pub(crate) fn tell(run: &Run<'_>) -> Self {
        let (system, states) = (run.system(), run.states());
        let described: Vec<_> = states.iter().map(|state| described(system, state)).collect();
        let words = Named::of(system, states, &described);
        let account = system.account(run.path());
        let pending: Vec<_> = described.iter().map(|state| words.pending(state)).collect();
        let steps =
            run.events().iter().cloned().enumerate().map(|(i, RunEvent { label, choice })| {
                StoryStep {
                    number: i + 1,
                    changes: changes_between(&described[i], &described[i + 1], label.to.as_deref()),
                    sent: appeared(&pending[i].messages, &pending[i + 1].messages),
                    timers: appeared(&pending[i].timers, &pending[i + 1].timers),
                    told: account.steps.get(i).cloned().unwrap_or_default(),
                    is_no_op: states[i] == states[i + 1],
                    label,
                    choice,
                    state: described[i + 1].clone(),
                    in_flight: pending[i + 1].messages.clone(),
                }
            });
        Story {
            system: system.name(),
            steps: steps.collect(),
            in_flight: pending[0].messages.clone(),
            start: described[0].clone(),
            ends: account.ends,
        }
    }
}

impl StoryStep {
    /// Who acts on whom: `client1 -> server`, `drop client1 -> server`, `crash server`.
    pub fn who(&self) -> String {
        let label = &self.label;
        let verb = match label.verb.written() {
            Verb::Deliver | Verb::Step => None,
            verb => Some(verb.word().to_owned()),
        };
        let who = match (&label.from, &label.to) {
            (Some(from), Some(to)) => Some(format!("{from} -> {to}")),
            (_, to) => to.clone(),
        };
        verb.into_iter().chain(who).collect::<Vec<_>>().join(" ")
    }

    /// The changes, sends and timers as short lines.
    pub fn lines(&self) -> Vec<String> {
        let changes = self.changes.iter().map(|change| change.one_line(48));
        let sent = self.sent.iter().filter(|sent| !self.says(sent)).map(|sent| {
            let Sent { from, to, payload } = sent;
            match from.is_empty() {
                true => format!("{to} gets {}", payload.shortened(60)),
                false => format!("{from} sends {} to {to}", payload.shortened(60)),
            }
        });
        let timers = self
            .timers
            .iter()
            .map(|(who, timer)| format!("{who} sets timer {}", timer.shortened(60)));
        changes.chain(sent).chain(timers).collect()
    }

    /// Whether the label itself tells of the message: `send <P.1> hello`.
    fn says(&self, sent: &Sent) -> bool {
        let message = self.label.about.message.as_ref().unwrap_or(&self.label.payload);
        sent.from.is_empty() && *message == sent.payload
    }

    /// The lines as the note of a trace's event.
    pub(crate) fn note(&self) -> Option<String> {
        let lines = self.lines();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Numbered steps in columns, changes indented below.
impl std::fmt::Display for Story {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number_width = self.steps.len().to_string().len();
        let who_width = self.steps.iter().map(|step| step.who().chars().count()).max().unwrap_or(0);
        for step in &self.steps {
            let line = format!(
                "{:>number_width$}  {:who_width$}   {}",
                step.number,
                step.who(),
                step.label.payload_and_place()
            );
            writeln!(f, "{}", line.trim_end())?;
            for line in step.lines() {
                writeln!(f, "{:number_width$}    {line}", "")?;
            }
        }
        Ok(())
    }
}

/// The state as a person sees it, which of a large one is much.
fn described(system: &dyn System, state: &State) -> Description {
    halt::ask(state.len() * BYTES_PER_SLOT);
    system.describe(state)
}

/// About what a slot takes when it is described.
const BYTES_PER_SLOT: usize = 512;

fn changes_between(before: &Description, after: &Description, actor: Option<&str>) -> Vec<Changed> {
    let mut members: Vec<&Member> = after.members.iter().collect();
    members.sort_by_key(|member| Some(member.name.as_str()) != actor);
    let mut changes = Vec::new();
    for new in members {
        let Some(old) = before.members.iter().find(|old| old.name == new.name) else {
            continue;
        };
        let status = |text: &str| Tree::leaf(if text.is_empty() { "running" } else { text });
        changes.extend(differences(&new.name, &status(&old.status), &status(&new.status)));
        changes.extend(differences(&new.name, &old.state, &new.state));
    }
    for (name, new) in &after.shared {
        let old = before.shared.iter().find(|(other, _)| other == name);
        let old = old.map_or_else(|| Tree::leaf(""), |(_, tree)| tree.clone());
        changes.extend(differences(name, &old, new));
    }
    changes
}

/// What is pending in one state, in the words of labels.
struct InWords {
    messages: Vec<Sent>,
    timers: Vec<(String, Words)>,
}

/// What labels call pending things that do not say so themselves. A front end may show a message's inside in one way and name
/// it on labels in another; whenever the action that takes it up is enabled, both are known.
struct Named(BTreeMap<Thing, Words>);

/// Whose, from whom (empty for a timer), and the content as described.
type Thing = (String, String, String);

impl Named {
    fn of(system: &dyn System, states: &[State], described: &[Description]) -> Self {
        let mut words = BTreeMap::new();
        for (state, description) in states.iter().zip(described) {
            for (member, item, _) in items(description) {
                if item.label.is_none()
                    && let Some(action) = item.action
                {
                    let thing = thing(member, item);
                    words.entry(thing).or_insert_with(|| system.label(state, action).payload);
                }
            }
        }
        Named(words)
    }

    fn pending(&self, description: &Description) -> InWords {
        let (mut messages, mut timers) = (Vec::new(), Vec::new());
        for (member, item, is_timer) in items(description) {
            let thing = thing(member, item);
            let words = own_words(item).or_else(|| self.0.get(&thing)).cloned();
            let payload = words.unwrap_or_else(|| Words::from(thing.2.as_str()));
            if is_timer {
                timers.push((thing.0, payload));
            } else {
                messages.push(Sent { from: thing.1, to: thing.0, payload });
            }
        }
        InWords { messages, timers }
    }
}

/// Everything pending: whose, what, and whether it is a timer.
fn items(description: &Description) -> impl Iterator<Item = (&Member, &Pending, bool)> {
    description.members.iter().flat_map(|member| {
        let inbox = member.inbox.iter().map(move |item| (member, item, false));
        inbox.chain(member.timers.iter().map(move |item| (member, item, true)))
    })
}

fn thing(member: &Member, item: &Pending) -> Thing {
    (member.name.clone(), item.from.clone(), item.content.one_line())
}

/// What is there after and was not before, copies counted.
fn appeared<T: Clone + PartialEq>(before: &[T], after: &[T]) -> Vec<T> {
    let mut old = before.to_vec();
    let mut is_new = |item: &&T| match old.iter().position(|other| other == *item) {
        Some(i) => {
            old.swap_remove(i);
            false
        }
        None => true,
    };
    after.iter().filter(|item| is_new(item)).cloned().collect()
}
