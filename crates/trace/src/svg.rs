//! A space–time diagram as a self-contained SVG: one vertical lane for each member, time goes down, one row for each event.
//! Why it cannot get crowded: a row belongs to one event, so there is at most one text beside a lane in it. What changed stands in a column of its own. Widths are counted in characters of a
//! monospaced font, so the layout is the same everywhere; all coordinates are whole numbers.
//! It is at most 1400 wide up to a dozen lanes: with many lanes texts reach over the next lane, and the column is narrower.
//! The picture paints its own light ground under dark ink, so it can be put on a page of any colour.

mod canvas;
mod layout;

use crate::{Finding, Lane, Mark, Race, Run, SpaceTime, Trace};
use canvas::{Canvas, text_width};
use foresee_lts::Verb;
use layout::{LABEL_AWAY, LINE_HEIGHT, Layout, MARGIN, is_from_the_right, short_label};

const INK: &str = "#1b1f24";
const SOFT: &str = "#57606a";
const LINE: &str = "#8c959f";
const MESSAGE: &str = "#0b57b7";
const TIMER: &str = "#6f3fb0";
const BAD: &str = "#b42318";
const GOOD: &str = "#1a7f37";
const SPLIT: &str = "#8a5a00";
const RACE: &str = "#c2410c";

/// More races than this make a picture unreadable; those that decide come first.
const RACES_MAX: usize = 24;

/// What is to be drawn.
#[derive(Clone, Copy)]
pub struct Drawing<'a> {
    pub run: &'a Run<'a>,
    pub trace: &'a Trace,
    /// Steps whose order could have been the other one.
    pub races: &'a [Race],
    /// What changes inside members is worth telling. In a program that is interpreted it is how far the interpreter is.
    pub tells_members: bool,
}

/// Draws the run of `trace` (`run` is what [`replay`](fn@crate::replay) makes of it).
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::{Run, Trace, to_svg};
/// let system = Counters::new(2, 3);
/// let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1)] };
/// let svg = to_svg(&Run::of(&system, &path), &Trace::record(&system, &path));
/// assert!(svg.starts_with("<svg ") && svg.contains("counter2"));
/// ```
pub fn to_svg(run: &Run<'_>, trace: &Trace) -> String {
    Drawing { run, trace, races: &[], tells_members: true }.to_svg()
}

impl Drawing<'_> {
    /// Draws it.
    pub fn to_svg(&self) -> String {
        let Drawing { run, trace, races, tells_members } = *self;
        // A run that stops before the trace does has not reached what the trace claims of its end.
        let stop = trace.events.get(run.path().actions.len());
        let violation = if stop.is_some() { None } else { trace.violation.clone() };
        let trace = &Trace { violation, ..trace.clone() };
        let mut diagram = SpaceTime::of_story(run, run.story());
        if !tells_members {
            diagram.marks.iter_mut().for_each(|it| it.changes.retain(|it| it.member.is_empty()));
        }
        let layout = Layout::of(&diagram, trace);
        draw(&diagram, trace, races, &layout)
    }
}

fn draw(diagram: &SpaceTime, trace: &Trace, races: &[Race], layout: &Layout) -> String {
    let mut canvas = Canvas::default();
    draw_heading(&mut canvas, layout, diagram, trace);
    draw_partitions(&mut canvas, layout, diagram);
    draw_guides(&mut canvas, layout, diagram);
    draw_lanes(&mut canvas, layout, diagram);
    draw_starts(&mut canvas, layout, diagram);
    draw_arrows(&mut canvas, layout, diagram, trace.violation.is_some());
    draw_races(&mut canvas, layout, diagram, races);
    for (i, mark) in diagram.marks.iter().enumerate() {
        let is_last = i + 1 == diagram.marks.len() && trace.violation.is_some();
        draw_mark(&mut canvas, layout, mark, is_last);
    }
    if let Some(finding) = &trace.violation {
        draw_violation(&mut canvas, layout, finding);
    }
    let title = match &trace.violation {
        Some(finding) => {
            format!("{}: {} after {} steps", trace.system, finding.title(), diagram.marks.len())
        }
        None => format!("{}: a run of {} steps", trace.system, diagram.marks.len()),
    };
    let steps = diagram.marks.iter().map(|mark| format!("{}. {}", mark.step, mark.label));
    canvas.finish(layout.width, layout.height, &title, &steps.collect::<Vec<_>>().join("; "))
}

