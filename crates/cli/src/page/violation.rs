//! One violation on the page: why, what decided it, the picture, the story with the source, processes, races, the trace.
//! Long runs fold: what nothing races with at the start, and the middle of what is left; all of it is there.

use super::html::{element, folded, text};
use crate::{render, run_text, units};
use foresee_session::{
    Found, Life, Race, Report, StoryStep, ViolationKind, more_words, outcome_words,
};
use std::fmt::Write;

/// Lines of source shown above and below a step's own.
const AROUND: u32 = 2;
/// Of a long story, so many steps at the start and at the end are shown at once.
const SHOWN_FIRST: usize = 20;
const SHOWN_LAST: usize = 30;
/// As many quiet steps at the start are worth folding.
const QUIET_MIN: usize = 9;
/// As many deciding races are shown above the picture; all are in the table.
const DECIDING_MAX: usize = 4;
/// A longer value is shortened where it stands beside what a step does.
const VALUE_CHARS: usize = 120;
/// A longer run's picture is folded.
const PICTURE_OPEN_MAX: usize = 60;

/// `linearizable`, `deadlock`.
pub(super) fn title(found: &Found) -> String {
    match (&found.property, found.kind) {
        (Some(property), ViolationKind::Invariant | ViolationKind::Property) => property.clone(),
        (Some(property), kind) => format!("{property} ({})", kind.word()),
        (None, kind) => kind.word().replace('_', " "),
    }
}

pub(super) fn section(report: &Report, found: &Found, number: usize, program: &str) -> String {
    let mut about = Vec::new();
    if found.run.is_some() {
        about.push(units::counted(found.steps as u64, "step"));
    }
    if found.steps_found > found.steps {
        about.push(format!("shortened from {}", found.steps_found));
    }
    if found.interleaving > 0 {
        about.push(format!("interleaving {}", units::grouped(found.interleaving)));
    }
    let view = View { report, found, id: format!("v{number}") };
    let mut html = format!(
        "<section class=\"card\" id=\"{}\">\n<h2>{}<small>{}</small></h2>\n",
        view.id,
        text(&title(found)),
        text(&about.join(", "))
    );
    html.push_str(&view.why());
    html.push_str(&view.deciding());
    html.push_str(&view.picture());
    html.push_str(&view.story());
    html.push_str(&view.processes());
    html.push_str(&view.races());
    html.push_str(&view.trace(program));
    html + "</section>\n"
}

/// The run to where the system could not be followed any further.
pub(super) fn how_far(report: &Report, found: &Found) -> String {
    let view = View { report, found, id: "far".to_owned() };
    let mut html =
        "<section class=\"card\" id=\"far\">\n<h2>As far as it can be followed</h2>\n".to_owned();
    html.push_str(&view.picture());
    html.push_str(&view.story());
    html.push_str(&view.processes());
    html + "</section>\n"
}

struct View<'a> {
    report: &'a Report,
    found: &'a Found,
    /// What names in this section begin with.
    id: String,
}

