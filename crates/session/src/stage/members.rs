//! The members of a stage by numbers that stay: a process keeps its number when it gets a name, and a member that comes and
//! goes on other branches has the same one there.

use super::{MemberInfo, Stage, StageError};
use foresee_lts::{Description, Member, Tree};
use foresee_search::PlaceId;
use foresee_trace::member_identity;
use std::collections::BTreeMap;

/// Every member that was ever seen.
#[derive(Default)]
pub(super) struct Members {
    numbers: BTreeMap<String, u32>,
    known: Vec<Known>,
}

/// What stays of a member.
struct Known {
    kind: String,
    parent: Option<u32>,
}

impl Members {
    /// Learns of the members of a state: the number and the name of each.
    pub(super) fn learn(&mut self, state: &Description) -> Vec<(u32, String)> {
        let members = state.members.iter();
        members.map(|it| (self.number(it), it.name.clone())).collect()
    }

    /// The number of a member that was seen. What several do together is the first one's.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let known = |name: &str| self.numbers.get(member_identity(name)).copied();
        known(name).or_else(|| known(name.split_once('+')?.0))
    }

    fn number(&mut self, member: &Member) -> u32 {
        let identity = member_identity(&member.name);
        if let Some(number) = self.numbers.get(identity) {
            return *number;
        }
        let number = self.known.len() as u32;
        self.numbers.insert(identity.to_owned(), number);
        let kind = match &member.state {
            Tree::Record { name, .. } | Tree::List { name, .. } => name.clone(),
            Tree::Leaf(_) | Tree::Map(_) => String::new(),
        };
        // Who starts another is there before it.
        let parent = member.parent.as_deref().and_then(|name| self.find(name));
        self.known.push(Known { kind, parent });
        number
    }
}

impl Stage {
    /// All members that exist somewhere on the way to a place, by their numbers.
    pub fn members(&mut self, place: PlaceId) -> Vec<MemberInfo> {
        let Ok(line) = self.cursor.line(place) else { return Vec::new() };
        let mut found: BTreeMap<u32, (String, PlaceId)> = BTreeMap::new();
        let is_fixed = self.info.front_end == "nodes";
        let line = if is_fixed { line[..1].to_vec() } else { line };
        for at in line {
            for (member, name) in self.members_at(at) {
                let (latest, _) = found.entry(member).or_insert_with(|| (String::new(), at));
                *latest = name;
            }
        }
        let info = |(member, (name, born)): (u32, (String, PlaceId))| MemberInfo {
            member,
            kind: self.members.known[member as usize].kind.clone(),
            parent: self.members.known[member as usize].parent,
            name,
            born,
        };
        found.into_iter().map(info).collect()
    }

    /// The number of a member by its name, or by what stays of it.
    pub(super) fn member_named(&mut self, place: PlaceId, name: &str) -> Result<u32, StageError> {
        self.members_at(place);
        self.members.find(name).ok_or_else(|| {
            let known: Vec<String> = self.members(place).into_iter().map(|it| it.name).collect();
            let help = crate::nearest::did_you_mean(
                name,
                &known.iter().map(String::as_str).collect::<Vec<_>>(),
            );
            StageError::new("no-such-member", format!("there is no member `{name}`")).help(help)
        })
    }

    /// The members of a place, remembered.
    pub(super) fn members_at(&mut self, place: PlaceId) -> Vec<(u32, String)> {
        // Nodes are there from the start to the end.
        let place = if self.info.front_end == "nodes" { 0 } else { place };
        if let Some(known) = self.scene(place).members.clone() {
            return known;
        }
        let description = self.outline(place);
        let members = self.members.learn(&description);
        self.scene(place).members = Some(members.clone());
        members
    }
}