fn draw_heading(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime, trace: &Trace) {
    canvas.text_styled(
        MARGIN,
        34,
        &trace.system,
        INK,
        "start",
        "font-size=\"15\" font-weight=\"bold\"",
    );
    let n_steps = diagram.marks.len();
    let (text, colour) = match (&trace.violation, trace.events.get(n_steps)) {
        (Some(finding), _) => (format!("violated: {}", finding.title()), BAD),
        (None, Some(event)) => {
            let text = format!("step {} no longer applies: {}", n_steps + 1, event.label);
            (layout.fitting(&text), SPLIT)
        }
        (None, None) => ("a run; time goes down".to_owned(), SOFT),
    };
    canvas.text(MARGIN, 54, &text, colour, "start");
    let has_changes = |mark: &Mark| !layout.side_lines(mark).is_empty();
    if diagram.marks.iter().any(has_changes) {
        canvas.text(layout.changes_x, layout.lanes_top + 4, "what changed", SOFT, "start");
    }
}

/// A tint over the time in which the network is split.
fn draw_partitions(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime) {
    let mut since: Option<i32> = None;
    let (left, right) = (layout.numbers_x + 12, layout.changes_x - 14);
    for mark in &diagram.marks {
        let y = layout.rows[mark.step];
        if !matches!(mark.label.verb, Verb::Partition | Verb::Heal) {
            continue;
        }
        if let Some(start) = since {
            canvas.rect(left, start, right - left, y - start, "#fdf3d8", "none");
        }
        since = (mark.label.verb == Verb::Partition).then_some(y);
    }
    if let Some(start) = since {
        canvas.rect(left, start, right - left, layout.lanes_bottom - start, "#fdf3d8", "none");
    }
}

/// Faint lines that lead the eye from an event to its number and its changes.
fn draw_guides(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime) {
    for mark in &diagram.marks {
        let y = layout.rows[mark.step];
        let (left, right) = (layout.numbers_x + 12, layout.changes_x - 8);
        canvas.line((left, y), (right, y), "#e7ebef", "stroke-width=\"1\"");
    }
}

/// Names on top; a line down that is broken while the member is down.
fn draw_lanes(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime) {
    for (lane, name) in diagram.lanes.iter().enumerate() {
        let x = layout.lanes[lane];
        let name = layout.lane_name(name);
        let Lane { from, to } = diagram.spans.get(lane).copied().unwrap_or_default();
        let mut from = if from == 0 { layout.lanes_top + 14 } else { layout.rows[from] };
        let bottom = to.map_or(layout.lanes_bottom, |step| layout.rows[step]);
        let mut is_down = false;
        let changes = diagram.marks.iter().filter(|mark| mark.lane == Some(lane));
        for mark in changes.filter(|mark| matches!(mark.label.verb, Verb::Crash | Verb::Restart)) {
            let y = layout.rows[mark.step];
            draw_life(canvas, x, from, y, is_down);
            (from, is_down) = (y, mark.label.verb == Verb::Crash);
        }
        draw_life(canvas, x, from, bottom, is_down);
        if to.is_some() {
            canvas.line((x - 7, bottom + 8), (x + 7, bottom + 8), LINE, "stroke-width=\"2\"");
            canvas.line((x, bottom), (x, bottom + 8), LINE, "stroke-width=\"2\"");
        }
        let width = text_width(&name) + 20;
        canvas.rounded(x - width / 2, layout.lanes_top - 14, width, 28, "#eaf1fb", "#b6c6dd");
        canvas.text_styled(x, layout.lanes_top + 4, &name, INK, "middle", "font-weight=\"bold\"");
    }
}

fn draw_life(canvas: &mut Canvas, x: i32, from: i32, to: i32, is_down: bool) {
    let style =
        if is_down { "stroke-width=\"2\" stroke-dasharray=\"2 6\"" } else { "stroke-width=\"2\"" };
    canvas.line((x, from), (x, to), if is_down { BAD } else { LINE }, style);
}

