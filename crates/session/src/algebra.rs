//! muCRL specifications behind the door.
//! What is wrong with the text is told before anything runs; what rewriting meets on the way (a condition that is neither
//! true nor false, data without a normal form) is told when a search gets there, with its line.

use crate::front_end::FrontEnd;
use crate::in_text::NamedText;
use crate::model_file::{ModelOptions, stem};
use crate::{Diagnostic, Loaded};
use foresee_algebra::{Algebra, Declared, DeclaredSort, Options};
use foresee_logic::formula::{Signature, Sort, Value, Vocabulary};
use foresee_lts::{Action, Assumption, Claim, Coverage, System, Whose};
use foresee_translate::erlang_label;
use std::borrow::Cow;
use std::sync::Arc;

/// A specification and its text, from which it is built again.
pub(crate) struct AlgebraFile {
    algebra: Algebra,
    text: NamedText,
    options: ModelOptions,
    short_name: String,
}

pub(crate) fn load(path: &str, text: String, options: ModelOptions) -> Result<Loaded, Diagnostic> {
    Ok(Loaded::new(AlgebraFile::new(NamedText::new(path, text), options)?))
}

impl AlgebraFile {
    fn new(text: NamedText, options: ModelOptions) -> Result<Self, Diagnostic> {
        let merge_positions = options.merge_positions;
        let own = Options { merge_positions, ..Options::default() };
        let algebra = foresee_algebra::load(&text.text, own);
        let algebra = algebra.map_err(|news| text.of_algebra(&news))?;
        let short_name = stem(&text.name);
        Ok(AlgebraFile {
            algebra: algebra.named(&text.name).spelt(erlang_label),
            text,
            options,
            short_name,
        })
    }
}

impl FrontEnd for AlgebraFile {
    fn system(&self) -> &dyn System {
        &self.algebra
    }

    fn name(&self) -> String {
        self.text.name.clone()
    }

    fn short_name(&self) -> &str {
        &self.short_name
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        Ok(Arc::new(AlgebraFile::new(self.text.clone(), self.options)?))
    }

    fn trace_options(&self) -> Vec<(&'static str, String)> {
        self.options.to_pairs()
    }

    fn coverage(&self) -> Coverage {
        let merged = self.options.merge_positions.then_some(Assumption::MergedPositions);
        let checked = vec![Claim::NoDeadlock(Whose::Anybody)];
        Coverage { checked, assumed: merged.into_iter().collect() }
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    fn has_threads(&self) -> bool {
        false
    }

    fn visible_label(&self, _state: &[u32], action: Action) -> Option<String> {
        self.algebra.visible_text(action)
    }

    fn vocabulary(&self) -> Vocabulary {
        let signature =
            |it: Declared| Signature { name: erlang_label(&it.name).into_owned(), sorts: it.sorts };
        let sort = |it: DeclaredSort| {
            // Of a translated program labels have Erlang terms, whatever they are built from.
            let is_erlang =
                it.constructors.iter().any(|one| matches!(erlang_label(&one.name), Cow::Owned(_)));
            let constructors = it.constructors.into_iter().map(signature).collect();
            let values = it.values.filter(|_| !is_erlang);
            Sort {
                name: it.name,
                constructors: (!is_erlang).then_some(constructors),
                values: values.map(|all| all.iter().map(|value| Value::of(value)).collect()),
            }
        };
        Vocabulary {
            internal: Vec::new(),
            actions: Some(self.algebra.declared_actions().into_iter().map(signature).collect()),
            sorts: self.algebra.declared_sorts().into_iter().map(sort).collect(),
        }
    }

    fn trouble(&self, state: &[u32]) -> Option<Diagnostic> {
        self.algebra.problem(state).map(|news| self.text.one_of_algebra(&news))
    }
}
