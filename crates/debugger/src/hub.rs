//! Sessions, and who listens to each: any number of pages share one, and each hears where the others look.

use crate::clock::{Beat, Flag};
use crate::protocol::{Answer, Answered, Frame, News, Outcome, Refused, Request};
use crate::server::Options;
use crate::watch;
use crate::worker::{self, Job, Task};
use axum::extract::ws::Message;
use foresee_session::{Home, Inspection};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::Sender;

/// A message to the page may be so long.
const ANSWER_MAX: usize = 8 << 20;
/// A scout that does not come back so long after nobody wants it any more never will.
const LOST_AFTER: Duration = Duration::from_secs(4);
/// A request of which no piece is done for so long will never be done.
const HANGS_AFTER: Duration = Duration::from_secs(8);

/// A server has no more sessions.
const SESSIONS_MAX: usize = 64;
/// As many requests that were cancelled before they had begun are remembered.
const EARLY_MAX: usize = 64;

/// All sessions of one server.
pub(crate) struct Hub {
    token: String,
    sessions: Mutex<Vec<Arc<Session>>>,
}

/// One session and the pages that share it.
pub(crate) struct Session {
    pub(crate) name: String,
    pages: Mutex<BTreeMap<u32, Page>>,
    next_page: AtomicU32,
    /// What takes long and goes on now: whose, which request, and the flag that ends it.
    running: Mutex<Vec<Running>>,
    /// Requests that were cancelled before they had begun.
    cancelled_early: Mutex<VecDeque<(u32, u32)>>,
    tasks: Mutex<mpsc::Sender<Task>>,
    /// What the session's thread works on, and when it was last seen to go on.
    watched: Mutex<Option<(u32, u32, Beat)>>,
    /// What the scout works on, and since when.
    scouting: Mutex<Option<(Flag, Instant)>>,
    /// The session as it was after the last request that changed it.
    remembered: Mutex<String>,
    /// The same, not looked at yet: what can happen is found by running handlers, which may run for ever.
    untried: Mutex<Option<String>>,
    options: Options,
    home: Home,
}

/// A request that takes long and goes on now.
struct Running {
    page: u32,
    id: u32,
    flag: Flag,
    is_outlook: bool,
}

struct Page {
    name: String,
    out: Sender<Message>,
}

/// One page of a session.
pub(crate) struct Client {
    session: Arc<Session>,
    page: u32,
}

impl Hub {
    pub(crate) fn new(token: String, options: &Options, inspection: Inspection) -> Arc<Self> {
        let hub = Hub { token, sessions: Mutex::default() };
        let session = Session::start("s-1".to_owned(), options, inspection);
        locked(&hub.sessions).push(session);
        Arc::new(hub)
    }

    /// Whether it is the token; takes as long whatever the first difference is.
    pub(crate) fn is_token(&self, other: &str) -> bool {
        let (own, other) = (self.token.as_bytes(), other.as_bytes());
        let differences = own.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == other.len() && std::hint::black_box(differences) == 0
    }

    /// A page joins a session: the one it was in, or the first.
    pub(crate) fn join(
        &self,
        resume: Option<&str>,
        name: Option<&str>,
        out: Sender<Message>,
    ) -> Client {
        let sessions = locked(&self.sessions);
        let found = sessions.iter().find(|it| Some(it.name.as_str()) == resume);
        let session = Arc::clone(found.unwrap_or(&sessions[0]));
        let page = session.next_page.fetch_add(1, Ordering::Relaxed);
        let name = name.map_or_else(|| format!("page {page}"), str::to_owned);
        locked(&session.pages).insert(page, Page { name, out });
        Client { session, page }
    }

    /// A session from its text, beside the others; its name.
    pub(crate) fn open(&self, text: &str) -> Result<String, Refused> {
        let (options, home) = {
            let sessions = locked(&self.sessions);
            if sessions.len() >= SESSIONS_MAX {
                let message = format!("there are {SESSIONS_MAX} sessions already");
                return Err(worker::refusal("too-many", message));
            }
            // A file of its own is written only if it is given a name.
            let options = Options { file: None, ..sessions[0].options.clone() };
            (options, sessions[0].home.clone())
        };
        let inspection = Inspection::of_session(text, home).map_err(|news| Refused {
            help: news.help.clone(),
            ..worker::refusal("bad-session", news.message)
        })?;
        let mut sessions = locked(&self.sessions);
        let name = format!("s-{}", sessions.len() + 1);
        sessions.push(Session::start(name.clone(), &options, inspection));
        Ok(name)
    }

