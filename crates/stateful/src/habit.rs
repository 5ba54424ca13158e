//! Habits: what a random walk attends to, and how long it is.
//! Why: a walk that takes any event with the same chance treats all members and all messages alike, all the way. Many errors need the opposite: a
//! server that hears nothing for a while, a message that comes late, timers that hardly ever fire, two leaders who follow each other with nobody
//! knowing of both. Among thirty choices a step, such a stretch of twenty steps is never drawn. So three walks of four have a habit that is drawn for
//! each: they go in *spells*, and in a spell attend to some members only, drawn anew. What they do not attend to waits; it happens only when nothing else can.
//! Papers: Groce et al., "Swarm Testing" (ISSTA 2012): tests that each leave out a random part of what could happen find more than tests in which everything
//! may. Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010): few changes of who goes first, at random
//! times; here a spell is what lies between two changes, and members that are attended to are drawn from, instead of being put into an order.
//! Invariant: everything is drawn from the walk's own stream of random numbers, and members are known by names that are the same in every run
//! (`Origin`), so a walk is a function of the seed and its number. One walk of four has no habit, so nothing is out of reach that was not before.
//! Not here: taking steps (`expander.rs`), the order of walks (`walk.rs`).

use foresee_lts::{Action, Origin, System};
use foresee_stdx::{Random, mix};

/// No walk is cut shorter, and none more often than this less one.
const STEPS_MIN: u32 = 32;
const LENGTHS_MAX: u32 = 5;
/// One walk of so many has no habit.
const PLAIN: u64 = 4;
/// Spells that are tried before everything is attended to.
const SPELLS_TRIED: u32 = 8;

/// How long a walk is, of `max` steps at the most: half, a quarter, … of that, each twice as often as the one before, so that as many steps are
/// spent on each length. Where states grow on the way, a step of a long walk costs many times what one of a short walk does; many errors are near the
/// start; and nobody knows beforehand. Luby, Sinclair, Zuckerman, "Optimal Speedup of Las Vegas Algorithms" (1993).
pub(crate) fn length(random: &mut Random, max: u32) -> u32 {
    let n_lengths = (max / STEPS_MIN).max(1).ilog2().min(LENGTHS_MAX - 1) + 1;
    let halved = (random.below((1 << n_lengths) - 1) + 1).ilog2();
    max >> halved
}

/// The random numbers of a walk and what it makes of them.
#[derive(Clone, Debug)]
pub(crate) struct Habit {
    random: Random,
    style: Option<Style>,
    spell: Spell,
}

/// What stays the same for a whole walk.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// Steps of a spell, on average.
    spell_mean: u64,
    /// Of 256 members so many are attended to.
    awake: u64,
    /// An event that was asked for is so many times as likely as one that was not.
    patience: u64,
    /// Events that nobody asked for happen to all members that are attended to, or only to one of them.
    to_all: bool,
}

/// A stretch in which the same members are attended to.
#[derive(Clone, Copy, Debug, Default)]
struct Spell {
    salt: u64,
    n_left: u64,
}

/// What can happen in a state and was not tried: first what is attended to, of that first what was asked for.
#[derive(Default)]
pub(crate) struct Offers {
    all: Vec<(Action, Origin)>,
    n_asked: usize,
    n_attended: usize,
}

impl Habit {
    /// The habit of a walk with these random numbers.
    pub(crate) fn drawn(mut random: Random) -> Self {
        let style = (random.below(PLAIN) != 0).then(|| Style {
            spell_mean: 4 << random.below(4),
            awake: [96, 128, 160, 208][random.below(4) as usize],
            patience: [2, 8, 32][random.below(3) as usize],
            to_all: random.below(4) == 0,
        });
        Habit { random, style, spell: Spell::default() }
    }

    /// Begins a step.
    pub(crate) fn begin(
        &mut self,
        system: &dyn System,
        state: &[u32],
        actions: &[Action],
        offers: &mut Offers,
    ) {
        offers.all.clear();
        let interleaving = self.style.and_then(|_| system.interleaving());
        let origin = |action| match interleaving {
            Some(interleaving) => interleaving.origin(state, action),
            None => Origin::of(0),
        };
        offers.all.extend(actions.iter().map(|action| (*action, origin(*action))));
        match self.style {
            Some(style) if interleaving.is_some() => {
                if self.spell.n_left == 0 {
                    self.change(style);
                }
                self.spell.n_left -= 1;
                offers.attend(style, self.spell.salt);
            }
            _ => offers.attend_to_all(),
        }
    }

    /// The next action to try; `None` if all were tried.
    pub(crate) fn next(&mut self, offers: &mut Offers) -> Option<Action> {
        for _ in 0..SPELLS_TRIED {
            if offers.n_attended > 0 || offers.all.is_empty() {
                break;
            }
            let style = self.style.expect("who has no habit attends to everything");
            self.change(style);
            offers.attend(style, self.spell.salt);
        }
        if offers.n_attended == 0 {
            offers.attend_to_all();
        }
        if offers.all.is_empty() {
            return None;
        }
        let (n_asked, n_unasked) = (offers.n_asked, offers.n_attended - offers.n_asked);
        let patience = self.style.map_or(1, |style| style.patience);
        let weight = n_asked as u64 * patience + n_unasked as u64;
        let drawn = self.random.below(weight);
        let at = match drawn.checked_sub(n_asked as u64 * patience) {
            Some(unasked) => n_asked + unasked as usize,
            None => (drawn / patience) as usize,
        };
        Some(offers.take(at))
    }

