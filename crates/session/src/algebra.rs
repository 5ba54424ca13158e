//! muCRL specifications behind the door.
//! What is wrong with the text is told before anything runs; what rewriting meets on the way (a condition that is neither
//! true nor false, data without a normal form) is told when a search gets there, with its line.

use crate::front_end::{FrontEnd, Standing};
use crate::source::stem;
use crate::{Diagnostic, Kind, ModelFile, Source, in_text};
use foresee_algebra::{Algebra, Declared, DeclaredSort, Options, Wait};
use foresee_logic::formula::{Signature, Sort, Value, Vocabulary};
use foresee_lts::{Action, Assumption, Claim, Coverage, System, Whose};
use foresee_text::Sources;
use foresee_translate::erlang_label;
use std::borrow::Cow;
use std::sync::Arc;

/// A specification and its text, from which it is built again.
pub(crate) struct AlgebraFile {
    algebra: Algebra,
    sources: Sources,
    file: ModelFile,
    short_name: String,
}

pub(crate) fn open(file: &ModelFile, text: String) -> Result<AlgebraFile, Diagnostic> {
    AlgebraFile::new(Sources::of_one(&file.path, text), file.clone())
}

impl AlgebraFile {
    fn new(sources: Sources, file: ModelFile) -> Result<Self, Diagnostic> {
        let merge_positions = file.merge_positions;
        let own = Options { merge_positions, ..Options::default() };
        let algebra = foresee_algebra::load(&sources.files()[0].text, own);
        let algebra = algebra.map_err(|news| in_text::all(&news, &sources))?;
        let short_name = stem(&file.path);
        Ok(AlgebraFile {
            algebra: algebra.named(&file.path).spelt(erlang_label),
            sources,
            file,
            short_name,
        })
    }
}

impl FrontEnd for AlgebraFile {
    fn system(&self) -> &dyn System {
        &self.algebra
    }

    fn kind(&self) -> Kind {
        Kind::Algebra
    }

    fn source(&self) -> Source {
        Source::ModelFile(self.file.clone())
    }

    fn name(&self) -> String {
        self.file.path.clone()
    }

    fn short_name(&self) -> &str {
        &self.short_name
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        Ok(Arc::new(AlgebraFile::new(self.sources.clone(), self.file.clone())?))
    }

    fn coverage(&self) -> Coverage {
        let merged = self.file.merge_positions.then_some(Assumption::MergedPositions);
        let checked = vec![Claim::NoDeadlock(Whose::Anybody)];
        Coverage { checked, assumed: merged.into_iter().collect() }
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    /// What each component wants where nothing can happen.
    fn standings(&self, state: &[u32]) -> Vec<Standing> {
        let mut actions = Vec::new();
        self.algebra.enabled(state, &mut actions);
        if !actions.is_empty() || self.algebra.is_final(state) {
            return Vec::new();
        }
        let wants = |it: (String, Vec<String>)| match it.1.as_slice() {
            [] => it.0,
            others => format!("{} together with {}", it.0, others.join(" or ")),
        };
        let standing = |it: Wait| Standing {
            member: it.who,
            place: None,
            waits_for: Some(it.wants.into_iter().map(wants).collect()),
        };
        self.algebra.waits(state).into_iter().map(standing).collect()
    }

    fn circle_names(&self, state: &[u32]) -> Option<Vec<String>> {
        Algebra::circle(&self.algebra.waits(state))
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
        self.algebra.problem(state).map(|news| in_text::diagnostic(&news, &self.sources))
    }
}
