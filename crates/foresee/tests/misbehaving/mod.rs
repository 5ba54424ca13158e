//! Systems of a user, most of them wrong in some way of their own.

use foresee::Cli;
use foresee_lts::toy::Counters;
use foresee_lts::typed::{Model, Typed};
use foresee_lts::{Action, Claims, Explorer, Predicate, Property, Reads, State, System};
use foresee_nodes::{
    Address, ArgumentError, Context, Entry, Node, Parameter, Runnable, Scope, WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A command line with all of them, and the stock systems.
pub(crate) fn tool() -> Cli {
    foresee::cli()
        .stock_systems()
        .system(counters())
        .system(nodes("flaky", "its handler counts its own calls", Habit::Counts))
        .system(nodes("faint", "its handler panics", Habit::Panics))
        .system(Entry::new("moody", "forbids another sum each time it is built").build_with(
            |_, _| {
                static BUILT: AtomicU32 = AtomicU32::new(0);
                boxed(
                    Counters::new(2, 3)
                        .forbid_sum(2 + BUILT.fetch_add(1, Ordering::Relaxed) % 2 * 90),
                )
            },
        ))
        .system(
            Entry::new("panicky", "its invariant panics")
                .build_with(|_, _| boxed(Altered::of(Panicky))),
        )
        .system(
            Entry::new("broken", "panics where no system may")
                .build_with(|_, _| boxed(Altered::of(Broken))),
        )
        .system(
            Entry::new("stuck", "never comes back from a step")
                .build_with(|_, _| boxed(Altered::of(Stuck))),
        )
        .system(Entry::new("typed", "a plain model").build_with(|_, _| boxed(Typed::new(Endless))))
        .system(
            Entry::new("endless", "counts for ever").build_with(|_, _| boxed(Altered::of(Ready))),
        )
        .system(
            Entry::new("unbuildable", "panics while it is built")
                .build_with(|_, _| panic!("no luck today")),
        )
        .system(Entry::new("refusing", "does not want to be built").build_with(|_, _| {
            Err(ArgumentError::Refused { reason: "only on Sundays".to_owned() })
        }))
}

fn counters() -> Entry {
    Entry::new("counters", "two counters that must not add up to a number")
        .parameter(Parameter::number("forbidden", 2, 0..=99, "the sum that is forbidden"))
        .build_with(|arguments, _| {
            let sum = arguments.number("forbidden") as u32;
            boxed(Altered {
                inner: Counters::new(2, 3).forbid_sum(sum),
                name: arguments.to_string(),
                how: Plain,
            })
        })
}

/// A node that answers itself, with a bad habit.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Bad {
    habit: Habit,
    seen: u32,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Habit {
    Counts,
    Panics,
}

impl Node for Bad {
    type Message = u32;
    type Timer = ();

    fn init(&mut self, context: &mut Context<u32, ()>) {
        context.send(context.me(), 1);
    }

    fn on_message(&mut self, _from: Address, message: u32, context: &mut Context<u32, ()>) {
        static CALLS: AtomicU32 = AtomicU32::new(0);
        assert!(self.habit != Habit::Panics || message < 3, "{message} is more than I can bear");
        self.seen = match self.habit {
            Habit::Counts => CALLS.fetch_add(1, Ordering::Relaxed),
            Habit::Panics => message,
        };
        if message < 3 {
            context.send(context.me(), message + 1);
        }
    }
}

fn nodes(name: &'static str, summary: &'static str, habit: Habit) -> Entry {
    Entry::new(name, summary).build_with(move |_, options| {
        let mut world = WorldBuilder::<u32>::new(name);
        world.check_code(options.check_code);
        let bad = world.add("bad", Bad { habit, seen: 0 });
        world.invariant("few", Scope::nodes([bad]), move |view, _| {
            view.node::<Bad>(bad).seen < 1000
        });
        Ok(Box::new(world.build()))
    })
}

struct Runs<S>(S);

impl<S: System> Runnable for Runs<S> {
    fn system(&self) -> &dyn System {
        &self.0
    }
}

fn boxed<S: System + 'static>(system: S) -> Result<Box<dyn Runnable>, ArgumentError> {
    Ok(Box::new(Runs(system)))
}

/// Two counters with something changed.
struct Altered<H> {
    inner: Counters,
    name: String,
    how: H,
}

/// What is changed.
trait How: Send + Sync + 'static {
    const NAME: &'static str = "counters";
    const MAX: u32 = 3;
    fn before_step(&self) {}
    fn properties(&self, inner: &Counters) -> Vec<Property> {
        inner.properties()
    }
}

struct Plain;
impl How for Plain {}

struct Panicky;
impl How for Panicky {
    const NAME: &'static str = "panicky";
    fn properties(&self, _inner: &Counters) -> Vec<Property> {
        let sum = |state: &[u32]| state.iter().sum::<u32>();
        vec![Property::invariant(Predicate::new("sum", Reads::All, move |state, _| {
            assert!(sum(state) < 2, "it is too much");
            true
        }))]
    }
}

struct Broken;
impl How for Broken {
    const NAME: &'static str = "broken";
    fn before_step(&self) {
        panic!("a system may not do this");
    }
}

struct Stuck;
impl How for Stuck {
    const NAME: &'static str = "stuck";
    fn before_step(&self) {
        ready();
        std::thread::sleep(Duration::from_secs(600));
    }
}

/// Counts further than anybody waits.
struct Ready;
impl How for Ready {
    const NAME: &'static str = "endless";
    const MAX: u32 = u32::MAX;
    fn before_step(&self) {
        ready();
    }
}

/// Tells the waiting test that the search is under way.
#[expect(clippy::print_stderr, reason = "the test reads it")]
fn ready() {
    static SAID: AtomicU32 = AtomicU32::new(0);
    if SAID.fetch_add(1, Ordering::Relaxed) == 0 {
        eprintln!("under way");
    }
}

/// Waits for what `ready` says.
pub(crate) fn wait_until_ready(err: &mut impl Read) {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"under way\n") {
        assert_eq!(
            err.read(&mut byte).expect("readable"),
            1,
            "ended early: {}",
            String::from_utf8_lossy(&seen)
        );
        seen.push(byte[0]);
    }
}

impl<H: How> Altered<H> {
    fn of(how: H) -> Self {
        Altered { inner: Counters::new(2, H::MAX), name: H::NAME.to_owned(), how }
    }
}

impl<H: How> foresee_lts::Around for Altered<H> {
    fn inner(&self) -> &dyn System {
        &self.inner
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.how.before_step();
        self.inner.step(state, action)
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        foresee_lts::plain_explorer(self)
    }
    fn name(&self) -> String {
        self.name.clone()
    }
    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }
}

impl<H: How> Claims for Altered<H> {
    fn properties(&self) -> Vec<Property> {
        self.how.properties(&self.inner)
    }
}

/// A number that grows; without a score.
struct Endless;

impl Model for Endless {
    type State = u8;
    type Action = ();
    fn initial(&self) -> Vec<u8> {
        vec![0]
    }
    fn actions(&self, _: &u8) -> Vec<()> {
        vec![()]
    }
    fn next(&self, state: &u8, (): &()) -> u8 {
        state.wrapping_add(1)
    }
}
