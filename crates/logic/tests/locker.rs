//! The locker of "Verifying Fault-Tolerant Erlang Programs" (Erlang Workshop 2005), modelled by hand: its published sizes,
//! the sizes of its quotients, and which properties hold for which server.
//! The model follows the translation's reading: a state is a position in the process equations with its data; a position
//! that merely behaves like another is not that other; replies are handshakes; entering the buffer is hidden.

use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Equivalence, Lts, Solution, generate_lts, patterns, reduce, solve};
use foresee_lts::typed::{Model, Typed};
use foresee_lts::{Action, System};
use foresee_search::{Limits, NoMeter, Silent};

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Info {
    Correct,
    Ignoring,
    Wrong,
}

#[derive(Clone, Copy, Debug)]
struct Locker {
    n_clients: usize,
    crashes: bool,
    /// The clients show `use` and `free`, with a crash point between them.
    shows_use: bool,
    info: Info,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Client {
    /// Before its first call: it cannot crash yet.
    Start,
    WaitsForLock,
    DiedWaitingForLock,
    HasLock,
    Uses,
    Freed,
    WaitsForRelease,
    DiedWaitingForRelease,
    Released,
    Dead,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Item {
    Request(usize),
    Release(usize),
    Exit(usize),
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Position {
    Loop,
    Requested(usize),
    Releasing(usize),
    ReleasingSecond(usize),
    Informed(usize),
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct State {
    clients: Vec<Client>,
    buffer: Vec<Item>,
    position: Position,
    pending: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Step {
    label: Option<String>,
    next: State,
}

impl Locker {
    fn steps(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for client in 0..self.n_clients {
            self.client_steps(state, client, &mut steps);
        }
        self.server_steps(state, &mut steps);
        steps
    }

    fn client_steps(&self, state: &State, c: usize, steps: &mut Vec<Step>) {
        let mut to = |client: Client, item: Option<Item>, label: Option<String>| {
            let mut next = state.clone();
            next.clients[c] = client;
            next.buffer.extend(item);
            steps.push(Step { label, next });
        };
        let crashed = |client| (client, Some(Item::Exit(c)));
        let died = match state.clients[c] {
            Client::Start => {
                to(Client::WaitsForLock, Some(Item::Request(c)), None);
                None
            }
            Client::WaitsForLock => Some(crashed(Client::DiedWaitingForLock)),
            Client::HasLock if self.shows_use => {
                to(Client::Uses, None, Some(format!("use(c{c})")));
                Some(crashed(Client::Dead))
            }
            Client::Uses => {
                to(Client::Freed, None, Some(format!("free(c{c})")));
                Some(crashed(Client::Dead))
            }
            Client::HasLock | Client::Freed => {
                to(Client::WaitsForRelease, Some(Item::Release(c)), None);
                Some(crashed(Client::Dead))
            }
            Client::WaitsForRelease => Some(crashed(Client::DiedWaitingForRelease)),
            Client::Released => {
                to(Client::WaitsForLock, Some(Item::Request(c)), None);
                Some(crashed(Client::Dead))
            }
            Client::DiedWaitingForLock | Client::DiedWaitingForRelease | Client::Dead => None,
        };
        if let (Some((client, item)), true) = (died, self.crashes) {
            to(client, item, None);
        }
    }

    fn server_steps(&self, state: &State, steps: &mut Vec<Step>) {
        let pending = &state.pending;
        match state.position {
            Position::Loop => self.take(state, pending.clone(), steps),
            Position::Requested(c) => match pending.is_empty() {
                true => self.reply(state, c, "ok", Position::Loop, vec![c], steps),
                false => {
                    let mut after = pending.clone();
                    after.push(c);
                    self.take(state, after, steps);
                }
            },
            Position::Releasing(c) => match pending.get(1) {
                None => self.reply(state, c, "done", Position::Loop, Vec::new(), steps),
                Some(next) => {
                    let position = Position::ReleasingSecond(c);
                    self.reply(state, *next, "ok", position, pending.clone(), steps);
                }
            },
            Position::ReleasingSecond(c) => {
                self.reply(state, c, "done", Position::Loop, pending[1..].to_vec(), steps);
            }
            Position::Informed(p) => {
                let mut rest = pending.clone();
                let at = rest.iter().position(|one| *one == p);
                if let Some(at) = at.filter(|_| self.info != Info::Ignoring) {
                    rest.remove(at);
                }
                let grants = match self.info {
                    Info::Correct => pending.len() > 1 && pending[0] == p,
                    Info::Ignoring => false,
                    Info::Wrong => !rest.is_empty(),
                };
                match grants {
                    true => self.reply(state, rest[0], "ok", Position::Loop, rest.clone(), steps),
                    false => self.take(state, rest, steps),
                }
            }
        }
    }

    /// Takes the next item from the buffer.
    fn take(&self, state: &State, pending: Vec<usize>, steps: &mut Vec<Step>) {
        let Some(&item) = state.buffer.first() else { return };
        let (label, position) = match item {
            Item::Request(c) => (format!("call(locker,request,c{c})"), Position::Requested(c)),
            Item::Release(c) => (format!("call(locker,release,c{c})"), Position::Releasing(c)),
            Item::Exit(c) => (format!("info(locker,{{EXIT,c{c},EXIT}})"), Position::Informed(c)),
        };
        let mut next = State { position, pending, ..state.clone() };
        next.buffer.remove(0);
        steps.push(Step { label: Some(label), next });
    }

    /// A handshake, possible only while the client waits.
    fn reply(
        &self,
        state: &State,
        c: usize,
        answer: &str,
        position: Position,
        pending: Vec<usize>,
        steps: &mut Vec<Step>,
    ) {
        let after = match state.clients[c] {
            Client::WaitsForLock => Client::HasLock,
            Client::WaitsForRelease if self.crashes => Client::Released,
            Client::WaitsForRelease => Client::Start,
            Client::DiedWaitingForLock | Client::DiedWaitingForRelease => Client::Dead,
            _ => return,
        };
        let mut next = State { position, pending, ..state.clone() };
        next.clients[c] = after;
        steps.push(Step { label: Some(format!("reply(c{c},{answer},locker)")), next });
    }
}

impl Model for Locker {
    type State = State;
    type Action = Step;

    fn initial(&self) -> Vec<State> {
        vec![State {
            clients: vec![Client::Start; self.n_clients],
            buffer: Vec::new(),
            position: Position::Loop,
            pending: Vec::new(),
        }]
    }

    fn actions(&self, state: &State) -> Vec<Step> {
        self.steps(state)
    }

    fn next(&self, _state: &State, step: &Step) -> State {
        step.next.clone()
    }
}

fn locker(n_clients: usize, crashes: bool, shows_use: bool, info: Info) -> Typed<Locker> {
    Typed::new(Locker { n_clients, crashes, shows_use, info })
}

/// The labels of the paper; with `crash` visible if wanted.
fn label(
    system: &Typed<Locker>,
    model: Locker,
    shows_crash: bool,
    state: &[u32],
    action: Action,
) -> Option<String> {
    let state = system.state(state[0]);
    let step = &model.steps(&state)[action.0 as usize];
    let grown = step.next.buffer.len() > state.buffer.len();
    match (&step.label, step.next.buffer.last()) {
        (None, Some(Item::Exit(c))) if shows_crash && grown => Some(format!("crash(c{c})")),
        (label, _) => label.clone(),
    }
}

fn lts(n_clients: usize, crashes: bool, shows_use: bool, info: Info) -> Lts {
    let system = locker(n_clients, crashes, shows_use, info);
    let model = Locker { n_clients, crashes, shows_use, info };
    generate_lts(&system, &|state, action| label(&system, model, false, state, action))
}

fn sizes(lts: &Lts) -> (usize, usize) {
    (lts.n_states(), lts.n_transitions())
}

#[test]
fn sizes_are_those_of_the_paper() {
    assert_eq!(sizes(&lts(2, false, false, Info::Correct)), (33, 48));
    assert_eq!(sizes(&lts(2, true, false, Info::Correct)), (326, 584));
    assert_eq!(sizes(&lts(2, true, false, Info::Ignoring)), (324, 574));
    assert_eq!(sizes(&lts(2, true, false, Info::Wrong)), (362, 640));
    assert_eq!(sizes(&lts(2, false, true, Info::Correct)), (49, 76));
    assert_eq!(sizes(&lts(2, true, true, Info::Correct)), (378, 736));
}

#[test]
fn quotients_have_the_sizes_known_for_them() {
    let lts = lts(2, true, false, Info::Correct);
    assert_eq!(sizes(&reduce(&lts, Equivalence::Strong).lts), (229, 448));
    assert_eq!(sizes(&reduce(&lts, Equivalence::Branching).lts), (217, 426));
}

/// Solves on the implicit system.
fn solved(n_clients: usize, crashes: bool, info: Info, shows_crash: bool, text: &str) -> Solution {
    let system = locker(n_clients, crashes, true, info);
    let model = Locker { n_clients, crashes, shows_use: true, info };
    let label = |state: &[u32], action| label(&system, model, shows_crash, state, action);
    let formula = parse(text, Notation::Paper).into_result().unwrap();
    let solution =
        solve(&system, &label, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap();
    let evidence = solution.evidence.as_ref().unwrap();
    let states = evidence.path.states(&system);
    assert_eq!(states.len(), evidence.labels.len() + 1);
    for ((state, action), said) in states.iter().zip(&evidence.path.actions).zip(&evidence.labels) {
        assert_eq!(label(state, *action), *said, "the evidence is a run of the system");
    }
    assert!(!system.initial().is_empty());
    solution
}

/// Which of the servers a formula holds for: correct, ignoring, wrong with 2 and 3 clients, and without crashes.
fn verdicts(shows_crash: bool, text: impl Fn(usize) -> String) -> [bool; 5] {
    let holds = |n, crashes, info| {
        solved(n, crashes, info, shows_crash, &text(n)).holds.expect("no limits")
    };
    [
        holds(2, true, Info::Correct),
        holds(2, true, Info::Ignoring),
        holds(2, true, Info::Wrong),
        holds(3, true, Info::Wrong),
        holds(2, false, Info::Correct),
    ]
}

const MUTEX: &str = "mutual-exclusion('use(.*)', 'free(.*)')";
const FT_MUTEX: &str = "crash-tolerant-mutual-exclusion('use(.*)', 'free(.*)', 'info(.*)')";

#[test]
fn properties_hold_for_the_servers_they_should() {
    let pattern = |typed: &str| patterns::formula(typed).unwrap();
    let always = |typed: &'static str| move |_: usize| patterns::formula(typed).unwrap();
    assert_eq!(verdicts(false, always("deadlock-freedom()")), [false, false, false, false, true]);
    assert_eq!(verdicts(false, always(MUTEX)), [false, true, false, false, true]);
    assert_eq!(verdicts(false, always(FT_MUTEX)), [true, true, true, false, true]);
    // As published, deadlock freedom counts messages about crashes, and a crash to come counts as progress.
    let literal = |n: usize| {
        let (info, no_info) = ("'info(.*)'", "(not 'info(.*)')*");
        let more = format!(" . ({info} . {no_info})?").repeat(n - 1);
        format!("[{no_info}{more}] <-> true")
    };
    assert_eq!(verdicts(false, literal), [true, true, false, false, true]);
    let progress =
        |n: usize| pattern(&format!("deadlock-freedom-while-crashed({}, 'crash(.*)')", n - 1));
    assert_eq!(verdicts(true, progress), [true, false, true, false, true]);
    let starves = always(
        "non-starvation('call(locker,request,c0)', 'reply(c0,ok,locker)', 'crash(c0)', 'crash(.*)')",
    );
    assert_eq!(verdicts(true, starves), [true, false, true, false, true]);
    assert_eq!(solved(3, true, Info::Correct, false, &pattern(FT_MUTEX)).holds, Some(true));
}

#[test]
fn counterexamples_are_the_shortest_ones() {
    let shown = |n, info, typed: &str| {
        let solution = solved(n, true, info, false, &patterns::formula(typed).unwrap());
        assert_eq!(solution.holds, Some(false));
        let evidence = solution.evidence.unwrap();
        assert!(evidence.is_linear);
        let visible: Vec<String> = evidence.labels.iter().flatten().cloned().collect();
        (visible, evidence.labels.len(), solution.states)
    };
    let (visible, ..) = shown(2, Info::Correct, MUTEX);
    assert_eq!(visible.len(), 7, "{visible:?}");
    assert_eq!(visible.last().map(String::as_str), Some("use(c1)"));
    let (visible, n_all, n_states) = shown(3, Info::Wrong, FT_MUTEX);
    assert_eq!((visible.len(), n_all), (13, 19), "{visible:?}");
    let whole = lts(3, true, true, Info::Wrong).n_states() as u64;
    assert!(n_states < whole, "{n_states} of {whole}: the rest is not explored");
}

#[test]
fn the_published_formula_with_its_slip_is_plain_mutual_exclusion() {
    let text = "[-* . 'use(.*)' . (not 'free(.*)' or 'info(.*)')* . 'use(.*)'] false";
    let parsed = parse(text, Notation::Paper);
    assert_eq!(parsed.diagnostics[0].code.to_string(), "E0424");
    assert_eq!(
        verdicts(false, |_| text.to_owned()),
        verdicts(false, |_| patterns::formula(MUTEX).unwrap())
    );
}
