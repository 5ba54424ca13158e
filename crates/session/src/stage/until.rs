//! Run until: the shortest run from a place to where a condition is met.

use super::{Stage, StageError};
use crate::Loaded;
use crate::checked_code::catch_in_checked_code;
use crate::nearest::did_you_mean;
use foresee_lts::{Action, Description, Predicate, PropertyKind, StoppedBy, System, Tree};
use foresee_search::{Goal, Limits, Meter, Observer, PlaceId};
use foresee_trace::{Judge, member_identity};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What to run until.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The property called so holds, or does not.
    Property { name: String, holds: bool },
    /// A part of a member's state, or of what is shared and called so, compares to a value.
    Field { member: String, path: Vec<String>, is: Comparison, value: String },
    /// Something happens whose label contains the text.
    Label { contains: String },
    /// Nothing can happen any more.
    Stuck,
    /// Something is wrong.
    Finding,
}

/// How a part compares to a value: as numbers if both are, else as text.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Comparison {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = "contains")]
    Contains,
}

/// What came of it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Until {
    /// A nearest place where the condition is met; where it started from if it is met there.
    pub place: Option<PlaceId>,
    /// How many states were looked at.
    pub states: u64,
    /// What kept it from looking further; `None` with no place means that there is none.
    pub stopped_by: Option<StoppedBy>,
    /// For a field: some of the values that it has in the states that were looked at.
    pub seen: Vec<String>,
}

/// How far something that can happen is from a place.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Toward {
    /// The number of the property.
    pub property: u32,
    /// Steps to the nearest state in which it holds, 0 if it holds here; `None` if there is none, or none is known.
    pub steps: Option<u32>,
    /// The choice with which a shortest way begins.
    pub choice: Option<u32>,
    /// Without steps: whether it is known that it cannot happen any more.
    pub is_known: bool,
}

/// So many values of a field are kept.
const SEEN_MAX: usize = 12;

impl Stage {
    /// For each property that says that something can happen: how far it is, and with which choice one gets there first.
    pub fn compass(
        &mut self,
        place: PlaceId,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Toward>, StageError> {
        let goals: Vec<(u32, String)> = (0u32..)
            .zip(&self.properties)
            .filter(|(_, it)| it.kind == PropertyKind::Reachable)
            .map(|(number, it)| (number, it.name().to_owned()))
            .collect();
        let choices = self.cursor.choices(place)?;
        let mut found = Vec::new();
        for (property, name) in goals {
            let condition = Condition::Property { name, holds: true };
            let until = self.run_until(place, &condition, limits, meter, observer)?;
            let way = until.place.map(|at| self.cursor.line(at)).transpose()?;
            let own = way.map(|line| {
                let start = line.iter().position(|at| *at == place).unwrap_or(0);
                line[start..].to_vec()
            });
            let first = own.as_ref().and_then(|own| own.get(1)).copied();
            let action = first.and_then(|at| self.cursor.place(at).ok()?.before).map(|it| it.1);
            let choice = action.and_then(|action| choices.iter().position(|it| *it == action));
            found.push(Toward {
                property,
                steps: own.map(|own| own.len() as u32 - 1),
                choice: choice.map(|at| at as u32),
                is_known: until.stopped_by.is_none(),
            });
        }
        Ok(found)
    }

    /// Explores from a place, nearest first, until the condition is met, and goes there.
    pub fn run_until(
        &mut self,
        place: PlaceId,
        condition: &Condition,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Until, StageError> {
        self.cursor.place(place)?;
        let mut seeker = self.seeker(place, condition)?;
        let done = self.cursor.run_until(place, &mut seeker, limits, meter, observer)?;
        let seen = seeker.seen.into_iter().collect();
        Ok(Until { place: done.place, states: done.states, stopped_by: done.stopped_by, seen })
    }

    fn seeker(&mut self, place: PlaceId, condition: &Condition) -> Result<Seeker, StageError> {
        let mut property = None;
        match condition {
            Condition::Property { name, .. } => property = Some(self.predicate(name)?),
            Condition::Field { member, .. } if self.has_fixed_members() => {
                let shared = self.describe(place);
                if !shared.shared.iter().any(|(name, _)| name == member) {
                    self.member_named(place, member)?;
                }
            }
            _ => {}
        }
        Ok(Seeker {
            loaded: self.loaded().clone(),
            judge: self.judge.clone(),
            prunes: self.prunes_in_force(),
            condition: condition.clone(),
            property,
            is_first: true,
            seen: BTreeSet::new(),
        })
    }

    /// Whether no member comes or goes.
    fn has_fixed_members(&self) -> bool {
        matches!(self.info.front_end, "nodes" | "algebra")
    }

    fn predicate(&self, name: &str) -> Result<Predicate, StageError> {
        let found = self.properties.iter().find(|property| property.name() == name);
        found.map(|property| property.predicate.clone()).ok_or_else(|| {
            let known: Vec<_> = self.properties.iter().map(|it| it.name()).collect();
            let message = format!("there is no property `{name}`");
            StageError::new("no-such-property", message).help(did_you_mean(name, &known))
        })
    }
}

/// Asks the condition of states and steps.
struct Seeker {
    loaded: Loaded,
    judge: Judge,
    prunes: Vec<Predicate>,
    condition: Condition,
    property: Option<Predicate>,
    /// The first state is where one stands: it is expanded in any case.
    is_first: bool,
    seen: BTreeSet<String>,
}

impl Seeker {
    fn is_stuck_wrong(&self, state: &[u32]) -> bool {
        self.loaded.front().looks_for_deadlocks() && !self.loaded.is_final(state)
    }
}

impl Goal for Seeker {
    fn state(&mut self, state: &[u32]) -> bool {
        match &self.condition {
            Condition::Property { holds, .. } => self.property.as_ref().is_some_and(|property| {
                catch_in_checked_code(|| property.holds(state)).unwrap_or(false) == *holds
            }),
            Condition::Field { member, path, is, value } => {
                let description = self.loaded.front().describe(state);
                let part = part_of(&description, member, path).map(Tree::one_line);
                if let Some(part) = part.as_ref().filter(|_| self.seen.len() < SEEN_MAX) {
                    self.seen.insert(part.clone());
                }
                part.is_some_and(|part| compares(&part, *is, value))
            }
            Condition::Finding => !self.judge.findings(&self.loaded, state).is_empty(),
            Condition::Label { .. } | Condition::Stuck => false,
        }
    }

    fn step(&mut self, before: &[u32], action: Action) -> bool {
        match &self.condition {
            Condition::Label { contains } => {
                self.loaded.label(before, action).to_string().contains(contains)
            }
            _ => false,
        }
    }

    fn end(&mut self, state: &[u32]) -> bool {
        match self.condition {
            Condition::Stuck => true,
            Condition::Finding => self.is_stuck_wrong(state),
            _ => false,
        }
    }

    fn expands(&mut self, state: &[u32]) -> bool {
        let is_first = std::mem::take(&mut self.is_first);
        is_first || !is_pruned(&self.prunes, state)
    }
}

/// Whether the author's word is that runs need not be followed from a state.
pub(super) fn is_pruned(prunes: &[Predicate], state: &[u32]) -> bool {
    let holds = |prune: &Predicate| catch_in_checked_code(|| prune.holds(state)).unwrap_or(false);
    prunes.iter().any(holds)
}

/// The part of a member, or of what is shared, that a path leads to.
pub(super) fn part_of<'d>(
    description: &'d Description,
    member: &str,
    path: &[String],
) -> Option<&'d Tree> {
    let mut members = description.members.iter();
    let own = members.find(|it| member_identity(&it.name) == member_identity(member));
    let shared = || description.shared.iter().find(|(name, _)| name == member).map(|it| &it.1);
    let whole = own.map(|it| &it.state).or_else(shared)?;
    part_at(whole, path)
}

