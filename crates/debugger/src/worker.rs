//! The thread that owns an inspection: it takes one request after the other and answers it. What takes long it hands to the
//! scout (`errands`), whose findings come back here.
//! A handler of the user that does not return would stop this thread for good. So each request is watched (`hub`): one that
//! takes too long is answered for, the thread is given up, and another goes on with what was there before the request.

use crate::answers::{self, refused};
use crate::clock::{Clock, Flag};
use crate::errands::{self, Back, Mission, Sent};
use crate::hub::Session;
use crate::page;
use crate::protocol::{self as p, Answer, News, Refused, Request};
use crate::server::Options;
use foresee_session::{
    Comparison, Condition, Inspection, Meter as _, PlaceId, Prospect, StageError, Wanted,
};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// A request of a page.
pub(crate) struct Job {
    pub(crate) page: u32,
    pub(crate) id: u32,
    pub(crate) request: Request,
}

/// What the session's thread has to do.
pub(crate) enum Task {
    Job(Job),
    /// The scout is back.
    Back {
        page: u32,
        id: u32,
        back: Result<Back, StageError>,
        flag: Flag,
    },
    /// A file of the system was saved.
    Reload,
}

pub(crate) struct Worker {
    pub(crate) session: Arc<Session>,
    pub(crate) options: Options,
    pub(crate) inspection: Inspection,
    scout: mpsc::Sender<Mission>,
    tasks: mpsc::Sender<Task>,
    /// What is known of choices: the place and the choice.
    outlooks: BTreeMap<(PlaceId, u32), (String, Option<u32>)>,
    /// The decisive step is still being looked for.
    is_pending: bool,
}

pub(crate) fn start(
    session: Arc<Session>,
    options: Options,
    inspection: Inspection,
    (tasks, work): (mpsc::Sender<Task>, mpsc::Receiver<Task>),
) {
    let scout = errands::start(Arc::clone(&session), tasks.clone());
    let outlooks = BTreeMap::new();
    let mut worker =
        Worker { session, options, inspection, scout, tasks, outlooks, is_pending: false };
    let run = move || {
        worker.seek_decisive();
        for task in work {
            worker.run(task);
        }
    };
    let thread = std::thread::Builder::new().name("session".to_owned()).stack_size(STACK);
    thread.spawn(run).expect("a thread for the session");
}

/// Front ends walk terms by recursion.
pub(crate) const STACK: usize = 64 << 20;
/// One look at a state of a program that is interpreted may take so long.
const STEP_MAX: Duration = Duration::from_secs(3);
/// The decisive step is looked for as long, and among as many states.
const DECISIVE: p::LimitsAsked =
    p::LimitsAsked { states: Some(errands::DECISIVE_STATES), ms: Some(20_000) };
/// A session has no more places.
const PLACES_MAX: u32 = 200_000;

impl Worker {
    fn run(&mut self, task: Task) {
        match task {
            Task::Job(job) => self.job(job),
            Task::Back { page, id, back, flag } => {
                let is_cancelled = flag.load(Ordering::Relaxed);
                self.watching_branches(|worker| worker.back(page, id, back, is_cancelled));
            }
            Task::Reload => self.reload(),
        }
    }

    fn job(&mut self, job: Job) {
        let Job { page, id, request } = job;
        let beat = self.session.watch(page, id);
        let looks = matches!(request, Request::State { .. } | Request::Choices { .. });
        self.watching_branches(|worker| {
            let clock = Clock::of_pieces(STEP_MAX, beat);
            let done =
                foresee_session::until_halted(clock.probe(), || worker.answer(page, id, request));
            let answer = done.unwrap_or_else(|_| {
                let message = format!("one state takes longer than {} s", STEP_MAX.as_secs());
                Err(refusal("too-slow", message))
            });
            if looks && answer.is_ok() {
                worker.session.tried();
            }
            if let Some(answer) = answer.transpose() {
                worker.session.answer(page, id, answer);
            }
        });
        self.session.unwatch();
    }

