//! A violation's run as text: its steps, why it is wrong, what raced, and with `--verbose` each process's own part.
//! The default is short: what nothing races with at the start is folded, long terms are shortened, and of the races those are
//! shown whose order decides. `--verbose` leaves nothing out.

use crate::args::Output;
use crate::style::{BOLD, DIM, YELLOW};
use crate::{units, width};
use foresee_session::{
    Found, Life, Missed, Race, Raised, StoryStep, Verb, more_words, outcome_words,
};
use std::fmt::Write;

/// As many steps before anything races are worth a line of their own.
const QUIET_MIN: usize = 9;
/// Longer texts of steps are shortened.
const STEP_CHARS: usize = 96;
/// What a step's number and its parties take, about.
const WHO_CHARS: usize = 40;
/// The same within a sentence.
const WORDS_CHARS: usize = 56;
const DECIDING_MAX: usize = 3;

/// The steps, why it is wrong, and what raced.
pub(crate) fn story(found: &Found, output: &Output) -> String {
    let mut text = String::new();
    match (&found.story, &found.run) {
        (Some(story), _) if !found.visible.is_empty() => {
            text.push_str(&visible_steps(&story.steps, &found.visible, output));
        }
        (Some(story), _) => {
            let quiet = if output.verbose { 0 } else { quiet_start(found) };
            text.push_str(&quiet_line(found, quiet));
            let told = Told {
                exception: found.details.failure.as_ref(),
                apart: shown_races(found, output)
                    .iter()
                    .flat_map(|race| [race.first, race.second])
                    .chain(found.details.missed.iter().map(|missed| missed.before))
                    .collect(),
            };
            text.push_str(&steps(&story.steps[quiet..], &told, output));
        }
        (None, Some(run)) => {
            for (i, event) in run.events.iter().enumerate() {
                let _ = writeln!(text, "{:>3}  {}", i + 1, event.label);
            }
        }
        (None, None) => {}
    }
    // What is drawn in columns below `why:` must not be broken; everything else is fitted to the terminal.
    let mut text = width::fitted(&text);
    text.push_str(&why(found, output));
    let mut rest = missed(found) + &races(found, output);
    if output.verbose {
        rest.push_str(&lives(found, output));
    }
    text + &width::fitted(&rest)
}

/// Why it is wrong.
pub(crate) fn why(found: &Found, output: &Output) -> String {
    let mut text = String::new();
    for (i, line) in crate::why::lines(found, output.verbose).iter().enumerate() {
        let lead = if i == 0 { "why:" } else { "    " };
        let line = format!("{BOLD}{lead}{BOLD:#} {line}\n");
        text.push_str(&if i == 0 { width::fitted(&line) } else { line });
    }
    text
}

/// What is told of a run beside its steps.
#[derive(Default)]
pub(crate) struct Told<'a> {
    /// The exception that is the violation.
    exception: Option<&'a Raised>,
    /// Steps of which is spoken by their number.
    apart: Vec<usize>,
}

