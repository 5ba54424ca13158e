//! One way through a model, chosen at random: a simulation of what has neither time nor a network.
//! A run that gets stuck, or that cannot be followed any further, becomes evidence like any other.
//! Not here: runs in virtual time, of nodes (`nodes`) and of Erlang programs (`erlang::simulate`).

use crate::front_end::FrontEnd;
use crate::simulate::{
    Kept, RunEnd, Scene, SceneKind, SimulateRequest, SimulatedRun, Watching, WrongRun, show_path,
};
use crate::{Diagnostic, Loaded, Report};
use foresee_lts::{FaultKind, Label, Path, ViolationKind};
use foresee_search::Meter;
use foresee_stdx::Random;
use std::time::Duration;

/// Most models never end.
const STEPS_MAX: u64 = 100;

/// One run of a model.
pub(crate) fn simulate<F: FrontEnd + ?Sized>(
    front: &F,
    seed: u64,
    request: &SimulateRequest,
    meter: &dyn Meter,
    watching: &mut Watching<'_>,
) -> SimulatedRun {
    let steps_max = request.events_max.unwrap_or(STEPS_MAX);
    let walk = Walk::take(front, seed, steps_max, meter, watching);
    SimulatedRun {
        end: RunEnd { outcome: walk.outcome(), processes: None },
        n_events: walk.path.actions.len() as u64,
        messages: None,
        time: None,
        stopped_by: None,
        trouble: None,
        wrong: walk.wrong.map(|(kind, message)| WrongRun {
            kind,
            property: None,
            message,
            kept: Kept::Path(walk.path),
        }),
    }
}

/// Shows a run of a model.
pub(crate) fn show(
    loaded: &Loaded,
    seed: u64,
    mut wrong: WrongRun,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let Kept::Path(path) = std::mem::replace(&mut wrong.kept, Kept::Seed) else {
        unreachable!("a run of a model keeps its path")
    };
    show_path(loaded, seed, wrong, path, report)
}

struct Walk {
    path: Path,
    wrong: Option<(ViolationKind, String)>,
    has_ended: bool,
}

impl Walk {
    fn take<F: FrontEnd + ?Sized>(
        front: &F,
        seed: u64,
        steps_max: u64,
        meter: &dyn Meter,
        watching: &mut Watching<'_>,
    ) -> Walk {
        let system = front.system();
        let mut random = Random::new(seed);
        let mut starts = system.initial();
        let mut state = starts.swap_remove(random.below(starts.len() as u64) as usize);
        let path = Path { initial: state.clone(), actions: Vec::new() };
        let mut walk = Walk { path, wrong: None, has_ended: false };
        let mut actions = Vec::new();
        for _ in 0..steps_max {
            actions.clear();
            system.enabled(&state, &mut actions);
            if actions.is_empty() || meter.interrupted() {
                break;
            }
            let action = actions[random.below(actions.len() as u64) as usize];
            watching.count();
            watching.tell(|number| {
                let Label { to, about, .. } = system.label(&state, action);
                let label = front.visible_label(&state, action);
                let kind =
                    if label.is_some() { SceneKind::Transition } else { SceneKind::Internal };
                let who = to.filter(|_| !about.is_whole).unwrap_or_default();
                let what = label.unwrap_or_default();
                Some(Scene {
                    time: Duration::ZERO,
                    number,
                    who,
                    kind,
                    what,
                    place: None,
                    books_of: None,
                })
            });
            walk.path.actions.push(action);
            state = system.step(&state, action);
            if let Some(fault) = system.fault(&state) {
                walk.wrong = Some((fault.kind.into(), fault.message));
                if fault.kind == FaultKind::Unmodelled {
                    return walk;
                }
            }
        }
        actions.clear();
        system.enabled(&state, &mut actions);
        walk.has_ended = actions.is_empty();
        if actions.is_empty() && walk.wrong.is_none() && !system.is_final(&state) {
            walk.wrong = Some((ViolationKind::Deadlock, system.why_stuck(&state)));
        }
        walk
    }

    fn outcome(&self) -> String {
        match (&self.wrong, self.has_ended) {
            (Some((ViolationKind::Unmodelled, _)), _) => "could not be followed".to_owned(),
            (Some((kind, _)), _) => kind.word().to_owned(),
            (None, true) => "ended".to_owned(),
            (None, false) => "stopped on the way".to_owned(),
        }
    }
}