    /// Tells everybody of branches that are new or longer afterwards.
    fn watching_branches(&mut self, work: impl FnOnce(&mut Self)) {
        let before = self.inspection.branches().to_vec();
        work(self);
        if self.inspection.branches() != before {
            let branches = answers::branches(&self.inspection);
            self.session.tell(&News::Branches { branches }, None);
        }
    }

    fn send(&mut self, page: u32, id: u32, sent: Sent) -> Result<Option<Answer>, Refused> {
        let flag = Flag::default();
        let is_look = matches!(sent, Sent::Outlook { .. } | Sent::Compass { .. });
        if matches!(sent, Sent::Outlook { .. }) {
            self.session.cancel_outlooks(page);
        }
        if self.session.has_lost_scout() {
            self.scout = errands::start(Arc::clone(&self.session), self.tasks.clone());
        }
        self.session.begin(page, id, &flag, is_look);
        let mission = Mission { page, id, sent, flag };
        self.scout.send(mission).map_err(|_| refusal("session-ended", "the scout has ended"))?;
        Ok(None)
    }

    /// Asks for the decisive step of the main run, if something went wrong on it.
    fn seek_decisive(&mut self) {
        let run = self.inspection.decisive_errands();
        if run.is_empty() {
            return;
        }
        self.is_pending = true;
        let sent = Sent::Decisive { run, limits: errands::limits(DECISIVE) };
        let _ = self.send(0, 0, sent);
    }

    /// The scout is back.
    fn back(&mut self, page: u32, id: u32, back: Result<Back, StageError>, is_cancelled: bool) {
        let answer = match back {
            // It is answered for already.
            _ if is_cancelled => return,
            Ok(Back::Decisive(at)) => {
                self.is_pending = false;
                self.inspection.set_decisive(at);
                let opening = Box::new(self.opening());
                return self.session.tell(&News::Opening { opening }, None);
            }
            Ok(Back::Fixed(outlook)) => {
                let text = fixed_words(&outlook);
                return self.session.tell(&News::Checked { text }, None);
            }
            Ok(back) => self.brought(page, back),
            Err(error) => Err(refused(error)),
        };
        self.session.answer(page, id, answer);
    }

