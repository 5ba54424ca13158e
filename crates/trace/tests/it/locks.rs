//! The toy of these tests: clients ask a clerk for the one lock, and the clerk grants it to everybody.
//! Written directly on slots: slot `m` is member `m`'s state, slot `n + m` its inbox as a set of bits. There is noise:
//! clients chat with their neighbour, ping the clerk, crash and restart. The shortest way to two holders has six events.

use foresee_lts::{
    Action, Actor, Claims, Description, Footprint, Interleaved, Label, Member, Path, Pending,
    Predicate, Property, Reads, State, System, Telling, Tree, Verb,
};

const ASKED: u32 = 1;
const HOLDS: u32 = 2;
const CRASHED: u32 = 4;
const CHAT_UNIT: u32 = 8;
const CHAT_MAX: u32 = 3;

/// Members: 0 is the clerk, 1..=n the clients. Inbox bits of the clerk: `client` asks, `8 + client` pings. Inbox bits of a
/// client: 0 the grant, 1 a chat of the neighbour.
#[derive(Clone)]
pub(crate) struct Locks {
    pub(crate) n_clients: usize,
    pub(crate) noise: bool,
    /// The clerk remembers whom it granted the lock: the bug is fixed.
    pub(crate) careful: bool,
}

/// What an action is, packed into its number.
#[derive(Clone, Copy)]
enum Act {
    Deliver { to: usize, bit: u32 },
    Ask(usize),
    Chat(usize),
    Ping(usize),
    Crash(usize),
    Restart(usize),
}

impl Act {
    fn pack(self) -> Action {
        let (kind, member, bit) = match self {
            Act::Deliver { to, bit } => (0, to, bit),
            Act::Ask(client) => (1, client, 0),
            Act::Chat(client) => (2, client, 0),
            Act::Ping(client) => (3, client, 0),
            Act::Crash(client) => (4, client, 0),
            Act::Restart(client) => (5, client, 0),
        };
        Action(kind << 32 | (member as u64) << 16 | u64::from(bit))
    }

    fn unpack(action: Action) -> Act {
        let member = (action.0 >> 16 & 0xffff) as usize;
        match action.0 >> 32 {
            0 => Act::Deliver { to: member, bit: (action.0 & 0xffff) as u32 },
            1 => Act::Ask(member),
            2 => Act::Chat(member),
            3 => Act::Ping(member),
            4 => Act::Crash(member),
            _ => Act::Restart(member),
        }
    }

    fn member(self) -> usize {
        match self {
            Act::Deliver { to: member, .. }
            | Act::Ask(member)
            | Act::Chat(member)
            | Act::Ping(member)
            | Act::Crash(member)
            | Act::Restart(member) => member,
        }
    }
}

impl Locks {
    pub(crate) fn new(n_clients: usize) -> Self {
        Locks { n_clients, noise: false, careful: false }
    }

    pub(crate) fn noisy(n_clients: usize) -> Self {
        Locks { noise: true, ..Locks::new(n_clients) }
    }

    fn n(&self) -> usize {
        self.n_clients + 1
    }

    fn name_of(&self, member: usize) -> String {
        if member == 0 { "clerk".into() } else { format!("client{member}") }
    }

    fn neighbour(&self, client: usize) -> usize {
        client % self.n_clients + 1
    }

    /// Sender and text of the message behind a bit of `to`'s inbox.
    fn message(&self, to: usize, bit: u32) -> (usize, &'static str) {
        match (to, bit) {
            (0, bit) if bit >= 8 => (bit as usize - 8, "Ping"),
            (0, bit) => (bit as usize, "Ask"),
            (_, 0) => (0, "Grant"),
            (client, _) => ((client + self.n_clients - 2) % self.n_clients + 1, "Chat"),
        }
    }

    /// The messages that an action puts in flight: receiver and bit.
    fn sends(&self, state: &[u32], act: Act) -> Vec<(usize, u32)> {
        match act {
            Act::Ask(client) => vec![(0, client as u32)],
            Act::Chat(client) => vec![(self.neighbour(client), 1)],
            Act::Ping(client) => vec![(0, 8 + client as u32)],
            Act::Deliver { to: 0, bit } if bit < 8 => {
                let free = !self.careful || state[0] & 0xff == 0;
                if free { vec![(bit as usize, 0)] } else { vec![] }
            }
            _ => vec![],
        }
    }

    /// A run by label texts, for writing examples.
    pub(crate) fn path(&self, labels: &[&str]) -> Path {
        let initial = self.initial().remove(0);
        let mut path = Path { initial: initial.clone(), actions: vec![] };
        let mut state = initial;
        for text in labels {
            let mut actions = vec![];
            self.enabled(&state, &mut actions);
            let found =
                actions.iter().find(|action| self.label(&state, **action).to_string() == *text);
            let action = *found.unwrap_or_else(|| panic!("{text} is not enabled"));
            state = self.step(&state, action);
            path.actions.push(action);
        }
        path
    }

    pub(crate) fn labels(&self, path: &Path) -> Vec<String> {
        let states = path.states(self);
        path.actions
            .iter()
            .zip(&states)
            .map(|(action, state)| self.label(state, *action).to_string())
            .collect()
    }

    /// A random run until two clients hold the lock, if that happens within `length` events.
    pub(crate) fn random_run(&self, seed: u64, length: usize) -> Option<Path> {
        let mut state = self.initial().remove(0);
        let mut path = Path { initial: state.clone(), actions: vec![] };
        let mut random = seed;
        for _ in 0..length {
            let mut actions = vec![];
            self.enabled(&state, &mut actions);
            random = foresee_stdx::mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15));
            let action = *actions.get(random as usize % actions.len().max(1))?;
            state = self.step(&state, action);
            path.actions.push(action);
            if self.n_holders(&state) >= 2 {
                return Some(path);
            }
        }
        None
    }

    pub(crate) fn n_holders(&self, state: &[u32]) -> usize {
        (1..=self.n_clients).filter(|client| state[*client] & HOLDS != 0).count()
    }
}

