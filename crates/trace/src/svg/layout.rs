//! Where everything in a diagram goes, and which texts stand there.

use super::canvas::text_width;
use crate::diff::shorten;
use crate::{Finding, Mark, SpaceTime, Trace, more_words, outcome_words};
use foresee_lts::Verb;

pub(super) const LINE_HEIGHT: i32 = 16;
pub(super) const MARGIN: i32 = 24;
/// From a lane to the text beside it.
pub(super) const LABEL_AWAY: i32 = 12;
const ROW_MIN: i32 = 40;
const ROW_MIN_ON_PAGE: i32 = 30;
const LANE_CHARS_MAX: usize = 28;
const CHANGE_CHARS_MAX: usize = 56;
const CHANGE_LINES_MAX: usize = 5;

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
    /// There is a column for what changed.
    pub(super) has_sides: bool,
}

/// The more lanes, the less text beside each.
fn label_chars(n_lanes: usize) -> usize {
    match n_lanes {
        0..=4 => 28,
        5..=6 => 22,
        _ => 17,
    }
}

impl Layout {
    /// A picture that stands alone has a heading, what changed at the side, and the violation below; on a page the page has them.
    pub(super) fn of(diagram: &SpaceTime, trace: &Trace, is_alone: bool) -> Self {
        let label_chars = label_chars(diagram.lanes.len());
        let side_lines = |mark: &Mark| match is_alone {
            true => side_lines(mark, label_chars),
            false => Vec::new(),
        };
        let row_min = if is_alone { ROW_MIN } else { ROW_MIN_ON_PAGE };
        let gap = lane_gap(diagram, label_chars);
        let offsets: Vec<i32> = (0..diagram.lanes.len() as i32).map(|i| i * gap).collect();
        let (left, right) = extents(diagram, &offsets, label_chars);
        let numbers_x = MARGIN + text_width(&diagram.marks.len().to_string()).max(text_width("0"));
        let first_lane = numbers_x + 20 + left;
        let changes_x = first_lane + right + if is_alone { 28 } else { 14 };
        let changes = diagram.marks.iter().flat_map(&side_lines);
        let changes_width = changes.map(|line| text_width(&line)).max().unwrap_or(0);
        let claim = trace.violation.as_ref().map_or(0, |finding| text_width(&finding.title()) + 80);
        let heading_width = (text_width(&trace.system) * 5 / 4).max(claim).max(375);
        let width = match is_alone {
            true => (changes_x + changes_width + MARGIN).max(heading_width + 2 * MARGIN),
            false => changes_x,
        };
        let lanes_top = if is_alone { 104 } else { 24 };
        let mut rows = vec![lanes_top + 30];
        let sends_at_start = diagram.marks.iter().any(|mark| mark.sent_at == Some(0));
        for mark in &diagram.marks {
            // A row's text hangs down from its line, so a tall row pushes the next one away.
            let above =
                rows.len().checked_sub(2).map_or(0, |i| side_lines(&diagram.marks[i]).len() as i32);
            let is_first = rows.len() == 1;
            let row_min = if is_first && !sends_at_start { 16 } else { row_min };
            let step = (above * LINE_HEIGHT + 14).max(row_min);
            debug_assert_eq!(mark.step, rows.len());
            rows.push(rows[rows.len() - 1] + step);
        }
        let last_lines = diagram.marks.last().map_or(0, |mark| side_lines(mark).len() as i32);
        let lanes_bottom = rows[rows.len() - 1] + (last_lines * LINE_HEIGHT + 8).max(28);
        let message = trace
            .violation
            .as_ref()
            .filter(|_| is_alone)
            .map(|finding| message_lines(finding, width))
            .unwrap_or_default();
        let band = if message.is_empty() { 0 } else { message.len() as i32 * LINE_HEIGHT + 36 };
        Layout {
            width,
            height: lanes_bottom + band + if is_alone { MARGIN } else { 4 },
            lanes: offsets.iter().map(|offset| first_lane + offset).collect(),
            rows,
            lanes_top,
            lanes_bottom,
            numbers_x,
            changes_x,
            message,
            label_chars,
            has_sides: is_alone,
        }
    }

    /// The text, shortened if it is wider than the picture.
    pub(super) fn fitting(&self, text: &str) -> String {
        shorten(text, ((self.width - 2 * MARGIN) / 8).max(1) as usize)
    }
}

/// Wide enough for the names and for the longest text beside a lane.
fn lane_gap(diagram: &SpaceTime, label_chars: usize) -> i32 {
    let labels = diagram.marks.iter().filter(|mark| mark.lane.is_some());
    let labels =
        labels.map(|mark| text_width(&short_label(mark, label_chars)) + 34).max().unwrap_or(0);
    let names =
        diagram.lanes.iter().map(|name| text_width(&lane_name(name)) + 36).max().unwrap_or(0);
    labels.max(names).max(120)
}

/// How far names and texts reach left of the first lane and right of it.
fn extents(diagram: &SpaceTime, offsets: &[i32], label_chars: usize) -> (i32, i32) {
    let (mut left, mut right) = (40, 40);
    for (name, x) in diagram.lanes.iter().zip(offsets) {
        let half = text_width(&lane_name(name)) / 2 + 14;
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

pub(super) fn lane_name(name: &str) -> String {
    shorten(name, LANE_CHARS_MAX)
}

pub(super) fn is_from_the_right(mark: &Mark) -> bool {
    matches!((mark.sender, mark.lane), (Some(from), Some(to)) if from > to)
}

/// The text beside the lane.
fn label(mark: &Mark) -> String {
    let verb = mark.label.verb;
    let word = match verb {
        Verb::Deliver | Verb::Timer | Verb::Step => "",
        _ => verb.word(),
    };
    let what = mark.label.what();
    // The arrow says that it is received.
    let what = what.strip_prefix("receive ").filter(|_| mark.sender.is_some()).unwrap_or(what);
    let outcome = outcome_words(&mark.told, CHANGE_CHARS_MAX).unwrap_or_default();
    format!("{word} {what} {outcome}").trim().to_owned()
}

pub(super) fn short_label(mark: &Mark, label_chars: usize) -> String {
    let chars_max = if mark.lane.is_some() { label_chars } else { 2 * label_chars };
    shorten(&label(mark), chars_max)
}

/// The lines in the column at the right: a label that had to be shortened, then what changed.
pub(super) fn side_lines(mark: &Mark, label_chars: usize) -> Vec<String> {
    let whole = label(mark);
    let mut lines = Vec::new();
    if short_label(mark, label_chars) != whole {
        lines.extend(wrap(&whole, CHANGE_CHARS_MAX));
    }
    let more = more_words(&mark.told, CHANGE_CHARS_MAX, false, None);
    lines.extend(more.iter().flat_map(|line| wrap(line, CHANGE_CHARS_MAX)));
    lines.extend(mark.changes.iter().map(|change| shorten(&change.one_line(24), CHANGE_CHARS_MAX)));
    lines.extend(mark.left_in_flight.iter().map(|sent| {
        let line = format!("{} to {} stays in flight", shorten(&sent.payload, 30), sent.to);
        shorten(&line, CHANGE_CHARS_MAX)
    }));
    if lines.len() > CHANGE_LINES_MAX {
        let n_more = lines.len() - CHANGE_LINES_MAX + 1;
        lines.truncate(CHANGE_LINES_MAX - 1);
        lines.push(format!("… and {n_more} more"));
    }
    lines
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
