//! One part of an object (one key of a store) and what its clients were told, judged as it comes.
//! Why besides `linearizability` and `monitor`: a real run has millions of operations, most of them alone on their key. What is
//! kept is the set of configurations that explain everything so far: the part's state, and which open operations have taken effect
//! with which result. Mostly that is one state and nothing else, and an operation costs one application of the specification.
//! "Just in time" as in `monitor`: an operation takes effect when a return forces it.
//! An operation that was given up may take effect later or never. A configuration in which fewer of those have taken effect can do
//! all that one with more can do, so of equal states only the ones with the fewest are kept.
//! Known limit: more than `CONFIGURATIONS_MAX` of them are too many; `deep` then looks at the whole history of the part.

use crate::{Access, Sequential};
use smallvec::SmallVec;
use std::borrow::Borrow;
use std::rc::Rc;

const CONFIGURATIONS_MAX: usize = 256;

/// What came of an event.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Seen {
    Explained,
    /// No order explains the result of the operation; results that some order would explain, in words.
    Impossible {
        operation: String,
        possible: Vec<String>,
    },
    TooHard,
}

/// The configurations of one part; `O` holds an operation.
pub(crate) struct Part<S: Sequential, O> {
    configurations: Vec<Configuration<S>>,
    open: SmallVec<[Open<O>; 2]>,
}

struct Configuration<S: Sequential> {
    object: S,
    /// Open operations that have taken effect, by client, with what they will return.
    taken: SmallVec<[(u32, Rc<S::Result>); 2]>,
}

struct Open<O> {
    client: u32,
    operation: O,
    is_given_up: bool,
}

impl<S: Sequential> Clone for Configuration<S> {
    fn clone(&self) -> Self {
        Configuration { object: self.object.clone(), taken: self.taken.clone() }
    }
}

impl<S: Sequential> Configuration<S> {
    fn is_taken(&self, client: u32) -> bool {
        self.taken.iter().any(|(taken, _)| *taken == client)
    }

    fn same(&self, other: &Self) -> bool {
        self.object == other.object && self.taken == other.taken
    }
}

impl<S: Sequential, O: Borrow<S::Operation>> Part<S, O> {
    pub(crate) fn new(initial: S) -> Self {
        let start = Configuration { object: initial, taken: SmallVec::new() };
        Part { configurations: vec![start], open: SmallVec::new() }
    }

    pub(crate) fn invoked(&mut self, client: u32, operation: O) {
        self.open.push(Open { client, operation, is_given_up: false });
    }

    /// The client will never see the result of its open operation. Its number may be used again: the operation gets `ghost`
    /// for a number, which nobody else has.
    pub(crate) fn given_up(&mut self, client: u32, ghost: u32) {
        let open = self.open.iter_mut().find(|open| open.client == client && !open.is_given_up);
        let Some(open) = open else { return };
        if let Some(Access::Read(_)) = S::access(open.operation.borrow(), None) {
            // A read that nobody saw return did nothing.
            self.open.retain(|open| open.client != client);
            for configuration in &mut self.configurations {
                configuration.taken.retain(|(taken, _)| *taken != client);
            }
            return self.drop_equal();
        }
        open.is_given_up = true;
        open.client = ghost;
        for configuration in &mut self.configurations {
            for (taken, _) in configuration.taken.iter_mut().filter(|(taken, _)| *taken == client) {
                *taken = ghost;
            }
            configuration.taken.sort_by_key(|(taken, _)| *taken);
        }
        self.drop_dominated();
    }

    pub(crate) fn returned(&mut self, client: u32, result: &S::Result) -> Seen {
        let Some(place) = self.open.iter().position(|open| open.client == client) else {
            let operation = "nothing".to_owned();
            return Seen::Impossible { operation, possible: Vec::new() };
        };
        if let ([only], [one]) = (&self.open[..], &mut self.configurations[..])
            && one.taken.is_empty()
        {
            let got = one.object.apply(only.operation.borrow());
            if got != *result {
                let operation = format!("{:?}", only.operation.borrow());
                return Seen::Impossible { operation, possible: vec![format!("{got:?}")] };
            }
            self.open.clear();
            return Seen::Explained;
        }
        if self.is_plain_access(place, result) {
            return Seen::Explained;
        }
        self.returned_among_others(place, result)
    }

    /// Whether a read or a write of a cell is explained at once: nothing else is open but writes that were given up, and none of them is
    /// needed. What any of them would leave is dominated: a write leaves its own value, and a read the value it found.
    fn is_plain_access(&mut self, place: usize, result: &S::Result) -> bool {
        let client = self.open[place].client;
        let [one] = &mut self.configurations[..] else { return false };
        if !one.taken.is_empty()
            || self.open.iter().any(|it| !it.is_given_up && it.client != client)
        {
            return false;
        }
        let operation = self.open[place].operation.borrow();
        let others = self.open.iter().filter(|it| it.client != client);
        let mut others = others.map(|it| S::access(it.operation.borrow(), None));
        if S::access(operation, Some(result)).is_none() || others.any(|it| it.is_none()) {
            return false;
        }
        let mut after = one.object.clone();
        if after.apply(operation) != *result {
            return false;
        }
        one.object = after;
        self.open.remove(place);
        true
    }

