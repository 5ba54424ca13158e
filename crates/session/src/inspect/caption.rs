//! Captions: one sentence for a step: what happens, and what it changes.

use super::Inspection;
use crate::{ChangeView, LabelView, Row, StageError, Tree};
use foresee_search::PlaceId;

/// A value in a caption is not longer.
const VALUE_MAX: usize = 40;
/// No more changes are told in a caption.
const CHANGES_MAX: usize = 2;

impl Inspection {
    /// What a step does, in a sentence, and what it changes, in another; and what is wrong then.
    pub fn caption(&mut self, row: &Row) -> Result<String, StageError> {
        let Some(label) = &row.label else {
            return Ok(match row.after {
                Some(_) => {
                    "From here on faults are allowed that the check did not allow.".to_owned()
                }
                None => "The start.".to_owned(),
            });
        };
        let mut text = sentence(label);
        let changes = self.changes_at(row.place)?;
        let front_end = self.info().front_end;
        let told = told_changes(&changes, row.member, front_end);
        for change in told.iter().take(CHANGES_MAX) {
            let name = change.member.filter(|it| Some(*it) != row.member);
            let name = name.and_then(|number| self.member_name(row.place, number));
            text.push_str(&format!(" {}.", change_words(change, name.as_deref())));
        }
        if told.len() > CHANGES_MAX {
            let more = told.len() - CHANGES_MAX;
            let changes = if more == 1 { "change" } else { "changes" };
            text.push_str(&format!(" {more} other {changes}."));
        }
        for finding in &row.findings {
            text.push_str(&format!(" Violated: {}.", finding.name));
        }
        Ok(text)
    }

    fn member_name(&mut self, place: PlaceId, number: u32) -> Option<String> {
        let members = self.members(place).ok()?;
        members.into_iter().find(|it| it.member == number).map(|it| it.name)
    }
}

/// What happens.
pub(super) fn sentence(label: &LabelView) -> String {
    let (from, to) = (label.from.as_deref().unwrap_or_default(), label.to.as_deref());
    let to = to.unwrap_or("the network");
    let short = &label.short;
    match label.verb.as_str() {
        "deliver" => format!("{to} receives {short} from {from}."),
        "timer" => format!("{to}'s timer {short} fires."),
        "drop" => format!("{short} from {from} to {to} is lost."),
        "duplicate" => format!("{short} from {from} to {to} is doubled."),
        "crash" => format!("{to} crashes."),
        "restart" => format!("{to} comes back."),
        "partition" => format!("The network splits: {}.", label.payload),
        "heal" => "The network is whole again.".to_owned(),
        _ => format!("{to}: {short}."),
    }
}

/// The changes worth a sentence: those of whoever acts first. What an Erlang process holds changes at every step and says
/// little; tables and names do.
fn told_changes<'c>(
    changes: &'c [ChangeView],
    actor: Option<u32>,
    front_end: &str,
) -> Vec<&'c ChangeView> {
    let is_told = |it: &&ChangeView| front_end != "erlang" || it.member.is_none();
    let mut told: Vec<&ChangeView> = changes.iter().filter(is_told).collect();
    told.sort_by_key(|it| (it.member != actor, it.member.is_none()));
    told
}

/// `ballot.round 2 became 1`
pub(super) fn change_words(change: &ChangeView, name: Option<&str>) -> String {
    let mut path: Vec<String> = name.map(str::to_owned).into_iter().collect();
    path.extend(change.path.iter().cloned());
    let path = if path.is_empty() { "it".to_owned() } else { path.join(".") };
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{path} {} became {}", value(before), value(after)),
        (None, Some(after)) => format!("{path} is new: {}", value(after)),
        (Some(before), None) => format!("{path} is gone: {}", value(before)),
        (None, None) => path,
    }
}

fn value(tree: &Tree) -> String {
    let text = tree.one_line();
    match text.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}