    /// Looks after all sessions, every now and then.
    pub(crate) fn look_after(&self) {
        let sessions = locked(&self.sessions).clone();
        sessions.iter().for_each(Session::look_after);
    }

    pub(crate) fn say_bye(&self) {
        for session in locked(&self.sessions).iter() {
            session.tell(&News::Bye {}, None);
            session.cancel_all();
        }
    }
}

impl Client {
    pub(crate) fn ask(&self, frame: Frame) {
        if let Request::Cancel { of } = frame.request {
            self.session.cancel(self.page, of);
            return self.session.answer(
                self.page,
                frame.id,
                Ok(Answer::Done(crate::protocol::Done {})),
            );
        }
        let (page, id) = (self.page, frame.id);
        let job = Job { page, id, request: frame.request };
        if locked(&self.session.tasks).send(Task::Job(job)).is_err() {
            let message = "the session has ended".to_owned();
            let refused = Refused { code: "session-ended".to_owned(), message, help: None };
            self.session.answer(page, id, Err(refused));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let who = self.session.name_of(self.page);
        locked(&self.session.pages).remove(&self.page);
        self.session.cancel_all_of(self.page);
        self.session.tell(&News::Left { who }, None);
    }
}

impl Session {
    fn start(name: String, options: &Options, mut inspection: Inspection) -> Arc<Self> {
        let remembered = Mutex::new(inspection.to_session());
        let (tasks, work) = mpsc::channel();
        let session = Arc::new(Session {
            name,
            pages: Mutex::default(),
            next_page: AtomicU32::new(1),
            running: Mutex::default(),
            cancelled_early: Mutex::default(),
            tasks: Mutex::new(tasks.clone()),
            watched: Mutex::default(),
            scouting: Mutex::default(),
            remembered,
            untried: Mutex::default(),
            options: options.clone(),
            home: inspection.home().clone(),
        });
        if options.watches {
            watch::start(inspection.files(), tasks.clone());
        }
        worker::start(Arc::clone(&session), options.clone(), inspection, (tasks, work));
        session
    }

    pub(crate) fn answer(&self, page: u32, id: u32, answer: Result<Answer, Refused>) {
        let outcome = match answer {
            Ok(answer) => Outcome::Ok(answer),
            Err(refused) => Outcome::Error(refused),
        };
        let mut text = serde_json::to_string(&Answered { id, outcome }).expect("plain data");
        if text.len() > ANSWER_MAX {
            let message = format!("the answer has {} bytes, which is too many", text.len());
            let help = Some("ask for less at a time".to_owned());
            let refused = Refused { code: "too-large".to_owned(), message, help };
            let outcome = Outcome::Error(refused);
            text = serde_json::to_string(&Answered { id, outcome }).expect("plain data");
        }
        self.send(page, text);
    }

    /// Tells every page, but for one that knows already.
    pub(crate) fn tell(&self, news: &News, but: Option<u32>) {
        let text = serde_json::to_string(news).expect("plain data");
        let pages: Vec<u32> = locked(&self.pages).keys().copied().collect();
        for page in pages.into_iter().filter(|page| Some(*page) != but) {
            self.send(page, text.clone());
        }
    }

    pub(crate) fn tell_one(&self, page: u32, news: &News) {
        self.send(page, serde_json::to_string(news).expect("plain data"));
    }

    /// A page that reads nothing is let go: it comes back and asks for what it needs.
    fn send(&self, page: u32, text: String) {
        let mut pages = locked(&self.pages);
        let Some(known) = pages.get(&page) else { return };
        if known.out.try_send(Message::text(text)).is_err() {
            pages.remove(&page);
        }
    }

    /// How others see a page.
    pub(crate) fn name_of(&self, page: u32) -> String {
        locked(&self.pages).get(&page).map(|it| it.name.clone()).unwrap_or_default()
    }

    /// Notes that a request takes long.
    pub(crate) fn begin(&self, page: u32, id: u32, flag: &Flag, is_outlook: bool) {
        locked(&self.running).push(Running { page, id, flag: Arc::clone(flag), is_outlook });
        let mut early = locked(&self.cancelled_early);
        if let Some(at) = early.iter().position(|it| *it == (page, id)) {
            early.remove(at);
            drop(early);
            self.cancel(page, id);
        }
    }

