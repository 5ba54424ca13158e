//! Looking for places, and at one value along a run.

use super::Inspection;
use crate::StageError;
use crate::stage::part_at;
use foresee_search::PlaceId;
use foresee_trace::member_identity;

/// What places are looked for; all that is given has to apply.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// In the label.
    pub text: Option<String>,
    pub kind: Option<String>,
    pub member: Option<u32>,
    /// Violated there.
    pub property: Option<u32>,
}

impl Inspection {
    /// Places in the order of the list.
    pub fn find(&mut self, wanted: &Wanted) -> Result<Vec<PlaceId>, StageError> {
        let mut found = Vec::new();
        let text = wanted.text.as_ref().map(|text| text.to_lowercase());
        for place in self.list() {
            let (stage, local) = self.spots.at(place)?;
            let label = stage.label_view(local)?;
            let is_member = match wanted.member {
                Some(member) => stage.row(local)?.member == Some(member),
                None => true,
            };
            let has = |text: &String| {
                label.as_ref().is_some_and(|it| it.text.to_lowercase().contains(text))
            };
            let is_kind = |kind: &String| label.as_ref().is_some_and(|it| it.r#type == *kind);
            let is_violated = match wanted.property {
                Some(property) => {
                    stage.row(local)?.findings.iter().any(|it| it.property == Some(property))
                }
                None => true,
            };
            let is_it = text.as_ref().is_none_or(has)
                && wanted.kind.as_ref().is_none_or(is_kind)
                && is_member
                && is_violated;
            if is_it {
                found.push(place);
            }
        }
        Ok(found)
    }

    /// The text of `member.field…` at steps `from..to` of a branch; `None` where there is no such part.
    pub fn values(
        &mut self,
        path: &str,
        branch: u32,
        from: u32,
        to: u32,
    ) -> Result<Vec<Option<String>>, StageError> {
        let line = self.run_of(branch)?;
        let to = (to as usize).min(line.len());
        let mut values = Vec::new();
        for place in line.get(from as usize..to).unwrap_or_default() {
            let (stage, local) = self.spots.at(*place)?;
            let description = stage.outline(local);
            let members = description.members.iter().map(|it| (it.name.as_str(), &it.state));
            let shared = description.shared.iter().map(|(name, tree)| (name.as_str(), tree));
            let found = members.chain(shared).find_map(|(name, tree)| {
                let rest = inside(path, name)?;
                let words: Vec<String> =
                    rest.split('.').filter(|it| !it.is_empty()).map(str::to_owned).collect();
                part_at(tree, &words).map(|part| part.one_line())
            });
            values.push(found);
        }
        Ok(values)
    }
}

/// What follows a member's name, whichever of its names it is: `ballot.round` of `server3.ballot.round`.
fn inside<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let after = |name: &str| {
        let rest = path.strip_prefix(name)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
    };
    after(name).or_else(|| {
        // A process that got a name since: `<P.1>` and `<P.1/bank>`.
        let end = path.find('>').filter(|_| name.starts_with('<'))? + 1;
        let is_same = member_identity(&path[..end]) == member_identity(name);
        let rest = &path[end..];
        let rest = rest.strip_prefix('.').or_else(|| rest.is_empty().then_some(rest));
        rest.filter(|_| is_same)
    })
}
