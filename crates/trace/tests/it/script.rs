//! A system that does one thing after another: for pictures of everything that can happen.
//! Members hold nothing but their inbox, where copies are counted; slot 0 is the number of steps done.

use foresee_lts::{
    Action, Description, Label, Member, Path, Pending, State, System, Telling, Tree, Verb,
};

/// A message: from, to, payload.
pub(crate) type Message = (&'static str, &'static str, &'static str);

pub(crate) struct Script {
    pub(crate) members: Vec<&'static str>,
    pub(crate) sent_at_start: Vec<Message>,
    /// What happens, and what is sent then.
    pub(crate) steps: Vec<(Label, Vec<Message>)>,
}

impl Script {
    pub(crate) fn path(&self) -> Path {
        Path { initial: vec![0], actions: vec![Action(0); self.steps.len()] }
    }

    /// The messages in flight after `n` steps, oldest first.
    fn in_flight(&self, n: usize) -> Vec<Message> {
        let mut messages = self.sent_at_start.clone();
        for (label, sent) in &self.steps[..n] {
            let is_it = |m: &Message| {
                (Some(m.0), Some(m.1), m.2)
                    == (label.from.as_deref(), label.to.as_deref(), &*label.payload.to_string())
            };
            if let Some(i) = messages.iter().position(is_it) {
                match label.verb {
                    Verb::Duplicate => messages.push(messages[i]),
                    _ => {
                        messages.remove(i);
                    }
                }
            }
            messages.extend(sent);
        }
        messages
    }
}

impl System for Script {
    fn initial(&self) -> Vec<State> {
        vec![vec![0]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        actions.extend(((state[0] as usize) < self.steps.len()).then_some(Action(0)));
    }

    fn step(&self, state: &[u32], _: Action) -> State {
        vec![state[0] + 1]
    }

    fn name(&self) -> String {
        "script".into()
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Telling for Script {
    fn label(&self, state: &[u32], _: Action) -> Label {
        self.steps[state[0] as usize].0.clone()
    }

    fn describe(&self, state: &[u32]) -> Description {
        let messages = self.in_flight(state[0] as usize);
        let members = self.members.iter().map(|name| {
            let inbox = messages.iter().filter(|m| m.1 == *name);
            let inbox = inbox.map(|m| Pending::new(m.0, Tree::leaf(m.2)));
            Member { inbox: inbox.collect(), ..Member::new(*name, Tree::leaf("")) }
        });
        Description { members: members.collect(), ..Description::default() }
    }
}
