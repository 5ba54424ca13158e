//! The labels met so far, and which sets of actions each belongs to.
//! A label is matched against an action formula once; after that the answer is a look-up.

use super::core::{ActionId, Program};
use crate::formula::data::Environment;
use crate::formula::label::LabelText;
use crate::formula::tree::{Action, ActionKind};
use crate::{Diagnostic, LabelId, Labels, codes};
use foresee_stdx::nearest_name;
use rustc_hash::FxHashMap;

/// An action formula with values for its variables.
pub(super) type MatcherId = usize;

#[derive(Default)]
pub(super) struct Alphabet {
    pub(super) labels: Labels,
    texts: Vec<LabelText>,
    matchers: Vec<Matcher>,
    known: FxHashMap<(ActionId, Environment), MatcherId>,
}

struct Matcher {
    action: ActionId,
    environment: Environment,
    /// By label; `None` where not asked yet.
    answers: Vec<Option<bool>>,
}

impl Alphabet {
    pub(super) fn label(&mut self, text: Option<&str>) -> LabelId {
        let label = self.labels.intern_option(text);
        while self.texts.len() < self.labels.len() {
            let next = LabelId(self.texts.len() as u32);
            self.texts.push(LabelText::new(self.labels.visible(next)));
        }
        label
    }

    pub(super) fn matcher(&mut self, action: ActionId, environment: Environment) -> MatcherId {
        let next = self.matchers.len();
        let id = *self.known.entry((action, environment.clone())).or_insert(next);
        if id == next {
            self.matchers.push(Matcher { action, environment, answers: Vec::new() });
        }
        id
    }

    #[inline]
    pub(super) fn matches(
        &mut self,
        program: &Program,
        matcher: MatcherId,
        label: LabelId,
    ) -> Result<bool, Box<Diagnostic>> {
        let answers = &self.matchers[matcher].answers;
        match answers.get(label.0 as usize) {
            Some(Some(answer)) => Ok(*answer),
            _ => self.ask(program, matcher, label),
        }
    }

    /// Whether a label was found to match.
    pub(super) fn knows_match(&self, matcher: MatcherId, label: LabelId) -> bool {
        self.matchers[matcher].answers.get(label.0 as usize) == Some(&Some(true))
    }

    fn ask(
        &mut self,
        program: &Program,
        matcher: MatcherId,
        label: LabelId,
    ) -> Result<bool, Box<Diagnostic>> {
        let matcher = &mut self.matchers[matcher];
        let text = &self.texts[label.0 as usize];
        let answer = text.is_in(&program.actions[matcher.action], &matcher.environment)?;
        let n = matcher.answers.len().max(label.0 as usize + 1);
        matcher.answers.resize(n, None);
        matcher.answers[label.0 as usize] = Some(answer);
        Ok(answer)
    }

    /// A warning for each label of the formula that is none of those met.
    pub(super) fn unmatched(&self, program: &Program) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> = Vec::new();
        for action in &program.actions {
            self.collect_unmatched(action, &mut warnings);
        }
        warnings.sort_by_key(|warning| warning.span);
        warnings.dedup();
        warnings
    }

    fn collect_unmatched(&self, action: &Action, warnings: &mut Vec<Diagnostic>) {
        let shown = match &action.kind {
            ActionKind::Not(inside) | ActionKind::Quantified { body: inside, .. } => {
                return self.collect_unmatched(inside, warnings);
            }
            ActionKind::And(left, right) | ActionKind::Or(left, right) => {
                self.collect_unmatched(left, warnings);
                return self.collect_unmatched(right, warnings);
            }
            ActionKind::Pattern(pattern) => format!("'{}'", pattern.source()),
            ActionKind::Text(text) => text.clone(),
            ActionKind::Terms(terms) => {
                let shape = |term: &crate::formula::tree::Term| {
                    format!("{}/{}", term.name, term.arguments.len())
                };
                terms.iter().map(shape).collect::<Vec<_>>().join("|")
            }
            _ => return,
        };
        let is_matched = self.texts.iter().any(|text| text.could_be_in(action));
        if !is_matched {
            let names = self.labels.iter().skip(1).map(|(_, name)| name);
            let help = match nearest_name(&shown, names) {
                Some(near) => format!("there is a label `{near}`"),
                None => self.some_labels(),
            };
            let message = format!("no transition has a label like {shown}");
            let warning = Diagnostic::warning(codes::NO_SUCH_LABEL, action.span, message);
            warnings.push(warning.help(help));
        }
    }

    fn some_labels(&self) -> String {
        let names: Vec<&str> = self.labels.iter().skip(1).map(|(_, name)| name).take(8).collect();
        match names.is_empty() {
            true => "every transition is hidden".to_owned(),
            false => format!("there are: {}", names.join(", ")),
        }
    }
}
