//! An Erlang program as a system: the front end's own, with the faults that the user does not want to hear of left out.
//! Why here: what counts as an error is a matter of the request, and one program may be asked different questions.

use super::problems;
use super::simulate;
use super::source::{ErlangOptions, ErlangSource, Ignored};
use super::start::Named;
use super::tips;
use super::waits;
use crate::front_end::{FrontEnd, Standing, Waits};
use crate::held::HeldBack;
use crate::simulate::{SimulateRequest, SimulatedRun, Watching, WrongRun};
use crate::{Diagnostic, InterleavingOptions, Kind, Loaded, Report, Source};
use foresee_erlang::world::component::{Control, Process};
use foresee_erlang::{
    Atom, Entry, Erlang, Labels, Options, Pid, Program, Term, Trouble, footprint, words,
};
use foresee_erlang_syntax::{Parse, SourceFile};
use foresee_lts::{
    Action, Assumption, Change, Claim, Coverage, End, Explorer, Fault, FaultKind, Path, Reading,
    State, StoppedBy, Successors, System, ViolationKind, Whose,
};
use foresee_search::Meter;
use foresee_stateless::Party;
use foresee_trace::{Changed, Run};
use std::sync::Arc;

/// What a call waits if it does not say otherwise, in milliseconds.
const CALL_MS: u64 = 5000;

/// A loaded program and how to load it again.
pub(crate) struct ErlangProgram {
    system: Filtered,
    pub(crate) texts: Arc<Texts>,
}

/// What a program is made of; shared by all instances of it.
#[derive(Clone)]
pub(crate) struct Texts {
    pub(crate) source: ErlangSource,
    /// Those of the source, and those that the module carries.
    pub(crate) options: ErlangOptions,
    /// How the module wants interleavings to be explored: what it insists on, and what it wishes.
    pub(crate) interleavings: (InterleavingOptions, InterleavingOptions),
    pub(crate) module: String,
    /// As it is typed after `-t`.
    pub(crate) function: String,
    /// What that stands for.
    pub(crate) named: Named,
    pub(crate) parses: Arc<[Parse]>,
    pub(crate) libraries: Arc<[Parse]>,
    /// Modules of the user that are not part of the program, with why.
    pub(crate) unloaded: Arc<[(String, Diagnostic)]>,
    pub(crate) warnings: Vec<String>,
    pub(crate) normal_reasons: Vec<Term>,
}

impl ErlangProgram {
    pub(crate) fn new(texts: Arc<Texts>, program: impl Into<Arc<Program>>) -> Self {
        let options = &texts.options;
        let mut normal_reasons = Options::default().normal_reasons;
        normal_reasons.extend(texts.normal_reasons.iter().cloned());
        let run = Options {
            instant_delivery: options.instant_delivery.unwrap_or(true),
            after_timeout: options.after_timeout,
            send_after_timeout: options.send_after_timeout,
            timer_firings_max: options.timer_firings_max,
            clock: options.clock.unwrap_or_default(),
            normal_reasons,
            rules: options.reading.into(),
            crashes: options.crashes.clone(),
            labels: options.labels.clone().map(|show| Labels { show, hide: Vec::new() }),
            ..Options::default()
        };
        let entry = match texts.source.supervisor {
            Some(_) => Entry::supervisor(&texts.module, &texts.function),
            None => texts.named.entry(&texts.module, &texts.function),
        };
        let erlang = Erlang::new(program, entry, run);
        let system = Filtered { erlang, texts: Arc::clone(&texts) };
        ErlangProgram { system, texts }
    }

    pub(crate) fn erlang(&self) -> &Erlang {
        &self.system.erlang
    }

    /// Every file that takes part.
    pub(crate) fn sources(&self) -> Vec<SourceFile> {
        let parses = self.texts.parses.iter().chain(&*self.texts.libraries);
        parses.flat_map(|parse| parse.sources.files().iter().cloned()).collect()
    }