/// Numbered, aligned, with what changed below each step.
pub(crate) fn steps(steps: &[StoryStep], told: &Told<'_>, output: &Output) -> String {
    let known = told.exception;
    let width = steps.iter().map(|step| step.who().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut rest = steps.iter().peekable();
    while let Some(step) = rest.next() {
        let who = step.who();
        let pad = " ".repeat(width - who.chars().count());
        let mut last = step;
        if !output.verbose && is_in_books(step, told) {
            while let Some(next) = rest.next_if(|next| continues(step, next, told)) {
                last = next;
            }
        }
        if last.number > step.number {
            let what = books(step.label.about.keeps_books.as_deref());
            let place = step.place_words().map_or(String::new(), |place| format!(" [{place}]"));
            let (first, last) = (step.number, last.number);
            let _ = writeln!(text, "{DIM}{first:>3}-{last}  {who}{pad}   {what}{place}{DIM:#}");
            continue;
        }
        let answer = rest.peek().and_then(|next| answer(step, next, output));
        let line = format!("{:>3}  {who}{pad}   {}", step.number, what(step, output));
        let _ = match answer {
            Some(ref answer) => writeln!(text, "{}; {answer}", line.trim_end()),
            None => writeln!(text, "{}", line.trim_end()),
        };
        for line in below(step, known, output) {
            let _ = writeln!(text, "       {DIM}{line}{DIM:#}");
        }
        if answer.is_some() {
            rest.next();
        }
    }
    text
}

/// What stands for the steps by which a library keeps its own books.
pub(crate) fn books(library: Option<&str>) -> String {
    format!("{} looks things up and notes them (all steps: --verbose)", library.unwrap_or_default())
}

/// Whether a step is one of a library's own books and there is nothing more to say of it.
fn is_in_books(step: &StoryStep, told: &Told<'_>) -> bool {
    let is_quiet = || more_words(&step.told, WORDS_CHARS, false, told.exception).is_empty();
    step.label.about.keeps_books.is_some() && !told.apart.contains(&step.number) && is_quiet()
}

fn continues(step: &StoryStep, next: &StoryStep, told: &Told<'_>) -> bool {
    is_in_books(next, told)
        && next.label.about.keeps_books == step.label.about.keeps_books
        && next.label.to == step.label.to
        && next.label.place == step.label.place
}

/// `13: reply ok`, if the next step is no more than the answer to the request that is taken in this one.
fn answer(step: &StoryStep, next: &StoryStep, output: &Output) -> Option<String> {
    let (taken, given) = (&step.label, &next.label);
    let is_call = taken.verb == Verb::Receive && taken.about.message_of == Some(Verb::Call);
    let is_answer = is_call && given.verb == Verb::Reply && given.about.peer == taken.about.peer;
    let is_plain = next.place().is_none() && below(next, None, output).is_empty();
    let is_told_here = is_answer && is_plain && !output.verbose && step.who() == next.who();
    let reply = given.about.message.as_ref().filter(|_| is_told_here)?;
    Some(format!("{}: {}", next.number, reply.shortened(WORDS_CHARS)))
}

/// The same where the question was about labels: these first, then who did what where the label does not say it.
fn visible_steps(steps: &[StoryStep], visible: &[Option<String>], output: &Output) -> String {
    const WIDTH_MAX: usize = 44;
    const HIDDEN_START: usize = 4;
    let widths = visible.iter().flatten().map(|label| label.chars().count());
    let width = widths.filter(|width| *width <= WIDTH_MAX).max().unwrap_or(3);
    let mut text = String::new();
    // Most programs do a lot before anything can be seen.
    let start = visible.iter().take_while(|label| label.is_none()).count();
    let skipped =
        if output.verbose || start < HIDDEN_START || start == visible.len() { 0 } else { start };
    if skipped > 0 {
        let _ = writeln!(
            text,
            "{DIM}  1-{skipped}  nothing can be seen yet (all steps: --verbose){DIM:#}"
        );
    }
    for (step, label) in steps.iter().zip(visible).skip(skipped) {
        let style = if label.is_some() { BOLD } else { DIM };
        let label = label.as_deref().unwrap_or("tau");
        let (who, payload) = (step.who(), step.label.payload_and_place());
        let what = if step.label.about.is_whole || step.label.to_string() == label {
            String::new()
        } else if payload == label || payload == "tau" {
            who
        } else {
            format!("{who}  {payload}").trim_end().to_owned()
        };
        let _ = write!(text, "{:>3}  {style}{label}{style:#}", step.number);
        if !what.is_empty() {
            let pad = " ".repeat(width.saturating_sub(label.chars().count()));
            let _ = write!(text, "{pad}   {DIM}{what}{DIM:#}");
        }
        text.push('\n');
        if output.verbose {
            for line in below(step, None, output) {
                let _ = writeln!(text, "       {DIM}{line}{DIM:#}");
            }
        }
    }
    text
}

/// What happens, and dimmed where in the source.
fn what(step: &StoryStep, output: &Output) -> String {
    let (chars_max, value_max) = match output.verbose {
        true => (usize::MAX, usize::MAX),
        false => (step_chars(), WORDS_CHARS),
    };
    let mut what = step.label.payload.shortened(chars_max);
    if let Some(outcome) = outcome_words(&step.told, value_max) {
        what = format!("{what} {outcome}");
    }
    match step.place_words() {
        Some(place) => format!("{what} {DIM}[{place}]{DIM:#}"),
        None => what,
    }
}

/// More where the terminal has room.
fn step_chars() -> usize {
    width::of_output()
        .map_or(STEP_CHARS, |columns| columns.saturating_sub(WHO_CHARS).max(STEP_CHARS))
}

/// What else came of it and what changed; with `--verbose` also what was sent and which timers were set.
fn below(step: &StoryStep, known: Option<&Raised>, output: &Output) -> Vec<String> {
    let lines = step.lines();
    let n_changes = if output.verbose { lines.len() } else { step.changes.len() };
    let chars_max = if output.verbose { usize::MAX } else { WORDS_CHARS };
    let more = more_words(&step.told, chars_max, output.verbose, known);
    more.into_iter().chain(lines.into_iter().take(n_changes)).collect()
}

/// How many steps go by before the first that races with another, if that is worth folding.
fn quiet_start(found: &Found) -> usize {
    let quiet = found.quiet_steps();
    if quiet >= QUIET_MIN { quiet } else { 0 }
}

/// `  1-16  start of <P.1> <P.2>; nothing races yet`
fn quiet_line(found: &Found, quiet: usize) -> String {
    let Some(diagram) = found.details.diagram.as_ref().filter(|_| quiet > 0) else {
        return String::new();
    };
    let marks = diagram.marks.iter().take(quiet);
    let started: Vec<&str> = marks
        .flat_map(|mark| &mark.starts)
        .filter_map(|lane| diagram.lanes.get(*lane).map(String::as_str))
        .collect();
    let what = match started.is_empty() {
        true => "nothing races yet".to_owned(),
        false => format!("start of {}; nothing races yet", started.join(" ")),
    };
    format!("{DIM}  1-{quiet}  {what} (all steps: --verbose){DIM:#}\n")
}

/// `late: had <P.1> done its send <P> x before step 4 (…), all had gone well`
fn missed(found: &Found) -> String {
    let Some(missed) = &found.details.missed else { return String::new() };
    format!("{YELLOW}late:{YELLOW:#} {}\n", missed_words(found, missed))
}

pub(crate) fn missed_words(found: &Found, missed: &Missed) -> String {
    let who = missed.label.to.as_deref().unwrap_or_default();
    let what = missed.label.payload.shortened(WORDS_CHARS);
    let step = step_words(found, missed.before);
    format!("{who} was about to {what}; had that come before {step}, all had gone well")
}

/// `race: step 4 (<P.1> sends x) came before step 7 (<P.2> …); the other way round all goes well`
fn races(found: &Found, output: &Output) -> String {
    let shown = shown_races(found, output);
    let mut text = String::new();
    for (i, race) in shown.iter().enumerate() {
        let lead = if i == 0 { "race:" } else { "     " };
        let _ = writeln!(text, "{YELLOW}{lead}{YELLOW:#} {}", race_words(found, race));
    }
    let more = found.details.races.len() - shown.len();
    if more > 0 && !shown.is_empty() {
        let more = units::counted(more as u64, "other race");
        let _ = writeln!(text, "      {DIM}{more}: --verbose{DIM:#}");
    }
    text
}

/// The races whose order decides, the last few; of a run without one, the last race. All with `--verbose`.
fn shown_races<'a>(found: &'a Found, output: &Output) -> Vec<&'a Race> {
    let all = &found.details.races;
    if output.verbose {
        return all.iter().collect();
    }
    let deciding = all.iter().filter(|race| race.decides);
    let mut shown: Vec<_> = deciding.rev().take(DECIDING_MAX).collect();
    if shown.is_empty() && found.interleaving > 0 && found.details.missed.is_none() {
        shown.extend(all.last());
    }
    shown.reverse();
    shown
}