    pub(crate) fn end(&self, page: u32, id: u32) {
        locked(&self.running).retain(|it| (it.page, it.id) != (page, id));
    }

    fn cancel(&self, page: u32, id: u32) {
        if self.raise(|it| (it.page, it.id) == (page, id)) {
            return;
        }
        // It has ended, or it has not begun.
        let mut early = locked(&self.cancelled_early);
        if early.len() == EARLY_MAX {
            early.pop_front();
        }
        early.push_back((page, id));
    }

    fn cancel_all_of(&self, page: u32) {
        self.raise(|it| it.page == page);
    }

    /// Who asks for another outlook has moved on.
    pub(crate) fn cancel_outlooks(&self, page: u32) {
        self.raise(|it| it.page == page && it.is_outlook);
    }

    pub(crate) fn cancel_all(&self) {
        self.raise(|_| true);
    }

    /// Ends what is meant, and answers for it at once: the scout may be in a handler that does not look. Whether there was any.
    fn raise(&self, is_meant: impl Fn(&Running) -> bool) -> bool {
        let ended = {
            let mut running = locked(&self.running);
            let all = std::mem::take(&mut *running).into_iter();
            let (ended, goes_on) = all.partition::<Vec<Running>, _>(|it| is_meant(it));
            *running = goes_on;
            ended
        };
        let is_any = !ended.is_empty();
        for running in ended {
            running.flag.store(true, Ordering::Relaxed);
            let refused = worker::refusal("cancelled", "it was cancelled");
            self.answer(running.page, running.id, Err(refused));
        }
        is_any
    }

    /// The scout begins with an errand, or has ended one.
    pub(crate) fn scouts(&self, flag: Option<&Flag>) {
        *locked(&self.scouting) = flag.map(|flag| (Arc::clone(flag), Instant::now()));
    }

    /// Whether the scout is in an errand that nobody wants any more, and does not come back.
    pub(crate) fn has_lost_scout(&self) -> bool {
        let is_lost = |(flag, since): &(Flag, Instant)| {
            flag.load(Ordering::Relaxed) && since.elapsed() > LOST_AFTER
        };
        locked(&self.scouting).as_ref().is_some_and(is_lost)
    }

    /// The session's thread begins with a request; it says by the beat that it goes on.
    pub(crate) fn watch(&self, page: u32, id: u32) -> Beat {
        let beat = Arc::new(Mutex::new(Instant::now()));
        *locked(&self.watched) = Some((page, id, Arc::clone(&beat)));
        beat
    }

    pub(crate) fn unwatch(&self) {
        *locked(&self.watched) = None;
    }

    /// Keeps the session as it is now, once it has shown that it can be looked at.
    pub(crate) fn remember(&self, text: String) {
        *locked(&self.untried) = Some(text);
    }

    /// A state was looked at, and nothing in it runs for ever.
    pub(crate) fn tried(&self) {
        if let Some(text) = locked(&self.untried).take() {
            *locked(&self.remembered) = text;
        }
    }

    /// Gives up a thread that works on one request for too long, and goes on in another with what was there before.
    pub(crate) fn look_after(self: &Arc<Self>) {
        let hangs = |beat: &Beat| locked(beat).elapsed() > HANGS_AFTER;
        let stuck = locked(&self.watched).take_if(|(.., beat)| hangs(beat));
        let Some((page, id, _)) = stuck else { return };
        let message = "a step of the system does not return; the session goes on without it";
        let refused =
            Refused { code: "too-slow".to_owned(), message: message.to_owned(), help: None };
        self.answer(page, id, Err(refused));
        let text = locked(&self.remembered).clone();
        locked(&self.untried).take();
        let (tasks, work) = mpsc::channel();
        *locked(&self.tasks) = tasks.clone();
        self.cancel_all();
        let session = Arc::clone(self);
        let go_on = move || {
            let Ok(inspection) = Inspection::of_session(&text, session.home.clone()) else {
                return;
            };
            let options = session.options.clone();
            worker::start(Arc::clone(&session), options, inspection, (tasks, work));
            let (text, stopped) = (message.to_owned(), Vec::new());
            session.tell(&News::Reloaded { text, stopped }, None);
        };
        // Loading runs code of the user, too.
        let _ = std::thread::Builder::new().stack_size(worker::STACK).spawn(go_on);
    }
}

/// What a thread that panicked has left is still whole: nothing is done in two steps under a lock.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
