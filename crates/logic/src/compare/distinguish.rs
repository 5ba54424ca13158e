//! Distinguishing formulas: why two states are not bisimilar, as a formula of the mu-calculus.
//! Papers: Cleaveland, "On automatically explaining bisimulation inequivalence" (1990); Korver, "Computing distinguishing
//! formulas for branching bisimulation" (1991), whose "until" is written here as a least fixpoint over internal steps.
//! Invariant: `formula(s, t)` holds in every state of `s`'s class in the round before the one that set `s` and `t` apart,
//! as far as it can be told from `s` then; so a recursive call is always about an earlier round, and this ends.

use super::quoted;
use super::rounds::Rounds;
use crate::{Edge, Equivalence, LabelId, Lts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Formulas longer than this help nobody.
const LENGTH_MAX: usize = 100_000;
/// Nor do those that say what happens so many steps later: no parser takes them.
const DEPTH_MAX: usize = 200;

/// Makes formulas about the states of one LTS.
pub(super) struct Distinguisher<'a> {
    lts: &'a Lts,
    rounds: &'a Rounds,
    known: FxHashMap<(u32, u32), Rc<str>>,
    n_variables: usize,
    depth: usize,
    is_too_long: bool,
}

/// Something the state on one side can do and the one on the other side cannot.
#[derive(Clone, Copy)]
enum Move {
    /// After inert steps, this label to this state.
    Step(LabelId, u32),
    /// Inert steps for ever.
    Diverge,
}

impl<'a> Distinguisher<'a> {
    pub(super) fn new(lts: &'a Lts, rounds: &'a Rounds) -> Self {
        let known = FxHashMap::default();
        Distinguisher { lts, rounds, known, n_variables: 0, depth: 0, is_too_long: false }
    }

    /// A formula that holds in `left` and not in `right`; `None` if it would be too long.
    pub(super) fn formula(&mut self, left: u32, right: u32) -> Option<String> {
        let formula = self.apart(left, right);
        (!self.is_too_long).then(|| formula.to_string())
    }

    fn apart(&mut self, left: u32, right: u32) -> Rc<str> {
        if let Some(formula) = self.known.get(&(left, right)) {
            return Rc::clone(formula);
        }
        self.is_too_long |= self.depth > DEPTH_MAX;
        if self.is_too_long {
            return Rc::from("true");
        }
        self.depth += 1;
        let round = self.rounds.apart(left, right).expect("only asked about states apart") - 1;
        let formula = match self.best_move(left, right, round) {
            Some(can) => self.can(left, can, right, round),
            None => {
                let can = self.best_move(right, left, round).expect("one of the two can do more");
                format!("not {}", parenthesised(&self.can(right, can, left, round)))
            }
        };
        self.depth -= 1;
        self.is_too_long |= formula.len() > LENGTH_MAX;
        let formula: Rc<str> = Rc::from(formula);
        self.known.insert((left, right), Rc::clone(&formula));
        formula
    }

    /// What `left` can do with respect to a round's classes and `right` cannot; the one with the least to explain.
    fn best_move(&self, left: u32, right: u32, round: usize) -> Option<Move> {
        let theirs = self.moves(right, round);
        let key = |a_move: &Move| match a_move {
            Move::Step(label, target) => (label.0, self.rounds.class(round, *target)),
            Move::Diverge => (u32::MAX, 0),
        };
        let known: FxHashSet<_> = theirs.iter().map(key).collect();
        let n_same_label = |a_move: &Move| match a_move {
            Move::Step(label, _) => theirs
                .iter()
                .filter(|other| matches!(other, Move::Step(l, _) if l == label))
                .count(),
            Move::Diverge => usize::MAX,
        };
        let mut own = self.moves(left, round);
        own.retain(|a_move| !known.contains(&key(a_move)));
        own.into_iter().min_by_key(n_same_label)
    }