impl System for Locks {
    fn initial(&self) -> Vec<State> {
        vec![vec![0; 2 * self.n()]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        for member in 0..self.n() {
            if state[member] & CRASHED == 0 || member == 0 {
                let bits = (0..16).filter(|bit| state[self.n() + member] >> bit & 1 == 1);
                actions.extend(bits.map(|bit| Act::Deliver { to: member, bit }.pack()));
            }
        }
        for (client, word) in state.iter().enumerate().take(self.n()).skip(1) {
            if word & CRASHED != 0 {
                actions.push(Act::Restart(client).pack());
                continue;
            }
            if word & (ASKED | HOLDS) == 0 {
                actions.push(Act::Ask(client).pack());
            }
            if self.noise {
                actions.extend(
                    [Act::Chat(client), Act::Ping(client), Act::Crash(client)].map(Act::pack),
                );
            }
        }
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let act = Act::unpack(action);
        let mut next = state.to_vec();
        for (to, bit) in self.sends(state, act) {
            next[self.n() + to] |= 1 << bit;
        }
        match act {
            Act::Deliver { to, bit } => {
                next[self.n() + to] &= !(1 << bit);
                match (to, bit) {
                    (0, bit) if bit < 8 && !self.sends(state, act).is_empty() => {
                        next[0] |= 1 << bit
                    }
                    (0, _) => {}
                    (client, 0) => next[client] = next[client] & !ASKED | HOLDS,
                    (client, _) if next[client] < CHAT_UNIT * CHAT_MAX => next[client] += CHAT_UNIT,
                    _ => {}
                }
            }
            Act::Ask(client) => next[client] |= ASKED,
            Act::Chat(_) | Act::Ping(_) => {}
            Act::Crash(client) => next[client] = next[client] & !(ASKED | HOLDS) | CRASHED,
            Act::Restart(client) => next[client] &= !CRASHED,
        }
        next
    }

    fn name(&self) -> String {
        format!("locks clients={}", self.n_clients)
    }

    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Claims for Locks {
    fn properties(&self) -> Vec<Property> {
        let locks = self.clone();
        let holders = move |state: &[u32]| locks.n_holders(state);
        let one_holder = Predicate::new("one holder", Reads::All, move |state, why| {
            why.because(format_args!("{} clients hold the lock", holders(state)));
            holders(state) <= 1
        });
        vec![Property::invariant(one_holder)]
    }
}

impl Interleaved for Locks {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        Actor(Act::unpack(action).member() as u32)
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let act = Act::unpack(action);
        let message = |to: usize, bit: u32| 100 + 16 * to as u64 + u64::from(bit);
        let mut footprint = Footprint::of(self.actor(state, action)).writes(act.member() as u64);
        if let Act::Deliver { to, bit } = act {
            footprint = footprint.writes(message(to, bit));
        }
        for (to, bit) in self.sends(state, act) {
            footprint = footprint.writes(message(to, bit));
        }
        footprint
    }
}

impl Telling for Locks {
    fn label(&self, _state: &[u32], action: Action) -> Label {
        let act = Act::unpack(action);
        let name = self.name_of(act.member());
        match act {
            Act::Deliver { to, bit } => {
                let (from, payload) = self.message(to, bit);
                Label::deliver(&self.name_of(from), &name, payload)
            }
            Act::Ask(_) => Label::of_actor(Verb::Timer, &name, "WantLock"),
            Act::Chat(_) => Label::of_actor(Verb::Step, &name, "chat"),
            Act::Ping(_) => Label::of_actor(Verb::Step, &name, "ping"),
            Act::Crash(_) => Label::of_actor(Verb::Crash, &name, ""),
            Act::Restart(_) => Label::of_actor(Verb::Restart, &name, ""),
        }
    }

    fn describe(&self, state: &[u32]) -> Description {
        let members = (0..self.n()).map(|member| {
            let inbox =
                (0..16u32).filter(|bit| state[self.n() + member] >> bit & 1 == 1).map(|bit| {
                    let (from, payload) = self.message(member, bit);
                    // Described in other words than on labels, as front ends may.
                    let content = Tree::Record { name: payload.to_uppercase(), fields: vec![] };
                    let action = Some(Act::Deliver { to: member, bit }.pack());
                    Pending { action, ..Pending::new(self.name_of(from), content) }
                });
            let word = state[member];
            let flag = |name: &str, on: bool| (name.to_owned(), Tree::leaf(on.to_string()));
            let fields = if member == 0 {
                let granted = (1..=self.n_clients).filter(|client| word >> client & 1 == 1);
                let items = granted.map(|client| Tree::leaf(self.name_of(client))).collect();
                vec![("granted".to_owned(), Tree::List { name: String::new(), items })]
            } else {
                vec![
                    flag("asked", word & ASKED != 0),
                    flag("holds", word & HOLDS != 0),
                    ("chats".to_owned(), Tree::leaf((word / CHAT_UNIT).to_string())),
                ]
            };
            let crashed = member > 0 && word & CRASHED != 0;
            Member {
                status: if crashed { "crashed".into() } else { String::new() },
                inbox: inbox.collect(),
                ..Member::new(self.name_of(member), Tree::Record { name: String::new(), fields })
            }
        });
        Description { members: members.collect(), ..Description::default() }
    }
}