impl View<'_> {
    fn why(&self) -> String {
        let lines = crate::why::lines(self.found, true);
        let lines = lines.iter().map(|line| element("pre", "", line));
        format!("<div class=\"why\">{}</div>\n", lines.collect::<String>())
    }

    /// The races whose other order goes well.
    fn deciding(&self) -> String {
        let races: Vec<&Race> = self.found.details.races.iter().filter(|it| it.decides).collect();
        if let Some(missed) = &self.found.details.missed {
            let words = run_text::missed_words(self.found, missed);
            return format!(
                "<div class=\"decides\">{}</div>\n",
                element("p", "", &format!("{words}."))
            );
        }
        if races.is_empty() {
            return String::new();
        }
        // The later ones are nearer to what went wrong.
        let shown = &races[races.len().saturating_sub(DECIDING_MAX)..];
        let items = shown.iter().map(|race| {
            let (first, second) = (self.mention(race.first), self.mention(race.second));
            format!("<li>{first} came before {second}</li>\n")
        });
        let items: String = items.collect();
        let (lead, rest) = match races.len() {
            1 => ("One order decided it".to_owned(), "The other way round, all goes well."),
            n => {
                let lead = format!("Each of {n} orders decided it");
                (lead, "Any one of them the other way round, and all goes well.")
            }
        };
        let lead = if shown.len() < races.len() { lead + "; the last ones" } else { lead };
        format!(
            "<div class=\"decides\"><p><b>{lead}:</b></p>\n<ul>\n{items}</ul>\n<p>{rest}</p></div>\n"
        )
    }

    /// `step 4 <P.1> send <P> x`, with a link to the step.
    fn mention(&self, number: usize) -> String {
        let steps = self.found.story.iter().flat_map(|story| &story.steps);
        let words = steps
            .into_iter()
            .find(|step| step.number == number)
            .map(|step| format!("{} {}", step.who(), units::shortened(step.label.what(), 72)));
        format!(
            "<a class=\"step\" href=\"#{}s{number}\">step {number}</a> {}",
            self.id,
            element("code", "", &words.unwrap_or_default())
        )
    }

    fn picture(&self) -> String {
        let Some(svg) = self.found.picture(&format!("{}-", self.id)) else { return String::new() };
        let races = if self.found.details.races.is_empty() {
            ""
        } else {
            " Dotted bows join steps that <b>race</b>; strong ones decided it."
        };
        let picture = format!(
            "<div class=\"picture\" tabindex=\"0\">\n{svg}</div>\n\
             <p class=\"legend\">Time goes down; each column is a process, each arrow a message.{races} An arrow that ends in a \
             ring is a message that was never taken.</p>\n"
        );
        let n_steps = self.found.steps;
        let is_open = n_steps <= PICTURE_OPEN_MAX;
        format!("<h3>Picture</h3>\n{}", folded("fold", "Space and time", &picture, is_open))
    }

    fn story(&self) -> String {
        let Some(story) = &self.found.story else { return String::new() };
        if story.steps.is_empty() {
            return String::new();
        }
        let (quiet, rest) = story.steps.split_at(self.quiet_start());
        let mut html = "<h3>Story</h3>\n".to_owned();
        if !quiet.is_empty() {
            let summary = format!("Steps 1 to {}: nothing races yet", quiet.len());
            html.push_str(&folded("fold", &summary, &self.steps(quiet), false));
        }
        if rest.len() > SHOWN_FIRST + SHOWN_LAST + 10 {
            let (first, rest) = rest.split_at(SHOWN_FIRST);
            let (middle, last) = rest.split_at(rest.len() - SHOWN_LAST);
            let (from, to) = (middle[0].number, middle[middle.len() - 1].number);
            html.push_str(&self.steps(first));
            html.push_str(&folded(
                "fold",
                &format!("Steps {from} to {to}"),
                &self.steps(middle),
                false,
            ));
            html.push_str(&self.steps(last));
        } else {
            html.push_str(&self.steps(rest));
        }
        html
    }

    /// How many steps go by before the first that races with another, if that is worth folding.
    fn quiet_start(&self) -> usize {
        let quiet = self.found.quiet_steps();
        if quiet >= QUIET_MIN { quiet } else { 0 }
    }

    fn steps(&self, steps: &[StoryStep]) -> String {
        let items: String = steps.iter().map(|step| self.step(step)).collect();
        format!("<ol class=\"story\">\n{items}</ol>\n")
    }

    fn step(&self, step: &StoryStep) -> String {
        let number = step.number;
        let races = self.found.details.races.iter();
        let others: Vec<String> = races
            .filter_map(|race| match (race.first == number, race.second == number) {
                (true, _) => Some(race.second.to_string()),
                (_, true) => Some(race.first.to_string()),
                _ => None,
            })
            .collect();
        let races = match others.is_empty() {
            true => String::new(),
            false => element("span", "races-here", &format!("races with {}", others.join(", "))),
        };
        let place = step.place_words();
        // Where the question was about labels, they come first.
        let visible = self.found.visible.get(number - 1).map(|it| it.as_deref().unwrap_or("tau"));
        let visible = visible.map_or(String::new(), |label| element("b", "", label) + " ");
        let mut html = format!(
            "<li id=\"{}s{number}\"><details><summary><span class=\"n\">{number}</span>{}\
             <span class=\"what\">{visible}{}{races}</span>{}</summary>\n<div class=\"inside\">",
            self.id,
            self.who(&step.who(), step.label.to.as_deref()),
            text(&with_outcome(step)),
            element("span", "place", &place.unwrap_or_default()),
        );
        for line in more_words(&step.told, usize::MAX, false, None) {
            let _ = writeln!(html, "{}", element("div", "change", &line));
        }
        for line in step.lines() {
            let _ = writeln!(html, "{}", element("div", "change", &line));
        }
        if step.is_no_op {
            let _ = writeln!(html, "{}", element("div", "change", "nothing changes"));
        }
        if let Some((file, line)) = step.place() {
            html.push_str(&self.excerpt(file, line));
        }
        html + "</div></details></li>\n"
    }

    /// A member's name with its colour.
    fn who(&self, words: &str, member: Option<&str>) -> String {
        let lives = &self.found.details.lives;
        let index = lives.iter().position(|life| member.is_some_and(|name| life.is_called(name)));
        let hue = index.map_or(0, |index| index * 137 % 360);
        format!("<span class=\"who\" style=\"--hue:{hue}\">{}</span>", text(words))
    }

    fn excerpt(&self, file: &str, line: u32) -> String {
        let Some((_, source)) = self.report.extras.sources.iter().find(|(name, _)| name == file)
        else {
            return String::new();
        };
        let from = line.saturating_sub(AROUND).max(1);
        let lines = source.lines().enumerate().skip(from as usize - 1);
        let mut html = String::new();
        for (i, content) in lines.take((line - from + AROUND + 1) as usize) {
            let number = i as u32 + 1;
            let class = if number == line { " class=\"here\"" } else { "" };
            let _ = write!(html, "<span{class}><i>{number}</i>{} </span>", text(content));
        }
        format!("<pre class=\"excerpt\">{html}</pre>\n")
    }

    fn processes(&self) -> String {
        let Some(story) = &self.found.story else { return String::new() };
        let lives: Vec<&Life> = self.found.details.lives.iter().collect();
        if lives.is_empty() {
            return String::new();
        }
        let mut html = "<h3>Processes</h3>\n<div class=\"tabs\">\n".to_owned();
        for (i, life) in lives.iter().enumerate() {
            let (id, group) = (format!("{}p{i}", self.id), format!("{}p", self.id));
            let checked = if i == 0 { " checked=\"checked\"" } else { "" };
            let stuck =
                if life.is_waiting { element("span", "stuck", " waits") } else { String::new() };
            let _ = writeln!(
                html,
                "<input type=\"radio\" name=\"{group}\" id=\"{id}\"{checked}/><label for=\"{id}\">{}{stuck}</label>\
                 <div class=\"panel\">{}</div>",
                self.who(&life.name, Some(&life.name)),
                self.life(life, &story.steps)
            );
        }
        html + "</div>\n"
    }

    fn life(&self, life: &Life, steps: &[StoryStep]) -> String {
        let mut html = String::new();
        if !life.role.is_empty() {
            html.push_str(&element("p", "role", &life.role));
        }
        html.push_str("<table>\n");
        for step in steps.iter().filter(|step| life.steps.contains(&step.number)) {
            let from = step.label.from.as_ref().map_or(String::new(), |from| format!("{from}: "));
            let place = step.place_words();
            let _ = writeln!(
                html,
                "<tr><td class=\"n\"><a class=\"step\" href=\"#{}s{n}\">{n}</a></td>{}{}</tr>",
                self.id,
                element("td", "", &format!("{from}{}", with_outcome(step))),
                element("td", "place", &place.unwrap_or_default()),
                n = step.number,
            );
        }
        html.push_str("</table>\n");
        let mut end =
            if life.end.is_empty() { String::new() } else { format!("At the end: {}.", life.end) };
        if !life.inbox.is_empty() && !life.end.contains("mailbox") {
            let _ = write!(end, " Unread: {}.", life.inbox.join(", "));
        }
        if !end.is_empty() {
            html.push_str(&element("p", "end", end.trim()));
        }
        html
    }

    fn races(&self) -> String {
        let races = &self.found.details.races;
        if races.is_empty() {
            return String::new();
        }
        let rows = races.iter().map(|race| {
            let class = if race.decides { " class=\"deciding\"" } else { "" };
            let what = if race.decides { "decides" } else { "" };
            format!(
                "<tr{class}><td>{}</td><td>{}</td><td>{what}</td></tr>\n",
                self.mention(race.first),
                self.mention(race.second)
            )
        });
        let table = format!("<table class=\"races\">\n{}</table>\n", rows.collect::<String>());
        let summary = format!(
            "{}: steps whose order could have been the other one",
            units::counted(races.len() as u64, "race")
        );
        format!("<h3>Races</h3>\n{}", folded("fold", &summary, &table, races.len() <= 6))
    }

    fn trace(&self, program: &str) -> String {
        let Some(run) = &self.found.run else { return String::new() };
        let mut html = "<h3>Again</h3>\n".to_owned();
        let copyable =
            |text: &str| format!("<div class=\"copyable\">{}</div>\n", element("pre", "", text));
        match &self.found.trace {
            Some(file) => html.push_str(&copyable(&render::replay_command(file, program))),
            None => html.push_str(&element(
                "p",
                "",
                "Save the trace below as a file, and replay it to see the run again.",
            )),
        }
        html + &folded("fold", "The trace", &copyable(&run.to_string()), false)
    }
}

/// What a step does, and the value or the exception it came to.
fn with_outcome(step: &StoryStep) -> String {
    let outcome = outcome_words(&step.told, VALUE_CHARS).unwrap_or_default();
    format!("{} {outcome}", step.label.what()).trim_end().to_owned()
}
