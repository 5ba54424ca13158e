//! Who waits for whom where nothing can happen: what each component wants to do and may not do alone, and with whom it could.
//! Whether another could ever take part is seen in the states it comes to, which a short search from the start finds. So a
//! partner that only comes up after very many states is left out; one that never could take part is never named.
//! Not here: finding deadlocks (the engines), putting them on a page (`foresee-session`).

use crate::model::{Fate, NodeKind, TAU};
use crate::moves::Explored;
use crate::process::{DONE, Offer, ProcId};
use crate::system::Algebra;
use foresee_lts::System;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// What a component that cannot go on wants.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wait {
    /// The component.
    pub who: String,
    /// Each action that it wants to do, and who could do it with it in another state. None: it has stopped.
    pub wants: Vec<(String, Vec<String>)>,
}

/// As many states are looked at to see what components can come to, and as many of one component are tried.
const STATES_MAX: usize = 5_000;
const TRIED_MAX: usize = 200;
/// As many components are named in a sentence.
const NAMED_MAX: usize = 8;

impl Algebra {
    /// What each component that is not at its end wants in a state in which nothing can happen.
    ///
    /// ```
    /// let text = "act a, b, c  comm a | b = c  proc P = a.P  Q = b.delta  init encap({a, b}, P || Q)";
    /// let system = foresee_algebra::load(text, Default::default()).unwrap();
    /// use foresee_lts::System;
    /// let mut actions = Vec::new();
    /// let start = &system.initial()[0];
    /// system.enabled(start, &mut actions);
    /// let waits = system.waits(&system.step(start, actions[0]));
    /// assert_eq!(waits[0].wants, [("a".to_owned(), vec!["Q".to_owned()])]);
    /// assert!(waits[1].who == "Q" && waits[1].wants.is_empty());
    /// ```
    pub fn waits(&self, state: &[u32]) -> Vec<Wait> {
        let tried = self.states_of_components();
        let mut shared = self.shared.lock();
        let explored = &mut shared.explored;
        let names = &self.network.names;
        let waiting = (0..names.len()).filter(|slot| state[*slot] != DONE);
        waiting
            .map(|slot| {
                let mut wants: Vec<(String, Vec<String>)> = Vec::new();
                let offers = explored.engine.offers(state[slot]).map(|it| it.to_vec());
                for offer in offers.unwrap_or_default() {
                    let others = self.partners(slot).into_iter();
                    let others = others.filter(|other| {
                        tried[*other].iter().any(|it| self.meets(explored, &offer, *it))
                    });
                    let others = others.map(|other| names[other].clone()).collect();
                    let want = (explored.offer_text(&offer), others);
                    if !wants.contains(&want) {
                        wants.push(want);
                    }
                }
                Wait { who: names[slot].clone(), wants }
            })
            .collect()
    }

    /// The components that wait for each other in a circle, the first once more at the end.
    pub fn circle(waits: &[Wait]) -> Option<Vec<String>> {
        let next: BTreeMap<&str, BTreeSet<&str>> = waits
            .iter()
            .map(|it| {
                let others = it.wants.iter().flat_map(|(_, others)| others);
                (it.who.as_str(), others.map(String::as_str).collect())
            })
            .collect();
        let circles = waits.iter().filter_map(|first| shortest_way_back(&next, &first.who));
        // Of the shortest ones the first.
        circles.min_by_key(Vec::len)
    }

    /// Why nothing can happen, in words: one sentence, then a line for each component.
    pub(crate) fn waiting_words(&self, state: &[u32]) -> String {
        let waits = self.waits(state);
        let first = match Algebra::circle(&waits) {
            Some(circle) => {
                let pairs = circle.windows(2).map(|it| format!("{} for {}", it[0], it[1]));
                let shown: Vec<String> = pairs.take(NAMED_MAX).collect();
                let more = if circle.len() > NAMED_MAX + 1 { ", …" } else { "" };
                format!("everybody waits, in a circle: {}{more}", shown.join(", "))
            }
            None => {
                let shown = waits.iter().take(NAMED_MAX).map(whom_words);
                let more = if waits.len() > NAMED_MAX { " and others" } else { "" };
                format!("nobody can go on: {}{more}", shown.collect::<Vec<_>>().join(", "))
            }
        };
        let lines = waits.iter().map(|wait| format!("\n{}", wait_words(wait)));
        first + &lines.collect::<String>()
    }