fn race_words(found: &Found, race: &Race) -> String {
    let (first, second) = (step_words(found, race.first), step_words(found, race.second));
    if race.decides {
        format!("{first} came before {second}; the other way round all goes well")
    } else {
        format!("{first} races with {second}")
    }
}

/// `step 4 (<P.1> send <P> x)`
fn step_words(found: &Found, number: usize) -> String {
    let steps = found.story.iter().flat_map(|story| &story.steps);
    let step = steps.into_iter().find(|step| step.number == number);
    let words = step.map_or(String::new(), |step| {
        format!("{} {}", step.who(), step.label.payload.shortened(WORDS_CHARS))
    });
    format!("step {number} ({})", words.trim_end())
}

/// Each process's own steps, and how it stands at the end.
fn lives(found: &Found, output: &Output) -> String {
    let mut text = String::new();
    let Some(story) = &found.story else { return text };
    for life in found.details.lives.iter().filter(|life| is_worth_a_look(life)) {
        let role = if life.role.is_empty() { String::new() } else { format!(" {}", life.role) };
        let n_steps = units::counted(life.steps.len() as u64, "step");
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}{DIM}{role}{DIM:#}, {n_steps}", life.name);
        for step in story.steps.iter().filter(|step| life.steps.contains(&step.number)) {
            let from = step.label.from.as_ref().map_or(String::new(), |from| format!("{from}: "));
            let _ = writeln!(text, "{:>5}  {from}{}", step.number, what(step, output));
        }
        if !life.end.is_empty() {
            let _ = writeln!(text, "  end  {}", life.end);
        }
        if !life.inbox.is_empty() && !life.end_tells_inbox {
            let _ = writeln!(text, "       unread: {}", life.inbox.join(", "));
        }
    }
    text
}

fn is_worth_a_look(life: &Life) -> bool {
    !life.steps.is_empty() || !life.inbox.is_empty() || life.is_waiting
}