/// Whoever is started: a dotted line from the event that did it.
fn draw_starts(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime) {
    for mark in &diagram.marks {
        let Some(by) = mark.lane else { continue };
        let (y, from) = (layout.rows[mark.step], layout.lanes[by]);
        for &lane in mark.starts.iter().filter(|lane| **lane != by) {
            let to = layout.lanes[lane];
            canvas.line((from, y), (to, y), LINE, "stroke-width=\"1.5\" stroke-dasharray=\"2 4\"");
            canvas.circle(to, y, 4, "#ffffff", LINE);
        }
    }
}

/// Racing pairs: a bow from one to the other; strong if the order of the two decides.
fn draw_races(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime, races: &[Race]) {
    let at = |step: usize| {
        let mark = diagram.marks.get(step.checked_sub(1)?)?;
        Some((layout.lanes[mark.lane?], layout.rows[step]))
    };
    let mut shown: Vec<&Race> = races.iter().collect();
    shown.sort_by_key(|race| (!race.decides, race.first, race.second));
    for race in shown.into_iter().take(RACES_MAX) {
        let (Some(from), Some(to)) = (at(race.first), at(race.second)) else { continue };
        let words = if race.decides { " and that decides" } else { "" };
        canvas.open_group(&format!("Step {} races with step {}{words}", race.first, race.second));
        canvas.race(from, to, race.decides, RACE);
        canvas.close_group();
    }
}

fn draw_arrows(canvas: &mut Canvas, layout: &Layout, diagram: &SpaceTime, is_violated: bool) {
    for mark in &diagram.marks {
        draw_unread(canvas, layout, mark);
        let (Some(from), Some(to)) = (mark.sender, mark.lane) else { continue };
        // What is taken out of one's own inbox has arrived there before, by an event that was drawn.
        let is_drawn = |step: usize| {
            let put = step.checked_sub(1).and_then(|i| diagram.marks.get(i));
            put.is_some_and(|put| put.label.verb == Verb::Deliver)
        };
        if mark.label.from.is_none() && from == to && mark.sent_at.is_some_and(is_drawn) {
            continue;
        }
        let y = layout.rows[mark.step];
        let sent_y = mark.sent_at.map_or(y, |step| layout.rows[step]);
        let (from_x, to_x) = (layout.lanes[from], layout.lanes[to]);
        let copied_at = mark.sent_at.and_then(|step| copy_x(layout, diagram, step));
        let start_x = copied_at.unwrap_or(from_x);
        let colour = if mark.label.verb == Verb::Drop { BAD } else { MESSAGE };
        if mark.sent_at == Some(0) {
            canvas.circle(from_x, sent_y, 3, "#ffffff", colour);
        }
        if from == to {
            canvas.bow(from_x, sent_y, y, colour);
            continue;
        }
        let end_x = arrival_x(mark, from_x, to_x);
        let style = if mark.label.verb == Verb::Drop { "stroke-dasharray=\"5 4\"" } else { "" };
        let ends_in_ring = is_violated && mark.step == diagram.marks.len();
        let distance = if ends_in_ring { 13 } else { 7 };
        canvas.arrow((start_x, sent_y), (end_x, y), distance, colour, style);
    }
}

/// A message that nobody ever takes out of its inbox: an arrow that ends in a ring.
fn draw_unread(canvas: &mut Canvas, layout: &Layout, mark: &Mark) {
    let Some(from) = mark.lane else { return };
    let y = layout.rows[mark.step];
    for &to in mark.unread.iter().filter(|to| **to != from) {
        let (from_x, to_x) = (layout.lanes[from], layout.lanes[to]);
        let end = (to_x, y + 12);
        canvas.arrow((from_x, y), end, 6, MESSAGE, "stroke-dasharray=\"5 4\"");
        canvas.circle(to_x, y + 12, 4, "#ffffff", MESSAGE);
    }
}

/// Where a copy starts, if the event at `step` doubled a message on its way.
fn copy_x(layout: &Layout, diagram: &SpaceTime, step: usize) -> Option<i32> {
    let mark = diagram.marks.get(step.checked_sub(1)?)?;
    let (from, to) = (layout.lanes[mark.sender?], layout.lanes[mark.lane?]);
    (mark.label.verb == Verb::Duplicate).then(|| arrival_x(mark, from, to))
}

