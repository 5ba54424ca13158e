//! Checks of the user's own code: is a handler a function, and are equal states really equal?
//! Why: the checker remembers what a handler did to a state and never runs it on an equal state again. A handler that
//! reads a global counter, the order of a `HashMap` or a field that `Eq` ignores makes what is remembered wrong, and the
//! search silently misses states. On request (`WorldBuilder::check_code`) every call is therefore repeated: on clones, and
//! on *twins*, equal states that were reached in another way and so may hold other hidden things.
//! Also noted, as information: messages whose second delivery changes the state again (handlers that are not idempotent).

use crate::component::Component;
use crate::{Address, Effect, Node};
use foresee_stdx::stable_hash;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// A handler and what it is called with.
#[derive(Clone)]
pub(crate) enum Call<M> {
    Init,
    Message {
        from: Address,
        message: M,
    },
    Timer {
        position: usize,
    },
    /// So many of the writes that were not synced are left.
    Crash {
        n_kept: usize,
    },
    Restart,
}

/// What a call did: what it left and what it asked for, or the message of its panic.
pub(crate) type Did<N> = Result<(Component<N>, Effects<N>), String>;
type Effects<N> = Vec<Effect<<N as Node>::Message, <N as Node>::Timer>>;

/// What has been learnt about one node's code.
pub(crate) struct CodeCheck<N: Node> {
    known: Mutex<FxHashMap<u32, Known<N>>>,
    /// By handler: an example of a message that it is not idempotent for.
    not_idempotent: Mutex<BTreeMap<String, String>>,
}

struct Known<N: Node> {
    twins: Vec<Component<N>>,
    calls: Vec<(Call<N::Message>, Did<N>)>,
}

/// Repetitions of each call on clones.
const REPETITIONS: usize = 2;
/// Twins kept of one state: a few in any case, more if they look different.
const TWINS_MIN: usize = 2;
const TWINS_MAX: usize = 6;

impl<N: Node> CodeCheck<N> {
    pub(crate) fn new() -> Self {
        CodeCheck { known: Mutex::default(), not_idempotent: Mutex::default() }
    }

    /// Repeats a call that did `did` to `before`; `Err` tells both outcomes if they differ.
    pub(crate) fn repeat(
        &self,
        me: Address,
        id: Option<u32>,
        before: &Component<N>,
        call: &Call<N::Message>,
        did: &Did<N>,
        perform: impl Fn(&Component<N>, &Call<N::Message>) -> Did<N>,
    ) -> Result<(), String> {
        check_value(me, before)?;
        if let Ok((after, _)) = did {
            check_value(me, after)?;
        }
        let case = Case { me, before, call };
        for _ in 0..REPETITIONS {
            case.compare("equal states", did, &perform(before, call))?;
        }
        self.note_idempotence(&case, did, &perform);
        let Some(id) = id else { return Ok(()) };
        let mut known = self.known.lock();
        let known = known.entry(id).or_insert_with(Known::new);
        for twin in &known.twins {
            case.compare(REACHED_DIFFERENTLY, did, &perform(twin, call))?;
        }
        known.calls.push((call.clone(), did.clone()));
        Ok(())
    }

    /// A state that is equal to the one with this id has been reached again: every call made so far must do to it what
    /// it did then.
    pub(crate) fn arrived(
        &self,
        me: Address,
        id: u32,
        twin: Component<N>,
        perform: impl Fn(&Component<N>, &Call<N::Message>) -> Did<N>,
    ) -> Result<(), String> {
        let mut known = self.known.lock();
        let known = known.entry(id).or_insert_with(Known::new);
        if !known.wants(&twin) {
            return Ok(());
        }
        for (call, did) in &known.calls {
            let case = Case { me, before: &twin, call };
            case.compare(REACHED_DIFFERENTLY, did, &perform(&twin, call))?;
        }
        known.twins.push(twin);
        Ok(())
    }

    /// Handlers that are not idempotent, each with an example.
    pub(crate) fn not_idempotent(&self) -> Vec<(String, String)> {
        let found = self.not_idempotent.lock();
        found.iter().map(|(handler, example)| (handler.clone(), example.clone())).collect()
    }

