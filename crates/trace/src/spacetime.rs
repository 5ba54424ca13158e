//! `SpaceTime`: who stands where, and from which event each message comes.
//! Not here: finding the sends (`sends`), drawing (`svg`).

use crate::lives::is_same_member;
use crate::sends::{Origin, Sends, message_of};
use crate::{Changed, Run, Sent, Story};
use foresee_lts::{Footprint, Label, Path, Standing, System, Told, Verb};

/// A run laid out over lanes, one for each member.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::SpaceTime;
/// let path = Path { initial: vec![0, 0], actions: vec![Action(1), Action(0)] };
/// let diagram = SpaceTime::of(&Counters::new(2, 3), &path);
/// assert_eq!(diagram.lanes, ["counter2", "counter1"]);
/// assert_eq!(diagram.marks[1].lane, Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct SpaceTime {
    /// The members' names: those of the start, then those that came later, then others in the order in which they first act.
    pub lanes: Vec<String>,
    /// When each of them is there.
    pub spans: Vec<Lane>,
    pub marks: Vec<Mark>,
}

/// From when to when a member is there.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Lane {
    /// The step that started it; 0 if it was there at the start.
    pub from: usize,
    /// The step after which it was gone for good.
    pub to: Option<usize>,
}

/// Two steps of a run that raced: the other order was possible too.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Race {
    /// The number of the earlier step.
    pub first: usize,
    /// The number of the later step.
    pub second: usize,
    /// The other order was tried, and nothing went wrong.
    pub decides: bool,
}

/// One event.
#[derive(Clone, Debug)]
pub struct Mark {
    /// From 1; 0 is the start.
    pub step: usize,
    pub label: Label,
    /// Where it happens; `None` for the network as a whole.
    pub lane: Option<usize>,
    /// The sender's lane, for events about a message.
    pub sender: Option<usize>,
    /// The event that sent the message, 0 for the start; `None` if it cannot be told.
    pub sent_at: Option<usize>,
    pub changes: Vec<Changed>,
    /// What it tells beyond its label.
    pub told: Told,
    /// What it sends that nothing in the run ever takes up again.
    pub left_in_flight: Vec<Sent>,
    /// The lanes in whose inboxes it leaves something that is never taken out.
    pub unread: Vec<usize>,
    /// The lanes that it starts.
    pub starts: Vec<usize>,
}

impl SpaceTime {
    pub fn of(system: &dyn System, path: &Path) -> Self {
        let run = Run::of(system, path);
        SpaceTime::of_story(&run, run.story())
    }

    /// The same for a run whose story is known, or has been made shorter.
    pub fn of_story(run: &Run<'_>, story: &Story) -> Self {
        let lanes = lanes_of(story);
        let lane_of = |name: &str| lanes.iter().position(|lane| is_same_member(lane, name));
        let spans: Vec<Lane> = lanes.iter().map(|name| span_of(story, name)).collect();
        let puts = Origins::of(story, run.footprints());
        let marks = story.steps.iter().map(|step| {
            let Origin { sent_at, put_at } = puts.origins[step.number - 1];
            let putter = put_at.and_then(|at| story.steps[at - 1].label.to.as_deref());
            let sender = step.label.from.as_deref().or(putter);
            let is_unread = |sent: &&Sent| sent.from.is_empty() && puts.is_left(step.number);
            let unread = step.sent.iter().filter(is_unread);
            let born = |(lane, span): (usize, &Lane)| (span.from == step.number).then_some(lane);
            Mark {
                step: step.number,
                label: step.label.clone(),
                lane: step.label.to.as_deref().and_then(lane_of),
                sender: sender.and_then(lane_of),
                sent_at: sent_at.or(put_at),
                changes: step.changes.clone(),
                told: step.told.clone(),
                left_in_flight: left_in_flight(story, step.number),
                unread: unread.filter_map(|sent| lane_of(&sent.to)).collect(),
                starts: spans.iter().enumerate().filter_map(born).collect(),
            }
        });
        SpaceTime { marks: marks.collect(), spans, lanes }
    }
}

/// With more members, only those that take part.
const IDLE_LANES_MAX: usize = 8;

fn lanes_of(story: &Story) -> Vec<String> {
    let mut acting: Vec<&str> = Vec::new();
    for step in &story.steps {
        for name in [&step.label.from, &step.label.to].into_iter().flatten() {
            if !acting.iter().any(|other| is_same_member(other, name)) {
                acting.push(name);
            }
        }
    }
    let last = story.steps.last().map_or(&story.start, |step| &step.state);
    let names = |state: &'_ foresee_lts::Description| -> Vec<String> {
        state.members.iter().map(|member| member.name.clone()).collect()
    };
    // The latest name of each, those of the start first.
    let (first, mut lanes) = (names(&story.start), names(last));
    lanes.sort_by_key(|lane| {
        first.iter().position(|name| is_same_member(name, lane)).unwrap_or(first.len())
    });
    for name in first {
        if !lanes.iter().any(|lane| is_same_member(lane, &name)) {
            lanes.push(name);
        }
    }
    if lanes.len() > IDLE_LANES_MAX {
        lanes.retain(|name| acting.iter().any(|other| is_same_member(other, name)));
    }
    acting.retain(|name| !lanes.iter().any(|lane| is_same_member(lane, name)));
    lanes.extend(acting.into_iter().map(str::to_owned));
    lanes
}

fn span_of(story: &Story, name: &str) -> Lane {
    let status = |state: &foresee_lts::Description| {
        let mut members = state.members.iter();
        members.find(|member| is_same_member(&member.name, name)).map(|it| it.standing)
    };
    let is_gone = |standing: &Option<Standing>| *standing == Some(Standing::Ended);
    let mut span = Lane::default();
    let mut before = status(&story.start);
    for step in &story.steps {
        let now = status(&step.state);
        if before.is_none() && now.is_some() && span.from == 0 {
            span.from = step.number;
        }
        if !is_gone(&before) && is_gone(&now) {
            span.to = Some(step.number);
        }
        before = now;
    }
    span
}

/// Where the messages of a run come from, and what of them stays.
struct Origins {
    /// For each event.
    origins: Vec<Origin>,
    /// For each event: how much of what it put into mailboxes is never taken out.
    n_left: Vec<usize>,
}

impl Origins {
    fn of(story: &Story, footprints: &[Footprint]) -> Self {
        let mut sends = Sends::new(&story.in_flight);
        let mut origins = Vec::with_capacity(story.steps.len());
        for (step, footprint) in story.steps.iter().zip(footprints) {
            let earlier = |at: usize| Some((&story.steps[at - 1].label, &footprints[at - 1]));
            origins.push(sends.step(&step.label, footprint, &step.in_flight, &earlier));
        }
        let mut n_left = vec![0; footprints.len()];
        sends.never_received().for_each(|step| n_left[step - 1] += 1);
        Origins { origins, n_left }
    }

    fn is_left(&self, step: usize) -> bool {
        self.n_left[step - 1] > 0
    }
}

fn left_in_flight(story: &Story, step: usize) -> Vec<Sent> {
    let takes_up = |label: &Label, sent: &Sent| {
        label.verb != Verb::Duplicate && message_of(label).as_ref() == Some(sent)
    };
    let is_left = |sent: &&Sent| {
        !sent.from.is_empty()
            && !story.steps[step..].iter().any(|later| takes_up(&later.label, sent))
    };
    story.steps[step - 1].sent.iter().filter(is_left).cloned().collect()
}
