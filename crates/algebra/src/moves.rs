//! Moves: what one component alone, or several together, can do, remembered for each combination of their states.
//! Equal components share what they know: moves are found per component state, not per component.

use crate::diagnostic::Diagnostic;
use crate::model::{ActionId, Fate, TAU};
use crate::process::{Engine, Failure, Offer, ProcId};
use crate::rewrite::TermId;
use foresee_stdx::halt;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

pub(crate) type LabelId = u32;

/// Another text for the text of a label.
pub type Spelling = for<'t> fn(&'t str) -> Cow<'t, str>;

/// One step: its label and the new states of those who take part; or why it cannot be told.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) label: LabelId,
    pub(crate) next: SmallVec<[ProcId; 2]>,
    /// 0, or the number of a problem.
    pub(crate) problem: u32,
}

/// The engine and what it has found.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) engine: Engine,
    moves: FxHashMap<SmallVec<[ProcId; 2]>, Arc<[Move]>>,
    labels: FxHashMap<(ActionId, SmallVec<[TermId; 4]>), LabelId>,
    texts: Vec<Arc<str>>,
    n_moves: usize,
    /// What labels are called outside.
    pub(crate) spelling: Option<Spelling>,
    /// The first is none.
    problems: Vec<Diagnostic>,
}

impl Explored {
    pub(crate) fn new(engine: Engine) -> Explored {
        Explored {
            engine,
            moves: FxHashMap::default(),
            labels: FxHashMap::default(),
            texts: Vec::new(),
            n_moves: 0,
            spelling: None,
            problems: Vec::new(),
        }
    }

    pub(crate) fn text(&self, label: LabelId) -> &Arc<str> {
        &self.texts[label as usize]
    }

    pub(crate) fn problem(&self, number: u32) -> Option<&Diagnostic> {
        self.problems.get((number as usize).checked_sub(1)?)
    }

    /// What the components in these states can do all together (one: alone).
    pub(crate) fn moves(&mut self, states: &[ProcId], fates: &[Fate]) -> Arc<[Move]> {
        if let Some(moves) = self.moves.get(states) {
            return Arc::clone(moves);
        }
        let moves = match self.find(states, fates) {
            Ok(moves) => moves,
            Err(problem) => vec![self.stuck(*problem)],
        };
        self.n_moves += moves.len();
        let moves: Arc<[Move]> = moves.into();
        self.moves.insert(states.into(), Arc::clone(&moves));
        moves
    }

    fn find(&mut self, states: &[ProcId], fates: &[Fate]) -> Result<Vec<Move>, Failure> {
        let mut solved = Vec::new();
        for offer in self.together(states)? {
            let fate =
                if offer.action == TAU { Fate::Becomes(TAU) } else { fates[offer.action as usize] };
            if let Fate::Becomes(action) = fate {
                let mut offer = offer;
                offer.action = action;
                if action == TAU {
                    offer.arguments.clear();
                }
                self.engine.solve(offer, &mut solved)?;
            }
        }
        let mut moves: Vec<Move> = Vec::with_capacity(solved.len());
        for offer in solved {
            let label = self.label(offer.action, &offer.arguments);
            if !moves.iter().any(|it| it.label == label && it.next == offer.next) {
                moves.push(Move { label, next: offer.next, problem: 0 });
            }
        }
        Ok(moves)
    }

    /// The offers in which each of these components takes part.
    fn together(&mut self, states: &[ProcId]) -> Result<Vec<Offer>, Failure> {
        let mut offers = self.engine.offers(states[0])?.to_vec();
        for state in &states[1..] {
            let others = self.engine.offers(*state)?;
            let mut merged = Vec::new();
            for a in &offers {
                halt::look();
                for b in &*others {
                    let key = (a.action, b.action);
                    let Some(&action) = self.engine.model.communications.get(&key) else {
                        continue;
                    };
                    merged.extend(self.engine.merge(a, b, action, 0)?);
                }
            }
            offers = merged;
        }
        Ok(offers)
    }

    /// Whether these components could communicate if more joined in.
    pub(crate) fn can_meet(&mut self, states: &[ProcId]) -> bool {
        self.together(states).is_ok_and(|offers| !offers.is_empty())
    }

    pub(crate) fn stuck(&mut self, problem: Diagnostic) -> Move {
        let text = format!("stuck({})", problem.code);
        let known = self.problems.iter().position(|it| *it == problem);
        let at = known.unwrap_or_else(|| {
            self.problems.push(problem);
            self.problems.len() - 1
        });
        self.texts.push(text.into());
        let label = self.texts.len() as LabelId - 1;
        Move { label, next: SmallVec::new(), problem: at as u32 + 1 }
    }

    fn label(&mut self, action: ActionId, arguments: &SmallVec<[TermId; 4]>) -> LabelId {
        if let Some(label) = self.labels.get(&(action, arguments.clone())) {
            return *label;
        }
        let mut text = self.engine.model.actions[action as usize].name.clone();
        for (at, argument) in arguments.iter().enumerate() {
            text.push(if at == 0 { '(' } else { ',' });
            self.engine.terms.write(&self.engine.model, *argument, &mut text);
        }
        if !arguments.is_empty() {
            text.push(')');
        }
        if let Some(spelling) = self.spelling {
            text = spelling(&text).into_owned();
        }
        self.texts.push(text.into());
        let label = self.texts.len() as LabelId - 1;
        self.labels.insert((action, arguments.clone()), label);
        label
    }

    pub(crate) fn bytes(&self) -> usize {
        let moves = self.n_moves * size_of::<Move>() + self.moves.capacity() * 48;
        self.engine.terms.bytes() + self.engine.procs.bytes() + moves
    }
}
