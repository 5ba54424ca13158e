//! A state in the words of people: members, what is pending, properties with reasons, and what is wrong.

use super::sends::PendingAt;
use super::{
    FindingView, MemberView, PartKey, PendingView, PropertyView, SourcePlace, Stage, StageError,
    StateView,
};
use foresee_lts::{
    Action, Description, Member, Pending, PropertyKind, System, ViolationKind, content_hash_of,
};
use foresee_search::PlaceId;
use foresee_stdx::halt;
use foresee_trace::Finding;
use std::collections::BTreeMap;

/// What can happen in a state, by action: the number of the choice.
pub(super) type ChoiceOf = BTreeMap<Action, u32>;

impl Stage {
    pub fn state(&mut self, place: PlaceId) -> Result<StateView, StageError> {
        self.state_up_to(place, usize::MAX)
    }

    /// The same with at most so many messages of each inbox.
    pub fn state_up_to(&mut self, place: PlaceId, most: usize) -> Result<StateView, StageError> {
        let state = self.state_of(place)?;
        let description = self.describe(place);
        let pending = self.pending_at(place)?;
        Ok(self.view(place, &state, &description, &pending, most))
    }

    /// A state in words. `pending` says where what is pending comes from.
    pub(super) fn view(
        &mut self,
        place: PlaceId,
        state: &[u32],
        description: &Description,
        pending: &PendingAt,
        most: usize,
    ) -> StateView {
        let choices = self.choices_of(state);
        let standings = self.loaded().front().standings(state);
        let numbers = self.members.learn(description);
        let members = description.members.iter().zip(numbers);
        let members = members
            .map(|(member, (number, _))| {
                let mut view = self.member_view(number, member, &choices, pending, most);
                if let Some(standing) = standings.iter().find(|it| it.member == member.name) {
                    let place = standing.place.clone();
                    view.line = place.map(|(file, line)| SourcePlace { file, line });
                    view.waits_for.clone_from(&standing.waits_for);
                }
                view
            })
            .collect();
        let shared = description.shared.iter();
        let shared = shared.map(|(name, tree)| (name.clone(), self.keep(tree))).collect();
        let is_stuck = choices.is_empty();
        let is_final = is_stuck && self.may_end(state);
        StateView {
            place,
            hash: self.hash_of(state),
            members,
            shared,
            properties: self.property_views(state),
            stuck: is_stuck.then(|| self.stuck_words(state, is_final)),
            is_final,
        }
    }

    pub(super) fn hash_of(&self, state: &[u32]) -> PartKey {
        PartKey(content_hash_of(self.loaded(), state))
    }

    pub(super) fn choices_of(&self, state: &[u32]) -> ChoiceOf {
        let mut actions = Vec::new();
        self.loaded().enabled(state, &mut actions);
        let mut choices = ChoiceOf::new();
        for (number, action) in (0u32..).zip(actions) {
            choices.entry(action).or_insert(number);
        }
        choices
    }

    fn member_view(
        &mut self,
        number: u32,
        member: &Member,
        choices: &ChoiceOf,
        pending: &PendingAt,
        most: usize,
    ) -> MemberView {
        let mut origins = pending.of(&member.name);
        let mut view = |item: &Pending, is_message: bool| {
            let origin = if is_message { origins.next(item) } else { None };
            let sender = origin.as_ref().map(|it| it.sender.clone());
            let from =
                if item.from.is_empty() { sender.unwrap_or_default() } else { item.from.clone() };
            let choice = item.action.and_then(|action| choices.get(&action).copied());
            PendingView {
                from,
                part: self.keep(&item.content),
                why_not: item.why_not.clone().filter(|_| choice.is_none()),
                choice,
                sent_at: origin.as_ref().map(|it| it.place),
                delivered: origin.is_some_and(|it| it.delivered),
            }
        };
        let inbox = member.inbox.iter().take(most).map(|item| view(item, true)).collect();
        let timers = member.timers.iter().map(|item| view(item, false)).collect();
        MemberView {
            member: number,
            name: member.name.clone(),
            status: member.status.clone(),
            state: self.keep(&member.state),
            inbox,
            timers,
            inbox_total: member.inbox.len() as u32,
            line: None,
            waits_for: None,
        }
    }

    /// Whether having nothing to do here is an end, and nothing wrong.
    fn may_end(&self, state: &[u32]) -> bool {
        let is_broken = self.loaded().fault(state).is_some();
        !is_broken
            && (!self.loaded().front().looks_for_deadlocks() || self.loaded().is_final(state))
    }

