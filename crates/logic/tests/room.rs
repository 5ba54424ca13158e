//! Systems whose ids grow by leaps: what is generated is what a plain search with whole states finds.
//! Why: the store keeps ids in fields just wide enough for those stored, and lends out the bits left over. A successor
//! may have one id that fits only in such bits and another for which all states are laid out anew, without them.

use foresee_logic::generate_lts;
use foresee_lts::{Action, State, System};
use foresee_stdx::Random;
use rustc_hash::FxHashMap;

/// Every action can always happen, and puts ids into a few slots.
#[derive(Debug)]
struct Leaps {
    initial: Vec<State>,
    actions: Vec<Vec<(usize, u32)>>,
}

impl System for Leaps {
    fn initial(&self) -> Vec<State> {
        self.initial.clone()
    }

    fn enabled(&self, _state: &[u32], actions: &mut Vec<Action>) {
        actions.extend((0..self.actions.len()).map(|number| Action(number as u64)));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let mut state = state.to_vec();
        for (slot, id) in &self.actions[action.0 as usize] {
            state[*slot] = *id;
        }
        state
    }
}

type Transition = (u32, Option<String>, u32);

/// The transitions in the order and with the numbers that `generate` promises, by a search that packs nothing.
fn plainly(system: &Leaps) -> Vec<Transition> {
    let mut starts: Vec<State> = Vec::new();
    for start in system.initial() {
        if !starts.contains(&start) {
            starts.push(start);
        }
    }
    let shift = u32::from(starts.len() > 1);
    let mut transitions: Vec<Transition> =
        (0..starts.len() as u32 * shift).map(|start| (0, None, start + 1)).collect();
    let mut numbers: FxHashMap<State, u32> =
        (0..).zip(&starts).map(|(number, state)| (state.clone(), number)).collect();
    let mut states = starts;
    let mut next = 0;
    while next < states.len() {
        for action in 0..system.actions.len() {
            let target = system.step(&states[next], Action(action as u64));
            let number = *numbers.entry(target.clone()).or_insert_with(|| {
                states.push(target);
                states.len() as u32 - 1
            });
            transitions.push((next as u32 + shift, Some(action.to_string()), number + shift));
        }
        next += 1;
    }
    transitions
}

fn generated(system: &Leaps) -> Vec<Transition> {
    let lts = generate_lts(system, &|_, action| Some(action.0.to_string()));
    let text = |label| lts.labels().visible(label).map(str::to_owned);
    lts.transitions().map(|(from, label, to)| (from, text(label), to)).collect()
}

/// Two slots have half a word each; the step fills more of the first's half and needs the other for a third slot.
#[test]
fn an_id_in_spare_bits_keeps_its_room_when_another_id_needs_some() {
    let leap = vec![(0, 1 << 20), (2, u32::MAX)];
    let system = Leaps { initial: vec![vec![1, 1, 0]], actions: vec![leap] };
    assert_eq!(generated(&system), plainly(&system));
}

/// The misfit and the id that fits are those of different successors.
#[test]
fn successors_of_one_state_keep_their_room_side_by_side() {
    let actions = vec![vec![(0, 1 << 20)], vec![(2, u32::MAX)], vec![(1, 1 << 25)]];
    let system = Leaps { initial: vec![vec![1, 1, 0]], actions };
    assert_eq!(generated(&system), plainly(&system));
}

#[test]
fn later_initial_states_keep_their_room() {
    let initial = vec![vec![1, 1, 0], vec![1 << 20, 1, u32::MAX]];
    let system = Leaps { initial, actions: vec![vec![(1, 3)]] };
    assert_eq!(generated(&system), plainly(&system));
}

#[test]
fn random_leaps_are_generated_as_they_are_found_plainly() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let n_slots = 2 + random.below(5) as usize;
        let id = |random: &mut Random| (random.next_u64() as u32) >> random.below(32);
        let initial = (0..1 + random.below(2))
            .map(|_| (0..n_slots).map(|_| id(&mut random) >> 20).collect())
            .collect();
        let actions = (0..2 + random.below(4))
            .map(|_| {
                let n_changes = 1 + random.below(3);
                (0..n_changes)
                    .map(|_| (random.below(n_slots as u64) as usize, id(&mut random)))
                    .collect()
            })
            .collect();
        let system = Leaps { initial, actions };
        assert_eq!(generated(&system), plainly(&system), "seed {seed}: {system:?}");
    }
}