/// The part of a tree that words lead to: names of fields, indices, keys. A wrapper, as in `Some(5)`, may be left out.
pub(crate) fn part_at<'t>(tree: &'t Tree, path: &[String]) -> Option<&'t Tree> {
    let Some((word, rest)) = path.split_first() else { return Some(tree) };
    match tree {
        Tree::Leaf(_) => None,
        Tree::Record { fields, .. } => {
            let (_, part) = fields.iter().find(|(name, _)| name == word)?;
            part_at(part, rest)
        }
        Tree::List { name, items } => match word.parse::<usize>() {
            Ok(at) => part_at(items.get(at)?, rest),
            Err(_) if !name.is_empty() && items.len() == 1 => part_at(&items[0], path),
            Err(_) => None,
        },
        Tree::Map(entries) => {
            let (_, part) = entries.iter().find(|(key, _)| key.one_line() == *word)?;
            part_at(part, rest)
        }
    }
}

fn compares(part: &str, is: Comparison, value: &str) -> bool {
    let order = match (part.trim().parse::<f64>(), value.trim().parse::<f64>()) {
        (Ok(part), Ok(value)) => part.partial_cmp(&value).unwrap_or(Ordering::Equal),
        _ => part.cmp(value),
    };
    match is {
        Comparison::Equal => order == Ordering::Equal,
        Comparison::NotEqual => order != Ordering::Equal,
        Comparison::Less => order == Ordering::Less,
        Comparison::Greater => order == Ordering::Greater,
        Comparison::Contains => part.contains(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_as_numbers_if_both_are() {
        assert!(
            compares("10", Comparison::Greater, "9") && compares("1.0", Comparison::Equal, "1")
        );
        assert!(compares("b10", Comparison::Less, "b9"), "as text");
        assert!(compares("A of client1", Comparison::Contains, "client1"));
        assert!(!compares("a", Comparison::NotEqual, "a"));
    }

    #[test]
    fn a_path_may_leave_wrappers_out() {
        let inner = Tree::Record { name: "B".into(), fields: vec![("n".into(), Tree::leaf("7"))] };
        let some = Tree::List { name: "Some".into(), items: vec![inner] };
        let tree = Tree::Map(vec![(Tree::leaf("k"), some)]);
        let at = |words: &[&str]| {
            let path: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            part_at(&tree, &path).map(Tree::one_line)
        };
        assert_eq!(at(&["k", "n"]), Some("7".to_owned()));
        assert_eq!(at(&["k", "0", "n"]), Some("7".to_owned()));
        assert_eq!((at(&["x"]), at(&["k", "1"]), at(&["k", "n", "m"])), (None, None, None));
    }
}
