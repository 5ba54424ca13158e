//! `Story`: a run as a report tells it: who did what to whom, what changed, what was sent.
//! Why from descriptions: what a person sees of a state is what the front end describes, so differences of descriptions
//! are differences a person can find again in the debugger.

use crate::diff::shorten;
use crate::{Changed, differences};
use foresee_lts::{Action, Description, Label, Member, Path, Pending, State, System, Tree, Verb};

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
    pub timers: Vec<(String, String)>,
    /// The state is the same as before.
    pub is_no_op: bool,
    /// The state after the event.
    pub state: Description,
}

/// A message that an event put in flight.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sent {
    pub from: String,
    pub to: String,
    pub payload: String,
}

impl Story {
    pub fn of(system: &dyn System, path: &Path) -> Self {
        let states = path.states(system);
        let start = system.describe(&states[0]);
        let mut before = start.clone();
        let mut steps = Vec::with_capacity(path.actions.len());
        for (i, &action) in path.actions.iter().enumerate() {
            let after = system.describe(&states[i + 1]);
            let (label, choice) = label_and_choice(system, &states[i], action);
            steps.push(StoryStep {
                number: i + 1,
                changes: changes_between(&before, &after, label.to.as_deref()),
                sent: sent_between(&before, &after),
                timers: timers_between(&before, &after),
                is_no_op: states[i] == states[i + 1],
                label,
                choice,
                state: after.clone(),
            });
            before = after;
        }
        Story { system: system.name(), start, steps }
    }
}

impl StoryStep {
    /// Who acts on whom: `client1 -> server`, `drop client1 -> server`, `crash server`.
    pub fn who(&self) -> String {
        let label = &self.label;
        let verb = match label.verb {
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
        let sent = self.sent.iter().map(|sent| {
            let Sent { from, to, payload } = sent;
            format!("{from} sends {} to {to}", shorten(payload, 60))
        });
        let timers = self
            .timers
            .iter()
            .map(|(who, timer)| format!("{who} sets timer {}", shorten(timer, 60)));
        changes.chain(sent).chain(timers).collect()
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
                step.label.payload
            );
            writeln!(f, "{}", line.trim_end())?;
            for line in step.lines() {
                writeln!(f, "{:number_width$}    {line}", "")?;
            }
        }
        Ok(())
    }
}

/// The label of an action, and how many enabled actions before it have the same one.
fn label_and_choice(system: &dyn System, state: &State, action: Action) -> (Label, usize) {
    let label = system.label(state, action);
    let mut enabled = Vec::new();
    system.enabled(state, &mut enabled);
    let earlier = enabled.iter().take_while(|other| **other != action);
    let choice = earlier.filter(|other| system.label(state, **other) == label).count();
    (label, choice)
}

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

/// Whose inbox or timers, from whom, what.
type Item = (String, String, String);

fn sent_between(before: &Description, after: &Description) -> Vec<Sent> {
    let sent = appeared(before, after, |member| &member.inbox);
    sent.into_iter().map(|(to, from, payload)| Sent { from, to, payload }).collect()
}

fn timers_between(before: &Description, after: &Description) -> Vec<(String, String)> {
    let set = appeared(before, after, |member| &member.timers);
    set.into_iter().map(|(who, _, timer)| (who, timer)).collect()
}

/// What is pending after and was not before, copies counted.
fn appeared(
    before: &Description,
    after: &Description,
    pending: impl Fn(&Member) -> &Vec<Pending>,
) -> Vec<Item> {
    let all = |description: &Description| -> Vec<Item> {
        let items = description.members.iter().flat_map(|member| {
            let item = |p: &Pending| (member.name.clone(), p.from.clone(), p.content.one_line());
            pending(member).iter().map(item).collect::<Vec<_>>()
        });
        items.collect()
    };
    let mut old = all(before);
    let mut new = all(after);
    new.retain(|item| match old.iter().position(|other| other == item) {
        Some(i) => {
            old.swap_remove(i);
            false
        }
        None => true,
    });
    new
}