    fn brought(&mut self, page: u32, back: Back) -> Result<Answer, Refused> {
        let it = &mut self.inspection;
        match back {
            Back::Until(sought) => {
                let places = match &sought.way {
                    Some(way) => Some((way.from, it.take_way(way).map_err(refused)?)),
                    None => None,
                };
                let place = places.map(|(from, places)| places.last().copied().unwrap_or(from));
                let branch = place.and_then(|place| it.branch_of(place).ok());
                if let Some(place) = place {
                    self.moved(page, place);
                }
                let stopped_by = sought.stopped_by.map(|by| by.word().to_owned());
                let states = u32::try_from(sought.states).unwrap_or(u32::MAX);
                let seen = sought.seen;
                Ok(Answer::Until(p::UntilAnswer { place, states, stopped_by, branch, seen }))
            }
            Back::Outlook(errand, outlook) => {
                for choice in &outlook.choices {
                    let verdict = answers::prospect(choice.verdict);
                    let known = (verdict.clone(), choice.shortest);
                    self.outlooks.insert((errand.place, choice.choice), known);
                    let news = News::Outlook {
                        place: errand.place,
                        choice: choice.choice,
                        verdict,
                        shortest: choice.shortest,
                        complete: outlook.complete,
                    };
                    self.session.tell_one(page, &news);
                }
                Ok(Answer::Outlook(p::OutlookAnswer {
                    here: answers::prospect(outlook.here),
                    complete: outlook.complete,
                    states: u32::try_from(outlook.states).unwrap_or(u32::MAX),
                    shortest: outlook.shortest,
                    stopped_by: outlook.stopped_by.map(|by| by.word().to_owned()),
                }))
            }
            Back::Compass(goals) => {
                let goals = goals.into_iter().map(|it| p::Toward {
                    property: it.property,
                    steps: it.steps,
                    choice: it.choice,
                    is_known: it.is_known,
                });
                Ok(Answer::Compass(p::Compass { goals: goals.collect() }))
            }
            Back::Random(way) => {
                let places = it.take_way(&way).map_err(refused)?;
                let place = places.last().copied().unwrap_or(way.from);
                let branch = it.branch_of(place).map_err(refused)?;
                self.moved(page, place);
                Ok(Answer::Random(p::Walked { place, places, branch }))
            }
            Back::Diverse(ways) => {
                let mut numbers = Vec::new();
                for way in &ways {
                    let places = it.take_way(way).map_err(refused)?;
                    let tip = places.last().copied().unwrap_or(way.from);
                    numbers.push(it.branch_of(tip).map_err(refused)?);
                }
                let all = answers::branches(it);
                let branches = all.into_iter().filter(|it| numbers.contains(&it.branch)).collect();
                Ok(Answer::Diverse(p::Branches { branches }))
            }
            Back::Good(wrong, good) => {
                let Some(way) = &good.way else {
                    let text = no_good_run(&good);
                    let none =
                        p::GoodRun { branch: None, from: None, place: None, tip: None, text };
                    return Ok(Answer::Good(none));
                };
                let good = it.take_good(wrong, way).map_err(refused)?;
                self.moved(page, good.place);
                self.remember();
                Ok(Answer::Good(p::GoodRun {
                    branch: Some(good.branch),
                    from: Some(good.from),
                    place: Some(good.place),
                    tip: Some(good.tip),
                    text: good.text,
                }))
            }
            Back::Decisive(_) | Back::Fixed(_) => unreachable!("answered before"),
        }
    }

    fn opening(&self) -> p::Opening {
        p::Opening { is_pending: self.is_pending, ..answers::opening(&self.inspection) }
    }
}

/// The requests that are answered at once.
impl Worker {
    /// `None`: the answer comes later.
    fn answer(&mut self, page: u32, id: u32, request: Request) -> Result<Option<Answer>, Refused> {
        let it = &mut self.inspection;
        if it.n_places() > PLACES_MAX {
            let message = format!("a session has at most {PLACES_MAX} places");
            return Err(refusal("too-large", message));
        }
        Ok(Some(match request {
            Request::Hello { .. } => {
                let hello = answers::hello(it, &self.session.name, &self.options)?;
                Answer::Hello(Box::new(p::Hello { opening: self.opening(), ..hello }))
            }
            Request::Rows { branch, from, to, crossing, mattered } => {
                let which = answers::Which {
                    branch,
                    only_mattered: mattered.unwrap_or(false),
                    with_crossing: crossing.unwrap_or(false),
                };
                Answer::Rows(answers::rows(it, which, from, to)?)
            }
            Request::Members { place } => {
                Answer::Members(p::Members { members: answers::members(it, place)? })
            }
            Request::State { place, have, most } => {
                let state = it.state_up_to(place, at_most(most)).map_err(refused)?;
                let changes = it.changes_at(place).map_err(refused)?;
                Answer::State(Box::new(answers::state(it, state, changes, &have)))
            }
            Request::Choices { place, most } => {
                let mut choices = answers::choices(it, place, most)?;
                for choice in &mut choices.choices {
                    if let Some((verdict, shortest)) = self.outlooks.get(&(place, choice.choice)) {
                        (choice.outlook, choice.shortest) = (verdict.clone(), *shortest);
                    }
                }
                Answer::Choices(choices)
            }
            Request::Preview { place, choice, have, most } => {
                let (state, changes) = it.preview(place, choice, at_most(most)).map_err(refused)?;
                Answer::State(Box::new(answers::state(it, state, changes, &have)))
            }
            Request::Step { place, choice, label } => {
                let taken = it.take(place, choice, Some(&label)).map_err(refused)?;
                let branch = it.branch_of(taken.place).map_err(refused)?;
                self.moved(page, taken.place);
                self.remember();
                Answer::Step(p::Stepped { place: taken.place, new: taken.new, branch })
            }
            Request::Compare { a, b } => {
                let changes = it.changes(a, b).map_err(refused)?;
                Answer::Compare(p::Changes { changes: answers::changes(changes) })
            }
            Request::Until { place, when, limits } => {
                let (errand, condition) =
                    (it.errand(place).map_err(refused)?, self.condition(when)?);
                let limits = errands::limits(limits);
                return self.send(page, id, Sent::Until { errand, condition, limits });
            }
            Request::Outlook { place, limits } => {
                let (errand, limits) =
                    (it.errand(place).map_err(refused)?, errands::limits(limits));
                return self.send(page, id, Sent::Outlook { errand, limits });
            }
            Request::Compass { place, limits } => {
                let (errand, limits) =
                    (it.errand(place).map_err(refused)?, errands::limits(limits));
                return self.send(page, id, Sent::Compass { errand, limits });
            }
            Request::Random { place, steps, seed } => {
                let errand = it.errand(place).map_err(refused)?;
                let steps = steps.min(RANDOM_MAX);
                return self.send(page, id, Sent::Random { errand, steps, seed });
            }
            Request::Diverse { place, runs, seed } => {
                let errand = it.errand(place).map_err(refused)?;
                let runs = runs.min(DIVERSE_MAX);
                return self.send(page, id, Sent::Diverse { errand, runs, seed });
            }
            Request::Good { place, limits } => {
                if it.opening().formula.is_some() {
                    let message = "whether a run satisfies the formula is not seen in its states";
                    return Err(refusal("not-possible", message));
                }
                let run = it.good_errands(place).map_err(refused)?;
                return self.send(page, id, Sent::Good { run, limits: errands::limits(limits) });
            }
            request => self.answer_other(page, request)?,
        }))
    }

