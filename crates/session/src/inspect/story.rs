//! The story of a run in a few sentences: what one step causes the next, or is the same again, is told together.
//! Steps with a mark (suspect, decisive, wrong) begin a sentence of their own.

use super::Inspection;
use super::caption::sentence;
use crate::{Row, StageError};

/// Tells of the steps from `first` to `last`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    pub text: String,
    pub first: u32,
    pub last: u32,
}

/// A sentence tells of no more steps than this.
const STEPS_MAX: usize = 4;

impl Inspection {
    pub fn story(&mut self, branch: u32) -> Result<(String, Vec<Sentence>), StageError> {
        let mut groups: Vec<Vec<Row>> = Vec::new();
        for place in self.run_of(branch)? {
            let row = self.row(place)?;
            if row.label.is_none() {
                continue;
            }
            let goes_on = groups.last().is_some_and(|group| self.belongs(&row, group));
            match groups.last_mut().filter(|_| goes_on) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        let mut sentences = Vec::new();
        for group in groups {
            sentences.push(Sentence {
                first: group[0].step,
                last: group[group.len() - 1].step,
                text: self.told(&group)?,
            });
        }
        let title = match self.opening.headline.is_empty() || branch > 0 {
            true => format!("{}: {}", self.info().system, self.branches[branch as usize].name),
            false => self.opening.headline.clone(),
        };
        Ok((title, sentences))
    }

    /// Whether a step is told together with those before it.
    fn belongs(&self, row: &Row, group: &[Row]) -> bool {
        let is_marked = |row: &Row| {
            self.marks(row).iter().any(|mark| matches!(*mark, "violation" | "decisive" | "suspect"))
        };
        let last = &group[group.len() - 1];
        let kind = |row: &Row| row.label.as_ref().map(|it| (it.verb.clone(), it.r#type.clone()));
        let is_caused = row.sent_at.is_some_and(|at| group.iter().any(|it| it.place == at));
        let is_same = kind(row) == kind(last) || row.member == last.member;
        !is_marked(row) && !is_marked(last) && group.len() < STEPS_MAX && (is_caused || is_same)
    }

    fn told(&mut self, group: &[Row]) -> Result<String, StageError> {
        if let [row] = group {
            let caption = self.caption(row)?;
            let marks = self.marks(row);
            let extra = match () {
                () if marks.contains(&"suspect") => self.opening.suspect_why.clone(),
                () if marks.contains(&"decisive") => self.opening.decisive_why.clone(),
                () => String::new(),
            };
            return Ok(format!("{caption} {extra}").trim_end().to_owned());
        }
        let labels = group.iter().filter_map(|row| row.label.as_ref());
        let parts: Vec<String> =
            labels.map(|label| sentence(label).trim_end_matches('.').to_owned()).collect();
        Ok(format!("{}.", parts.join("; ")))
    }
}