    /// Everything a state can do after inert steps.
    fn moves(&self, state: u32, round: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        for inside in self.inert_closure(state, round) {
            for &edge in self.lts.edges(inside) {
                if !self.rounds.is_inert(round, inside, edge) {
                    moves.push(Move::Step(edge.label, edge.target));
                } else if edge.target == inside
                    && self.rounds.equivalence == Equivalence::DivergencePreservingBranching
                {
                    moves.push(Move::Diverge);
                }
            }
        }
        moves
    }

    /// The states that inert steps lead to, `state` first.
    fn inert_closure(&self, state: u32, round: usize) -> Vec<u32> {
        let mut closure = vec![state];
        let mut seen = FxHashSet::from_iter([state]);
        let mut at = 0;
        while at < closure.len() {
            for &edge in self.lts.edges(closure[at]) {
                if self.rounds.is_inert(round, closure[at], edge) && seen.insert(edge.target) {
                    closure.push(edge.target);
                }
            }
            at += 1;
        }
        closure
    }

    /// "This move is possible", true of `able` and false of `other`.
    fn can(&mut self, able: u32, a_move: Move, other: u32, round: usize) -> String {
        let closure = self.inert_closure(other, round);
        let edges: Vec<(u32, Edge)> = closure
            .iter()
            .flat_map(|state| self.lts.edges(*state).iter().map(|edge| (*state, *edge)))
            .collect();
        if self.rounds.equivalence == Equivalence::Strong {
            let Move::Step(label, target) = a_move else { unreachable!("strong: no divergence") };
            let rivals = edges.iter().filter(|(_, edge)| edge.label == label);
            let after = self.unlike_all(target, rivals.map(|(_, edge)| edge.target).collect());
            return format!("<{}> {}", quoted(self.lts.labels(), label), parenthesised(&after));
        }
        // Internal steps may go on as long as they stay where `able` is.
        let leaving: Vec<u32> = edges
            .iter()
            .filter(|(from, edge)| {
                edge.label.is_tau() && !self.rounds.is_inert(round, *from, *edge)
            })
            .map(|(_, edge)| edge.target)
            .collect();
        let variable = format!("X{}", self.n_variables);
        self.n_variables += 1;
        let stay = match &*self.unlike_all(able, leaving) {
            "true" => variable.clone(),
            inside => format!("({} and {variable})", parenthesised(inside)),
        };
        match a_move {
            Move::Diverge => format!("nu {variable} . <tau> {stay}"),
            Move::Step(label, target) => {
                let rivals = edges.iter().filter(|(_, edge)| edge.label == label);
                let mut rivals: Vec<u32> = rivals.map(|(_, edge)| edge.target).collect();
                // Before reduction an internal step may also stay where it is.
                if label.is_tau() {
                    rivals.extend(&closure);
                }
                let after = self.unlike_all(target, rivals);
                let step =
                    format!("<{}> {}", quoted(self.lts.labels(), label), parenthesised(&after));
                format!("mu {variable} . ({step} or <tau> {stay})")
            }
        }
    }

    /// True of `state` and false of each of the others.
    fn unlike_all(&mut self, state: u32, mut others: Vec<u32>) -> String {
        others.sort_unstable();
        others.dedup();
        let mut parts: Vec<Rc<str>> = Vec::new();
        for other in others {
            let part = self.apart(state, other);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.sort();
        match &parts[..] {
            [] => "true".to_owned(),
            [one] => one.to_string(),
            many => {
                let parts: Vec<String> = many.iter().map(|part| bracketed(part)).collect();
                parts.join(" and ")
            }
        }
    }
}

/// In parentheses where something binds less tightly than a modality does.
fn parenthesised(formula: &str) -> String {
    let is_simple =
        !formula.contains(" and ") && !formula.starts_with("mu ") && !formula.starts_with("nu ");
    if is_simple { formula.to_owned() } else { format!("({formula})") }
}

/// A part of a conjunction: a fixpoint would swallow what follows.
fn bracketed(formula: &str) -> String {
    let is_open = ["mu ", "nu ", "not mu ", "not nu "].iter().any(|word| formula.starts_with(word));
    if is_open { format!("({formula})") } else { formula.to_owned() }
}