    /// What is wrong with a state and asked for, with the process and the reason where it is an exit.
    pub(crate) fn wanted_faults(&self, state: &[u32]) -> Vec<(Option<Pid>, Option<Term>, Fault)> {
        self.system.wanted_faults(state)
    }

    pub(crate) fn is_final(&self, state: &[u32]) -> bool {
        self.system.is_final(state)
    }
}

impl FrontEnd for ErlangProgram {
    fn system(&self) -> &dyn System {
        &self.system
    }

    fn kind(&self) -> Kind {
        Kind::Erlang
    }

    /// With the start that was found, if the user left it open.
    fn source(&self) -> Source {
        let Texts { source, module, function, .. } = &*self.texts;
        let mut source = source.clone();
        if source.supervisor.is_none() {
            source.module = Some(module.clone());
            source.function = Some(function.clone());
        }
        Source::Erlang(source)
    }

    fn name(&self) -> String {
        self.system.name()
    }

    fn short_name(&self) -> &str {
        &self.texts.module
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        let program = Arc::clone(self.erlang().program());
        Ok(Arc::new(ErlangProgram::new(Arc::clone(&self.texts), program)))
    }

    fn read_as(&self, reading: Reading) -> Result<Option<Arc<dyn FrontEnd>>, Diagnostic> {
        let mut texts = Texts::clone(&self.texts);
        texts.source.options.reading = reading;
        texts.options.reading = reading;
        let program = Arc::clone(self.erlang().program());
        Ok(Some(Arc::new(ErlangProgram::new(Arc::new(texts), program))))
    }

    fn simulate(
        &self,
        seed: u64,
        request: &SimulateRequest,
        _: &dyn Meter,
        watching: &mut Watching<'_>,
    ) -> Result<SimulatedRun, Diagnostic> {
        Ok(self.simulated(seed, request, watching))
    }

    fn show_run(
        &self,
        loaded: &Loaded,
        seed: u64,
        request: &SimulateRequest,
        wrong: WrongRun,
        report: &mut Report,
    ) -> Result<(), Diagnostic> {
        simulate::show(loaded, self, request, (seed, wrong), report)
    }