    fn note_idempotence(
        &self,
        case: &Case<'_, N>,
        did: &Did<N>,
        perform: impl Fn(&Component<N>, &Call<N::Message>) -> Did<N>,
    ) {
        let (Call::Message { from, message }, Ok((once, _))) = (case.call, did) else { return };
        let Ok((twice, _)) = perform(once, case.call) else { return };
        if twice.state != once.state {
            let text = format!("{message:?}");
            let variant = text.split(['(', ' ', '{']).next().filter(|word| !word.is_empty());
            let handler = format!("{} on {}", case.me, variant.unwrap_or(&text));
            let example = format!("{text} from {from} in {:?}", case.before.state);
            let mut found = self.not_idempotent.lock();
            let known = found.entry(handler).or_insert_with(|| example.clone());
            // Which call came first may depend on threads; the shortest example does not.
            if (example.len(), &example) < (known.len(), known) {
                *known = example;
            }
        }
    }
}

const REACHED_DIFFERENTLY: &str =
    "equal states that were reached in different ways (does `Eq` ignore a field?)";

impl<N: Node> Known<N> {
    fn new() -> Self {
        Known { twins: Vec::new(), calls: Vec::new() }
    }

    fn wants(&self, twin: &Component<N>) -> bool {
        let looks_new = || {
            let text = format!("{twin:?}");
            self.twins.iter().all(|known| format!("{known:?}") != text)
        };
        self.twins.len() < TWINS_MIN || self.twins.len() < TWINS_MAX && looks_new()
    }
}

/// Clone, equality and hash agree on this value.
fn check_value<N: Node>(me: Address, value: &Component<N>) -> Result<(), String> {
    let clone = value.clone();
    if clone != *value {
        return Err(format!(
            "{me}'s state is not equal to its clone: {:?} and {:?}",
            value.state, clone.state
        ));
    }
    if stable_hash(&clone) != stable_hash(value) {
        return Err(format!(
            "{me}'s state has another hash than its clone, although they are equal: {:?}",
            value.state
        ));
    }
    Ok(())
}

/// One call under scrutiny.
struct Case<'a, N: Node> {
    me: Address,
    before: &'a Component<N>,
    call: &'a Call<N::Message>,
}

impl<N: Node> Case<'_, N> {
    fn compare(&self, of_what: &str, one: &Did<N>, other: &Did<N>) -> Result<(), String> {
        let differ = match (one, other) {
            // The message of a panic may name a place in memory; that it panics is what counts.
            (Err(_), Err(_)) => return Ok(()),
            (Ok((a, _)), Ok((b, _))) if a == b && stable_hash(a) != stable_hash(b) => {
                return Err(format!(
                    "{}: two states that are equal have different hashes: {:?} and {:?}",
                    self.me, a.state, b.state
                ));
            }
            (Ok(a), Ok(b)) if a == b => return Ok(()),
            _ => self,
        };
        let (one, other) = both(one, other);
        Err(format!(
            "{}: {differ} in state {:?} gave different results for {of_what}: once {one}, once {other}",
            self.me, self.before.state
        ))
    }
}

impl<N: Node> fmt::Display for Case<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.call {
            Call::Init => f.write_str("init"),
            Call::Message { from, message } => write!(f, "on_message({from}, {message:?})"),
            Call::Timer { position } => match self.before.timers.get(*position) {
                Some(pending) => write!(f, "on_timer({:?})", pending.timer),
                None => f.write_str("on_timer"),
            },
            Call::Crash { .. } => f.write_str("recover"),
            Call::Restart => f.write_str("on_restart"),
        }
    }
}

/// Two outcomes in words, as far as they differ.
fn both<N: Node>(one: &Did<N>, other: &Did<N>) -> (String, String) {
    match (one, other) {
        (Ok(a), Ok(b)) if a.0 != b.0 => {
            let left = |did: &(Component<N>, Effects<N>)| format!("it left {:?}", did.0.state);
            (left(a), left(b))
        }
        (Ok(a), Ok(b)) => {
            let asked = |did: &(Component<N>, Effects<N>)| format!("it asked for {:?}", did.1);
            (asked(a), asked(b))
        }
        _ => {
            let words = |did: &Did<N>| match did {
                Ok((after, _)) => format!("it left {:?}", after.state),
                Err(message) => format!("it panicked: {message}"),
            };
            (words(one), words(other))
        }
    }
}
