//! What can happen at a place, what one might expect and cannot happen, and taking steps.

use super::sends::PendingAt;
use super::{
    ChangeView, ChoiceView, Choices, FaultBudget, KindCount, LabelView, NotPossible, Stage,
    StageError, StateView, Taken, view,
};
use foresee_lts::{Action, Description, Label, Pending, Verb};
use foresee_search::PlaceId;
use foresee_stdx::Random;
use std::collections::{BTreeMap, BTreeSet};

impl Stage {
    pub fn choices(&mut self, place: PlaceId) -> Result<Choices, StageError> {
        self.choices_up_to(place, usize::MAX)
    }

    /// The same with at most so many of one kind for one member, and how many there are of each kind. Those that were taken
    /// are always among them.
    pub fn choices_up_to(&mut self, place: PlaceId, most: usize) -> Result<Choices, StageError> {
        let state = self.state_of(place)?;
        let description = self.describe(place);
        self.members.learn(&description);
        // There may be thousands of messages, and as many choices.
        let own: BTreeMap<Action, &Pending> =
            items(&description).filter_map(|(_, it)| Some((it.action?, it))).collect();
        let mut about: Option<BTreeMap<_, &Pending>> = None;
        let mut counts: BTreeMap<(Option<u32>, String), u32> = BTreeMap::new();
        let mut choices = Vec::new();
        for (number, action) in self.cursor.choices(place)?.into_iter().enumerate() {
            let label = self.loaded().label(&state, action);
            let member = label.to.as_deref().and_then(|name| self.members.find(name));
            let place = self.cursor.after(place, action)?;
            let count = counts.entry((member, view::type_of(&label))).or_default();
            *count += 1;
            if *count as usize > most && place.is_none() {
                continue;
            }
            let item = own.get(&action).copied().or_else(|| {
                // A fault about a message: whichever message has the same words.
                let about = about.get_or_insert_with(|| by_words(&description));
                label.from.as_ref().and_then(|_| about.get(&words_of(&label)).copied())
            });
            let part = item.map(|item| self.keep(&item.content));
            choices.push(ChoiceView {
                choice: number as u32,
                member,
                part,
                is_fault: is_fault(label.verb),
                place,
                label: LabelView::from(&label),
            });
        }
        let not_possible = self.not_possible(&description, most);
        let faults = description.faults_left.iter();
        let faults =
            faults.map(|(verb, left)| FaultBudget { word: verb.word().to_owned(), left: *left });
        let counts = counts.into_iter();
        let counts = counts.map(|((member, r#type), count)| KindCount { member, r#type, count });
        Ok(Choices { choices, not_possible, faults: faults.collect(), counts: counts.collect() })
    }

    /// What is pending and cannot happen, and what a budget does not allow any more.
    fn not_possible(&mut self, description: &Description, most: usize) -> Vec<NotPossible> {
        let mut all: Vec<NotPossible> = Vec::new();
        let mut counts: BTreeMap<(Option<u32>, String), usize> = BTreeMap::new();
        for (member, item) in items(description).filter(|(_, item)| item.action.is_none()) {
            let Some(why) = &item.why_not else { continue };
            let label = item
                .label
                .clone()
                .unwrap_or_else(|| Label::of_actor(Verb::Step, member, item.content.one_line()));
            let member = self.members.find(member);
            let count = counts.entry((member, view::type_of(&label))).or_default();
            *count += 1;
            if *count > most {
                continue;
            }
            all.push(NotPossible { label: LabelView::from(&label), member, why: why.clone() });
        }
        for (verb, _) in description.faults_left.iter().filter(|(_, left)| *left == 0) {
            let label = Label::of_verb(*verb);
            let why = format!("no {} left", several(*verb));
            all.push(NotPossible { label: LabelView::from(&label), member: None, why });
        }
        // Copies of one message say the same.
        let mut seen = BTreeSet::new();
        all.retain(|one| seen.insert((one.label.text.clone(), one.why.clone())));
        all
    }

    /// Takes a choice and goes where it leads. Refuses if `label`, as traces write it, is not that of the choice.
    pub fn take(
        &mut self,
        place: PlaceId,
        choice: u32,
        label: Option<&str>,
    ) -> Result<Taken, StageError> {
        let actions = self.cursor.choices(place)?;
        if let (Some(label), Some(action)) = (label, actions.get(choice as usize)) {
            let state = self.cursor.state(place)?;
            let own = self.loaded().label(state, *action).to_string();
            if own != label {
                let message = format!("choice {choice} is `{own}`, not `{label}`");
                return Err(StageError::new("label-disagrees", message)
                    .help("ask for the choices of the place again"));
            }
        }
        let taken = self.cursor.take(place, choice as usize)?;
        Ok(Taken { place: taken.place, new: taken.new })
    }

    /// The state that a choice leads to, with at most so many messages of each inbox, and what changes; no place is added.
    pub fn preview(
        &mut self,
        place: PlaceId,
        choice: u32,
        most: usize,
    ) -> Result<(StateView, Vec<ChangeView>), StageError> {
        let next = self.cursor.preview(place, choice as usize)?;
        let action = self.cursor.choices(place)?[choice as usize];
        if let Some(known) = self.cursor.after(place, action)? {
            return Ok((self.state_up_to(known, most)?, self.changes(place, known)?));
        }
        let (before, after) = (self.describe(place), self.description_of(&next));
        let view = self.view(place, &next, &after, &PendingAt::default(), most);
        let changes = self.changes_between(&before, &after);
        Ok((view, changes))
    }

    /// So many steps chosen at random, or fewer if nothing can happen any more.
    pub fn random(
        &mut self,
        place: PlaceId,
        steps: u32,
        seed: u64,
    ) -> Result<Vec<PlaceId>, StageError> {
        Ok(self.cursor.random(place, steps, &mut Random::new(seed))?)
    }
}

/// Everything pending, with whose it is.
fn items(description: &Description) -> impl Iterator<Item = (&str, &Pending)> {
    description.members.iter().flat_map(|member| {
        let items = member.inbox.iter().chain(&member.timers);
        items.map(move |item| (member.name.as_str(), item))
    })
}

type Told<'l> = (&'l Option<String>, &'l Option<String>, &'l foresee_lts::Words);

/// What an event about a message and the message itself have in common.
fn words_of(label: &Label) -> Told<'_> {
    (&label.from, &label.to, &label.payload)
}

/// Everything pending by its words; of several the first.
fn by_words(description: &Description) -> BTreeMap<Told<'_>, &Pending> {
    let mut found = BTreeMap::new();
    for (_, item) in items(description) {
        if let Some(label) = &item.label {
            found.entry(words_of(label)).or_insert(item);
        }
    }
    found
}

/// Whether such an event is something that goes wrong, or is mended.
pub(crate) fn is_fault(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Drop
            | Verb::Duplicate
            | Verb::Crash
            | Verb::Restart
            | Verb::Partition
            | Verb::Heal
            | Verb::LoseDisk
    )
}

fn several(verb: Verb) -> String {
    match verb {
        Verb::Crash => "crashes".to_owned(),
        Verb::LoseDisk => "lost disks".to_owned(),
        verb => format!("{}s", verb.word()),
    }
}