    fn nodes_to_crash<'a>(&self, _: &'a [String]) -> &'a [String] {
        &[]
    }

    fn coverage(&self) -> Coverage {
        let mut coverage = self.system.coverage();
        coverage.assumed.splice(0..0, self.erlang().assumptions());
        coverage
    }

    fn warnings(&self) -> Vec<String> {
        self.texts.warnings.clone()
    }

    fn interleaving_options(&self) -> (InterleavingOptions, InterleavingOptions) {
        self.texts.interleavings.clone()
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    fn trouble(&self, state: &[u32]) -> Option<Diagnostic> {
        let trouble: Trouble = self.erlang().trouble(state)?;
        Some(problems::trouble(&trouble, &self.sources(), &self.texts.unloaded))
    }

    fn with_late_messages(&self) -> Option<Arc<dyn FrontEnd>> {
        if self.texts.options.instant_delivery.is_some() {
            return None;
        }
        let mut texts = Texts::clone(&self.texts);
        texts.source.options.instant_delivery = Some(false);
        texts.options.instant_delivery = Some(false);
        let program = Arc::clone(self.erlang().program());
        Some(Arc::new(ErlangProgram::new(Arc::new(texts), program)))
    }

    fn left_out(&self) -> Option<StoppedBy> {
        self.erlang().has_cut_timers().then_some(StoppedBy::Timers)
    }

    fn ignores_depth(&self) -> bool {
        self.system.ignores(Ignored::DepthBound)
    }

    /// By its registered name.
    fn is_called(&self, state: &[u32], party: Party, name: &str) -> bool {
        let pid = self.erlang().shared(state).whereis(Atom::new(name));
        pid.is_some_and(|pid| match party {
            Party::Mailbox(number) => footprint::mailbox(pid) == number,
            Party::Actor(actor) => self.erlang().actor_of_process(pid) == Some(actor),
        })
    }

    /// What a process holds changes at every step and is seldom what a reader wants; names and tables are.
    fn is_worth_telling(&self, change: &Changed) -> bool {
        !change.member.starts_with('<')
    }

    fn in_virtual_time(&self) -> Option<Arc<dyn FrontEnd>> {
        let mut texts = Texts::clone(&self.texts);
        (texts.options.after_timeout, texts.options.send_after_timeout) = (None, None);
        let program = Arc::clone(self.erlang().program());
        Some(Arc::new(ErlangProgram::new(Arc::new(texts), program)))
    }

    fn has_early_timeout(&self, run: &Run<'_>) -> bool {
        tips::has_early_timeout(self.erlang(), run)
    }

    fn tips_about(&self, kind: ViolationKind, run: &Run<'_>) -> Vec<String> {
        tips::about_violation(self, kind, run)
    }

    fn tips(&self, report: &Report) -> Vec<String> {
        tips::about(self, report)
    }

    fn tip_about_runs(&self, runs: &[Path]) -> Option<String> {
        tips::about_runs(self, runs)
    }

    fn failed(&self, state: &[u32]) -> Option<String> {
        let (pid, ..) = self.system.wanted_faults(state).into_iter().next()?;
        Some(self.erlang().name_of(state, pid?))
    }

    fn waits(&self, state: &[u32], ends: &[End]) -> Vec<Waits> {
        let blocked = self.system.deadlocked(state);
        let processes = self.erlang().processes(state).into_iter();
        processes
            .filter_map(|process| {
                let member = self.erlang().name_of(state, process.pid);
                let end = ends.iter().find(|end| end.member == member);
                let calls = end.map(|end| end.calls.clone()).unwrap_or_default();
                let words = self.waiting(state, process.pid, &calls)?;
                let is_stuck = blocked.contains(&process.pid);
                Some(Waits { member, words, calls, is_stuck })
            })
            .collect()
    }

    fn circle(&self, state: &[u32]) -> Option<String> {
        waits::circle(self.erlang(), state, &self.system.deadlocked(state))
    }

    fn circle_names(&self, state: &[u32]) -> Option<Vec<String>> {
        waits::circle_names(self.erlang(), state, &self.system.deadlocked(state))
    }

    fn standings(&self, state: &[u32]) -> Vec<Standing> {
        let processes = self.erlang().processes(state).into_iter();
        let parses = &self.texts.parses;
        processes.map(|it| waits::standing(self.erlang(), parses, state, it)).collect()
    }

    fn visible_label(&self, state: &[u32], action: Action) -> Option<String> {
        self.erlang().visible_label(state, action)
    }

    fn warnings_after(&self) -> Vec<String> {
        let unmet = self.erlang().crashes_unmet().into_iter();
        unmet
            .map(|pattern| {
                format!(
                    "--crash {pattern} matches no process; a process goes by the name it is registered under, \
                     else by its supervisor's child id (client_1 for {{client,1}}), else as traces show it, as <P.1>"
                )
            })
            .collect()
    }

    /// The default timeout of a call, or any timeout of somebody who waits for a message.
    fn is_doubtful(&self, held_back: HeldBack, state: &[u32], action: Action) -> bool {
        match held_back {
            HeldBack::DefaultTimeouts => self.erlang().is_default_timeout(state, action),
            HeldBack::Timeouts => self.erlang().gives_up(state, action),
        }
    }

    /// Timeouts as long as a call's default, or all but sleeps, never fire. Somebody who waits for one is then not stuck for ever, so deadlocks are
    /// not looked for.
    fn without_doubtful(&self, held_back: HeldBack) -> Option<Arc<dyn FrontEnd>> {
        let mut texts = Texts::clone(&self.texts);
        let options = &mut texts.options;
        let most = match held_back {
            HeldBack::DefaultTimeouts => CALL_MS,
            HeldBack::Timeouts => 1,
        };
        let limit = options.after_timeout.map_or(most, |ms| ms.min(most));
        options.after_timeout = Some(limit);
        options.ignored.push(Ignored::Deadlock);
        let program = Arc::clone(self.erlang().program());
        Some(Arc::new(ErlangProgram::new(Arc::new(texts), program)))
    }

    fn source_texts(&self) -> Vec<(String, Arc<str>)> {
        let parses = self.texts.parses.iter();
        let files = parses.flat_map(|parse| parse.sources.files());
        files.map(|file| (file.path.to_string(), Arc::clone(&file.text))).collect()
    }

    fn as_erlang(&self) -> Option<&ErlangProgram> {
        Some(self)
    }
}

