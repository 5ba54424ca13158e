//! Communication: a function from pairs of actions to actions, commutative and associative.
//! Names are given for all sorts at once: `a | b = c` holds for every list of sorts that `a` and `b` share.

use super::Checker;
use crate::diagnostic::{BAD_COMMUNICATION, Diagnostic};
use crate::tree::Specification;
use foresee_text::Span;
use rustc_hash::FxHashMap;

impl Checker {
    pub(super) fn communications(&mut self, specification: &Specification) {
        let mut named: FxHashMap<(&str, &str), (&str, Span)> = FxHashMap::default();
        for it in &specification.communications {
            let (a, b, c) =
                (it.left.text.as_str(), it.right.text.as_str(), it.result.text.as_str());
            let span = it.left.span.to(it.result.span);
            let key = if a <= b { (a, b) } else { (b, a) };
            match named.get(&key) {
                Some((other, first)) if *other != c => {
                    let message = format!(
                        "`{a} | {b}` is `{c}` here and `{other}` elsewhere: communication is a function"
                    );
                    let problem = Diagnostic::error(BAD_COMMUNICATION, span, message);
                    self.report(problem.also(*first, "the other result"));
                    continue;
                }
                _ => named.insert(key, (c, span)),
            };
            self.communication(it);
        }
        self.associativity(specification);
    }

    fn communication(&mut self, it: &crate::tree::Communication) {
        let (lefts, rights) = (self.actions_named(&it.left), self.actions_named(&it.right));
        if self.actions_named(&it.result).is_empty() || lefts.is_empty() || rights.is_empty() {
            return;
        }
        let mut n_pairs = 0;
        for &left in &lefts {
            let sorts = self.model.actions[left as usize].sorts.clone();
            let partner = rights.iter().find(|id| self.model.actions[**id as usize].sorts == sorts);
            let Some(&right) = partner else { continue };
            n_pairs += 1;
            if let Some(result) = self.same_sorts(left, &it.result) {
                self.model.communications.insert((left, right), result);
                self.model.communications.insert((right, left), result);
            }
        }
        if n_pairs == 0 {
            let (a, b) = (&it.left.text, &it.right.text);
            let message = format!("`{a}` and `{b}` carry data of different sorts and never meet");
            let span = it.left.span.to(it.right.span);
            self.report(Diagnostic::error(BAD_COMMUNICATION, span, message));
        }
    }

    /// `(a | b) | c` and `a | (b | c)` are the same action or both none.
    fn associativity(&mut self, specification: &Specification) {
        let gamma = &self.model.communications;
        let merge = |a: Option<u32>, b: Option<u32>| gamma.get(&(a?, b?)).copied();
        let mut actors: Vec<u32> = gamma.keys().map(|it| it.0).collect();
        actors.sort_unstable();
        actors.dedup();
        let mut found = None;
        'search: for &a in &actors {
            for &b in &actors {
                let Some(ab) = merge(Some(a), Some(b)) else { continue };
                for &c in &actors {
                    if merge(Some(ab), Some(c)) != merge(Some(a), merge(Some(b), Some(c))) {
                        found = Some([a, b, c]);
                        break 'search;
                    }
                }
            }
        }
        let Some(names) = found else { return };
        let names = names.map(|it| self.model.actions[it as usize].name.clone());
        let [a, b, c] = &names;
        let message = format!(
            "communication is not associative: `({a} | {b}) | {c}` and `{a} | ({b} | {c})` differ"
        );
        let stands = |it: &&crate::tree::Communication| {
            (&it.left.text, &it.right.text) == (a, b) || (&it.right.text, &it.left.text) == (a, b)
        };
        let span = specification
            .communications
            .iter()
            .find(stands)
            .map_or(Span::NONE, |it| it.left.span.to(it.result.span));
        let problem = Diagnostic::error(BAD_COMMUNICATION, span, message)
            .help("usually the result of a communication takes part in no other");
        self.report(problem);
    }
}
