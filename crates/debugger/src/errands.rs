//! What takes long: exploring, on a thread of its own with a scout, so that the session answers other requests meanwhile.
//! An errand is handed to the scout with a flag that ends it; how far it is goes out as news, and what it found comes back to
//! the session's own thread as a job, because only that one may change the inspection.

use crate::clock::{Clock, Flag};
use crate::hub::Session;
use crate::protocol::{LimitsAsked, News};
use crate::worker::{Job, Task};
use foresee_session::{
    Condition, Errand, Good, Limits, Observer, Outlook, PlaceId, Progress, Scout, Sought,
    StageError, Toward, Way,
};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// What a scout is sent for.
pub(crate) enum Sent {
    Until {
        errand: Errand,
        condition: Condition,
        limits: Limits,
    },
    Outlook {
        errand: Errand,
        limits: Limits,
    },
    Compass {
        errand: Errand,
        limits: Limits,
    },
    Random {
        errand: Errand,
        steps: u32,
        seed: u32,
    },
    Diverse {
        errand: Errand,
        runs: u32,
        seed: u32,
    },
    /// The run that ends well and shares most with the run to the last of these.
    Good {
        run: Vec<Errand>,
        limits: Limits,
    },
    /// What can go wrong from where a run stops since a file was saved.
    Fixed {
        errand: Errand,
        limits: Limits,
    },
    /// The decisive step of the main run.
    Decisive {
        run: Vec<Errand>,
        limits: Limits,
    },
}

/// What it comes back with.
pub(crate) enum Back {
    Until(Sought),
    Outlook(Errand, Outlook),
    Compass(Vec<Toward>),
    Random(Way),
    Diverse(Vec<Way>),
    /// With the place of the run that went wrong.
    Good(PlaceId, Good),
    Fixed(Outlook),
    Decisive(Option<usize>),
}

/// A request that a scout works on.
pub(crate) struct Mission {
    pub(crate) page: u32,
    pub(crate) id: u32,
    pub(crate) sent: Sent,
    pub(crate) flag: Flag,
}

/// As far is explored if the page does not say otherwise, and no further if it asks for more.
const STATES_DEFAULT: u32 = 200_000;
const STATES_MOST: u32 = 5_000_000;
/// The decisive step is looked for among as many states.
pub(crate) const DECISIVE_STATES: u32 = 200_000;
const MS_DEFAULT: u32 = 5_000;
const MS_MOST: u32 = 600_000;
/// Exploring for one request may take this much memory, by the engine's own account.
const MEMORY_MAX: u64 = 2 << 30;

pub(crate) fn limits(asked: LimitsAsked) -> Limits {
    let states = asked.states.unwrap_or(STATES_DEFAULT).min(STATES_MOST);
    let ms = asked.ms.unwrap_or(MS_DEFAULT).min(MS_MOST);
    Limits {
        states_max: Some(states.into()),
        time_max: Some(Duration::from_millis(ms.into())),
        memory_max: Some(MEMORY_MAX),
        ..Limits::none()
    }
}

/// How far the decisive step of a run is looked for where nobody waits: by states alone, so that the answer is the same
/// each time.
pub(crate) fn decisive_limits() -> Limits {
    Limits {
        states_max: Some(DECISIVE_STATES.into()),
        memory_max: Some(MEMORY_MAX),
        ..Limits::none()
    }
}

/// Starts the thread of a session's scout.
pub(crate) fn start(session: Arc<Session>, jobs: mpsc::Sender<Task>) -> mpsc::Sender<Mission> {
    let (missions, work) = mpsc::channel::<Mission>();
    let run = move || {
        let mut scout = Scout::default();
        for mission in work {
            let Mission { page, id, sent, flag } = mission;
            if flag.load(Ordering::Relaxed) {
                continue;
            }
            session.scouts(Some(&flag));
            let back = go(&mut scout, &session, page, id, sent, &flag);
            session.scouts(None);
            session.end(page, id);
            if jobs.send(Task::Back { page, id, back, flag }).is_err() {
                break;
            }
        }
    };
    let thread = std::thread::Builder::new().name("scout".to_owned());
    thread.stack_size(crate::worker::STACK).spawn(run).expect("a thread for the scout");
    missions
}

fn go(
    scout: &mut Scout,
    session: &Session,
    page: u32,
    id: u32,
    sent: Sent,
    flag: &Flag,
) -> Result<Back, StageError> {
    let is_over = || flag.load(Ordering::Relaxed);
    let mut watcher = Watcher { session, page, id };
    Ok(match sent {
        Sent::Until { errand, condition, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            let sought = scout.run_until(&errand, &condition, &limits, &clock, &mut watcher)?;
            Back::Until(sought)
        }
        Sent::Outlook { errand, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            let outlook = scout.outlook(&errand, &limits, &clock, &mut watcher)?;
            Back::Outlook(errand, outlook)
        }
        Sent::Compass { errand, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            Back::Compass(scout.compass(&errand, &limits, &clock, &mut watcher)?)
        }
        Sent::Random { errand, steps, seed } => {
            Back::Random(scout.random(&errand, steps, seed.into())?)
        }
        Sent::Diverse { errand, runs, seed } => {
            Back::Diverse(scout.diverse(&errand, runs, seed.into(), &is_over)?)
        }
        Sent::Good { run, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            let wrong = run.last().map_or(0, |errand| errand.place);
            Back::Good(wrong, scout.nearest_good(&run, &limits, &clock)?)
        }
        Sent::Fixed { errand, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            Back::Fixed(scout.outlook(&errand, &limits, &clock, &mut watcher)?)
        }
        Sent::Decisive { run, limits } => {
            let clock = Clock::start(limits.time_max, Arc::clone(flag));
            Back::Decisive(scout.decisive(&run, &limits, &clock)?)
        }
    })
}

/// Tells the page how far it is.
struct Watcher<'s> {
    session: &'s Session,
    page: u32,
    id: u32,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        let states = u32::try_from(progress.states).unwrap_or(u32::MAX);
        let news = News::Progress { of: self.id, states, depth: progress.depth };
        self.session.tell_one(self.page, &news);
    }
}

/// A job of the page is handed to the session's thread.
impl From<Job> for Task {
    fn from(job: Job) -> Self {
        Task::Job(job)
    }
}
