//! The races that one receive observes: a delivery that it took, and each delivery that it would have taken as well.
//! Why together: where n processes send to one, the first receive alone observes n races, and a run n²/2. Their reversing
//! sequences are as long as the run, and differ only in who comes first: the later delivery, the earlier one, all else that
//! does not need the receive, the receive. So what they have in common is found once and kept once, and the steps of a sequence are
//! listed only when its branch is taken (`wakeup_tree::Line`). To hold each of them against all the others would
//! make that n³ questions of which the answer is known: a branch that begins with another delivery that the receive would take is
//! never a beginning of a sequence in which the receive takes this one.
//! Invariant: of an observation that is plain, no receive of the sequence takes anything from the mailbox that came since the
//! earlier delivery, but for the last. A race is plain if besides its later delivery needs nothing that came since, and
//! delivers nothing else.
//! Not here: all other races (`race`), and what is done with a sequence (`plan`).

use crate::index::{EventIdx, Idx, MailboxIdx};
use crate::race::{Ending, Race, Rules};
use crate::run::Run;
use crate::step::Step;
use std::num::NonZeroU64;
use std::sync::Arc;

/// What the reversing sequences of all plain races that one receive observes in a run have in common.
#[derive(Debug)]
pub(crate) struct Observation {
    /// The delivery that the receive took.
    first: EventIdx,
    receive: EventIdx,
    /// The mailbox from which it took it.
    mailbox: Option<MailboxIdx>,
    pub(crate) id: ObservationId,
    pub(crate) is_plain: bool,
    /// The earlier delivery and all later events that do not need the receive.
    events: Vec<EventIdx>,
    /// These as a hash.
    pub(crate) hash: u64,
    steps: Option<Arc<Steps>>,
}

/// One for each observation of an explorer, and of those that go on where it was.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct ObservationId(NonZeroU64);

impl ObservationId {
    pub(crate) fn after(latest: Option<ObservationId>) -> Self {
        latest.map_or(ObservationId(NonZeroU64::MIN), |it| ObservationId(it.0.saturating_add(1)))
    }
}

/// What comes after the delivery `second`, with which the reversal of a plain race of an observation begins: the receive
/// takes its message.
#[derive(Clone, Debug)]
pub(crate) struct ObservedLine {
    pub(crate) steps: Arc<Steps>,
    pub(crate) second: EventIdx,
    pub(crate) message: u64,
}

impl ObservedLine {
    /// The thread of its first step.
    pub(crate) fn thread(&self) -> u64 {
        self.steps.thread()
    }

    /// Its steps, the last one first.
    pub(crate) fn backwards(&self) -> Vec<Arc<Step>> {
        self.steps.backwards(self.second, self.message)
    }
}

/// The steps of an observation, kept as long as a sequence is pending that has them.
#[derive(Debug)]
pub(crate) struct Steps {
    receive: Arc<Step>,
    /// Of the earlier delivery and of all later events that do not need the receive, with the events.
    others: Vec<(EventIdx, Arc<Step>)>,
}

impl Steps {
    /// The steps of a sequence after the delivery `second`, with which it begins, the last one first.
    fn backwards(&self, second: EventIdx, message: u64) -> Vec<Arc<Step>> {
        let mut steps = Vec::with_capacity(self.others.len());
        let is_same = self.receive.receive().is_some_and(|it| it.message == Some(message));
        let receive = &self.receive;
        steps.push(if is_same { Arc::clone(receive) } else { receive.taking(Some(message)) });
        let others = self.others.iter().rev().filter(|it| it.0 != second);
        steps.extend(others.map(|it| Arc::clone(&it.1)));
        steps
    }

    /// The thread of the earlier delivery, which comes next.
    fn thread(&self) -> u64 {
        self.others[0].1.thread
    }
}

impl Observation {
    pub(crate) fn new(
        rules: Rules<'_>,
        run: &Run,
        first: EventIdx,
        receive: EventIdx,
        id: ObservationId,
    ) -> Self {
        let step = run.step(receive);
        let mailbox = step.numbered.received_from;
        let mut observation = Observation {
            first,
            receive,
            mailbox,
            id,
            is_plain: step.only_receives(rules.threads),
            events: Vec::new(),
            hash: 0,
            steps: None,
        };
        if observation.is_plain {
            observation.collect(run);
        }
        observation
    }

    fn collect(&mut self, run: &Run) {
        self.events.push(self.first);
        for x in self.first.next().until(run.end()) {
            if run.is_firmly_before(self.receive, x) {
                continue;
            }
            let event = &run.events[x];
            let is_passed = event.taken.is_some_and(|taken| taken >= self.first);
            if is_passed && event.step.numbered.received_from == self.mailbox {
                self.is_plain = false;
                return;
            }
            self.events.push(x);
        }
        self.hash = run.hash_of(&self.events);
    }

    pub(crate) fn is_of(&self, race: Race) -> bool {
        race.first == self.first && race.ending == Ending::Taking(self.receive)
    }

    /// Whether the reversing sequence of one of its races is the later delivery and then what all have in common.
    pub(crate) fn has_plain(&self, run: &Run, race: Race) -> bool {
        let second = &run.events[race.second];
        self.is_plain
            && second.past.latest.is_none_or(|latest| latest < self.first)
            && second.step.numbered.mailboxes[..] == *self.mailbox.as_slice()
    }

    /// The reversing sequence of a plain race, without the receive.
    pub(crate) fn order(&self, second: EventIdx, order: &mut Vec<EventIdx>) {
        order.clear();
        order.push(second);
        order.extend(self.events.iter().filter(|it| **it != second));
    }

    pub(crate) fn steps(&mut self, run: &Run) -> &Arc<Steps> {
        let step = |event: EventIdx| Arc::clone(run.step(event));
        let (events, receive) = (&self.events, self.receive);
        self.steps.get_or_insert_with(|| {
            let others = events.iter().map(|event| (*event, step(*event))).collect();
            Arc::new(Steps { receive: step(receive), others })
        })
    }
}