    /// Whether an open operation that was given up can matter now. In a cell such a write matters only to a read of its value: the one
    /// that returns, or one that is open still. Between other operations it may as well not have happened.
    fn may_matter(&self, open: &Open<O>, place: usize, result: &S::Result) -> bool {
        let Some(Access::Write(written)) = S::access(open.operation.borrow(), None) else {
            return true;
        };
        let returning = S::access(self.open[place].operation.borrow(), Some(result));
        let reads_it = match returning {
            Some(Access::Read(Some(read))) => read == written,
            Some(_) => false,
            None => true,
        };
        // What is neither a read nor a write may notice anything.
        let notices = |it: &Open<O>| match S::access(it.operation.borrow(), None) {
            Some(Access::Write(_)) => false,
            Some(Access::Read(_)) => !it.is_given_up,
            None => true,
        };
        let client = self.open[place].client;
        reads_it || self.open.iter().any(|it| it.client != client && notices(it))
    }

    fn returned_among_others(&mut self, place: usize, result: &S::Result) -> Seen {
        let client = self.open[place].client;
        let matters: SmallVec<[bool; 8]> = (self.open.iter())
            .map(|open| !open.is_given_up || self.may_matter(open, place, result))
            .collect();
        let mut todo = std::mem::take(&mut self.configurations);
        let (mut after, mut possible): (Vec<Configuration<S>>, Vec<String>) = Default::default();
        let mut next = 0;
        while next < todo.len() {
            let before = todo[next].clone();
            next += 1;
            if let Some(taken) = before.taken.iter().position(|(taken, _)| *taken == client) {
                let mut done = before;
                let (_, got) = done.taken.remove(taken);
                match *got == *result {
                    true => push_new(&mut after, done),
                    false => note(&mut possible, &got),
                }
                continue;
            }
            let mut done = before.clone();
            let got = done.object.apply(self.open[place].operation.borrow());
            match got == *result {
                true => push_new(&mut after, done),
                false => note(&mut possible, &got),
            }
            for (number, open) in self.open.iter().enumerate() {
                if open.client == client || before.is_taken(open.client) || !matters[number] {
                    continue;
                }
                let mut more = before.clone();
                let got = more.object.apply(open.operation.borrow());
                // What was given up and changes nothing need not take effect.
                if open.is_given_up && more.object == before.object {
                    continue;
                }
                let at = more.taken.partition_point(|(taken, _)| *taken < open.client);
                more.taken.insert(at, (open.client, Rc::new(got)));
                if !todo.iter().any(|known| known.same(&more) || self.dominates(known, &more)) {
                    todo.push(more);
                }
            }
            if todo.len() > CONFIGURATIONS_MAX || after.len() > CONFIGURATIONS_MAX {
                return Seen::TooHard;
            }
        }
        if after.is_empty() {
            let operation = format!("{:?}", self.open[place].operation.borrow());
            return Seen::Impossible { operation, possible };
        }
        self.open.remove(place);
        self.configurations = after;
        self.drop_dominated();
        Seen::Explained
    }

    /// Whether `a` is in the state of `b` with less that was given up.
    fn dominates(&self, a: &Configuration<S>, b: &Configuration<S>) -> bool {
        let is_ghost =
            |client: u32| self.open.iter().any(|open| open.client == client && open.is_given_up);
        let live = |it: &Configuration<S>| -> SmallVec<[(u32, Rc<S::Result>); 2]> {
            it.taken.iter().filter(|(client, _)| !is_ghost(*client)).cloned().collect()
        };
        let has_fewer = a
            .taken
            .iter()
            .filter(|(client, _)| is_ghost(*client))
            .all(|(client, _)| b.is_taken(*client));
        has_fewer && a.object == b.object && live(a) == live(b)
    }

    fn drop_equal(&mut self) {
        let all = std::mem::take(&mut self.configurations);
        for one in all {
            push_new(&mut self.configurations, one);
        }
    }

    fn drop_dominated(&mut self) {
        if self.configurations.len() < 2 || !self.open.iter().any(|open| open.is_given_up) {
            return;
        }
        let all = std::mem::take(&mut self.configurations);
        let mut kept: Vec<Configuration<S>> = Vec::new();
        for one in all {
            if kept.iter().any(|known| self.dominates(known, &one)) {
                continue;
            }
            kept.retain(|known| !self.dominates(&one, known));
            kept.push(one);
        }
        self.configurations = kept;
    }
}

fn push_new<S: Sequential>(all: &mut Vec<Configuration<S>>, one: Configuration<S>) {
    if !all.iter().any(|known| known.same(&one)) {
        all.push(one);
    }
}

/// A few results that would have been possible.
fn note<R: std::fmt::Debug>(possible: &mut Vec<String>, result: &R) {
    if possible.len() < 4 {
        let text = format!("{result:?}");
        if !possible.contains(&text) {
            possible.push(text);
        }
    }
}