/// The program without the faults that are not asked for.
struct Filtered {
    erlang: Erlang,
    texts: Arc<Texts>,
}

impl Filtered {
    fn filters_faults(&self) -> bool {
        let options = &self.texts.options;
        options.assertions_only || options.first_process_errors_only || !options.ignored.is_empty()
    }

    fn ignores(&self, kind: Ignored) -> bool {
        self.texts.options.ignored.contains(&kind)
    }

    /// Which errors are looked for, and which are not.
    fn coverage(&self) -> Coverage {
        let options = &self.texts.options;
        let whose = match options.first_process_errors_only {
            true => Whose::FirstProcess,
            false => Whose::Anybody,
        };
        let kinds = [
            (Ignored::AbnormalExit, Claim::NoAbnormalExit(whose), "abnormal exits"),
            (Ignored::Deadlock, Claim::NoDeadlock(whose), "deadlocks"),
            (Ignored::AbnormalHalt, Claim::NoAbnormalHalt, "abnormal halts"),
        ];
        let (mut checked, mut not_checked) = (Vec::new(), Vec::new());
        for (kind, claim, words) in kinds {
            match claim {
                _ if self.ignores(kind) => not_checked.push(words.to_owned()),
                Claim::NoAbnormalExit(_) if options.assertions_only => {
                    checked.push(Claim::NoFailedAssertion(whose));
                    not_checked.push("other abnormal exits".to_owned());
                }
                claim => checked.push(claim),
            }
        }
        if options.first_process_errors_only {
            not_checked.push("errors of other processes".to_owned());
        }
        let mut assumed = Vec::new();
        if !options.normal_reasons.is_empty() {
            assumed.push(Assumption::NormalReasons(options.normal_reasons.clone()));
        }
        if !not_checked.is_empty() {
            assumed.push(Assumption::NotChecked(not_checked));
        }
        Coverage { checked, assumed }
    }

    fn counts(&self, who: Option<Pid>, fault: &Fault) -> bool {
        let is_first = who.is_none_or(|pid| pid == Pid::first());
        let is_asked_for = match fault.kind {
            FaultKind::AbnormalExit => {
                !self.ignores(Ignored::AbnormalExit) && !self.texts.options.assertions_only
            }
            FaultKind::Assertion => !self.ignores(Ignored::AbnormalExit),
            FaultKind::AbnormalHalt => !self.ignores(Ignored::AbnormalHalt),
            // What we cannot do is never left out.
            _ => return true,
        };
        is_asked_for && (is_first || !self.texts.options.first_process_errors_only)
    }

    /// The processes that wait in vain, if that is asked for.
    fn deadlocked(&self, state: &[u32]) -> Vec<Pid> {
        let blocked = self.erlang.blocked(state);
        let is_asked_for = !self.ignores(Ignored::Deadlock)
            && (!self.texts.options.first_process_errors_only || blocked.contains(&Pid::first()));
        if is_asked_for { blocked } else { Vec::new() }
    }
}

