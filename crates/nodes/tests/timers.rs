//! Timers in a world: which may fire, what is left pending, and how they count in states.

mod common;

use common::{labels, run, sizes};
use foresee_lts::System;
use foresee_nodes::{Address, Context, Node, World, WorldBuilder};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Sets these timers at the start, keeps what fires, and cancels the second of a pair when the first fires.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Clock {
    timers: Vec<(char, u64, u64)>,
    cancels: Option<(char, char)>,
    fired: String,
}

impl Node for Clock {
    type Message = ();
    type Timer = char;
    fn init(&mut self, context: &mut Context<(), char>) {
        for &(timer, min, max) in &self.timers {
            let ms = Duration::from_millis;
            context.set_timer_between(timer, ms(min), ms(max));
        }
    }
    fn on_message(&mut self, _: Address, _: (), _: &mut Context<(), char>) {}
    fn on_timer(&mut self, timer: char, context: &mut Context<(), char>) {
        self.fired.push(timer);
        if let Some((first, second)) = self.cancels
            && first == timer
        {
            context.cancel_timer(second);
        }
    }
}

fn world(timers: &[(char, u64, u64)], cancels: Option<(char, char)>) -> World<()> {
    let mut world = WorldBuilder::new("clock");
    world.add("clock", Clock { timers: timers.to_vec(), cancels, fired: String::new() });
    world.build()
}

fn sizes_of(timers: &[(char, u64, u64)]) -> (usize, usize) {
    sizes(&world(timers, None))
}

#[test]
fn timers_that_must_keep_their_order_do() {
    assert_eq!(sizes_of(&[('a', 10, 10), ('b', 10, 10)]), (3, 2), "a, ab");
    assert_eq!(sizes_of(&[('a', 10, 10), ('b', 10, 10), ('c', 20, 20)]), (4, 3));
}

#[test]
fn timers_that_may_overtake_do() {
    // Nothing, a, b, ab, ba.
    assert_eq!(sizes_of(&[('a', 10, 20), ('b', 10, 20)]), (5, 4));
    assert_eq!(sizes_of(&[('a', 10, 10), ('b', 5, 5)]), (5, 4));
    assert_eq!(sizes_of(&[('a', 10, 11), ('b', 10, 10)]), (5, 4));
}

#[test]
fn what_blocks_may_itself_fire_late() {
    // a blocks c but not b; b blocks nobody: abc, acb, bac.
    assert_eq!(sizes_of(&[('a', 1, 5), ('b', 1, 9), ('c', 5, 9)]), (9, 8));
}

#[test]
fn equal_timers_pend_side_by_side() {
    // aba, aab: the first a goes first, and frees b.
    assert_eq!(sizes_of(&[('a', 5, 10), ('b', 10, 12), ('a', 5, 10)]), (6, 5));
    let world = world(&[('a', 1, 1), ('a', 1, 1)], None);
    assert_eq!(labels(&world, &world.initial()[0]), ["timer clock 'a'"]);
    let clock = Address::new("clock");
    let end = run(&world, &["timer clock 'a'", "timer clock 'a'"]);
    assert_eq!(world.view(&end).node::<Clock>(clock).fired, "aa");
}

#[test]
fn a_cancelled_timer_is_gone() {
    // Nothing; a, which cancels b; b; ba.
    assert_eq!(sizes(&world(&[('a', 1, 9), ('b', 1, 9)], Some(('a', 'b')))), (4, 3));
    // Nothing; a, which cancels both; b with the one or the other b left; ba; bb; bba.
    assert_eq!(sizes(&world(&[('a', 1, 9), ('b', 1, 9), ('b', 2, 9)], Some(('a', 'b')))), (7, 8));
}

#[test]
fn the_order_of_setting_is_part_of_a_state() {
    // b set before or after a: the same pending timers, but only one of the orders blocks.
    assert_eq!(sizes_of(&[('b', 10, 12), ('a', 5, 10)]), (5, 4));
    assert_eq!(sizes_of(&[('a', 5, 10), ('b', 10, 12)]), (3, 2));
}