    /// Begins another spell.
    fn change(&mut self, style: Style) {
        let n_left = self.random.between(1, 2 * style.spell_mean - 1);
        self.spell = Spell { salt: self.random.next_u64(), n_left };
    }
}

impl Offers {
    fn attend_to_all(&mut self) {
        (self.n_asked, self.n_attended) = (self.all.len(), self.all.len());
    }

    /// Puts what is attended to in a spell first.
    fn attend(&mut self, style: Style, salt: u64) {
        let rank = |member: u64| mix(salt ^ mix(member));
        let is_awake = |member: u64| rank(member) & 0xFF < style.awake;
        let is_attended = |it: Origin| is_awake(it.actor) && is_awake(it.from);
        self.n_attended = to_the_front(&mut self.all, is_attended);
        self.n_asked = to_the_front(&mut self.all[..self.n_attended], |it| !it.is_unasked);
        if !style.to_all {
            let unasked = &mut self.all[self.n_asked..self.n_attended];
            let first = unasked.iter().map(|it| rank(it.1.actor)).max();
            let n_chosen = to_the_front(unasked, |it| Some(rank(it.actor)) == first);
            self.n_attended = self.n_asked + n_chosen;
        }
    }

    fn take(&mut self, at: usize) -> Action {
        let (action, _) = self.all[at];
        // The groups stay together.
        let mut at = at;
        if at < self.n_asked {
            self.n_asked -= 1;
            self.all.swap(at, self.n_asked);
            at = self.n_asked;
        }
        self.n_attended -= 1;
        self.all.swap(at, self.n_attended);
        self.all.swap_remove(self.n_attended);
        action
    }
}

/// Puts those of which `goes` holds before the others; how many they are.
fn to_the_front(offers: &mut [(Action, Origin)], goes: impl Fn(Origin) -> bool) -> usize {
    let mut n_front = 0;
    for at in 0..offers.len() {
        if goes(offers[at].1) {
            offers.swap(at, n_front);
            n_front += 1;
        }
    }
    n_front
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::toy::Counters;

    /// The first `n` that a walk tries of what can happen in the first state.
    fn tried(habit: &mut Habit, system: &Counters, n: usize) -> Vec<u64> {
        let state = &system.initial()[0];
        let (mut actions, mut offers) = (Vec::new(), Offers::default());
        system.enabled(state, &mut actions);
        habit.begin(system, state, &actions, &mut offers);
        let order = std::iter::from_fn(|| habit.next(&mut offers));
        order.map(|action| action.0).take(n).collect()
    }

    /// Whatever is left waiting happens if nothing else can; each is tried once.
    #[test]
    fn everything_is_tried() {
        let system = Counters::new(9, 1);
        let mut n_habits = 0;
        for seed in 0..400 {
            let mut habit = Habit::drawn(Random::new(seed));
            n_habits += u32::from(habit.style.is_some());
            for step in 0..20 {
                let mut all = tried(&mut habit, &system, 20);
                all.sort_unstable();
                assert_eq!(all, (0..9).collect::<Vec<_>>(), "seed {seed}, step {step}");
            }
        }
        assert!((250..350).contains(&n_habits), "three of four have one: {n_habits} of 400");
    }

    /// Without a habit every action is the first as often as any other; with one a few are, for some steps.
    #[test]
    fn spells_are_what_walks_without_a_habit_have_not() {
        let system = Counters::new(9, 1);
        let mut widest = [0, 0];
        for seed in 0..400 {
            let mut habit = Habit::drawn(Random::new(seed));
            let first: Vec<u64> = (0..40).map(|_| tried(&mut habit, &system, 1)[0]).collect();
            let (mut longest, mut start) = (0, 0);
            for end in 0..first.len() {
                while first[start..=end].iter().collect::<std::collections::BTreeSet<_>>().len() > 2
                {
                    start += 1;
                }
                longest = longest.max(end + 1 - start);
            }
            let place = usize::from(habit.style.is_some());
            widest[place] = widest[place].max(longest);
        }
        let [without, with] = widest;
        assert!(without < 12 && with > 20, "stretches with two counters only: {without}, {with}");
    }

    /// As many steps on each length.
    #[test]
    fn lengths_share_the_steps() {
        let lengths = |max| {
            let mut random = Random::new(1);
            let mut all = std::collections::BTreeMap::<u32, u32>::new();
            (0..31_000).for_each(|_| *all.entry(length(&mut random, max)).or_default() += 1);
            all
        };
        for (max, expected) in [
            (1000, &[62, 125, 250, 500, 1000][..]),
            (100, &[50, 100]),
            (u32::MAX, &[u32::MAX >> 4, u32::MAX >> 3, u32::MAX >> 2, u32::MAX >> 1, u32::MAX]),
            (63, &[63]),
            (1, &[1]),
            (0, &[0]),
        ] {
            let found = lengths(max);
            assert_eq!(found.keys().copied().collect::<Vec<_>>(), expected, "of {max}");
            let steps = found.iter().map(|(length, n)| f64::from(*length) * f64::from(*n));
            let share = f64::from(max) * 31_000.0 / f64::from((1 << expected.len()) - 1);
            assert!(steps.into_iter().all(|it| (0.8 * share..=1.2 * share).contains(&it)), "{max}");
        }
    }
}