    fn stuck_words(&self, state: &[u32], is_final: bool) -> String {
        match self.loaded().fault(state) {
            Some(fault) => fault.message,
            None if is_final => "everything that could happen has happened".to_owned(),
            None => self.loaded().why_stuck(state),
        }
    }

    fn property_views(&self, state: &[u32]) -> Vec<PropertyView> {
        let findings = self.judged(state);
        let own = self.properties.iter().enumerate().map(|(number, property)| {
            let broken = findings.iter().find(|it| it.property.as_deref() == Some(property.name()));
            let (holds, why) = match (property.kind, broken) {
                (PropertyKind::Reachable, _) => self.reached(number, state),
                (_, Some(finding)) => (false, finding.message.clone()),
                (_, None) => (true, self.explained(number, state)),
            };
            PropertyView { property: number as u32, holds, why }
        });
        let extra = self.info.properties.iter().zip(0u32..).skip(self.properties.len());
        let extra = extra.map(|(info, number)| {
            let is_about = |it: &&Finding| {
                it.property.is_none() && (info.kind == "deadlock") == is_deadlock(it)
            };
            let finding = findings.iter().find(is_about);
            let why = finding.map_or(String::new(), |it| it.message.clone());
            PropertyView { property: number, holds: finding.is_none(), why }
        });
        own.chain(extra).collect()
    }

    /// Whether a state is one that the property wants to be reached.
    fn reached(&self, property: usize, state: &[u32]) -> (bool, String) {
        let predicate = &self.properties[property].predicate;
        let asked = crate::checked_code::catch_in_checked_code(|| {
            (predicate.holds(state), predicate.explain(state))
        });
        asked.unwrap_or_else(|panic| (false, panic))
    }

    /// Why an invariant that holds, holds; most do not say.
    fn explained(&self, property: usize, state: &[u32]) -> String {
        let predicate = &self.properties[property].predicate;
        crate::checked_code::catch_in_checked_code(|| predicate.explain(state)).unwrap_or_default()
    }

    /// Everything wrong with a state, deadlocks included where they are looked for.
    pub(super) fn judged(&self, state: &[u32]) -> Vec<Finding> {
        let system = self.loaded();
        let mut findings = self.judge.findings(system, state);
        if findings.is_empty() && system.front().looks_for_deadlocks() {
            let stuck =
                Finding { kind: ViolationKind::Deadlock, property: None, message: String::new() };
            let message = self.judge.shows(system, state, &stuck);
            findings.extend(message.map(|message| Finding { message, ..stuck }));
        }
        findings
    }

    pub(super) fn findings(&mut self, place: PlaceId) -> Result<Vec<FindingView>, StageError> {
        if let Some(known) = self.scene(place).findings.clone() {
            return Ok(known);
        }
        halt::advance();
        let state = self.state_of(place)?;
        let findings = self.judged(&state).into_iter().map(|it| self.finding_view(it));
        let findings: Vec<FindingView> = findings.collect();
        self.scene(place).findings = Some(findings.clone());
        Ok(findings)
    }

    /// One character for each property: `h` holds, `v` violated, `?` not known.
    pub fn property_marks(&mut self, place: PlaceId) -> Result<String, StageError> {
        let findings = self.findings(place)?;
        let state = self.state_of(place)?;
        let mark = |(number, info): (usize, &super::PropertyInfo)| {
            let is_broken = findings.iter().any(|it| it.property == Some(number as u32));
            match info.kind.as_str() {
                "reachable" if self.reached(number, &state).0 => 'h',
                "reachable" => '?',
                _ if is_broken => 'v',
                _ => 'h',
            }
        };
        Ok(self.info.properties.iter().enumerate().map(mark).collect())
    }

    fn finding_view(&self, finding: Finding) -> FindingView {
        let mut infos = self.info.properties.iter();
        let number = infos.position(|info| match &finding.property {
            Some(name) => info.name == *name,
            None => info.kind == if is_deadlock(&finding) { "deadlock" } else { "fault" },
        });
        FindingView {
            kind: finding.kind.word().to_owned(),
            property: number.map(|at| at as u32),
            name: finding.title(),
            message: finding.message,
        }
    }
}

fn is_deadlock(finding: &Finding) -> bool {
    finding.kind == ViolationKind::Deadlock
}
