//! What differs between two states, part by part.

use super::{ChangeView, Stage, StageError};
use foresee_lts::{Description, Member, Tree};
use foresee_search::PlaceId;
use foresee_trace::{TreeChange, TreePart, member_identity, tree_changes};

/// The path of a change of a member's status.
const STATUS: &str = "(status)";

impl Stage {
    /// Every part that differs between two places, members first. Inboxes and timers are told by the states.
    pub fn changes(
        &mut self,
        before: PlaceId,
        after: PlaceId,
    ) -> Result<Vec<ChangeView>, StageError> {
        self.cursor.place(before)?;
        self.cursor.place(after)?;
        let (before, after) = (self.outline(before), self.outline(after));
        Ok(self.changes_between(&before, &after))
    }

    /// The same against a state that another stage has described.
    pub(crate) fn changes_from(&mut self, before: &Description, after: PlaceId) -> Vec<ChangeView> {
        let after = self.outline(after);
        self.changes_between(before, &after)
    }

    pub(super) fn changes_between(
        &mut self,
        before: &Description,
        after: &Description,
    ) -> Vec<ChangeView> {
        self.members.learn(before);
        let numbers = self.members.learn(after);
        let mut changes = Vec::new();
        for (new, (number, _)) in after.members.iter().zip(numbers) {
            let old = before.members.iter().find(|old| is_same(old, new));
            changes.extend(of_member(number, old, Some(new)));
        }
        for old in
            before.members.iter().filter(|old| !after.members.iter().any(|it| is_same(it, old)))
        {
            let number = self.members.find(&old.name).unwrap_or_default();
            changes.extend(of_member(number, Some(old), None));
        }
        changes.extend(of_shared(&before.shared, &after.shared));
        changes
    }
}

fn is_same(one: &Member, other: &Member) -> bool {
    member_identity(&one.name) == member_identity(&other.name)
}

fn of_member(number: u32, old: Option<&Member>, new: Option<&Member>) -> Vec<ChangeView> {
    let member = Some(number);
    let whole = |tree: Option<&Member>| tree.map(|it| it.state.clone());
    let (Some(old), Some(new)) = (old, new) else {
        let (before, after) = (whole(old), whole(new));
        return vec![ChangeView { member, path: Vec::new(), before, after }];
    };
    let status = |text: &str| Tree::leaf(if text.is_empty() { "running" } else { text });
    let (was, is) = (status(&old.status), status(&new.status));
    let status = (was != is).then(|| ChangeView {
        member,
        path: vec![STATUS.to_owned()],
        before: Some(was),
        after: Some(is),
    });
    let parts = tree_changes(&old.state, &new.state).into_iter();
    status.into_iter().chain(parts.map(|it| change(member, Vec::new(), it))).collect()
}

fn of_shared(before: &[(String, Tree)], after: &[(String, Tree)]) -> Vec<ChangeView> {
    let value = |all: &[(String, Tree)], name: &str| {
        all.iter().find(|(other, _)| other == name).map(|(_, tree)| tree.clone())
    };
    let mut changes = Vec::new();
    for (name, new) in after {
        match value(before, name) {
            Some(old) => changes.extend(
                tree_changes(&old, new).into_iter().map(|it| change(None, vec![name.clone()], it)),
            ),
            None => changes.push(ChangeView {
                member: None,
                path: vec![name.clone()],
                before: None,
                after: Some(new.clone()),
            }),
        }
    }
    for (name, old) in before.iter().filter(|(name, _)| value(after, name).is_none()) {
        let (path, before) = (vec![name.clone()], Some(old.clone()));
        changes.push(ChangeView { member: None, path, before, after: None });
    }
    changes
}

fn change(member: Option<u32>, mut path: Vec<String>, change: TreeChange) -> ChangeView {
    path.extend(change.path.iter().map(TreePart::word));
    ChangeView { member, path, before: change.before, after: change.after }
}
