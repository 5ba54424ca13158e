//! The cursor on small systems whose every run can be listed.

use foresee_lts::{Action, Label, State, StoppedBy, System, Telling, Verb, toy::Counters};
use foresee_search::{Cursor, CursorError, Goal, Limits, NoMeter, Prospect, Silent, Wrongs};

/// A graph by its edges; states are numbers, and a run starts at 0 or at 7.
struct Graph(Vec<(u32, u32)>);

impl System for Graph {
    fn initial(&self) -> Vec<State> {
        vec![vec![0], vec![7]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let own = self.0.iter().enumerate().filter(|(_, (from, _))| *from == state[0]);
        actions.extend(own.map(|(at, _)| Action(at as u64)));
    }

    fn step(&self, _: &[u32], action: Action) -> State {
        vec![self.0[action.0 as usize].1]
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Telling for Graph {
    fn label(&self, _: &[u32], action: Action) -> Label {
        Label::of_actor(Verb::Step, "graph", format!("{:?}", self.0[action.0 as usize]))
    }
}

struct State9;

impl Goal for State9 {
    fn state(&mut self, state: &[u32]) -> bool {
        state == [9]
    }
}

/// State 9 is wrong; being stuck in 8 is; runs are not followed from 5.
fn outlook(edges: &[(u32, u32)], limits: &Limits) -> (Prospect, bool, Option<u32>) {
    let graph = Graph(edges.to_vec());
    let mut cursor = Cursor::new(&graph as &dyn System);
    let wrongs = Wrongs {
        is_wrong: &|state| state == [9],
        is_stuck: &|state| state == [8],
        is_pruned: &|state| state == [5],
    };
    let found = cursor.outlook(0, &wrongs, limits, &NoMeter, &mut Silent).expect("an outlook");
    (found.here, found.complete, found.shortest)
}

#[test]
fn what_can_go_wrong_is_none_some_or_all() {
    let all = Limits::none();
    let both = [(0, 1), (0, 2), (1, 9), (2, 3), (3, 9)];
    assert_eq!(outlook(&both, &all), (Prospect::All, true, Some(2)));
    assert_eq!(outlook(&[(0, 1), (0, 2), (1, 9)], &all), (Prospect::Some, true, Some(2)));
    assert_eq!(outlook(&[(0, 1), (1, 0)], &all), (Prospect::None, true, None));
    assert_eq!(outlook(&[(0, 1), (1, 8)], &all), (Prospect::All, true, Some(2)), "stuck is wrong");
}

#[test]
fn a_run_that_goes_on_for_ever_is_a_good_one() {
    let all = Limits::none();
    let cycle = [(0, 1), (1, 2), (2, 1), (2, 9)];
    assert_eq!(outlook(&cycle, &all), (Prospect::Some, true, Some(3)));
    let loop_at_start = [(0, 0), (0, 9)];
    assert_eq!(outlook(&loop_at_start, &all), (Prospect::Some, true, Some(1)));
}

#[test]
fn a_run_that_is_not_followed_ends_well() {
    assert_eq!(outlook(&[(0, 5), (5, 9)], &Limits::none()), (Prospect::None, true, None));
}

#[test]
fn what_lies_beyond_a_limit_is_unknown() {
    let depth = |max| Limits { depth_max: Some(max), ..Limits::none() };
    let line = [(0, 1), (1, 2), (2, 9)];
    assert_eq!(outlook(&line, &depth(3)), (Prospect::All, true, Some(3)));
    assert_eq!(outlook(&line, &depth(1)).0, Prospect::Unknown);
    // One way goes wrong; where the other leads is not known.
    let fork = [(0, 9), (0, 1), (1, 2), (2, 9)];
    assert_eq!(outlook(&fork, &depth(1)).0, Prospect::Some);
    let states = Limits { states_max: Some(2), ..Limits::none() };
    assert_eq!(outlook(&line, &states).0, Prospect::Unknown);
}

#[test]
fn run_until_takes_the_shortest_way_and_says_why_it_stopped() {
    let graph = Graph(vec![(0, 1), (1, 2), (2, 9), (0, 3), (3, 9), (9, 4)]);
    let mut cursor = Cursor::new(&graph as &dyn System);
    let mut until = |limits: &Limits| {
        cursor.run_until(0, &mut State9, limits, &NoMeter, &mut Silent).expect("an answer")
    };
    let shallow = Limits { depth_max: Some(1), ..Limits::none() };
    let cut = until(&shallow);
    assert_eq!((cut.place, cut.stopped_by), (None, Some(StoppedBy::Depth)));
    let found = until(&Limits::none()).place.expect("a place");
    assert_eq!(cursor.path(found).expect("a path").actions, [Action(3), Action(4)]);
    let after = cursor.take(found, 0).expect("a step").place;
    let nowhere = cursor.run_until(after, &mut State9, &Limits::none(), &NoMeter, &mut Silent);
    let nowhere = nowhere.expect("an answer");
    assert_eq!((nowhere.place, nowhere.stopped_by), (None, None), "there is none");
}

#[test]
fn places_are_kept_and_asking_for_what_is_not_there_is_refused() {
    let graph = Graph(vec![(0, 1), (0, 2)]);
    let mut cursor = Cursor::new(&graph as &dyn System);
    let one = cursor.take(0, 0).expect("a step");
    let two = cursor.take(0, 1).expect("a step");
    assert!(one.new && two.new && one.place != two.place);
    assert_eq!(cursor.place(0).expect("the start").after, [one.place, two.place]);
    assert_eq!(cursor.preview(0, 1), Ok(vec![2]));
    assert_eq!(cursor.n_places(), 3, "a preview adds nothing");
    let refused = cursor.take(0, 2);
    assert_eq!(refused, Err(CursorError::NoSuchChoice { choice: 2, n_choices: 2 }));
    assert_eq!(cursor.go_to(99), Err(CursorError::NoSuchPlace(99)));
    let other = cursor.start(1).expect("a start");
    assert_eq!(cursor.state(other), Ok(&[7][..]));
    assert_eq!((cursor.start(1), cursor.start(0)), (Ok(other), Ok(0)));
    assert!(cursor.start(2).is_err() && cursor.back().is_none());
}

#[test]
fn the_decisive_place_comes_right_after_the_last_fork() {
    let graph = Graph(vec![(0, 1), (1, 2), (1, 3), (2, 4), (4, 9)]);
    let mut cursor = Cursor::new(&graph as &dyn System);
    let mut line = vec![0];
    for choice in [0, 0, 0, 0] {
        let at = *line.last().expect("a place");
        line.push(cursor.take(at, choice).expect("a step").place);
    }
    let wrongs =
        Wrongs { is_wrong: &|state| state == [9], is_stuck: &|_| false, is_pruned: &|_| false };
    let mut ask = |limits: &Limits| {
        cursor.forget_region();
        cursor.decisive(&line, &wrongs, limits, &NoMeter, &mut Silent).expect("an answer")
    };
    assert_eq!(ask(&Limits::none()).place, Some(line[2]));
    let few = Limits { states_max: Some(3), ..Limits::none() };
    assert_eq!((ask(&few).place, ask(&few).is_known), (None, false));
}

#[test]
fn the_nearest_good_run_shares_most_and_is_shortest() {
    // 0 → 1 → 2 → 4 → 9 goes wrong; from 1 one may go to 3 and end, from 0 to 6 and end; a longer way ends well from 1 too.
    let graph = Graph(vec![(0, 1), (1, 2), (1, 10), (10, 11), (1, 3), (2, 4), (4, 9), (0, 6)]);
    let mut cursor = Cursor::new(&graph as &dyn System);
    let mut line = vec![0];
    for choice in [0, 0, 0, 0] {
        let at = *line.last().expect("a place");
        line.push(cursor.take(at, choice).expect("a step").place);
    }
    assert_eq!(cursor.state(line[4]), Ok(&[9][..]));
    let mut ask = |pruned: u32, limits: &Limits| {
        let is_pruned = |state: &[u32]| state == [pruned];
        let wrongs =
            Wrongs { is_wrong: &|state| state == [9], is_stuck: &|_| false, is_pruned: &is_pruned };
        cursor.nearest_good(&line, &wrongs, limits, &NoMeter, &mut Silent).expect("an answer")
    };
    let good = ask(99, &Limits::none());
    assert_eq!(good.way, Some((line[1], vec![Action(4)])), "from 1 to 3");
    // Where runs are not followed they end well: state 4 is nearer.
    assert_eq!(ask(4, &Limits::none()).way, Some((line[3], Vec::new())));
    let few = Limits { states_max: Some(2), ..Limits::none() };
    let none = ask(99, &few);
    assert!(none.way.is_none() && none.stopped_by == Some(StoppedBy::States), "{none:?}");
}

#[test]
fn where_every_run_goes_wrong_or_on_for_ever_there_is_no_good_run() {
    let graph = Graph(vec![(0, 1), (1, 0), (1, 9)]);
    let mut cursor = Cursor::new(&graph as &dyn System);
    let one = cursor.take(0, 0).expect("a step").place;
    let wrong = cursor.take(one, 1).expect("a step").place;
    let wrongs =
        Wrongs { is_wrong: &|state| state == [9], is_stuck: &|_| false, is_pruned: &|_| false };
    let line = [0, one, wrong];
    let found = cursor.nearest_good(&line, &wrongs, &Limits::none(), &NoMeter, &mut Silent);
    let found = found.expect("an answer");
    assert_eq!((found.way, found.stopped_by), (None, None));
}

#[test]
fn states_found_ahead_are_those_of_a_plain_exploration() {
    let system = Counters::new(3, 4);
    let mut cursor = Cursor::new(&system as &dyn System);
    let wrongs = Wrongs { is_wrong: &|_| false, is_stuck: &|_| false, is_pruned: &|_| false };
    let found = cursor.outlook(0, &wrongs, &Limits::none(), &NoMeter, &mut Silent);
    assert_eq!(found.expect("an outlook").states, 5 * 5 * 5);
}