/// A delivery reaches the lane; a message that is dropped or doubled is met on the way.
fn arrival_x(mark: &Mark, from_x: i32, to_x: i32) -> i32 {
    let is_met = matches!(mark.label.verb, Verb::Drop | Verb::Duplicate);
    let before = if is_met { 36 } else { 0 };
    if from_x < to_x { to_x - before } else { to_x + before }
}

fn draw_mark(canvas: &mut Canvas, layout: &Layout, mark: &Mark, is_violation: bool) {
    let y = layout.rows[mark.step];
    canvas.open_group(&format!("Step {}: {}", mark.step, mark.label));
    canvas.text(layout.numbers_x, y + 4, &mark.step.to_string(), SOFT, "end");
    match mark.lane {
        Some(lane) => draw_on_lane(canvas, layout, mark, layout.lanes[lane], is_violation),
        None => draw_across(canvas, layout, mark),
    }
    for (i, line) in layout.side_lines(mark).iter().enumerate() {
        canvas.text(layout.changes_x, y + 4 + i as i32 * LINE_HEIGHT, line, SOFT, "start");
    }
    canvas.close_group();
}

fn draw_on_lane(canvas: &mut Canvas, layout: &Layout, mark: &Mark, x: i32, is_violation: bool) {
    let y = layout.rows[mark.step];
    let met_at = mark.sender.map_or(x, |from| arrival_x(mark, layout.lanes[from], x));
    if is_violation {
        canvas.ring(met_at, y, 11, BAD);
    }
    let colour = match mark.label.verb.written() {
        Verb::Deliver => {
            canvas.circle(x, y, 5, MESSAGE, "#ffffff");
            INK
        }
        Verb::Timer => {
            canvas.clock(x, y, TIMER);
            TIMER
        }
        Verb::Drop => {
            canvas.cross(met_at, y, 6, BAD);
            BAD
        }
        Verb::Duplicate => {
            canvas.circle(met_at, y, 5, "#ffffff", MESSAGE);
            canvas.circle(met_at + 4, y, 5, "#ffffff", MESSAGE);
            MESSAGE
        }
        Verb::Crash => {
            canvas.cross(x, y, 8, BAD);
            BAD
        }
        Verb::Restart => {
            canvas.circle(x, y, 6, GOOD, "#ffffff");
            GOOD
        }
        _ => {
            canvas.rect(x - 5, y - 5, 10, 10, INK, "#ffffff");
            INK
        }
    };
    let away = if is_violation { LABEL_AWAY + 6 } else { LABEL_AWAY };
    let (text_x, anchor) =
        if is_from_the_right(mark) { (x - away, "end") } else { (x + away, "start") };
    canvas.text(text_x, y - 6, &short_label(mark, layout.label_chars), colour, anchor);
}

fn draw_across(canvas: &mut Canvas, layout: &Layout, mark: &Mark) {
    let y = layout.rows[mark.step];
    let colour = if mark.label.verb == Verb::Heal { GOOD } else { SPLIT };
    let (left, right) = (layout.numbers_x + 12, layout.changes_x - 14);
    canvas.line((left, y), (right, y), colour, "stroke-width=\"2\" stroke-dasharray=\"10 5\"");
    let x = layout.lanes.first().map_or(left, |lane| lane + 12);
    canvas.text(x, y - 6, &short_label(mark, layout.label_chars), colour, "start");
}

fn draw_violation(canvas: &mut Canvas, layout: &Layout, finding: &Finding) {
    let height = layout.message.len() as i32 * LINE_HEIGHT + 16;
    let top = layout.lanes_bottom + 12;
    canvas.open_group(&format!("violated: {}", finding.title()));
    canvas.rounded(MARGIN, top, layout.width - 2 * MARGIN, height, "#fdecea", BAD);
    for (i, line) in layout.message.iter().enumerate() {
        let style = if i == 0 { "font-weight=\"bold\"" } else { "" };
        canvas.text_styled(
            MARGIN + 14,
            top + 20 + i as i32 * LINE_HEIGHT,
            line,
            BAD,
            "start",
            style,
        );
    }
    canvas.close_group();
}