    fn answer_other(&mut self, page: u32, request: Request) -> Result<Answer, Refused> {
        let it = &mut self.inspection;
        let done = Answer::Done(p::Done {});
        Ok(match request {
            Request::Blame { place, member, path } => {
                let chain = it.blame(place, member, &path).map_err(refused)?;
                Answer::Blame(answers::blame(chain))
            }
            Request::Find { text, r#type, member, property } => {
                let wanted = Wanted { text, kind: r#type, member, property };
                Answer::Find(p::Places { places: it.find(&wanted).map_err(refused)? })
            }
            Request::WatchValues { path, branch, from, to } => {
                let values = it.values(&path, branch, from, to).map_err(refused)?;
                Answer::WatchValues(p::Values { values })
            }
            Request::Faults { branch, on, place } => {
                let tip = *it.run_of(branch).map_err(refused)?.last().unwrap_or(&0);
                let branch = match on {
                    true => it.allow_faults(place.unwrap_or(tip)).map_err(refused)?,
                    false => it.branch_without_faults(branch).map_err(refused)?,
                };
                self.remember();
                Answer::Faults(p::OneBranch { branch })
            }
            Request::Switches { restrictions } => {
                it.set_restrictions(&answers::restrictions_of(restrictions));
                self.outlooks.clear();
                let restrictions = answers::opening(it).restrictions;
                Answer::Switches(p::Restrictions { restrictions })
            }
            Request::Follow { place, text } => {
                let labels = answers::labels_of(&text)?;
                let followed = it.follow(place, &labels).map_err(refused)?;
                let place = followed.places.last().copied().unwrap_or(place);
                let branch = it.branch_of(place).map_err(refused)?;
                let stopped = followed.stopped.map(|stopped| answers::stopped(stopped, &labels));
                self.moved(page, place);
                self.remember();
                Answer::Follow(p::FollowedTo { place, stopped, branch })
            }
            Request::Neighbourhood { place, radius } => {
                let graph = it.neighbourhood(place, radius.min(RADIUS_MAX)).map_err(refused)?;
                Answer::Neighbourhood(answers::neighbourhood(graph))
            }
            Request::Story { branch } => Answer::Story(answers::story(it, branch)?),
            Request::Strip { branch } => Answer::Strip(answers::strip(it, branch)?),
            Request::Branches {} => {
                Answer::Diverse(p::Branches { branches: answers::branches(it) })
            }
            Request::Source { file } => {
                let found = it.sources().into_iter().find(|(path, _)| *path == file);
                let message = || format!("`{file}` is no file of this system");
                let (file, text) = found.ok_or_else(|| refusal("no-such-file", message()))?;
                Answer::Source(p::SourceText { file, text: text.to_string() })
            }
            Request::Save { name } => Answer::Save(self.save(name)?),
            Request::Export { format, branch, place } => {
                Answer::Export(page::export(it, &format, branch, place)?)
            }
            request => {
                self.mark(page, request)?;
                done
            }
        })
    }

    /// Notes, pins, names: what is kept of a session beside its runs.
    fn mark(&mut self, page: u32, request: Request) -> Result<(), Refused> {
        let it = &mut self.inspection;
        match request {
            Request::Note { place, text } => {
                it.branch_of(place).map_err(refused)?;
                it.notes.retain(|(at, _)| *at != place);
                if !text.trim().is_empty() {
                    it.notes.push((place, text));
                }
            }
            Request::Pin { path, on } => switch(&mut it.pins, path, on),
            Request::Watch { path, on } => switch(&mut it.watches, path, on),
            Request::NameBranch { branch, name } => {
                it.name_branch(branch, &name).map_err(refused)?;
            }
            Request::View { place, only_mattered } => {
                it.branch_of(place).map_err(refused)?;
                it.view = (place, only_mattered);
                self.moved(page, place);
                return Ok(());
            }
            _ => return Err(refusal("unknown-request", "the server does not do this")),
        }
        self.marked(page);
        self.remember();
        Ok(())
    }

    /// The others hear where a page is now.
    fn moved(&self, page: u32, place: PlaceId) {
        let who = self.session.name_of(page);
        self.session.tell(&News::Moved { who, place }, Some(page));
    }

    fn marked(&self, page: u32) {
        let (notes, it) = (answers::notes(&self.inspection), &self.inspection);
        let news = News::Marked { notes, pins: it.pins.clone(), watches: it.watches.clone() };
        self.session.tell(&news, Some(page));
    }

    /// Keeps what there is, in case the next request never ends.
    fn remember(&mut self) {
        self.session.remember(self.inspection.to_session());
    }

    fn condition(&self, when: p::When) -> Result<Condition, Refused> {
        Ok(match when {
            p::When::Field { field, is, value } => {
                let mut words = field.into_iter();
                let member = words.next().unwrap_or_default();
                let path = words.collect();
                Condition::Field { member, path, is: comparison(&is)?, value }
            }
            p::When::Property { property, holds } => {
                let known = self.inspection.info().properties.get(property as usize);
                let message = || format!("there is no property {property}");
                let known = known.ok_or_else(|| refusal("no-such-property", message()))?;
                Condition::Property { name: known.name.clone(), holds }
            }
            p::When::Label { label } => Condition::Label { contains: label },
            p::When::Finding { .. } => Condition::Finding,
            p::When::Stuck { .. } => Condition::Stuck,
        })
    }

    /// The session as text, in a file if it has one. Only a name without folders is taken from the page.
    fn save(&mut self, name: Option<String>) -> Result<p::Saved, Refused> {
        let text = self.inspection.to_session();
        if let Some(name) = name {
            let is_name = !name.contains(['/', '\\', '\0']) && !name.starts_with('.');
            if !is_name || name.is_empty() {
                let message = format!("`{name}` is no name for a file here");
                return Err(refusal("bad-name", message));
            }
            let name = if name.ends_with(".session") { name } else { format!("{name}.session") };
            self.options.file = Some(name.into());
        }
        let Some(file) = &self.options.file else { return Ok(p::Saved { file: None, text }) };
        let is_own = match std::fs::read_to_string(file) {
            Ok(known) => known.starts_with("foresee session"),
            Err(_) => !file.exists(),
        };
        if !is_own {
            let message = format!("{} is no session, and is not overwritten", file.display());
            return Err(refusal("not-written", message));
        }
        std::fs::write(file, &text).map_err(|error| {
            refusal("not-written", format!("cannot write {}: {error}", file.display()))
        })?;
        Ok(p::Saved { file: Some(file.display().to_string()), text })
    }

    /// The main run is refused at a step since a file was saved: can it still go wrong from there?
    fn seek_what_is_left(&mut self) {
        let main = &self.inspection.branches()[0];
        if main.stopped.is_none() {
            return;
        }
        let Ok(errand) = self.inspection.errand(main.tip) else { return };
        let sent = Sent::Fixed { errand, limits: errands::limits(DECISIVE) };
        let _ = self.send(0, 0, sent);
    }

    /// A file was saved: the session is replayed on what is in it now.
    fn reload(&mut self) {
        let text = match self.inspection.reloaded() {
            Ok((inspection, text)) => {
                self.inspection = inspection;
                self.outlooks.clear();
                // The scout knows the system as it was, and so does what it is still about to bring.
                self.session.cancel_all();
                self.scout = errands::start(Arc::clone(&self.session), self.tasks.clone());
                self.seek_decisive();
                self.seek_what_is_left();
                text
            }
            Err(diagnostic) => diagnostic.to_string(),
        };
        let branches = answers::branches(&self.inspection);
        let stopped = branches.iter().filter_map(|it| it.stopped.clone()).collect();
        self.session.tell(&News::Reloaded { text, stopped }, None);
    }
}

/// What looking ahead from where a run stops has found.
fn fixed_words(outlook: &foresee_session::Outlook) -> String {
    let states = outlook.states;
    match (outlook.here, outlook.complete) {
        (Prospect::None, true) => {
            format!("Nothing goes wrong from there any more: 0 of {states} states are wrong.")
        }
        (Prospect::All, _) => "From there every run still goes wrong.".to_owned(),
        (Prospect::Some, _) => match outlook.shortest {
            Some(1) => "From there it can still go wrong, after 1 step.".to_owned(),
            Some(steps) => format!("From there it can still go wrong, after {steps} steps."),
            None => "From there it can still go wrong.".to_owned(),
        },
        _ => format!("Nothing wrong was found from there in {states} states; there are more."),
    }
}

fn no_good_run(good: &foresee_session::Good) -> String {
    match good.stopped_by {
        Some(limit) => {
            format!("No run that ends well was found before the limit on {}.", limit.word())
        }
        None => "No run ends well: every run goes wrong, or goes on for ever.".to_owned(),
    }
}

/// No more random steps are taken at a time.
const RANDOM_MAX: u32 = 10_000;
const DIVERSE_MAX: u32 = 20;
const RADIUS_MAX: u32 = 6;

/// How many of each kind a page asks for; all if it does not say.
pub(crate) fn at_most(most: Option<u32>) -> usize {
    most.map_or(usize::MAX, |most| most as usize)
}

pub(crate) fn refusal(code: &str, message: impl Into<String>) -> Refused {
    Refused { code: code.to_owned(), message: message.into(), help: None }
}

fn comparison(word: &str) -> Result<Comparison, Refused> {
    Ok(match word {
        "=" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        "<" => Comparison::Less,
        ">" => Comparison::Greater,
        "contains" => Comparison::Contains,
        _ => return Err(refusal("bad-request", format!("`{word}` compares nothing"))),
    })
}

fn switch(list: &mut Vec<String>, path: String, on: bool) {
    list.retain(|known| *known != path);
    if on {
        list.push(path);
    }
}
