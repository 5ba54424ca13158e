//! Where everything in a diagram goes, and which texts stand there.

use super::canvas::text_width;
use crate::diff::shorten;
use crate::{Finding, Mark, SpaceTime, Trace, more_words, outcome_words};
use foresee_lts::Verb;

pub(super) const LINE_HEIGHT: i32 = 16;
pub(super) const MARGIN: i32 = 24;
/// From a lane to the text beside it.
pub(super) const LABEL_AWAY: i32 = 12;
const ROW_MIN: i32 = 34;
const LANE_CHARS_MAX: usize = 28;
const LANE_GAP_MIN: i32 = 58;
const CHANGE_LINES_MAX: usize = 5;
/// The column of what changed has at most so many characters; room is left for so many; with less than the last there is none.
const SIDE_CHARS_MAX: usize = 56;
const SIDE_CHARS_WANTED: usize = 40;
const SIDE_CHARS_MIN: usize = 26;
/// What fits a page and a screen.
const WIDTH_MAX: i32 = 1400;
const CHAR_WIDTH: f32 = 7.25;

/// Where everything goes.
pub(super) struct Layout {
    pub(super) width: i32,
    pub(super) height: i32,
    /// The x of each lane.
    pub(super) lanes: Vec<i32>,
    /// The y of the start and of each event.
    pub(super) rows: Vec<i32>,
    pub(super) lanes_top: i32,
    pub(super) lanes_bottom: i32,
    pub(super) numbers_x: i32,
    pub(super) changes_x: i32,
    /// The violation's message in lines.
    pub(super) message: Vec<String>,
    /// How many characters of an event's text stand beside its lane.
    pub(super) label_chars: usize,
    name_chars: usize,
    /// How many characters the column of what changed has; 0: there is none.
    side_chars: usize,
}

/// The more lanes, the less text beside each.
fn label_chars(n_lanes: usize) -> usize {
    match n_lanes {
        0..=4 => 28,
        5..=6 => 24,
        _ => 20,
    }
}

impl Layout {
    pub(super) fn of(diagram: &SpaceTime, trace: &Trace) -> Self {
        let label_chars = label_chars(diagram.lanes.len());
        let numbers_x = MARGIN + text_width(&diagram.marks.len().to_string()).max(text_width("0"));
        let gap = lane_gap(diagram, label_chars, numbers_x);
        let name_chars = ((gap - 20) as f32 / CHAR_WIDTH) as usize;
        let name_chars = name_chars.clamp(4, LANE_CHARS_MAX);
        let offsets: Vec<i32> = (0..diagram.lanes.len() as i32).map(|i| i * gap).collect();
        let (left, right) = extents(diagram, &offsets, label_chars, name_chars);
        let first_lane = numbers_x + 20 + left;
        let changes_x = first_lane + right + 28;
        let room = ((WIDTH_MAX - MARGIN - changes_x).max(0) as f32 / CHAR_WIDTH) as usize;
        let side_chars = if room < SIDE_CHARS_MIN { 0 } else { room.min(SIDE_CHARS_MAX) };
        let lanes_top = 104;
        let mut layout = Layout {
            width: 0,
            height: 0,
            lanes: offsets.iter().map(|offset| first_lane + offset).collect(),
            rows: vec![lanes_top + 30],
            lanes_top,
            lanes_bottom: 0,
            numbers_x,
            changes_x,
            message: Vec::new(),
            label_chars,
            name_chars,
            side_chars,
        };
        layout.set_width(diagram, trace);
        layout.set_rows(diagram);
        let width = layout.width;
        let message = trace.violation.as_ref().map(|finding| message_lines(finding, width));
        layout.message = message.unwrap_or_default();
        let band = layout.message.len() as i32 * LINE_HEIGHT;
        let band = if band == 0 { 0 } else { band + 36 };
        layout.height = layout.lanes_bottom + band + MARGIN;
        layout
    }

    fn set_width(&mut self, diagram: &SpaceTime, trace: &Trace) {
        let changes = diagram.marks.iter().flat_map(|mark| self.side_lines(mark));
        let changes_width = changes.map(|line| text_width(&line)).max().unwrap_or(0);
        let claim = trace.violation.as_ref().map_or(0, |finding| text_width(&finding.title()) + 80);
        let heading_width = (text_width(&trace.system) * 5 / 4).max(claim).max(375);
        self.width = (self.changes_x + changes_width + MARGIN).max(heading_width + 2 * MARGIN);
    }

    fn set_rows(&mut self, diagram: &SpaceTime) {
        let sends_at_start = diagram.marks.iter().any(|mark| mark.sent_at == Some(0));
        let mut above = 0;
        for mark in &diagram.marks {
            // A row's text hangs down from its line, so a tall row pushes the next one away.
            let is_first = self.rows.len() == 1;
            let row_min = if is_first && !sends_at_start { 16 } else { ROW_MIN };
            let step = (above * LINE_HEIGHT + 14).max(row_min);
            debug_assert_eq!(mark.step, self.rows.len());
            self.rows.push(self.rows[self.rows.len() - 1] + step);
            above = self.side_lines(mark).len() as i32;
        }
        self.lanes_bottom = self.rows[self.rows.len() - 1] + (above * LINE_HEIGHT + 8).max(28);
    }

    pub(super) fn lane_name(&self, name: &str) -> String {
        shorten(name, self.name_chars)
    }