    /// The components that may communicate with one.
    fn partners(&self, slot: usize) -> Vec<usize> {
        let other = |(a, b): &(usize, usize)| match (*a == slot, *b == slot) {
            (true, _) => Some(*b),
            (_, true) => Some(*a),
            _ => None,
        };
        self.network.pairs.iter().filter_map(other).collect()
    }

    /// Whether a component in some state would do something together with this offer that is not blocked.
    fn meets(&self, explored: &mut Explored, offer: &Offer, other: ProcId) -> bool {
        let Ok(others) = explored.engine.offers(other) else { return false };
        others.iter().any(|its| {
            let key = (offer.action, its.action);
            let Some(&action) = explored.engine.model.communications.get(&key) else {
                return false;
            };
            let is_free = action == TAU || self.network.fates[action as usize] != Fate::Blocked;
            is_free && matches!(explored.engine.merge(offer, its, action, 0), Ok(Some(_)))
        })
    }

    /// The states that each component comes to among the first states of the whole.
    fn states_of_components(&self) -> Vec<Vec<ProcId>> {
        let mut found: Vec<Vec<ProcId>> = vec![Vec::new(); self.network.names.len()];
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        let mut open: VecDeque<Vec<u32>> = self.initial().into();
        while let Some(state) = open.pop_front() {
            if seen.len() >= STATES_MAX || !seen.insert(state.clone()) {
                continue;
            }
            for (known, own) in found.iter_mut().zip(&state) {
                if known.len() < TRIED_MAX && !known.contains(own) {
                    known.push(*own);
                }
            }
            let mut actions = Vec::new();
            self.enabled(&state, &mut actions);
            open.extend(actions.into_iter().map(|action| self.step(&state, action)));
        }
        found
    }
}

impl Explored {
    /// An action as muCRL writes it; what a sum leaves open is called as in the text.
    fn offer_text(&self, offer: &Offer) -> String {
        let model = &self.engine.model;
        let mut text = model.actions[offer.action as usize].name.clone();
        let arguments: Vec<String> =
            offer.arguments.iter().map(|it| self.engine.text(*it)).collect();
        if !arguments.is_empty() {
            text.push_str(&format!("({})", arguments.join(",")));
        }
        for (number, open) in offer.variables.iter().enumerate().rev() {
            let node = model.node(open.sum);
            if let NodeKind::Sum(slot, ..) = node.kind {
                let process = &model.processes[node.process as usize];
                text = text.replace(&format!("?{number}"), &process.slots[slot as usize]);
            }
        }
        match self.spelling {
            Some(spelling) => spelling(&text).into_owned(),
            None => text,
        }
    }
}

fn whom_words(wait: &Wait) -> String {
    let others: BTreeSet<&str> =
        wait.wants.iter().flat_map(|(_, others)| others).map(String::as_str).collect();
    let others: Vec<&str> = others.into_iter().collect();
    match (wait.wants.is_empty(), others.is_empty()) {
        (true, _) => format!("{} has stopped", wait.who),
        (false, true) => format!("{} waits for nobody that could come", wait.who),
        (false, false) => format!("{} waits for {}", wait.who, others.join(" or ")),
    }
}

fn wait_words(wait: &Wait) -> String {
    if wait.wants.is_empty() {
        return format!("{} has stopped", wait.who);
    }
    let wants = wait.wants.iter().map(|(action, others)| match others.as_slice() {
        [] => format!("{action}, which nobody does with it"),
        others => format!("{action} together with {}", others.join(" or ")),
    });
    format!("{} wants {}", wait.who, wants.collect::<Vec<_>>().join("; or "))
}

/// The shortest way from somebody back to itself.
fn shortest_way_back(next: &BTreeMap<&str, BTreeSet<&str>>, first: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open: VecDeque<&str> = VecDeque::from([first]);
    while let Some(at) = open.pop_front() {
        for other in next.get(at).into_iter().flatten().copied() {
            if other == first {
                let mut way = vec![first.to_owned(), at.to_owned()];
                let mut at = at;
                while let Some(earlier) = before.get(at).filter(|_| at != first) {
                    way.push((*earlier).to_owned());
                    at = earlier;
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(other) {
                before.insert(other, at);
                open.push_back(other);
            }
        }
    }
    None
}
