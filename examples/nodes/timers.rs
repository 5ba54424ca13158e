//! `set_timer_between`: a timer that fires some time within bounds. What bounds allow is explored, and nothing else: timers of one
//! node run on one clock.
//! `cargo run -p foresee --example timers`

use foresee::{Address, Context, Node, Scope, World, WorldBuilder};
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Timer {
    /// The lease of this holder is renewed.
    Renew,
    /// The lease runs out.
    Expire,
}

/// Holds a lease of ten seconds, and renews it between `renew.0` and `renew.1` seconds after it got it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Holder {
    renew: (u64, u64),
    has_expired: bool,
}

impl Holder {
    fn start(&self, context: &mut Context<(), Timer>) {
        let (min, max) = self.renew;
        context.set_timer_between(Timer::Renew, Duration::from_secs(min), Duration::from_secs(max));
        context.set_timer(Timer::Expire, Duration::from_secs(10));
    }
}

impl Node for Holder {
    type Message = ();
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<(), Timer>) {
        self.start(context);
    }

    fn on_message(&mut self, _: Address, (): (), _: &mut Context<(), Timer>) {}

    fn on_timer(&mut self, timer: Timer, context: &mut Context<(), Timer>) {
        match timer {
            Timer::Renew => {
                context.cancel_timer(Timer::Expire);
                self.start(context);
            }
            Timer::Expire => self.has_expired = true,
        }
    }
}

pub(crate) fn world(renew: (u64, u64)) -> World<()> {
    let mut world = WorldBuilder::new("timers");
    let holder = world.add("holder", Holder { renew, has_expired: false });
    world.invariant("the lease is renewed in time", Scope::nodes([holder]), move |view, _| {
        !view.node::<Holder>(holder).has_expired
    });
    world.build()
}

pub(crate) fn main() {
    // A timer waits for those set before it that must fire first: `Renew` fires within nine seconds, before `Expire` may.
    foresee::check(&world((5, 9))).assert_holds();
    // With bounds that reach beyond ten seconds either may come first.
    foresee::check(&world((5, 12))).assert_violated("the lease is renewed in time");
}