    /// The lines in the column at the right: a label that had to be shortened, then what changed.
    pub(super) fn side_lines(&self, mark: &Mark) -> Vec<String> {
        let chars_max = self.side_chars;
        if chars_max == 0 {
            return Vec::new();
        }
        let whole = label(mark);
        let mut lines = Vec::new();
        if short_label(mark, self.label_chars) != whole {
            lines.extend(wrap(&whole, chars_max));
        }
        let more = more_words(&mark.told, SIDE_CHARS_MAX, false, None);
        lines.extend(more.iter().flat_map(|line| wrap(line, chars_max)));
        let value = chars_max * 3 / 7;
        lines.extend(mark.changes.iter().map(|change| shorten(&change.one_line(value), chars_max)));
        lines.extend(mark.left_in_flight.iter().map(|sent| {
            let line = format!("{} to {} stays in flight", sent.payload.shortened(30), sent.to);
            shorten(&line, chars_max)
        }));
        if lines.len() > CHANGE_LINES_MAX {
            let n_more = lines.len() - CHANGE_LINES_MAX + 1;
            lines.truncate(CHANGE_LINES_MAX - 1);
            lines.push(format!("… and {n_more} more"));
        }
        lines
    }

    /// The text, shortened if it is wider than the picture.
    pub(super) fn fitting(&self, text: &str) -> String {
        shorten(text, ((self.width - 2 * MARGIN) / 8).max(1) as usize)
    }
}

/// Wide enough for the names and for the longest text beside a lane; with many lanes, only as wide as there is room. A text may
/// then reach over the next lane: nothing else stands in its row.
fn lane_gap(diagram: &SpaceTime, label_chars: usize, numbers_x: i32) -> i32 {
    let labels = diagram.marks.iter().filter(|mark| mark.lane.is_some());
    let labels =
        labels.map(|mark| text_width(&short_label(mark, label_chars)) + 34).max().unwrap_or(0);
    let names = diagram.lanes.iter().map(|name| text_width(&shorten(name, LANE_CHARS_MAX)) + 36);
    let wanted = labels.max(names.max().unwrap_or(0)).max(120);
    let n_gaps = (diagram.lanes.len() as i32 - 1).max(1);
    let side = (SIDE_CHARS_WANTED as f32 * CHAR_WIDTH) as i32 + 28 + MARGIN;
    // Texts of the first and the last lane, which reach out.
    let around = numbers_x + 20 + 60 + labels;
    let room = (WIDTH_MAX - side - around) / n_gaps;
    wanted.min(room.max(LANE_GAP_MIN))
}

/// How far names and texts reach left of the first lane and right of it.
fn extents(
    diagram: &SpaceTime,
    offsets: &[i32],
    label_chars: usize,
    name_chars: usize,
) -> (i32, i32) {
    let (mut left, mut right) = (40, 40);
    for (name, x) in diagram.lanes.iter().zip(offsets) {
        let half = text_width(&shorten(name, name_chars)) / 2 + 14;
        left = left.max(half - x);
        right = right.max(half + x);
    }
    for mark in &diagram.marks {
        let width = text_width(&short_label(mark, label_chars)) + LABEL_AWAY + 8;
        let is_bow = mark.sender.is_some() && mark.sender == mark.lane;
        match mark.lane {
            Some(lane) if is_from_the_right(mark) => left = left.max(width - offsets[lane]),
            Some(lane) => {
                right = right.max(width + offsets[lane]);
                left = left.max(if is_bow { 46 } else { 0 } - offsets[lane]);
            }
            None => right = right.max(width),
        }
    }
    (left, right)
}

pub(super) fn is_from_the_right(mark: &Mark) -> bool {
    matches!((mark.sender, mark.lane), (Some(from), Some(to)) if from > to)
}

/// The text beside the lane.
fn label(mark: &Mark) -> String {
    let word = match mark.label.verb.written() {
        Verb::Deliver | Verb::Timer | Verb::Step => "",
        verb => verb.word(),
    };
    // The arrow says that it is received.
    let received = mark.label.about.message.as_ref();
    let is_arrow = mark.sender.is_some() && mark.label.verb == Verb::Receive;
    let what = received.filter(|_| is_arrow).unwrap_or(&mark.label.payload);
    let outcome = outcome_words(&mark.told, SIDE_CHARS_MAX).unwrap_or_default();
    format!("{word} {what} {outcome}").trim().to_owned()
}

pub(super) fn short_label(mark: &Mark, label_chars: usize) -> String {
    let chars_max = if mark.lane.is_some() { label_chars } else { 2 * label_chars };
    shorten(&label(mark), chars_max)
}

fn message_lines(finding: &Finding, width: i32) -> Vec<String> {
    let chars_max = ((width - 2 * MARGIN - 32) / 8).max(20) as usize;
    let mut lines = vec![shorten(&format!("violated: {}", finding.title()), chars_max)];
    lines.extend(finding.message.lines().flat_map(|line| wrap(line, chars_max)));
    lines
}

/// Broken between words into lines of at most `chars_max` characters; a longer word is shortened. A line that fits is
/// left as it is, because its spaces may be there to align it with the next.
fn wrap(text: &str, chars_max: usize) -> Vec<String> {
    if text.chars().count() <= chars_max {
        return vec![text.trim_end().to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shorten(word, chars_max);
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= chars_max => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