fn reason_of(process: &Process) -> Option<&Term> {
    match &process.control {
        Control::Ended { reason } | Control::Ending { reason, .. } => Some(reason),
        _ => None,
    }
}

/// `<P.1> exited abnormally: {badmatch,1}`: without the stack, which is no part of a state.
fn exit_message(pid: Pid, reason: &Term) -> String {
    format!("{pid} exited abnormally: {}", words::reason(reason))
}

impl foresee_lts::Around for Filtered {
    fn inner(&self) -> &dyn System {
        &self.erlang
    }
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        let (erlang, texts) = (self.erlang.for_thread(), Arc::clone(&self.texts));
        Some(Box::new(Filtered { erlang, texts }))
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        let inner = self.erlang.explorer();
        if self.filters_faults() {
            Box::new(Reviewed { system: self, inner, next: Vec::new() })
        } else {
            inner
        }
    }
    fn is_final(&self, state: &[u32]) -> bool {
        self.deadlocked(state).is_empty()
    }
    fn why_stuck(&self, state: &[u32]) -> String {
        let blocked = self.deadlocked(state);
        let line = |pid: &Pid| {
            let waits = waits::waiting(&self.erlang, &self.texts.parses, state, *pid, &[]);
            let waits = waits.unwrap_or_else(|| "waits".to_owned());
            format!("\n{} {waits}", self.erlang.name_of(state, *pid))
        };
        let lines: String = blocked.iter().map(line).collect();
        let circle = waits::circle(&self.erlang, state, &blocked);
        let circle = circle.map_or(String::new(), |circle| format!("\n{circle}"));
        format!("nothing can happen any more, and somebody waits{lines}{circle}")
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        // The front end remembers its answer for each component; most states have no fault and end here.
        self.erlang.fault(state)?;
        self.wanted_faults(state).into_iter().next().map(|(.., fault)| fault)
    }
}

impl Filtered {
    /// The faults that count, in the order of their words.
    fn wanted_faults(&self, state: &[u32]) -> Vec<(Option<Pid>, Option<Term>, Fault)> {
        let mut faults: Vec<(Option<Pid>, Option<Term>, Fault)> = self
            .erlang
            .faults(state)
            .into_iter()
            .filter(|(who, fault)| self.counts(*who, fault))
            .map(|(who, fault)| {
                let process = who.and_then(|pid| self.erlang.process(state, pid));
                match process.and_then(|process| Some((process.pid, reason_of(process)?))) {
                    Some((pid, reason)) => {
                        let message = exit_message(pid, reason);
                        (who, Some(reason.clone()), Fault { message, ..fault })
                    }
                    None => (who, None, fault),
                }
            })
            .collect();
        faults.sort_by(|a, b| a.2.message.cmp(&b.2.message));
        faults
    }
}

/// The front end's successors, with the marks of unwanted faults taken away.
struct Reviewed<'a> {
    system: &'a Filtered,
    inner: Box<dyn Explorer + 'a>,
    next: State,
}

impl Explorer for Reviewed<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        self.inner.expand(state, successors);
        successors.review_faults(|changes| {
            self.next.clear();
            self.next.extend_from_slice(state);
            for &Change { slot, id } in changes {
                let slot = slot as usize;
                if slot >= self.next.len() {
                    self.next.resize(slot + 1, 0);
                }
                self.next[slot] = id;
            }
            self.system.fault(&self.next).is_some()
        });
    }

    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }
}

/// A term as typed on a command line: atoms, numbers, strings, tuples and lists of them.
pub(crate) fn parse_term(text: &str) -> Option<Term> {
    foresee_erlang::read_term(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_as_erlang_writes_them() {
        for text in ["shutdown", "{error,42}", "[a,\"b\"]"] {
            assert_eq!(parse_term(text).expect("a term").to_string(), text);
        }
        assert!(parse_term("X").is_none() && parse_term("f(1)").is_none());
    }
}
